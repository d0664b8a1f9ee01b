package document

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// AggregateSchema names the JSON form of an Aggregate.
const AggregateSchema = "pointsman.aggregate/v1"

// The verdicts of a specialist.
const (
	Responsible          = "RESPONSIBLE"
	PartiallyResponsible = "PARTIALLY_RESPONSIBLE"
	NotResponsible       = "NOT_RESPONSIBLE"
)

// The document's constants of the aggregate.
const (
	dropFrom       = 80.0 // confidence from which a NOT_RESPONSIBLE is dropped
	partialPenalty = 0.8  // when nobody who remains is wholly responsible
	bandMedium     = 60.0
	bandHigh       = 80.0
)

const maxUnselected = 5 // named in a warning

// Verdict is what the specialist of one repository said.
type Verdict struct {
	Repo              string   `json:"repo"`
	Verdict           string   `json:"verdict"`
	Confidence        float64  `json:"confidence"`        // percent, the specialist's own
	RoutingConfidence float64  `json:"routingConfidence"` // percent, with which it was selected
	Missing           []string `json:"missing"`           // repositories that it says should be asked too
	Note              string   `json:"note"`
	// Unselected tells that the decision in the file does not name the repository,
	// and that it nevertheless goes by the confidence of that decision.
	Unselected bool `json:"-"`
}

// Term is one verdict and its share.
type Term struct {
	Verdict
	Weighted float64 `json:"weighted"` // confidence * routingConfidence / 100
	Dropped  bool    `json:"dropped"`
	Why      string  `json:"why"` // of dropping it, "" otherwise
}

// MissingRepo is a repository that specialists say is missing.
type MissingRepo struct {
	Repo       string   `json:"repo"`
	By         []string `json:"by"`
	Asked      bool     `json:"asked"`      // it has given a verdict itself
	Registered *bool    `json:"registered"` // null when no registry was looked at
}

// Aggregate is what the verdicts come to.
type Aggregate struct {
	Schema     string        `json:"schema"`
	Confidence float64       `json:"confidence"` // percent: mean * penalty
	Band       string        `json:"band"`       // low, medium, high
	Mean       float64       `json:"mean"`       // of the weighted shares that remain
	Penalty    float64       `json:"penalty"`    // 0.8 when all that remain are partial, else 1
	Remaining  int           `json:"remaining"`
	Terms      []Term        `json:"terms"`
	Missing    []MissingRepo `json:"missing"`
	Warnings   []string      `json:"warnings"`
}

// Combine computes the aggregate:
//
//	weighted(s) = confidence(s) * routingConfidence(s) / 100
//	aggregate   = sum(weighted) / count(remaining) [* 0.8]
//
// A NOT_RESPONSIBLE of confidence 80 or more is dropped. When every remaining
// verdict is PARTIALLY_RESPONSIBLE the factor 0.8 applies. With nothing remaining
// the aggregate is 0. Verdicts must have passed Check.
func Combine(verdicts []Verdict) Aggregate {
	a := Aggregate{Schema: AggregateSchema, Penalty: 1, Terms: []Term{}, Missing: missing(verdicts), Warnings: []string{}}
	sum, partial := 0.0, 0
	for _, v := range verdicts {
		if v.Missing == nil {
			v.Missing = []string{}
		}
		t := Term{Verdict: v, Weighted: v.Confidence * v.RoutingConfidence / 100}
		if v.Verdict == NotResponsible && v.Confidence >= dropFrom {
			t.Dropped = true
			t.Why = fmt.Sprintf("not responsible, and sure of it (%s %% is %g %% or more)", number(v.Confidence), dropFrom)
		} else {
			a.Remaining++
			sum += t.Weighted
			if v.Verdict == PartiallyResponsible {
				partial++
			}
		}
		a.Terms = append(a.Terms, t)
	}
	a.Warnings = append(a.Warnings, doubts(verdicts)...)
	if a.Remaining == 0 {
		a.Band = Band(0)
		if len(verdicts) == 0 {
			a.Warnings = append(a.Warnings, "there is no verdict: nobody was asked; ask the candidates that pointsman route names")
			return a
		}
		a.Warnings = append(a.Warnings, "no verdict remains: nobody who was asked is responsible; route the ticket again, or ask the repositories that are missing")
		return a
	}
	if partial == a.Remaining {
		a.Penalty = partialPenalty
	}
	a.Mean = sum / float64(a.Remaining)
	a.Confidence = a.Mean * a.Penalty
	a.Band = Band(a.Confidence)
	return a
}

// doubts are signs that the verdicts do not mean what they say.
func doubts(verdicts []Verdict) []string {
	confidence, ratio := 0.0, 0.0
	var unselected []string
	for _, v := range verdicts {
		confidence, ratio = max(confidence, v.Confidence), max(ratio, v.RoutingConfidence)
		if v.Unselected {
			unselected = append(unselected, v.Repo)
		}
	}
	var out []string
	for key, most := range map[string]float64{"confidence": confidence, "routingConfidence": ratio} {
		if most > 0 && most <= 1 {
			out = append(out, fmt.Sprintf("no %s is above 1: they are percent, from 0 to 100; write 90 for 0.9", key))
		}
	}
	slices.Sort(out)
	if n := len(unselected); n > 0 {
		named := unselected[:min(n, maxUnselected)]
		out = append(out, fmt.Sprintf("%d that the decision did not select: %s; their routingConfidence is that of the decision, give them their own or leave them out",
			n, Line(strings.Join(named, ", "), maxWarning)))
	}
	return out
}

// Band names a confidence in percent: low under 60, high from 80.
func Band(percent float64) string {
	switch percent = math.Round(percent*1e9) / 1e9; {
	case percent >= bandHigh:
		return "high"
	case percent >= bandMedium:
		return "medium"
	}
	return "low"
}

// missing gathers who says that which repository is missing, in order of mention.
func missing(verdicts []Verdict) []MissingRepo {
	out := []MissingRepo{}
	for _, v := range verdicts {
		for _, repo := range v.Missing {
			i := slices.IndexFunc(out, func(m MissingRepo) bool { return m.Repo == repo })
			if i < 0 {
				asked := slices.ContainsFunc(verdicts, func(o Verdict) bool { return o.Repo == repo })
				out = append(out, MissingRepo{Repo: repo, By: []string{v.Repo}, Asked: asked})
				continue
			}
			if !slices.Contains(out[i].By, v.Repo) {
				out[i].By = append(out[i].By, v.Repo)
			}
		}
	}
	return out
}

// Check says what is wrong with a verdict.
func (v Verdict) Check() error {
	switch v.Verdict {
	case Responsible, PartiallyResponsible, NotResponsible:
	default:
		return fmt.Errorf("verdict: want %s, %s or %s, got %q", Responsible, PartiallyResponsible, NotResponsible, Line(v.Verdict, maxWord))
	}
	if strings.TrimSpace(v.Repo) == "" {
		return fmt.Errorf("repo: want the name of the repository that the specialist speaks for")
	}
	for key, n := range map[string]float64{"confidence": v.Confidence, "routingConfidence": v.RoutingConfidence} {
		if !(n >= 0 && n <= 100) {
			return fmt.Errorf("%s: want a number from 0 to 100, got %g", key, n)
		}
	}
	if slices.ContainsFunc(v.Missing, func(s string) bool { return strings.TrimSpace(s) == "" }) {
		return fmt.Errorf("missing: want names of repositories")
	}
	return nil
}
