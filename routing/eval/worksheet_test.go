package eval

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/gold"
)

// worksheet is ten cases and two systems with figures worked out on paper, before
// the code and by somebody who had not seen it. docs/evaluation.md shows the work.
type worksheet struct {
	Repos   []string    `json:"repos"`
	Cases   []gold.Case `json:"cases"`
	Systems map[string][]struct {
		ID      string          `json:"id"`
		Verdict routing.Verdict `json:"verdict"`
		Ranks   []Place         `json:"ranks"`
		Spans   []string        `json:"spans"`
	} `json:"systems"`
	Expected struct {
		A, B, Null map[string]any
		Triple     struct {
			Repos            []string
			SetRecall3, Top3 float64
		}
		McNemar []struct {
			Metric       string
			AOnly, BOnly int
			P            float64
		}
		PerCase []struct {
			ID string
			A  map[string]float64
		}
	} `json:"expected"`
}

func readWorksheet(t *testing.T) worksheet {
	t.Helper()
	data, err := os.ReadFile("testdata/worksheet.json")
	if err != nil {
		t.Fatal(err)
	}
	var w worksheet
	if err := json.Unmarshal(data, &w); err != nil {
		t.Fatal(err)
	}
	if len(w.Cases) != 10 || len(w.Systems["A"]) != 10 || len(w.Systems["B"]) != 10 || len(w.Expected.PerCase) != 10 {
		t.Fatalf("the worksheet is not whole: %d cases", len(w.Cases))
	}
	return w
}

func (w worksheet) record(system string) Record {
	rec := Record{Schema: RecordSchema, Repos: w.Repos}
	for i, said := range w.Systems[system] {
		c := w.Cases[i]
		rec.Cases = append(rec.Cases, CaseRecord{
			ID: c.ID, Title: c.Title, Repos: c.Repos, Present: c.Present,
			Verdict: said.Verdict, Ranks: said.Ranks, Spans: said.Spans,
		})
	}
	rec.fill()
	return rec
}

// figuresOf are a system's figures under their JSON names.
func figuresOf(t *testing.T, r Report, name string) map[string]any {
	t.Helper()
	for _, s := range r.Systems {
		if s.Name == name {
			data, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			var m map[string]any
			if err := json.Unmarshal(data, &m); err != nil {
				t.Fatal(err)
			}
			return m
		}
	}
	t.Fatalf("no system %q", name)
	return nil
}

// paper is how close a figure must come to one that was rounded to 12 digits.
func paper() cmp.Option { return cmpopts.EquateApprox(0, 1e-12) }

func TestWorksheet(t *testing.T) {
	t.Parallel()
	w := readWorksheet(t)
	a, b := w.record("A"), w.record("B")
	if err := a.check(); err != nil {
		t.Fatal(err)
	}
	report := measure(t, a, MeasureOptions{Against: &b, Compare: []Pair{{SystemFused, SystemSaved}}})
	for name, want := range map[string]map[string]any{SystemFused: w.Expected.A, SystemSaved: w.Expected.B, SystemNull: w.Expected.Null} {
		got := figuresOf(t, report, name)
		if len(want) < 7 {
			t.Errorf("%s: the worksheet expects only %v", name, want)
		}
		onPaper(t, name, want, got)
	}
	triple := figuresOf(t, report, SystemTriple)
	if d := cmp.Diff(w.Expected.Triple.Repos, sortedSet(bestTriple(a.Cases, a.Repos))); d != "" {
		t.Errorf("triple (-paper +got):\n%s", d)
	}
	if math.Abs(w.Expected.Triple.SetRecall3-triple["setRecall3"].(float64)) > 1e-12 || math.Abs(w.Expected.Triple.Top3-triple["top3"].(float64)) > 1e-12 {
		t.Errorf("triple: recall at 3 %v, top-3 %v; on paper %v", triple["setRecall3"], triple["top3"], w.Expected.Triple)
	}
	if len(report.Compare) != len(w.Expected.McNemar) {
		t.Fatalf("comparisons %+v", report.Compare)
	}
	for i, want := range w.Expected.McNemar {
		got := report.Compare[i]
		if got.Metric != want.Metric || got.AOnly != want.AOnly || got.BOnly != want.BOnly || math.Abs(got.P-want.P) > 1e-12 {
			t.Errorf("comparison %+v, on paper %+v", got, want)
		}
	}
}

// onPaper compares every figure of the paper; got may have more.
func onPaper(t *testing.T, name string, want, got map[string]any) {
	t.Helper()
	for key, value := range want {
		if inner, ok := value.(map[string]any); ok {
			onPaper(t, name+": "+key, inner, got[key].(map[string]any))
			continue
		}
		if d := cmp.Diff(value, got[key], paper()); d != "" {
			t.Errorf("%s: %s (-paper +got):\n%s", name, key, d)
		}
	}
}

func TestWorksheetCaseByCase(t *testing.T) {
	t.Parallel()
	w := readWorksheet(t)
	for i, c := range w.record("A").Cases {
		want := w.Expected.PerCase[i]
		o, got := score(c.viewOfDecision(), c.Repos), map[string]float64{}
		for _, m := range metrics() {
			got[strings.Replace(m.name, "mrr", "rr", 1)] = m.of(o)
		}
		if d := cmp.Diff(want.A, got, paper()); d != "" || want.ID != c.ID {
			t.Errorf("case %s (-paper +got):\n%s", c.ID, d)
		}
	}
}

// The document shows the work behind every expected figure.
func TestTheWorksheetIsShown(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/evaluation.md")
	if err != nil {
		t.Fatal(err)
	}
	w := readWorksheet(t)
	var figures func(name string, m map[string]any)
	figures = func(name string, m map[string]any) {
		for key, value := range m {
			if inner, ok := value.(map[string]any); ok {
				figures(name+" "+key, inner)
				continue
			}
			if x := value.(float64); key != "n" && !strings.Contains(string(doc), fmt.Sprintf("%.12f", x)) {
				t.Errorf("docs/evaluation.md does not show %s %s %.12f", name, key, x)
			}
		}
	}
	figures("A", w.Expected.A)
	figures("B", w.Expected.B)
	figures("null", w.Expected.Null)
}
