package routing

import (
	"encoding/json"
	"time"
)

// DecisionSchema names the JSON form of a Decision.
const DecisionSchema = "pointsman.decision/v1"

// Verdict is what to do with the ticket.
type Verdict string

// The verdicts.
const (
	VerdictRoute Verdict = "route" // candidates stand
	VerdictAsk   Verdict = "ask"   // too little text; candidates are a best effort
	VerdictNone  Verdict = "none"  // nothing to route to
)

// Decision is the answer for one version of one ticket. Its JSON form is the
// contract pointsman.decision/v1: every key is always present, lists are never
// null. It is append-only: a correction points at it and never edits it.
type Decision struct {
	Schema      string      `json:"schema"`
	Ticket      TicketName  `json:"ticket"`
	Verdict     Verdict     `json:"verdict"`
	Candidates  []Candidate `json:"candidates"`
	Spans       []string    `json:"spans"`
	Ambiguities []Ambiguity `json:"ambiguities"`
	Confidence  Confidence  `json:"confidence"`
	Coverage    []Coverage  `json:"coverage"`
	Keywords    []string    `json:"keywords"`
	Warnings    []string    `json:"warnings"`
	AsOf        AsOf        `json:"asOf"`
	TookMs      float64     `json:"tookMs"` // wall time of the engine; the only part that differs between two runs
}

// TicketName is how a decision names its ticket.
type TicketName struct {
	Source  string `json:"source"`
	Key     string `json:"key"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Version string `json:"version"`
}

// Candidate is one repository of the shortlist. Ranks are shared on ties: 1, 1, 3.
type Candidate struct {
	Rank     int        `json:"rank"`
	Repo     string     `json:"repo"`
	Score    float64    `json:"score"` // the sum of the parts' contributions
	Parts    []Part     `json:"parts"`
	Reasons  []string   `json:"reasons"`
	Notes    []string   `json:"notes"`
	Evidence []Evidence `json:"evidence"`
}

// Part is one ranker's share of a candidate's score.
type Part struct {
	Ranker       string  `json:"ranker"`
	Rank         int     `json:"rank"`         // within the ranker, from 1; 0 = looked and found nothing
	Score        float64 `json:"score"`        // the value in [0,1] that was fused
	Weight       float64 `json:"weight"`       // the ranker's share among those that can see the candidate
	Contribution float64 `json:"contribution"` // Weight * Score
	// The registry's points, and how they come to its score: those of owns sum to
	// OwnsRaw, and Total is OwnsRaw / Divisor plus the others.
	Points  []Point `json:"points,omitempty"`
	OwnsRaw float64 `json:"ownsRaw,omitempty"`
	Divisor int     `json:"divisor,omitempty"`
	Total   float64 `json:"total,omitempty"`
	Views   []View  `json:"views,omitempty"`
}

// Ambiguity is a tie that the text cannot break.
type Ambiguity struct {
	Group  string   `json:"group"`
	Repos  []string `json:"repos"`
	Reason string   `json:"reason"`
	Ask    string   `json:"ask"`
}

// Confidence is calibrated on gold when there is enough of it; until then it is
// the routing document's score ratio and says so.
type Confidence struct {
	Calibrated bool
	Top1, Top3 float64 // probabilities, when Calibrated
	N          int     // gold cases behind them, when Calibrated
	Ratio      int     // percent, when not Calibrated
}

// MarshalJSON writes the calibrated or the uncalibrated form.
func (c Confidence) MarshalJSON() ([]byte, error) {
	if c.Calibrated {
		return json.Marshal(struct {
			Top1       float64 `json:"top1"`
			Top3       float64 `json:"top3"`
			Calibrated bool    `json:"calibrated"`
			N          int     `json:"n"`
		}{c.Top1, c.Top3, true, c.N})
	}
	return json.Marshal(struct {
		Ratio      int  `json:"ratio"`
		Calibrated bool `json:"calibrated"`
	}{c.Ratio, false})
}

// UnmarshalJSON reads either form back.
func (c *Confidence) UnmarshalJSON(b []byte) error {
	var all struct {
		Top1       float64 `json:"top1"`
		Top3       float64 `json:"top3"`
		Calibrated bool    `json:"calibrated"`
		N          int     `json:"n"`
		Ratio      int     `json:"ratio"`
	}
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	*c = Confidence{Calibrated: all.Calibrated, Top1: all.Top1, Top3: all.Top3, N: all.N, Ratio: all.Ratio}
	return nil
}

// Coverage says how many of the repositories a ranker could rank.
type Coverage struct {
	Ranker  string   `json:"ranker"`
	Can     int      `json:"can"`
	Of      int      `json:"of"`
	Fused   bool     `json:"fused"`   // false: it annotates only
	Missing []string `json:"missing"` // names
	Why     []string `json:"why"`     // one reason per missing name
}

// AsOf is all that is needed to replay a decision to the byte.
type AsOf struct {
	Registry    string            `json:"registry"`    // "sha256:.."
	Generations map[string]string `json:"generations"` // repository name to commit
	Config      string            `json:"config"`
	Weights     string            `json:"weights"`
	History     string            `json:"history"`
	Program     string            `json:"program"`
}

// Correction is a person's word on a decision.
type Correction struct {
	Ticket   Ref
	Decision int64 // the store's id of the decision that was corrected
	By       string
	At       time.Time
	Via      string // label, command, slack, console, transfer
	From, To []string
	Note     string
}
