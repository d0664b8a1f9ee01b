package eval

import (
	"math/rand/v2"
	"slices"
)

// Standing is one repository's rank in an answer: its rank, and how many share it.
type Standing struct {
	Rank  int // from 1; 0 = not in the answer
	Share int // repositories at that rank, itself included
}

// Credit is what a standing earns at a cut of k: 1 inside, 0 outside, and for a
// tie that straddles the cut the share of its members inside it.
func (s Standing) Credit(k int) float64 {
	if s.Rank == 0 || s.Rank > k {
		return 0
	}
	inside := min(s.Share, k-s.Rank+1)
	return float64(inside) / float64(s.Share)
}

// Reciprocal is the mean of 1/rank over the places that a tie occupies.
func (s Standing) Reciprocal() float64 {
	if s.Rank == 0 {
		return 0
	}
	sum := 0.0
	for i := range s.Share {
		sum += 1 / float64(s.Rank+i)
	}
	return sum / float64(s.Share)
}

// outcome is how one system did on one case.
type outcome struct {
	top1, top3, top5, mrr, setRecall3 float64
}

// score compares an answer with the known repositories: the best-placed one
// counts for top-k and reciprocal rank, all of them for set recall.
func score(standing func(repo string) Standing, answer []string) outcome {
	var o outcome
	for _, g := range answer {
		s := standing(g)
		o.top1 = max(o.top1, s.Credit(1))
		o.top3 = max(o.top3, s.Credit(3))
		o.top5 = max(o.top5, s.Credit(5))
		o.mrr = max(o.mrr, s.Reciprocal())
		o.setRecall3 += s.Credit(3) / float64(len(answer))
	}
	return o
}

// metric is one figure of an outcome, by its name in reports.
type metric struct {
	name string
	of   func(outcome) float64
}

func metrics() []metric {
	return []metric{
		{"top1", func(o outcome) float64 { return o.top1 }},
		{"top3", func(o outcome) float64 { return o.top3 }},
		{"top5", func(o outcome) float64 { return o.top5 }},
		{"mrr", func(o outcome) float64 { return o.mrr }},
		{"setRecall3", func(o outcome) float64 { return o.setRecall3 }},
	}
}

func mean(outcomes []outcome, of func(outcome) float64) float64 {
	sum := 0.0
	for _, o := range outcomes {
		sum += of(o)
	}
	return sum / float64(max(1, len(outcomes)))
}

// bootstrap constants: resamples, and the seed that makes two runs agree.
const (
	resamples = 1000
	seed      = 20_261_130
)

// interval is the percentile bootstrap 95 % interval of a mean (Efron, 1979).
func interval(outcomes []outcome, of func(outcome) float64) [2]float64 {
	n := len(outcomes)
	if n == 0 {
		return [2]float64{}
	}
	rng := rand.New(rand.NewPCG(seed, uint64(n))) //nolint:gosec // a fixed seed is the point: two runs must agree
	values := make([]float64, n)
	for i, o := range outcomes {
		values[i] = of(o)
	}
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range n {
			sum += values[rng.IntN(n)]
		}
		means[i] = sum / float64(n)
	}
	slices.Sort(means)
	return [2]float64{means[resamples*25/1000], means[resamples*975/1000-1]}
}
