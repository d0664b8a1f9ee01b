package fuse

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/pointsman/pointsman/routing"
)

func repos(names ...string) []routing.Repo {
	list := make([]routing.Repo, len(names))
	for i, n := range names {
		list[i] = routing.Repo{Name: n}
	}
	return list
}

// ranking takes the names it can rank and the scores of its hits, best first.
func ranking(name string, compares bool, can []string, hits ...routing.Hit) routing.Ranking {
	return routing.Ranking{Ranker: name, Comparable: compares, CanRank: can, Hits: hits}
}

func hit(repo string, score float64) routing.Hit { return routing.Hit{Repo: repo, Score: score} }

// weights asks the same coverage of every ranker.
func weights(minCoverage float64, shares map[string]float64) Weights {
	w := Weights{Version: "test", Rankers: shares, MinCoverage: map[string]float64{}}
	for r := range shares {
		w.MinCoverage[r] = minCoverage
	}
	return w
}

func order(f Fused) []string {
	var names []string
	for _, s := range f.Scored {
		names = append(names, s.Repo)
	}
	return names
}

func scoreOf(t *testing.T, f Fused, repo string) Scored {
	t.Helper()
	i := slices.IndexFunc(f.Scored, func(s Scored) bool { return s.Repo == repo })
	if i < 0 {
		t.Fatalf("%s is not in the answer", repo)
	}
	return f.Scored[i]
}

// The source's failure: a ranker that cannot see a repository must not push it
// down. "code" sees all and puts c first; "screens" never heard of c.
func TestNeverHeardOfIsNotRankedLast(t *testing.T) {
	t.Parallel()
	all := []string{"a", "b", "c"}
	rankings := []routing.Ranking{
		ranking("code", true, all, hit("c", 10), hit("a", 9), hit("b", 8)),
		ranking("screens", true, []string{"a", "b"}, hit("a", 5), hit("b", 4)),
	}
	f := Fuse(rankings, repos(all...), weights(0, map[string]float64{"code": 1, "screens": 1}))
	if d := cmp.Diff([]string{"c", "a", "b"}, order(f)); d != "" {
		t.Errorf("order (-want +got):\n%s", d)
	}
	c := scoreOf(t, f, "c")
	if len(c.Parts) != 2 || c.Parts[0].Ranker != "code" || c.Parts[1].Ranker != StandIn {
		t.Errorf("parts of c %+v: want code and a stand-in", c.Parts)
	}
}

// By hand. "description" sees all and orders b 1, c 1/2, a 1/4; "code" cannot see
// c and gave 1 to a and 1/2 to b. c is second for those that see all, so code's
// place is taken by what code gave to its second, 1/2:
//
//	a = 3/4*1 + 1/4*1/4    b = 3/4*1/2 + 1/4*1    c = 3/4*1/2 + 1/4*1/2
func TestStandInByHand(t *testing.T) {
	t.Parallel()
	rankings := []routing.Ranking{
		ranking("description", true, []string{"a", "b", "c"}, hit("b", 8), hit("c", 4), hit("a", 2)),
		ranking("code", true, []string{"a", "b"}, hit("a", 6), hit("b", 3)),
	}
	f := Fuse(rankings, repos("a", "b", "c"), weights(0.6, map[string]float64{"code": 3, "description": 1}))
	for repo, want := range map[string]float64{"a": 0.8125, "b": 0.625, "c": 0.5} {
		if got := scoreOf(t, f, repo).Score; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s scores %v, want %v", repo, got, want)
		}
	}
	want := []routing.Part{
		{Ranker: "description", Rank: 2, Score: 0.5, Weight: 0.25, Contribution: 0.125},
		{Ranker: StandIn, Rank: 2, Score: 0.5, Weight: 0.75, Contribution: 0.375},
	}
	if d := cmp.Diff(want, scoreOf(t, f, "c").Parts, cmpopts.EquateApprox(0, 1e-12)); d != "" {
		t.Errorf("parts of c (-want +got):\n%s", d)
	}
}

// An empty repository is absent from both sums: nothing stands in for it.
func TestNothingStandsInForTheEmpty(t *testing.T) {
	t.Parallel()
	code := ranking("code", true, []string{"a"}, hit("a", 1))
	code.Missing = []routing.Missing{{Repo: "void", Why: "it has no commits", Empty: true}}
	rankings := []routing.Ranking{code, ranking("description", true, []string{"a", "void"}, hit("void", 2), hit("a", 1))}
	f := Fuse(rankings, repos("a", "void"), weights(1, map[string]float64{"code": 3, "description": 1}))
	if s := scoreOf(t, f, "void"); len(s.Parts) != 1 || s.Parts[0].Weight != 1 || s.Score != 1 {
		t.Errorf("void %+v: want its description alone", s)
	}
}

