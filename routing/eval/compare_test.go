package eval

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestMcNemarByHand(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b int
		want float64
	}{
		{0, 0, 1},
		{1, 0, 1},             // 2 * 1/2
		{0, 5, 2.0 / 32},      // 2 * 1/32
		{5, 0, 2.0 / 32},      // two-sided: either way
		{1, 3, 10.0 / 16},     // 2 * (1+4)/16
		{3, 3, 1},             // 2 * 42/64 is above 1
		{5, 2, 58.0 / 128},    // 2 * (1+7+21)/128
		{8, 1, 20.0 / 512},    // 2 * (1+9)/512
		{15, 5, 0.0413894653}, // 2 * 21700/2^20
	} {
		if got := mcNemar(tc.a, tc.b); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%d against %d: p %.10f, want %.10f", tc.a, tc.b, got, tc.want)
		}
	}
	if p := mcNemar(4000, 3000); !(p > 0 && p < 1e-30) {
		t.Errorf("4000 against 3000: p %v", p)
	}
	if p := mcNemar(40000, 0); p != 0 { // below the smallest float
		t.Errorf("40000 against 0: p %v", p)
	}
}

// A tie of two is right by McNemar's rule and half right by credit, so that a
// system which declares ties is not taken for one that gets them right.
func TestTiesCountHalfInTheSignTest(t *testing.T) {
	t.Parallel()
	ties := paired{"ties", map[string]outcome{"1": {top1: 0.5}, "2": {top1: 0.5}, "3": {top1: 1}, "4": {top1: 0.5}}}
	guesses := paired{"guesses", map[string]outcome{"1": {top1: 1}, "2": {}, "3": {top1: 1}, "4": {}}}
	got := compare(ties, guesses, []string{"1", "2", "3", "4"})[0]
	want := Comparison{A: "ties", B: "guesses", Metric: "top1", N: 4, Both: 2, AOnly: 2, P: 0.5, AMore: 2, BMore: 1, PMore: 1}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestPairsAreParsed(t *testing.T) {
	t.Parallel()
	if p, err := ParsePair(" fused, code"); err != nil || p != (Pair{"fused", "code"}) {
		t.Errorf("%+v, %v", p, err)
	}
	for _, s := range []string{"", "fused", "fused,", ",code", "a,b,c", "a,a"} {
		if _, err := ParsePair(s); err == nil {
			t.Errorf("%q: want an error", s)
		}
	}
}

func TestUnknownSystemsAreNamed(t *testing.T) {
	t.Parallel()
	rec := readWorksheet(t).record("A")
	for name, want := range map[string]string{"magic": "there are null, triple, fused", SystemSaved: "--against"} {
		_, err := Measure(rec, MeasureOptions{Compare: []Pair{{SystemFused, name}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// The three heaviest repositories are the best of all triples, as a search over
// every triple finds too.
func TestBestTripleIsTheBestOfAll(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 50 {
		var repos []string
		for i := range 3 + rng.IntN(6) {
			repos = append(repos, fmt.Sprintf("r%d", i))
		}
		var cases []CaseRecord
		for range 1 + rng.IntN(20) {
			set := slices.Clone(repos)
			rng.Shuffle(len(set), func(i, j int) { set[i], set[j] = set[j], set[i] })
			cases = append(cases, CaseRecord{Repos: set[:1+rng.IntN(min(4, len(set)))]})
		}
		var best []string
		most := big.NewRat(-1, 1)
		for i := range repos {
			for j := i + 1; j < len(repos); j++ {
				for k := j + 1; k < len(repos); k++ {
					triple := []string{repos[i], repos[j], repos[k]}
					if r := summedRecall(cases, triple); r.Cmp(most) > 0 {
						best, most = triple, r
					}
				}
			}
		}
		if got := sortedSet(bestTriple(cases, repos)); !slices.Equal(got, best) {
			t.Errorf("round %d: %v with %v, a search finds %v with %v", round, got, summedRecall(cases, got), best, most)
		}
	}
	if got := bestTriple([]CaseRecord{{Repos: []string{"b"}}}, []string{"a", "b"}); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("of two repositories: %v", got)
	}
}

func summedRecall(cases []CaseRecord, triple []string) *big.Rat {
	sum := new(big.Rat)
	for _, c := range cases {
		for _, r := range c.Repos {
			if slices.Contains(triple, r) {
				sum.Add(sum, big.NewRat(1, int64(len(c.Repos))))
			}
		}
	}
	return sum
}
