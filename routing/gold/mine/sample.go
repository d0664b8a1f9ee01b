package mine

import (
	"crypto/sha256"
	"sort"

	"github.com/pointsman/pointsman/routing/gold"
)

// draw takes the sample that the options ask for. Chance is the hash of the id,
// so that the same histories give the same sample anywhere.
func (o Options) draw(cases []gold.Case) []gold.Case {
	if o.PerRepo == 0 && (o.Sample == 0 || len(cases) <= o.Sample) {
		return cases
	}
	drawn := append([]gold.Case(nil), cases...)
	lot := make(map[string]string, len(drawn))
	for _, c := range drawn {
		sum := sha256.Sum256([]byte(c.ID))
		lot[c.ID] = string(sum[:])
	}
	sort.SliceStable(drawn, func(i, j int) bool {
		a, b := drawn[i], drawn[j]
		if x, y := len(a.Repos) > 1, len(b.Repos) > 1; o.SetsFirst && x != y {
			return x
		}
		return lot[a.ID] < lot[b.ID]
	})
	kept := drawn[:0]
	single := map[string]int{}
	for _, c := range drawn {
		if o.Sample > 0 && len(kept) == o.Sample {
			break
		}
		if len(c.Repos) == 1 && o.PerRepo > 0 {
			if single[c.Repos[0]] == o.PerRepo {
				continue
			}
			single[c.Repos[0]]++
		}
		kept = append(kept, c)
	}
	return kept
}
