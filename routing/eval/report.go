package eval

import "github.com/pointsman/pointsman/routing"

// Schema names the JSON form of a Report.
const Schema = "pointsman.eval/v1"

// Report is one evaluation. Its JSON form is the contract pointsman.eval/v1.
type Report struct {
	Schema      string             `json:"schema"`
	N           int                `json:"n"`     // cases measured
	Repos       int                `json:"repos"` // candidates there were
	Skipped     []Skipped          `json:"skipped"`
	Systems     []System           `json:"systems"`
	Coverage    []routing.Coverage `json:"coverage"`
	Siblings    []SiblingRow       `json:"siblings"`
	Calibration Calibration        `json:"calibration"`
	Compare     []Comparison       `json:"compare"`
	PerRepo     []RepoRow          `json:"perRepo"`
	Verdicts    map[string]int     `json:"verdicts"` // decisions by verdict
	AsOf        routing.AsOf       `json:"asOf"`
}

// Skipped is a case that could not be measured, and why.
type Skipped struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// System is the figures of one ranker, the fused decision or a baseline. Figures
// are shares in [0,1].
type System struct {
	Name       string                `json:"name"`
	N          int                   `json:"n"`
	Top1       float64               `json:"top1"`
	Top3       float64               `json:"top3"`
	Top5       float64               `json:"top5"`
	MRR        float64               `json:"mrr"`
	SetRecall3 float64               `json:"setRecall3"`
	CI95       map[string][2]float64 `json:"ci95"`
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
	ECE float64 `json:"ece"`
	N   int     `json:"n"`
}

// Comparison is a paired test of two systems.
type Comparison struct {
	A      string  `json:"a"`
	B      string  `json:"b"`
	Metric string  `json:"metric"`
	AOnly  int     `json:"aOnly"`
	BOnly  int     `json:"bOnly"`
	P      float64 `json:"p"`
}

// RepoRow is the fused figures of the cases that belong in one repository.
type RepoRow struct {
	Repo string  `json:"repo"`
	N    int     `json:"n"`
	Top1 float64 `json:"top1"`
	Top3 float64 `json:"top3"`
}
