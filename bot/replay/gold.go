package replay

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing/eval"
	"github.com/pointsman/pointsman/routing/gold"
)

// Gold compares the answers with known ones, for the tickets whose key is the id
// of a case. Figures are shares in [0,1].
type Gold struct {
	N         int      `json:"n"`
	Unmatched int      `json:"unmatched"` // cases whose ticket was not replayed
	Top1      float64  `json:"top1"`
	Top3      float64  `json:"top3"`
	NullTop1  float64  `json:"nullTop1"` // always answering Null
	NullTop3  float64  `json:"nullTop3"`
	Null      []string `json:"null"` // the most common right answers of these very cases
}

// pair is a case and where the repositories stand in the answer to its ticket.
type pair struct {
	answer []string
	at     map[string]eval.Standing
}

func measure(decided []Result, cases []gold.Case) *Gold {
	answers := map[string]Result{}
	for _, res := range decided {
		answers[res.Key] = res
	}
	g := &Gold{Null: []string{}}
	var pairs []pair
	for _, c := range cases {
		res, ok := answers[c.ID]
		if !ok {
			g.Unmatched++
			continue
		}
		pairs = append(pairs, pair{answer: c.Repos, at: standings(res.Decision)})
	}
	g.N = len(pairs)
	if g.N == 0 {
		return g
	}
	g.Null = common(pairs)
	always := map[string]eval.Standing{}
	for i, repo := range g.Null {
		always[repo] = eval.Standing{Rank: i + 1, Share: 1}
	}
	for _, p := range pairs {
		n := float64(g.N)
		g.Top1 += best(p.answer, p.at, 1) / n
		g.Top3 += best(p.answer, p.at, 3) / n
		g.NullTop1 += best(p.answer, always, 1) / n
		g.NullTop3 += best(p.answer, always, 3) / n
	}
	return g
}

// best is the credit of the right repository that stands best.
func best(answer []string, at map[string]eval.Standing, k int) float64 {
	credit := 0.0
	for _, repo := range answer {
		credit = max(credit, at[repo].Credit(k))
	}
	return credit
}

// common returns the three repositories that are most often right.
func common(pairs []pair) []string {
	count := map[string]int{}
	for _, p := range pairs {
		for _, repo := range p.answer {
			count[repo]++
		}
	}
	names := make([]string, 0, len(count))
	for name := range count {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b)) })
	return names[:min(3, len(names))]
}
