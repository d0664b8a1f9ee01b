package eval

import "github.com/pointsman/pointsman/routing"

// Schema names the JSON form of a Report.
const Schema = "pointsman.eval/v1"

// Names of the systems that are not rankers.
const (
	SystemNull   = "null"   // the most common repositories, whatever the ticket
	SystemTriple = "triple" // the best constant answer of three
	SystemFused  = "fused"  // the decision
	SystemSaved  = "saved"  // the decision of an earlier run
)

// Report is one evaluation in figures. Its JSON form is the contract
// pointsman.eval/v1.
type Report struct {
	Schema      string             `json:"schema"`
	N           int                `json:"n"`     // cases measured
	Repos       int                `json:"repos"` // candidates there were
	Skipped     []Skipped          `json:"skipped"`
	Systems     []System           `json:"systems"`
	Sets        Sets               `json:"sets"`
	Coverage    []routing.Coverage `json:"coverage"`
	Siblings    []SiblingRow       `json:"siblings"`
	Calibration Calibration        `json:"calibration"`
	ByCoverage  []CurvePoint       `json:"accuracyByCoverage"`
	Compare     []Comparison       `json:"compare"`
	Against     *Against           `json:"against"` // null without an earlier run
	PerRepo     []RepoRow          `json:"perRepo"`
	Confusion   []Confusion        `json:"confusion"` // most frequent first
	Misses      []Miss             `json:"misses"`    // worst first
	MissCount   int                `json:"missCount"` // all there are; Misses holds at most MaxMisses
	Verdicts    map[string]int     `json:"verdicts"`  // decisions by verdict
	Gold        Digest             `json:"gold"`
	Settings    Settings           `json:"settings"`
	AsOf        routing.AsOf       `json:"asOf"`
}

// Skipped is a case that could not be measured, and why.
type Skipped struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// System is the figures of one ranker, the fused decision or a baseline. Figures
// are shares in [0,1]; docs/evaluation.md defines each.
type System struct {
	Name         string                `json:"name"`
	N            int                   `json:"n"`
	Top1         float64               `json:"top1"`
	Top3         float64               `json:"top3"`
	Top5         float64               `json:"top5"`
	MRR          float64               `json:"mrr"`
	SetRecall3   float64               `json:"setRecall3"`
	SetRecall5   float64               `json:"setRecall5"`
	ExactSet     float64               `json:"exactSet"`
	Abstained    float64               `json:"abstained"`    // share of cases on which it named nothing
	AnsweredTop1 float64               `json:"answeredTop1"` // over the other cases
	AnsweredTop3 float64               `json:"answeredTop3"`
	Present      Present               `json:"present"`
	Constant     []string              `json:"constant"` // the first places of an answer that never changes
	CI95         map[string][2]float64 `json:"ci95"`
}

// Present is the figures against what is right today, over the cases that say so.
type Present struct {
	N          int     `json:"n"`
	Top1       float64 `json:"top1"`
	Top3       float64 `json:"top3"`
	MRR        float64 `json:"mrr"`
	SetRecall3 float64 `json:"setRecall3"`
	ExactSet   float64 `json:"exactSet"`
	ThenTop1   float64 `json:"thenTop1"` // the same cases by what was right then
	ThenTop3   float64 `json:"thenTop3"`
}

// Sets is the figures over the cases whose answer is more than one repository.
// The baselines are fitted to these cases, so they are harder to beat here.
type Sets struct {
	N       int      `json:"n"`
	Best3   float64  `json:"bestSetRecall3"` // the highest there can be: a set of six fits into three by half
	Systems []System `json:"systems"`
}

// SiblingRow says how the decisions did within one declared group.
type SiblingRow struct {
	Group             string  `json:"group"`
	N                 int     `json:"n"`                 // cases whose answer lies in the group
	Top1Within        float64 `json:"top1Within"`        // share placed first among its siblings
	AmbiguityReported float64 `json:"ambiguityReported"` // share where a tie was reported
}

// Calibration says how well confidence matched outcomes; N is 0 while
// confidence is an uncalibrated ratio.
type Calibration struct {
	ECE  float64 `json:"ece"` // expected calibration error of "the first is right", in [0,1]
	N    int     `json:"n"`   // decisions with a calibrated confidence
	Bins []Bin   `json:"bins"`
	ECE3 float64 `json:"ece3"` // the same of "the answer is among the first three"
	Bin3 []Bin   `json:"bins3"`
}

// Bin is the decisions whose confidence lies in [Low, High).
type Bin struct {
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	N          int     `json:"n"`
	Confidence float64 `json:"confidence"` // their mean confidence
	Accuracy   float64 `json:"accuracy"`   // how often they were right
}

// CurvePoint is the accuracy when only decisions with at least this margin answer.
type CurvePoint struct {
	Margin float64 `json:"margin"`
	N      int     `json:"n"`     // tickets answered
	Share  float64 `json:"share"` // of all tickets
	Top1   float64 `json:"top1"`  // over the answered
	Top3   float64 `json:"top3"`
}

// Comparison is a paired test of two systems: an exact McNemar test, and a sign
// test beside it.
type Comparison struct {
	A      string  `json:"a"`
	B      string  `json:"b"`
	Metric string  `json:"metric"`
	AOnly  int     `json:"aOnly"` // cases that only a has right
	BOnly  int     `json:"bOnly"`
	P      float64 `json:"p"` // two-sided
	N      int     `json:"n"` // cases in common
	Both   int     `json:"both"`

	// The same test on credits: a tie of two is right above, and half right here.
	AMore int     `json:"aMore"` // cases in which a has the higher credit
	BMore int     `json:"bMore"`
	PMore float64 `json:"pMore"` // two-sided sign test
}

// Against sets an earlier run beside this one, on the cases that both have.
type Against struct {
	Common     int      `json:"common"`
	OnlyHere   int      `json:"onlyHere"`
	OnlySaved  int      `json:"onlySaved"`
	Relabelled int      `json:"relabelled"` // common cases whose answer has changed; measured by the answer of now
	Differs    []string `json:"differs"`    // what else is not the same: gold, registry, weights, ..
	Better     []Change `json:"better"`
	Worse      []Change `json:"worse"`
}

// Change is a case whose best-placed answer moved.
type Change struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Was   int    `json:"was"` // rank, 0 = not there
	Is    int    `json:"is"`
}

// RepoRow is the fused figures of the cases that belong in one repository: where
// that very repository stood.
type RepoRow struct {
	Repo       string  `json:"repo"`
	N          int     `json:"n"`
	Top1       float64 `json:"top1"`
	Top3       float64 `json:"top3"`
	WrongFirst int     `json:"wrongFirst"` // cases of others in which it stood first
}

// Confusion is an answer, and what stood first instead of it.
type Confusion struct {
	Answer string `json:"answer"` // of a set, the one that stood highest
	First  string `json:"first"`  // "" when the decision named nothing
	N      int    `json:"n"`
}

// MaxMisses is how many misses a report lists.
const MaxMisses = 50

// Miss is a case whose answer does not stand first.
type Miss struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Answer  []string `json:"answer"`
	Verdict string   `json:"verdict"`
	Rank    int      `json:"rank"`  // of the best-placed answer; 0 = not there
	First   string   `json:"first"` // what stood first instead; "" = nothing
	Margin  float64  `json:"margin"`
	Why     []Why    `json:"why"`
}