func TestLookedAndFoundNothingCountsAsZero(t *testing.T) {
	t.Parallel()
	rankings := []routing.Ranking{
		ranking("code", true, []string{"a", "b"}, hit("a", 4), hit("b", 4)),
		ranking("description", true, []string{"a", "b"}, hit("b", 2)),
	}
	f := Fuse(rankings, repos("a", "b"), weights(1, map[string]float64{"code": 3, "description": 1}))
	a, b := scoreOf(t, f, "a"), scoreOf(t, f, "b")
	if a.Score != 0.75 || b.Score != 1 {
		t.Errorf("a %v, b %v; want 0.75 and 1", a.Score, b.Score)
	}
	want := routing.Part{Ranker: "description", Rank: 0, Score: 0, Weight: 0.25, Contribution: 0}
	if d := cmp.Diff(want, a.Parts[1]); d != "" {
		t.Errorf("the part that found nothing (-want +got):\n%s", d)
	}
}

func TestPartialRankerAnnotates(t *testing.T) {
	t.Parallel()
	rankings := []routing.Ranking{
		ranking("code", true, []string{"a", "b"}, hit("a", 4), hit("b", 3)),
		{Ranker: "description", Comparable: true, CanRank: []string{"b"}, Missing: []routing.Missing{{Repo: "a", Why: "no description"}}, Hits: []routing.Hit{hit("b", 9)}},
	}
	f := Fuse(rankings, repos("a", "b"), weights(1, map[string]float64{"code": 0.5, "description": 0.5}))
	want := []routing.Coverage{
		{Ranker: "code", Can: 2, Of: 2, Fused: true, Missing: []string{}, Why: []string{}},
		{Ranker: "description", Can: 1, Of: 2, Fused: false, Missing: []string{"a"}, Why: []string{"no description"}},
	}
	if d := cmp.Diff(want, f.Coverage); d != "" {
		t.Errorf("coverage (-want +got):\n%s", d)
	}
	if p := scoreOf(t, f, "b").Parts[1]; p.Weight != 0 || p.Contribution != 0 || p.Rank != 1 {
		t.Errorf("annotation %+v: want rank 1 and weight 0", p)
	}
	if got := order(f); got[0] != "a" {
		t.Errorf("order %v: an annotation moved a repository", got)
	}
}

func TestEmptyRepositoriesDoNotCountAgainstCoverage(t *testing.T) {
	t.Parallel()
	code := ranking("code", true, []string{"a"}, hit("a", 1))
	code.Missing = []routing.Missing{{Repo: "void", Why: "it has no commits", Empty: true}}
	f := Fuse([]routing.Ranking{code}, repos("a", "void"), weights(1, map[string]float64{"code": 1}))
	if !f.Coverage[0].Fused || f.Coverage[0].Can != 1 || f.Coverage[0].Of != 2 {
		t.Errorf("coverage %+v: want fused, 1 of 2", f.Coverage[0])
	}
	if s := scoreOf(t, f, "void"); s.Seen || s.Score != 0 {
		t.Errorf("void %+v: want unseen", s)
	}
}

func TestWidestLeadsWhenNobodySeesAll(t *testing.T) {
	t.Parallel()
	rankings := []routing.Ranking{
		ranking("description", true, []string{"a"}, hit("a", 9)),
		ranking("code", true, []string{"b", "c"}, hit("c", 2), hit("b", 1)),
	}
	f := Fuse(rankings, repos("a", "b", "c"), weights(1, map[string]float64{"code": 1, "description": 1}))
	if f.Coverage[0].Fused || !f.Coverage[1].Fused {
		t.Errorf("coverage %+v: want code alone", f.Coverage)
	}
	if got := order(f); got[0] != "c" {
		t.Errorf("order %v, want c first", got)
	}
}

