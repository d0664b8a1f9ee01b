package eval

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Pair names two systems to be compared.
type Pair struct{ A, B string }

// ParsePair reads "A,B", two names of systems.
func ParsePair(s string) (Pair, error) {
	a, b, ok := strings.Cut(s, ",")
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if !ok || a == "" || b == "" || a == b || strings.Contains(b, ",") {
		return Pair{}, fmt.Errorf("want two names of systems such as fused,code, got %q", s)
	}
	return Pair{A: a, B: b}, nil
}

// mcNemar is the exact two-sided p of a paired test with aOnly and bOnly
// discordant cases: twice the smaller tail of Binomial(aOnly+bOnly, 1/2), at most 1.
func mcNemar(aOnly, bOnly int) float64 {
	n := int64(aOnly + bOnly)
	tail := new(big.Int)
	term := big.NewInt(1) // n over k
	for k := range int64(min(aOnly, bOnly)) + 1 {
		tail.Add(tail, term)
		term.Mul(term, big.NewInt(n-k))
		term.Div(term, big.NewInt(k+1))
	}
	all := new(big.Int).Lsh(big.NewInt(1), uint(n)) //nolint:gosec // counts of cases are not negative
	p, _ := new(big.Rat).SetFrac(tail.Lsh(tail, 1), all).Float64()
	return min(1, p)
}

// paired is the outcomes of a system by case id.
type paired struct {
	name string
	by   map[string]outcome
}

// compare tests a against b at top-1 and top-3 on the cases that both have, in
// the order of ids.
func compare(a, b paired, ids []string) []Comparison {
	rows := []Comparison{}
	for _, m := range metrics()[:2] {
		row := Comparison{A: a.name, B: b.name, Metric: m.name}
		for _, id := range ids {
			oa, inA := a.by[id]
			ob, inB := b.by[id]
			if !inA || !inB {
				continue
			}
			row.N++
			ca, cb := m.of(oa), m.of(ob)
			switch ra, rb := right(ca), right(cb); {
			case ra && rb:
				row.Both++
			case ra:
				row.AOnly++
			case rb:
				row.BOnly++
			}
			switch {
			case ca > cb:
				row.AMore++
			case cb > ca:
				row.BMore++
			}
		}
		row.P, row.PMore = mcNemar(row.AOnly, row.BOnly), mcNemar(row.AMore, row.BMore)
		rows = append(rows, row)
	}
	return rows
}

// compareAll makes the asked comparisons; without any, the fused decision against
// each single ranker and the saved run.
func compareAll(systems []paired, ids []string, pairs []Pair) ([]Comparison, error) {
	if len(pairs) == 0 {
		for _, s := range systems {
			if s.name != SystemFused && s.name != SystemNull && s.name != SystemTriple {
				pairs = append(pairs, Pair{A: SystemFused, B: s.name})
			}
		}
	}
	rows := []Comparison{}
	for _, p := range pairs {
		a, err := named(systems, p.A)
		if err != nil {
			return nil, err
		}
		b, err := named(systems, p.B)
		if err != nil {
			return nil, err
		}
		rows = append(rows, compare(a, b, ids)...)
	}
	return rows, nil
}

func named(systems []paired, name string) (paired, error) {
	i := slices.IndexFunc(systems, func(s paired) bool { return s.name == name })
	if i < 0 {
		var names []string
		for _, s := range systems {
			names = append(names, s.name)
		}
		hint := ""
		if name == SystemSaved {
			hint = "; name the earlier run with --against"
		}
		return paired{}, fmt.Errorf("comparing %q: there is no such system here; there are %s%s", name, strings.Join(names, ", "), hint)
	}
	return systems[i], nil
}

// PText words a p for a person: three digits, and "< 0.001" below that.
func PText(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3f", p)
}
