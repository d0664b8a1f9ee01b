package eval

import "slices"

// view is what one system says of one case.
type view struct {
	at        func(repo string) Standing
	spans     []string // the set it names
	abstained bool     // it names nothing at all
}

// outcome is how one system did on one case. Each figure is in [0,1].
type outcome struct {
	top1, top3, top5, rr, setRecall3, setRecall5, exactSet float64
}

// score compares a view with the repositories that are right: the best-placed
// one counts for top-k and reciprocal rank, all of them for set recall, the spans
// for the exact set. Where nothing is right, only abstaining is.
func score(v view, truth []string) outcome {
	if len(truth) == 0 {
		if v.abstained {
			return outcome{1, 1, 1, 1, 1, 1, 1}
		}
		return outcome{}
	}
	if v.abstained {
		return outcome{}
	}
	var o outcome
	for _, g := range truth {
		s := v.at(g)
		o.top1 = max(o.top1, s.Credit(1))
		o.top3 = max(o.top3, s.Credit(3))
		o.top5 = max(o.top5, s.Credit(5))
		o.rr = max(o.rr, s.Reciprocal())
		o.setRecall3 += s.Credit(3)
		o.setRecall5 += s.Credit(5)
	}
	o.setRecall3 /= float64(len(truth))
	o.setRecall5 /= float64(len(truth))
	if sameSet(v.spans, truth) {
		o.exactSet = 1
	}
	return o
}

func sameSet(a, b []string) bool {
	return slices.Equal(sortedSet(a), sortedSet(b))
}

func sortedSet(names []string) []string {
	s := slices.Clone(names)
	slices.Sort(s)
	return slices.Compact(s)
}

// right is the rule of the paired tests: credit of at least one half.
func right(credit float64) bool { return credit >= 0.5 }

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
		{"mrr", func(o outcome) float64 { return o.rr }},
		{"setRecall3", func(o outcome) float64 { return o.setRecall3 }},
		{"setRecall5", func(o outcome) float64 { return o.setRecall5 }},
		{"exactSet", func(o outcome) float64 { return o.exactSet }},
	}
}

// means returns the mean of every figure; zeros when there is no outcome.
func means(outcomes []outcome) outcome {
	var m outcome
	for _, o := range outcomes {
		m.top1 += o.top1
		m.top3 += o.top3
		m.top5 += o.top5
		m.rr += o.rr
		m.setRecall3 += o.setRecall3
		m.setRecall5 += o.setRecall5
		m.exactSet += o.exactSet
	}
	n := float64(max(1, len(outcomes)))
	return outcome{m.top1 / n, m.top3 / n, m.top5 / n, m.rr / n, m.setRecall3 / n, m.setRecall5 / n, m.exactSet / n}
}