func TestAnAnnotationIsBetterThanNoAnswer(t *testing.T) {
	t.Parallel()
	rankings := []routing.Ranking{
		ranking("description", true, []string{"a", "b", "c"}),
		ranking("code", true, []string{"a", "b"}, hit("b", 2), hit("a", 1)),
	}
	f := Fuse(rankings, repos("a", "b", "c"), weights(1, map[string]float64{"code": 1, "description": 1}))
	if got := order(f); got[0] != "b" || !f.Coverage[1].Fused || f.Coverage[0].Fused {
		t.Errorf("order %v, coverage %+v; want code to lead, the descriptions found nothing", got, f.Coverage)
	}
}

func TestCoverageIsAskedOfEachRankerByItself(t *testing.T) {
	t.Parallel()
	all := []string{"a", "b", "c", "d", "e"}
	rankings := []routing.Ranking{
		ranking("registry", true, all, hit("a", 1)),
		ranking("description", true, all[:4], hit("b", 1)),
		ranking("code", true, all[:4], hit("c", 1)),
	}
	w := Weights{Version: "test", Rankers: map[string]float64{"registry": 1, "description": 1, "code": 1}, MinCoverage: map[string]float64{"code": 0.8}}
	f := Fuse(rankings, repos(all...), w)
	if c := f.Coverage; !c[0].Fused || c[1].Fused || !c[2].Fused {
		t.Errorf("coverage %+v: want description alone to annotate", c)
	}
}

// Rankers that each miss another repository are not blended, unless one sees all.
func TestOneOfSeveralPartialRankersLeads(t *testing.T) {
	t.Parallel()
	all := []string{"a", "b", "c", "d", "e"}
	partial := func(code []string) []routing.Ranking {
		return []routing.Ranking{
			ranking("registry", true, all[1:], hit("b", 1)),
			ranking("description", true, all[:4], hit("a", 1)),
			ranking("code", true, code, hit("c", 1)),
		}
	}
	w := Weights{
		Rankers:     map[string]float64{"registry": 0.2, "description": 0.1, "code": 0.7},
		WithoutCode: &Case{Rankers: map[string]float64{"registry": 0.4, "description": 0.6}},
		MinCoverage: map[string]float64{"registry": 0.8, "description": 0.8, "code": 0.8},
	}
	for name, c := range map[string]struct {
		code []string
		want []bool // registry, description, code
	}{
		"code sees all":     {all, []bool{true, true, true}},
		"code misses one":   {all[:4], []bool{false, false, true}},
		"code sees nothing": {nil, []bool{false, true, false}},
	} {
		f := Fuse(partial(c.code), repos(all...), w)
		for i, want := range c.want {
			if row := f.Coverage[i]; row.Fused != want {
				t.Errorf("%s: %s is fused: %v, want %v", name, row.Ranker, row.Fused, want)
			}
		}
	}
}

func TestRankOnlyRankersGiveReciprocals(t *testing.T) {
	t.Parallel()
	r := ranking("registry", false, []string{"a", "b", "c", "d"}, hit("a", 100), hit("b", 1), hit("c", 1), hit("d", 0.5))
	f := Fuse([]routing.Ranking{r}, repos("a", "b", "c", "d"), weights(1, map[string]float64{"registry": 1}))
	for repo, want := range map[string]float64{"a": 1, "b": 0.5, "c": 0.5, "d": 0.25} {
		if got := scoreOf(t, f, repo).Score; got != want {
			t.Errorf("%s scores %v, want %v", repo, got, want)
		}
	}
}

// For any rankings: the score is the sum of its parts and lies in [0,1], and
// where only rankers of full coverage are fused, taking away one that cannot see
// a repository leaves that repository's score as it was.
func TestFusionKeepsItsContract(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"a", "b", "c", "d"}
		shares := map[string]float64{}
		var rankings []routing.Ranking
		for _, r := range []string{"code", "description", "registry"} {
			can := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 4, rapid.ID).Draw(t, r+" can")
			slices.Sort(can)
			var hits []routing.Hit
			for _, n := range can {
				if s := rapid.Float64Range(0, 10).Draw(t, r+n); s > 0.1 {
					hits = append(hits, hit(n, s))
				}
			}
			slices.SortFunc(hits, func(a, b routing.Hit) int {
				if a.Score != b.Score {
					return int(math.Copysign(1, b.Score-a.Score))
				}
				return strings.Compare(a.Repo, b.Repo)
			})
			shares[r] = rapid.Float64Range(0.1, 1).Draw(t, r+" share")
			rankings = append(rankings, ranking(r, rapid.Bool().Draw(t, r+" comparable"), can, hits...))
		}
		minCoverage := rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "minCoverage")
		f := Fuse(rankings, repos(names...), weights(minCoverage, shares))
		for _, s := range f.Scored {
			sum := 0.0
			for _, p := range s.Parts {
				sum += p.Contribution
			}
			if math.Abs(sum-s.Score) > 1e-12 || s.Score < 0 || s.Score > 1+1e-12 {
				t.Fatalf("%s scores %v, its parts %v", s.Repo, s.Score, sum)
			}
		}
		if minCoverage < 1 {
			return
		}
		for i, r := range rankings {
			if f.Coverage[i].Fused {
				continue
			}
			without := Fuse(slices.Delete(slices.Clone(rankings), i, i+1), repos(names...), weights(1, shares))
			for _, s := range without.Scored {
				j := slices.IndexFunc(f.Scored, func(x Scored) bool { return x.Repo == s.Repo })
				if math.Abs(f.Scored[j].Score-s.Score) > 1e-12 {
					t.Fatalf("%s moved from %v to %v by %s, which only annotates", s.Repo, s.Score, f.Scored[j].Score, r.Ranker)
				}
			}
		}
	})
}

