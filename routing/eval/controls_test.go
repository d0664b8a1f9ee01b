package eval

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/engine"
	"github.com/pointsman/pointsman/routing/gold"
)

// The controls: systems of which the figures are known beforehand.

// naming is a router that names the repositories which it returns, best first.
type naming func(t routing.Ticket) []string

func (s naming) Trace(_ context.Context, t routing.Ticket, _ engine.Snapshot) (routing.Decision, []routing.Ranking, error) {
	d := routing.Decision{Verdict: routing.VerdictNone}
	r := routing.Ranking{Ranker: "code"}
	for i, repo := range s(t) {
		d.Verdict = routing.VerdictRoute
		d.Candidates = append(d.Candidates, routing.Candidate{Rank: i + 1, Repo: repo, Score: 1 / float64(i+1)})
		r.Hits = append(r.Hits, routing.Hit{Repo: repo, Score: 1 / float64(i+1)})
	}
	if len(d.Candidates) > 0 {
		d.Spans = []string{d.Candidates[0].Repo}
	}
	return d, []routing.Ranking{r}, nil
}

// city is 400 tickets over eight repositories, some far more common than others.
// Titles are plain numbers, so that only the gold file knows an answer.
func city() (cases []gold.Case, s engine.Snapshot, answers map[string]string) {
	s, answers = organisation("quay", "ferry", "crane", "tug", "buoy", "dock", "mole", "pier"), map[string]string{}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		repo := s.Repos[min(rng.IntN(8), rng.IntN(8))].Name
		title := fmt.Sprintf("ticket %03d", i)
		cases = append(cases, gold.Case{ID: fmt.Sprintf("T-%03d", i), Title: title, Repos: []string{repo}})
		answers[title] = repo
	}
	return cases, s, answers
}

func control(t *testing.T, cases []gold.Case, s engine.Snapshot, e router) Report {
	t.Helper()
	rec, err := Run(t.Context(), cases, s, e, Options{Workers: 4})
	if err != nil {
		t.Fatal(err)
	}
	return measure(t, rec, MeasureOptions{})
}

