package document

import (
	"fmt"
	"math"
	"slices"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/rank"
)

// The document's constants.
const (
	Cap          = 5  // candidates
	SureRatio    = 80 // percent from which one specialist may do
	SureGap      = 4  // points that the first must be ahead for that
	registryName = "registry"
)

// NoCandidate is what is said when no entry of the registry has a point.
const NoCandidate = "No responsible repository identified: nothing in the ticket matches the owns, endpoints, events, codes or names of any entry. " +
	"Check .repo-orchestrator/registry.json, or add the ticket's words with pointsman edit."

// AskMore is the question to a person whose ticket is too short.
const AskMore = "The ticket is too short to route with confidence. Which service, endpoint or user action is affected?"

// Action is what the document does with its candidates.
type Action string

// The actions.
const (
	ActionNone   Action = "none"   // nobody has a point
	ActionSingle Action = "single" // the first alone is enough
	ActionTeam   Action = "team"   // all candidates together
)

// Candidate is an entry with points.
type Candidate struct {
	Repo    string
	Agent   string  // the address of its specialist; "" = repo-NAME
	Score   float64 // with the points of owns divided
	Raw     float64 // before they were
	Points  []routing.Point
	Reasons []string
}

// View is a routed ticket as the document has it.
type View struct {
	Keywords   []string // the ticket's words, then their expansions
	Confidence int      // percent: the score ratio of the first two, 100 for one alone, 0 for none
	Gap        float64  // points between the first two; a lone candidate is ahead of 0
	Action     Action
	Candidates []Candidate // at most Cap, best first
	Short      bool        // too little text to go by
	Warnings   []string
}

// Of reads the view off one walk of the engine: the decision and what each ranker
// said, as engine.Trace returns them.
func Of(d routing.Decision, rankings []routing.Ranking) View {
	v := View{Short: d.Verdict == routing.VerdictAsk, Warnings: slices.Clone(d.Warnings)}
	i := slices.IndexFunc(rankings, func(r routing.Ranking) bool { return r.Ranker == registryName })
	if i < 0 {
		v.Action = ActionNone
		return v
	}
	v.Keywords = rankings[i].Keywords
	var scores []float64
	for _, h := range rankings[i].Hits {
		scores = append(scores, h.Score)
		if len(v.Candidates) < Cap {
			v.Candidates = append(v.Candidates, Candidate{Repo: h.Repo, Score: h.Score, Raw: raw(h), Points: h.Points, Reasons: h.Reasons})
		}
	}
	v.Confidence = rank.Ratio(scores)
	v.Gap, v.Action = decide(scores, v.Confidence)
	return v
}

// Addressed gives the candidates the addresses that their entries name: an agent
// keeps its name when its repository gets another.
func (v View) Addressed(repos []routing.Repo) View {
	v.Candidates = slices.Clone(v.Candidates)
	for i, c := range v.Candidates {
		for _, r := range repos {
			if r.Name == c.Repo {
				v.Candidates[i].Agent = r.AgentType
			}
		}
	}
	return v
}

func raw(h routing.Hit) float64 {
	sum := 0.0
	for _, p := range h.Points {
		sum += p.Points
	}
	return sum
}

// decide takes scores best first.
func decide(scores []float64, ratio int) (gap float64, a Action) {
	if len(scores) == 0 {
		return 0, ActionNone
	}
	gap = scores[0]
	if len(scores) > 1 {
		gap -= scores[1]
	}
	gap = math.Round(gap*1e9) / 1e9 // 19.8-2 is 17.8, whatever the machine makes of it
	if ratio >= SureRatio && gap >= SureGap {
		return gap, ActionSingle
	}
	return gap, ActionTeam
}

// words says what to do, in the document's form.
func (v View) words() string {
	switch v.Action {
	case ActionSingle:
		return fmt.Sprintf("Single subagent: %s (confidence ≥ %d%%)", name(v.Candidates[0].Repo), SureRatio)
	case ActionTeam:
		if len(v.Candidates) == 1 {
			return "Spawn Agent Team with candidate 1"
		}
		return fmt.Sprintf("Spawn Agent Team with candidates 1–%d", len(v.Candidates))
	case ActionNone:
	}
	return "No candidate found"
}
