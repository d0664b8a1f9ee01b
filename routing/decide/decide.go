package decide

import (
	"fmt"
	"slices"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/fuse"
	"github.com/pointsman/pointsman/routing/registry"
)

// Input is all that a decision is made from.
type Input struct {
	Ticket   routing.Ticket
	Repos    []routing.Repo
	Rankings []routing.Ranking
	Fused    fuse.Fused
	Weights  fuse.Weights
	Keep     int  // candidates to keep, at least 1
	Tail     bool // append the rest after them

	Useful   int     // words of the ticket that carry a topic
	Strength float64 // share of the ticket's words that the best evidence holds, in [0,1]
	Ratio    int     // the routing document's confidence in percent, over the registry's points
	Keywords []string
	Warnings []string

	// Separate measures by how much the evidence that siblings do not share
	// favours each of them: for every member a share of the group's evidence, in [0,1].
	Separate func(members []string) (map[string]float64, error)
}

// MinUseful is the number of topic words under which a ticket is too short to
// route with confidence (the routing document's rule).
const MinUseful = 5

// Decide makes the decision. Schema, ticket, asOf and time are the engine's to add.
// The only error is that of Separate.
func Decide(in Input) (routing.Decision, error) {
	d := routing.Decision{
		Verdict: routing.VerdictRoute, Candidates: []routing.Candidate{}, Spans: []string{},
		Ambiguities: []routing.Ambiguity{}, Coverage: in.Fused.Coverage,
		Keywords: orEmpty(in.Keywords), Warnings: orEmpty(in.Warnings),
	}
	d.Confidence.Ratio = in.Ratio
	for _, r := range in.Rankings {
		d.Warnings = append(d.Warnings, r.Warnings...)
	}
	scored := priors(in)
	if len(scored) == 0 || tooWeak(in) {
		d.Verdict = routing.VerdictNone
		d.Confidence.Ratio = 0
		d.Warnings = append(d.Warnings, nothingText(in))
		return d, nil
	}
	places, ambiguities, err := place(in, scored)
	if err != nil {
		return routing.Decision{}, err
	}
	d.Ambiguities = append(d.Ambiguities, ambiguities...)
	for _, p := range places {
		d.Candidates = append(d.Candidates, candidate(in, p))
	}
	d.Spans = spans(places, registry.Groups(in.Repos), in.Weights)
	d.Warnings = append(d.Warnings, disagreement(in.Rankings, places)...)
	if in.Strength > 0 && in.Strength < in.Weights.Weak {
		d.Warnings = append(d.Warnings, "thin evidence: no place in any repository holds much of what the ticket says")
	}
	if in.Useful < MinUseful {
		d.Verdict = routing.VerdictAsk
		d.Warnings = append(d.Warnings, fmt.Sprintf("low confidence: the ticket has only %s to go by; name the service, the page or the action that is affected", plural(in.Useful, "word")))
	}
	return d, nil
}

// priors returns the repositories with any evidence, with what the ticket's own
// place adds, best first.
func priors(in Input) []fuse.Scored {
	claims := map[string]bool{}
	for _, r := range in.Repos {
		claims[r.Name] = in.Ticket.FiledIn != "" && containsFold(r.FiledIn, in.Ticket.FiledIn)
	}
	var scored []fuse.Scored
	for _, s := range in.Fused.Scored {
		if claims[s.Repo] && in.Weights.FiledIn > 0 {
			s.Parts = append(slices.Clone(s.Parts), routing.Part{
				Ranker: "filedIn", Rank: 1, Score: 1, Weight: in.Weights.FiledIn, Contribution: in.Weights.FiledIn,
			})
			s.Score += in.Weights.FiledIn
		}
		if s.Score > 0 {
			scored = append(scored, s)
		}
	}
	fuse.Sort(scored)
	return scored
}

// tooWeak says that nothing but stray words of the code supports any candidate.
func tooWeak(in Input) bool {
	if in.Strength >= in.Weights.Floor {
		return false
	}
	for _, r := range in.Rankings {
		if r.Ranker != "code" && len(r.Hits) > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(in.Repos, func(r routing.Repo) bool { return containsFold(r.FiledIn, in.Ticket.FiledIn) })
}

func nothingText(in Input) string {
	if len(in.Repos) == 0 {
		return "there is no repository to route to; add entries to the registry"
	}
	if in.Useful == 0 {
		return "the ticket has no words to go by"
	}
	if !slices.ContainsFunc(in.Fused.Coverage, func(c routing.Coverage) bool { return c.Can > 0 }) && len(in.Fused.Coverage) > 0 {
		return "no ranker can see any repository: clone them where the registry says they are, or give them `owns` and a `description`"
	}
	return "no repository's registry entry, description or code matches enough of this ticket; add the words it uses to the `owns` or the `description` of the repository it belongs in"
}

// disagreement warns that the ratio speaks of another repository than the one
// that came first: it is computed over the registry's points alone.
func disagreement(rankings []routing.Ranking, places []placed) []string {
	for _, r := range rankings {
		if r.Ranker != "registry" || len(r.Hits) == 0 {
			continue
		}
		top := r.Hits[0]
		leads := func(p placed) bool {
			return p.rank == 1 && slices.ContainsFunc(r.Hits, func(h routing.Hit) bool { return h.Repo == p.Repo && h.Score == top.Score })
		}
		if !slices.ContainsFunc(places, leads) {
			first := "nobody"
			if len(places) > 0 {
				first = places[0].Repo
			}
			return []string{fmt.Sprintf("the registry's points alone would put %s first, which the score ratio is about; all evidence together puts %s first: look at both", top.Repo, first)}
		}
	}
	return nil
}

// spans lists the repositories the ticket needs: the first, and those whose own
// score is within w.Span of it. A tie that the text cannot break names none:
// which of its members is needed is just what is not known. Of siblings only the
// first counts: they read alike, which is no sign that both are needed.
func spans(places []placed, groups [][]string, w fuse.Weights) []string {
	names := []string{}
	for _, p := range places {
		if p.tied {
			if p.rank == 1 {
				return []string{}
			}
			continue
		}
		alike := slices.ContainsFunc(groups, func(g []string) bool {
			return slices.Contains(g, p.Repo) && slices.ContainsFunc(names, func(n string) bool { return slices.Contains(g, n) })
		})
		if !alike && (p.rank == 1 || p.Score >= w.Span*places[0].Score) {
			names = append(names, p.Repo)
		}
	}
	return names
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return slices.Clone(s)
}
