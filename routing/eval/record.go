package eval

import (
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/gold"
)

// RecordSchema names the JSON form of a Record.
const RecordSchema = "pointsman.run/v1"

// Record is one evaluation as it came out of the engine, before any figure is
// made of it: what a run file holds. Every figure of a Report is computed from
// it, so that a saved run can be reported again without routing. It holds titles
// and answers, never the text of a ticket, and nothing that differs between two
// runs on the same inputs.
type Record struct {
	Schema   string             `json:"schema"`
	Inputs   Inputs             `json:"inputs"`
	Gold     Digest             `json:"gold"`
	AsOf     routing.AsOf       `json:"asOf"`
	Settings Settings           `json:"settings"`
	Repos    []string           `json:"repos"`  // the candidates, in the order of the registry
	Groups   [][]string         `json:"groups"` // declared sibling groups
	Rankers  []string           `json:"rankers"`
	Coverage []routing.Coverage `json:"coverage"`
	Skipped  []Skipped          `json:"skipped"`
	// Head is, in a run as of each ticket's year, the same tickets answered from the
	// repositories as they stand; null otherwise. It has no Head of its own.
	Head  *Record      `json:"head,omitempty"`
	Cases []CaseRecord `json:"cases"` // in the order of the gold file
}

// Inputs are where the inputs were, as paths with slashes, relative to the run
// file's folder where that is possible. They are hints for a rerun and no part of
// the run's identity.
type Inputs struct {
	Gold     string `json:"gold"`
	Registry string `json:"registry"`
	Repos    string `json:"repos"`
	Weights  string `json:"weights"`
	Against  string `json:"against"`
}

// Digest identifies the bytes of a file.
type Digest struct {
	SHA256 string `json:"sha256"` // "sha256:<hex>"; "" = there was no file
	Cases  int    `json:"cases"`  // cases in it
}

// Settings are the options of the command that bear on figures.
type Settings struct {
	Without string   `json:"without"` // repositories hidden from code search, "A,B"
	AsOf    string   `json:"asOf"`    // "" = repositories as they stand; "year" = as they stood before each ticket's year
	Compare []string `json:"compare"` // pairs that were asked for, "A,B"
	Against string   `json:"against"` // "sha256:<hex>" of the earlier run file, or ""
}

// CaseRecord is one case: what is right, and what was said.
type CaseRecord struct {
	ID      string        `json:"id"`
	Title   string        `json:"title"` // bounded
	Repos   []string      `json:"repos"` // what is right by history
	Present *gold.Present `json:"present,omitempty"`

	Verdict     routing.Verdict `json:"verdict"`
	Ranks       []Place         `json:"ranks"` // of the decision, every repository with any evidence
	Spans       []string        `json:"spans"`
	Score       float64         `json:"score"`  // of the first, in [0,1]
	Margin      float64         `json:"margin"` // by which the first is ahead of the second; 0 when they are tied
	Confidence  *Certainty      `json:"confidence,omitempty"`
	Ambiguities []string        `json:"ambiguities"` // the groups whose tie was declared
	Rankers     []RankerNote    `json:"rankers"`     // in the order of Record.Rankers
	Why         []Why           `json:"why,omitempty"`
}

// Certainty is a calibrated confidence: probabilities in [0,1].
type Certainty struct {
	Top1 float64 `json:"top1"`
	Top3 float64 `json:"top3"`
}

// RankerNote is what one ranker alone said of a case.
type RankerNote struct {
	First []string            `json:"first"` // at its rank 1; empty when it found nothing
	At    map[string]Standing `json:"at"`    // where the right repositories stand with it
}

// Why is the make-up of one candidate's score. A miss keeps that of its first
// candidate and of the best-placed right one.
type Why struct {
	Repo  string         `json:"repo"`
	Rank  int            `json:"rank"`
	Parts []routing.Part `json:"parts"`
}

// presentTruth is what is right today: nothing, when the ticket's work has shipped.
// ok is false for a case that does not say.
func (c CaseRecord) presentTruth() (repos []string, ok bool) {
	if c.Present == nil {
		return nil, false
	}
	switch c.Present.State {
	case gold.StateOpen:
		return c.Repos, true
	case gold.StateMoved:
		return c.Present.Repos, len(c.Present.Repos) > 0
	case gold.StateShipped:
		return nil, true
	default:
		return nil, false
	}
}

// viewOfDecision is the fused decision as a system.
func (c CaseRecord) viewOfDecision() view {
	none := c.Verdict == routing.VerdictNone
	return view{at: standings(c.Ranks), spans: c.Spans, abstained: none}
}

// viewOfRanker is one ranker as a system. A ranker names no set; what stands at
// its first rank serves as one.
func (c CaseRecord) viewOfRanker(i int) view {
	note := c.Rankers[i]
	return view{
		at:        func(repo string) Standing { return note.At[repo] },
		spans:     note.First,
		abstained: len(note.First) == 0,
	}
}
