package lint

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// reaches says what overlap says, sooner.
func TestReaches(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	set := func() []int32 {
		var out []int32
		for w := range int32(12) {
			if r.IntN(4) > 0 {
				out = append(out, w)
			}
		}
		return out
	}
	yes := 0
	for range 20_000 {
		a, b := set(), set()
		if len(a)+len(b) == 0 {
			continue
		}
		for _, share := range []float64{siblingsAlike, alike, 1} {
			want := overlap(a, b) >= share
			if got := reaches(a, b, share); got != want {
				t.Fatalf("%v and %v share %v: reaches %v is %v", a, b, overlap(a, b), share, got)
			}
			if want {
				yes++
			}
		}
	}
	if yes < 1000 {
		t.Errorf("only %d pairs read alike", yes)
	}
}

func TestJoined(t *testing.T) {
	t.Parallel()
	for keyword, want := range map[string]string{
		"fare rules": "fare rules", "Fare-Rules": "fare rules", " fare": "fare", "fare ": "fare", "fare  rules": "fare rules",
		"fare_rules2": "fare rules2", "Überfahrt/Preis": "überfahrt preis", "ПРИЧАЛ": "причал", "--": "", "": "",
	} {
		if got := joined(keyword); got != want {
			t.Errorf("%q is joined as %q, want %q", keyword, got, want)
		}
		if got := split(keyword); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q is split into %q", keyword, got)
		}
	}
}
