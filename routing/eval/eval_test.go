package eval

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/engine"
	"github.com/pointsman/pointsman/routing/gold"
)

// oracle answers each title with a fixed list of candidates: "1a 1b 3c" is a and b
// at rank 1 and c at rank 3. The first is the set it names.
type oracle map[string]string

func (o oracle) Trace(_ context.Context, t routing.Ticket, _ engine.Snapshot) (routing.Decision, []routing.Ranking, error) {
	d := routing.Decision{Verdict: routing.VerdictRoute, Coverage: []routing.Coverage{{Ranker: "code", Can: 4, Of: 4}}}
	r := routing.Ranking{Ranker: "code"}
	for _, f := range strings.Fields(o[t.Title]) {
		rank := int(f[0] - '0')
		d.Candidates = append(d.Candidates, routing.Candidate{Rank: rank, Repo: f[1:]})
		r.Hits = append(r.Hits, routing.Hit{Repo: f[1:], Score: 1 / float64(rank)})
	}
	if len(d.Candidates) == 0 {
		d.Verdict = routing.VerdictNone
		return d, []routing.Ranking{r}, nil
	}
	d.Spans = []string{d.Candidates[0].Repo}
	return d, []routing.Ranking{r}, nil
}

func organisation(names ...string) engine.Snapshot {
	var s engine.Snapshot
	for _, n := range names {
		s.Repos = append(s.Repos, routing.Repo{Name: n})
	}
	return s
}

func run(t *testing.T, o oracle, s engine.Snapshot, cases ...gold.Case) Report {
	t.Helper()
	rec, err := Run(t.Context(), cases, s, o, Options{Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	return measure(t, rec, MeasureOptions{})
}

func measure(t *testing.T, rec Record, o MeasureOptions) Report {
	t.Helper()
	r, err := Measure(rec, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ticket is a case whose title is its id.
func ticket(id string, repos ...string) gold.Case { return gold.Case{ID: id, Title: id, Repos: repos} }

func system4(t *testing.T, r Report, name string) [5]float64 {
	t.Helper()
	for _, s := range r.Systems {
		if s.Name == name {
			return [5]float64{s.Top1, s.Top3, s.Top5, s.MRR, s.SetRecall3}
		}
	}
	t.Fatalf("no system %q", name)
	return [5]float64{}
}

// Four cases by hand:
//
//	1: answer a, first of "1a 2b 3c 4d"            top1 1    top3 1    mrr 1
//	2: answer b, tied with a at rank 1              top1 1/2  top3 1    mrr (1+1/2)/2
//	3: answers a and d, "1b 2a 3c 4d"               top1 0    top3 1    mrr 1/2   recall@3 1/2
//	4: answer d, not in the answer                  0
func TestFiguresByHand(t *testing.T) {
	t.Parallel()
	o := oracle{"1": "1a 2b 3c 4d", "2": "1a 1b 3c", "3": "1b 2a 3c 4d", "4": "1a"}
	r := run(t, o, organisation("a", "b", "c", "d"),
		ticket("1", "a"),
		ticket("2", "b"),
		ticket("3", "a", "d"),
		ticket("4", "d"),
	)
	want := [5]float64{(1 + 0.5) / 4, 3.0 / 4, 3.0 / 4, (1 + 0.75 + 0.5) / 4, (1 + 1 + 0.5) / 4}
	for _, name := range []string{SystemFused, "code"} {
		if d := cmp.Diff(want, system4(t, r, name), cmpopts.EquateApprox(0, 1e-12)); d != "" {
			t.Errorf("%s: top1, top3, top5, mrr, recall@3 (-want +got):\n%s", name, d)
		}
	}
	// Null: a and d are needed twice, b once, so its constant answer is a d b c.
	null := [5]float64{2.0 / 4, 1, 1, (1 + 1.0/3 + 1 + 1.0/2) / 4, 1}
	if d := cmp.Diff(null, system4(t, r, SystemNull), cmpopts.EquateApprox(0, 1e-12)); d != "" {
		t.Errorf("null (-want +got):\n%s", d)
	}
}

func TestTieCredit(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		s    Standing
		k    int
		want float64
	}{
		{Standing{Rank: 0}, 3, 0},
		{Standing{Rank: 1, Share: 1}, 1, 1},
		{Standing{Rank: 1, Share: 4}, 1, 0.25},
		{Standing{Rank: 1, Share: 4}, 3, 0.75},
		{Standing{Rank: 3, Share: 2}, 3, 0.5},
		{Standing{Rank: 4, Share: 2}, 3, 0},
		{Standing{Rank: 2, Share: 2}, 5, 1},
	} {
		if got := tc.s.Credit(tc.k); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%+v at %d: %v, want %v", tc.s, tc.k, got, tc.want)
		}
	}
}

func TestPerfectAndConstantAnswers(t *testing.T) {
	t.Parallel()
	cases := []gold.Case{ticket("1", "a"), ticket("2", "b")}
	perfect := run(t, oracle{"1": "1a 2b", "2": "1b 2a"}, organisation("a", "b"), cases...)
	if got := system4(t, perfect, SystemFused); got != [5]float64{1, 1, 1, 1, 1} {
		t.Errorf("a perfect ranker gets %v", got)
	}
	if ci := perfect.Systems[len(perfect.Systems)-1].CI95["top1"]; ci != [2]float64{1, 1} {
		t.Errorf("interval of a perfect ranker %v", ci)
	}
	constant := run(t, oracle{"1": "1a 2b", "2": "1a 2b"}, organisation("a", "b"), cases...)
	if got, null := system4(t, constant, SystemFused), system4(t, constant, SystemNull); got != null {
		t.Errorf("a constant ranker gets %v, the null baseline %v", got, null)
	}
}

func TestUnknownAnswersAreSkippedAndSaid(t *testing.T) {
	t.Parallel()
	r := run(t, oracle{"1": "1a"}, organisation("a"),
		ticket("1", "a"), ticket("2", "gone"))
	if d := cmp.Diff([]Skipped{{ID: "2", Why: "not among the candidates: gone"}}, r.Skipped); d != "" || r.N != 1 {
		t.Errorf("n %d, skipped (-want +got):\n%s", r.N, d)
	}
	if _, err := Run(t.Context(), []gold.Case{ticket("2", "gone")}, organisation("a"), oracle{}, Options{}); err == nil {
		t.Error("no measurable case: want an error")
	}
}

func TestSiblingsAreMeasuredAmongThemselves(t *testing.T) {
	t.Parallel()
	s := organisation("a", "b", "c")
	s.Repos[0].Siblings = []routing.Sibling{{Repo: "b"}}
	r := run(t, oracle{"1": "1c 2a 3b", "2": "1a 1b 3c"}, s,
		ticket("1", "a"), ticket("2", "b"))
	want := []SiblingRow{{Group: "a+b", N: 2, Top1Within: (1 + 0.5) / 2}}
	if d := cmp.Diff(want, r.Siblings); d != "" {
		t.Errorf("siblings (-want +got):\n%s", d)
	}
}