func TestParseWeights(t *testing.T) {
	t.Parallel()
	w, err := ParseWeights(nil)
	if err != nil || w.Version == "" || !strings.HasPrefix(w.Hash, "sha256:") || len(w.Hash) != 71 {
		t.Errorf("default weights: %+v, %v", w, err)
	}
	for in, want := range map[string]string{
		`{`: "reading weights",
		`{"version":"1","rankers":{"code":1},"codeViews":{"best":1},"speed":1}`:     `unknown field "speed"`,
		`{"rankers":{"code":1},"codeViews":{"best":1}}`:                             "version: want",
		`{"version":"1","rankers":{"code":-1},"codeViews":{"best":1}}`:              "rankers.code: want",
		`{"version":"1","rankers":{"code":1},"codeViews":{}}`:                       "codeViews: want",
		`{"version":"1","rankers":{"code":1},"codeViews":{"best":1},"tieBand":1.5}`: "tieBand: want",
	} {
		if _, err := ParseWeights([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseWeights(%s): %v, want %q", in, err, want)
		}
	}
}

// Without code search the shares of that case stand, and a doubt keeps a ranker
// whose best is a weak match from speaking as loudly as one whose best is strong.
func TestFuseWithoutCode(t *testing.T) {
	t.Parallel()
	w, err := ParseWeights([]byte(`{"version": "t", "rankers": {"code": 1, "description": 1, "registry": 3}, "codeViews": {"best": 1},
		"withoutCode": {"rankers": {"description": 1, "registry": 1}, "doubt": {"registry": 1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	repos := []routing.Repo{{Name: "a"}, {Name: "b"}}
	both := []string{"a", "b"}
	registry := routing.Ranking{Ranker: "registry", CanRank: both, Comparable: true, Hits: []routing.Hit{{Repo: "a", Score: 1}}}
	description := routing.Ranking{Ranker: "description", CanRank: both, Comparable: true, Hits: []routing.Hit{{Repo: "b", Score: 7}}}
	for name, tc := range map[string]struct {
		code routing.Ranking
		want map[string]float64
	}{
		"not there":     {routing.Ranking{Ranker: "code"}, map[string]float64{"a": 0.25, "b": 0.5}}, // a: (1/(1+1))/2
		"finds nothing": {routing.Ranking{Ranker: "code", CanRank: both, Comparable: true}, map[string]float64{"a": 0.25, "b": 0.5}},
		"there":         {routing.Ranking{Ranker: "code", CanRank: both, Comparable: true, Hits: []routing.Hit{{Repo: "b", Score: 2}}}, map[string]float64{"a": 0.6, "b": 0.4}},
	} {
		got := map[string]float64{}
		for _, s := range Fuse([]routing.Ranking{registry, description, tc.code}, repos, w).Scored {
			got[s.Repo] = s.Score
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("code %s (-want +got):\n%s", name, diff)
		}
	}
	for _, bad := range []string{`{"rankers": {}}`, `{"rankers": {"description": -1}}`, `{"rankers": {"description": 1}, "doubt": {"registry": -1}}`, `{"ranker": {}}`} {
		if _, err := ParseWeights([]byte(`{"version": "t", "rankers": {"code": 1}, "codeViews": {"best": 1}, "withoutCode": ` + bad + `}`)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
