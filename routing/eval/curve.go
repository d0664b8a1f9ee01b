package eval

import (
	"cmp"
	"math"
	"slices"

	"github.com/pointsman/pointsman/routing"
)

// curveSteps is into how many parts the share of answered tickets is cut.
const curveSteps = 20

// byCoverage is the accuracy over the surest decisions: for each twentieth of all
// tickets, those whose margin is at least that of the last one in it. Decisions
// of equal margin are in or out together; those that name nothing never answer.
func byCoverage(cases []CaseRecord, fused []outcome) []CurvePoint {
	var order []int
	for i, c := range cases {
		if c.Verdict != routing.VerdictNone {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cases[b].Margin, cases[a].Margin) })
	points := []CurvePoint{}
	steps := 0
	var top1, top3 float64
	for k, i := range order {
		top1 += fused[i].top1
		top3 += fused[i].top3
		n := k + 1
		last := n == len(order)
		if !last && cases[order[n]].Margin == cases[i].Margin {
			continue
		}
		if at := n * curveSteps / len(cases); at > steps || last {
			steps = at
			points = append(points, CurvePoint{
				Margin: cases[i].Margin, N: n, Share: float64(n) / float64(len(cases)),
				Top1: top1 / float64(n), Top3: top3 / float64(n),
			})
		}
	}
	return points
}

// bins is into how many parts the confidence is cut.
const bins = 10

// calibrate compares calibrated confidences with what came of them.
func calibrate(cases []CaseRecord, fused []outcome) Calibration {
	var top1, top3 []belief
	for i, c := range cases {
		if c.Confidence != nil {
			top1 = append(top1, belief{c.Confidence.Top1, fused[i].top1})
			top3 = append(top3, belief{c.Confidence.Top3, fused[i].top3})
		}
	}
	cal := Calibration{N: len(top1)}
	cal.Bins, cal.ECE = reliability(top1)
	cal.Bin3, cal.ECE3 = reliability(top3)
	return cal
}

// belief is one decision's confidence and what came of it.
type belief struct{ said, came float64 }

// reliability sorts beliefs into bins of equal width; ece is the mean distance of
// confidence and accuracy over bins, weighted by their size.
func reliability(all []belief) (list []Bin, ece float64) {
	list = []Bin{}
	var binned [bins]Bin
	for _, b := range all {
		i := min(bins-1, max(0, int(b.said*bins)))
		binned[i].N++
		binned[i].Confidence += b.said
		binned[i].Accuracy += b.came
	}
	for i, b := range binned {
		if b.N == 0 {
			continue
		}
		b.Low, b.High = float64(i)/bins, float64(i+1)/bins
		b.Confidence /= float64(b.N)
		b.Accuracy /= float64(b.N)
		ece += math.Abs(b.Confidence-b.Accuracy) * float64(b.N) / float64(len(all))
		list = append(list, b)
	}
	return list, ece
}