func systemOf(t *testing.T, r Report, name string) System {
	t.Helper()
	for _, s := range r.Systems {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no system %q", name)
	return System{}
}

// A router that cheats reads every field of the ticket for the name of a
// repository. The ids hold the answer; it must not find it.
func TestAPlantedLeakInTheIDGivesNothing(t *testing.T) {
	t.Parallel()
	cases, s, _ := city()
	cheat := naming(func(tk routing.Ticket) []string {
		all := fmt.Sprintf("%#v", tk)
		for _, r := range s.Repos {
			if strings.Contains(all, r.Name) {
				return []string{r.Name}
			}
		}
		return nil
	})
	for i, c := range cases {
		cases[i].ID = fmt.Sprintf("%s-%d", c.Repos[0], i)
	}
	if got := systemOf(t, control(t, cases, s, cheat), SystemFused); got.Abstained != 1 || got.Top1 != 0 {
		t.Errorf("the id reached the router: answered %.3f of the tickets, top-1 %.3f", 1-got.Abstained, got.Top1)
	}
	for i, c := range cases { // the cheat itself works: told in the title, it finds all
		cases[i].Title = "about " + c.Repos[0]
	}
	if got := systemOf(t, control(t, cases, s, cheat), SystemFused); got.Top1 != 1 {
		t.Errorf("the control controls nothing: top-1 %.3f where the title tells", got.Top1)
	}
}

func TestShuffledLabelsFallToNull(t *testing.T) {
	t.Parallel()
	cases, s, answers := city()
	knows := naming(func(tk routing.Ticket) []string { return []string{answers[tk.Title]} })
	if got := systemOf(t, control(t, cases, s, knows), SystemFused).Top1; got != 1 {
		t.Fatalf("before: top-1 %.3f", got)
	}
	count := map[string]float64{}
	for _, c := range cases {
		count[c.Repos[0]]++
	}
	chance := 0.0 // of two tickets drawn at random needing the same repository
	for _, n := range count {
		chance += n * n / float64(len(cases)*len(cases))
	}
	rng := rand.New(rand.NewPCG(3, 4))
	rng.Shuffle(len(cases), func(i, j int) { cases[i].Repos, cases[j].Repos = cases[j].Repos, cases[i].Repos })
	report := control(t, cases, s, knows)
	fused, null := systemOf(t, report, SystemFused), systemOf(t, report, SystemNull)
	deviation := math.Sqrt(chance * (1 - chance) / float64(len(cases)))
	if math.Abs(fused.Top1-chance) > 3*deviation {
		t.Errorf("top-1 %.3f with shuffled labels, by chance %.3f", fused.Top1, chance)
	}
	if fused.Top1 > null.CI95["top1"][1] {
		t.Errorf("top-1 %.3f with shuffled labels is above null's interval %v", fused.Top1, null.CI95["top1"])
	}
}

func TestAConstantRankerIsItsNull(t *testing.T) {
	t.Parallel()
	cases, s, _ := city()
	var names []string
	for _, r := range s.Repos {
		names = append(names, r.Name)
	}
	rec, err := Run(t.Context(), cases, s, naming(func(routing.Ticket) []string { return names }), Options{})
	if err != nil {
		t.Fatal(err)
	}
	common := mostCommon(rec.Cases, rec.Repos)
	report := control(t, cases, s, naming(func(routing.Ticket) []string { return common }))
	fused, null := systemOf(t, report, SystemFused), systemOf(t, report, SystemNull)
	null.Name, null.Constant = fused.Name, fused.Constant
	if fmt.Sprint(fused) != fmt.Sprint(null) {
		t.Errorf("a constant ranker %+v, null %+v", fused, null)
	}
	// The most common three are the best three when every answer is one repository.
	if triple := systemOf(t, report, SystemTriple); triple.Top3 != null.Top3 || triple.SetRecall3 != null.SetRecall3 || triple.Top5 != triple.Top3 {
		t.Errorf("triple %+v, null %+v", triple, null)
	}
}

func TestAPerfectRankerGetsOneEverywhere(t *testing.T) {
	t.Parallel()
	cases, s, answers := city()
	r := control(t, cases, s, naming(func(tk routing.Ticket) []string { return []string{answers[tk.Title]} }))
	for _, name := range []string{SystemFused, "code"} {
		got := systemOf(t, r, name)
		for _, m := range []float64{got.Top1, got.Top3, got.Top5, got.MRR, got.SetRecall3, got.SetRecall5, got.ExactSet, got.AnsweredTop1, got.AnsweredTop3} {
			if m != 1 {
				t.Errorf("%s: a perfect ranker gets %+v", name, got)
				break
			}
		}
		if got.Abstained != 0 {
			t.Errorf("%s: abstained %v", name, got.Abstained)
		}
		if len(got.CI95) != len(metrics()) {
			t.Errorf("%s: intervals of %d figures, want %d", name, len(got.CI95), len(metrics()))
		}
		for figure, ci := range got.CI95 {
			if ci != [2]float64{1, 1} {
				t.Errorf("%s: interval of %s %v", name, figure, ci)
			}
		}
	}
	if len(r.Confusion) != 0 || len(r.Misses) != 0 || r.MissCount != 0 {
		t.Errorf("a perfect ranker has misses: %v", r.Confusion)
	}
	for _, row := range r.PerRepo {
		if row.Top1 != 1 || row.Top3 != 1 || row.WrongFirst != 0 {
			t.Errorf("row %+v", row)
		}
	}
	for _, p := range r.ByCoverage {
		if p.Top1 != 1 || p.Top3 != 1 {
			t.Errorf("point %+v", p)
		}
	}
}
