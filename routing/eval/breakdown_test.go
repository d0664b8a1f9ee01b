package eval

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
)

// told is a decision on a case by hand: "1a 1b 3c" as in oracle.
func told(id string, answer []string, margin float64, ranks ...Place) CaseRecord {
	c := CaseRecord{
		ID: id, Title: "title " + id, Repos: answer, Verdict: routing.VerdictRoute, Ranks: ranks, Margin: margin,
		Spans: []string{}, Ambiguities: []string{}, Rankers: []RankerNote{},
	}
	if len(ranks) == 0 {
		c.Verdict = routing.VerdictNone
	}
	return c
}

func byHand() Record {
	return Record{Schema: RecordSchema, Repos: []string{"a", "b", "c", "d"}, Cases: []CaseRecord{
		told("1", []string{"a"}, 0.9, Place{1, "a"}, Place{2, "b"}),
		told("2", []string{"a"}, 0.5, Place{1, "b"}, Place{2, "a"}),
		told("3", []string{"b", "c"}, 0.5, Place{1, "a"}, Place{2, "b"}, Place{3, "d"}, Place{4, "c"}),
		told("4", []string{"a"}, 0, Place{1, "a"}, Place{1, "b"}),
		told("5", []string{"c"}, 0),
		told("6", []string{"a"}, 0.1, Place{1, "b"}, Place{2, "c"}),
	}}
}

func TestBreakdownsByHand(t *testing.T) {
	t.Parallel()
	r := measure(t, byHand(), MeasureOptions{})
	wantRepos := []RepoRow{
		{Repo: "a", N: 4, Top1: (1 + 0.5) / 4, Top3: 3.0 / 4, WrongFirst: 1},
		{Repo: "b", N: 1, Top1: 0, Top3: 1, WrongFirst: 2},
		{Repo: "c", N: 2, Top1: 0, Top3: 0},
	}
	if d := cmp.Diff(wantRepos, r.PerRepo); d != "" {
		t.Errorf("per repository (-want +got):\n%s", d)
	}
	wantPairs := []Confusion{{"a", "b", 2}, {"b", "a", 1}, {"c", "", 1}}
	if d := cmp.Diff(wantPairs, r.Confusion); d != "" {
		t.Errorf("confusion (-want +got):\n%s", d)
	}
	var misses []string
	for _, m := range r.Misses {
		misses = append(misses, m.ID+" "+m.First)
	}
	// Not there at all come first, the surest of them ahead; then by how low.
	if d := cmp.Diff([]string{"6 b", "5 ", "2 b", "3 a"}, misses); d != "" || r.MissCount != 4 {
		t.Errorf("%d misses (-want +got):\n%s", r.MissCount, d)
	}
	if r.Sets.N != 1 || r.Sets.Best3 != 1 || systemIn(r.Sets.Systems, SystemFused).SetRecall3 != 0.5 || systemIn(r.Sets.Systems, SystemTriple).SetRecall3 != 1 {
		t.Errorf("sets %+v", r.Sets)
	}
}

func systemIn(systems []System, name string) System {
	for _, s := range systems {
		if s.Name == name {
			return s
		}
	}
	return System{}
}

// By margin: 1 (0.9), 2 and 3 (0.5), 6 (0.1), 4 (0); 5 never answers.
func TestAccuracyAgainstCoverageByHand(t *testing.T) {
	t.Parallel()
	got := measure(t, byHand(), MeasureOptions{}).ByCoverage
	want := []CurvePoint{
		{Margin: 0.9, N: 1, Share: 1.0 / 6, Top1: 1, Top3: 1},
		{Margin: 0.5, N: 3, Share: 3.0 / 6, Top1: 1.0 / 3, Top3: 1},
		{Margin: 0.1, N: 4, Share: 4.0 / 6, Top1: 1.0 / 4, Top3: 3.0 / 4},
		{Margin: 0, N: 5, Share: 5.0 / 6, Top1: 1.5 / 5, Top3: 4.0 / 5},
	}
	if d := cmp.Diff(want, got, paper()); d != "" {
		t.Errorf("curve (-want +got):\n%s", d)
	}
}

func TestReliabilityByHand(t *testing.T) {
	t.Parallel()
	rec := byHand()
	rec.Cases[0].Confidence = &Certainty{Top1: 0.92, Top3: 1}
	rec.Cases[3].Confidence = &Certainty{Top1: 0.98, Top3: 1}
	rec.Cases[1].Confidence = &Certainty{Top1: 0.3, Top3: 0.9}
	got := measure(t, rec, MeasureOptions{}).Calibration
	want := Calibration{
		N: 3,
		Bins: []Bin{
			{Low: 0.3, High: 0.4, N: 1, Confidence: 0.3, Accuracy: 0},
			{Low: 0.9, High: 1, N: 2, Confidence: 0.95, Accuracy: 0.75},
		},
		ECE:  (1*0.3 + 2*0.2) / 3,
		Bin3: []Bin{{Low: 0.9, High: 1, N: 3, Confidence: 2.9 / 3, Accuracy: 1}},
		ECE3: 0.1 / 3,
	}
	if d := cmp.Diff(want, got, paper()); d != "" {
		t.Errorf("calibration (-want +got):\n%s", d)
	}
	if none := measure(t, byHand(), MeasureOptions{}).Calibration; none.N != 0 || len(none.Bins) != 0 || none.Bins == nil {
		t.Errorf("without confidences %+v", none)
	}
}

func TestAnEarlierRunIsComparedOnCommonTickets(t *testing.T) {
	t.Parallel()
	saved, now := byHand(), byHand()
	saved.Cases = append(saved.Cases[1:5:5], told("9", []string{"a"}, 1, Place{1, "a"}))
	now.Cases[1].Ranks = []Place{{1, "a"}, {2, "b"}} // better
	now.Cases[2].Ranks = []Place{{1, "a"}, {2, "d"}} // worse: not there
	now.Cases[3].Repos = []string{"b"}               // relabelled, stands as before
	now.AsOf.Weights, saved.AsOf.Weights = "sha256:1", "sha256:2"
	r := measure(t, now, MeasureOptions{Against: &saved})
	want := &Against{
		Common: 4, OnlyHere: 2, OnlySaved: 1, Relabelled: 1, Differs: []string{"weights"},
		Better: []Change{{ID: "2", Title: "title 2", Was: 2, Is: 1}},
		Worse:  []Change{{ID: "3", Title: "title 3", Was: 2, Is: 0}},
	}
	if d := cmp.Diff(want, r.Against); d != "" {
		t.Errorf("against (-want +got):\n%s", d)
	}
	if s := systemOf(t, r, SystemSaved); s.N != 4 || s.Top1 != 0.5/4 {
		t.Errorf("saved %+v", s)
	}
	last := r.Compare[len(r.Compare)-2]
	if last.A != SystemFused || last.B != SystemSaved || last.Metric != "top1" || last.N != 4 || last.AOnly != 1 || last.BOnly != 0 || last.Both != 1 {
		t.Errorf("comparison %+v", last)
	}
}
