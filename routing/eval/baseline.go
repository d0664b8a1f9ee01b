package eval

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
)

// constant is the view of a system that never reads a ticket: always the same
// list, best first, and the same set.
func constant(list, set []string) view {
	places := make([]Place, len(list))
	for i, n := range list {
		places[i] = Place{Rank: i + 1, Repo: n}
	}
	return view{at: standings(places), spans: set}
}

// mostCommon orders the repositories by how many of these very cases need them,
// ties by name.
func mostCommon(cases []CaseRecord, repos []string) []string {
	count := map[string]int{}
	for _, c := range cases {
		for _, r := range c.Repos {
			count[r]++
		}
	}
	names := slices.Clone(repos)
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b))
	})
	return names
}

// bestTriple returns the three repositories that, given as the answer to every
// case, have the highest set recall at 3; of equal ones the first by name.
//
// A member of the triple adds 1/|answer| for every case that needs it, whatever
// the other members are. So recall is a sum over members, and the three heaviest
// repositories are the best of all triples: a search cannot find better. Weights
// are fractions, not floats, so that equal ones are equal.
func bestTriple(cases []CaseRecord, repos []string) []string {
	weight := map[string]*big.Rat{}
	for _, r := range repos {
		weight[r] = new(big.Rat)
	}
	for _, c := range cases {
		for _, r := range c.Repos {
			if w := weight[r]; w != nil {
				w.Add(w, big.NewRat(1, int64(len(c.Repos))))
			}
		}
	}
	names := slices.Clone(repos)
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(weight[b].Cmp(weight[a]), strings.Compare(a, b))
	})
	return names[:min(3, len(names))]
}
