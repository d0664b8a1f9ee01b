package document_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing/document"
)

const (
	yes  = document.Responsible
	part = document.PartiallyResponsible
	no   = document.NotResponsible
)

// Every number here was worked out by hand.
func TestCombine(t *testing.T) {
	t.Parallel()
	v := func(repo, verdict string, confidence, routing float64) document.Verdict {
		return document.Verdict{Repo: repo, Verdict: verdict, Confidence: confidence, RoutingConfidence: routing}
	}
	for name, tc := range map[string]struct {
		in         []document.Verdict
		confidence float64
		band       string
		penalty    float64
		dropped    string
	}{
		"one":                        {[]document.Verdict{v("a", yes, 90, 78)}, 70.2, "medium", 1, ""},
		"a mean of two":              {[]document.Verdict{v("a", yes, 90, 80), v("b", part, 50, 80)}, 56, "low", 1, ""}, // (72+40)/2
		"all that remain are partly": {[]document.Verdict{v("a", part, 90, 100), v("b", part, 70, 100)}, 64, "medium", 0.8, ""},
		"one sure no is dropped":     {[]document.Verdict{v("a", yes, 95, 90), v("b", no, 80, 90)}, 85.5, "high", 1, "b"},
		"an unsure no remains":       {[]document.Verdict{v("a", yes, 95, 90), v("b", no, 79.9, 90)}, 78.705, "medium", 1, ""}, // (85.5+71.91)/2
		"partly after a drop":        {[]document.Verdict{v("a", part, 60, 50), v("b", no, 99, 50)}, 24, "low", 0.8, "b"},      // 30*.8
		"an unsure no is not partly": {[]document.Verdict{v("a", part, 60, 50), v("b", no, 20, 50)}, 20, "low", 1, ""},         // (30+10)/2
		"nobody remains":             {[]document.Verdict{v("a", no, 90, 50), v("b", no, 80, 50)}, 0, "low", 1, "a b"},
		"nobody was asked":           {nil, 0, "low", 1, ""},
		"exactly sixty":              {[]document.Verdict{v("a", yes, 75, 80)}, 60, "medium", 1, ""},
		"exactly eighty":             {[]document.Verdict{v("a", yes, 80, 100)}, 80, "high", 1, ""},
		"routed by chance":           {[]document.Verdict{v("a", yes, 100, 0)}, 0, "low", 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := document.Combine(tc.in)
			var dropped []string
			for _, term := range a.Terms {
				if term.Dropped {
					dropped = append(dropped, term.Repo)
				}
			}
			if math.Abs(a.Confidence-tc.confidence) > 1e-9 || a.Band != tc.band || a.Penalty != tc.penalty || strings.Join(dropped, " ") != tc.dropped {
				t.Errorf("got %v %s, penalty %v, dropped %v; want %+v", a.Confidence, a.Band, a.Penalty, dropped, tc)
			}
			if (a.Remaining == 0) != (len(a.Warnings) == 1) {
				t.Errorf("remaining %d, warnings %q", a.Remaining, a.Warnings)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	a := document.Combine([]document.Verdict{
		{Repo: "a", Verdict: yes, Missing: []string{"shop", "b", "shop"}},
		{Repo: "b", Verdict: no, Confidence: 90, Missing: []string{"shop"}}, // dropped, and still heard
	})
	want := []document.MissingRepo{{Repo: "shop", By: []string{"a", "b"}}, {Repo: "b", By: []string{"a"}, Asked: true}}
	if diff := cmp.Diff(want, a.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
}

func TestReadVerdicts(t *testing.T) {
	t.Parallel()
	got, err := document.ReadVerdicts("v.json", []byte(`{
		"routing": {"schema": "pointsman.decision/v1", "confidence": {"ratio": 61, "calibrated": false}},
		"verdicts": [
			{"repo": "a", "verdict": "RESPONSIBLE", "confidence": 90},
			{"repo": "b", "verdict": "NOT_RESPONSIBLE", "confidence": 0, "routingConfidence": 12.5, "missing": ["c"], "note": "n"}
		]}`))
	want := []document.Verdict{
		{Repo: "a", Verdict: yes, Confidence: 90, RoutingConfidence: 61},
		{Repo: "b", Verdict: no, RoutingConfidence: 12.5, Missing: []string{"c"}, Note: "n"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v, verdicts (-want +got):\n%s", err, diff)
	}
}

// TestDoubts holds that verdicts which can hardly be meant as they stand are warned
// of, and that the numbers stay as they are.
func TestDoubts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ in, want string }{
		"shares for percent": {
			`{"verdicts": [{"repo": "a", "verdict": "RESPONSIBLE", "confidence": 0.9, "routingConfidence": 0.8}, {"repo": "b", "verdict": "NOT_RESPONSIBLE", "confidence": 0, "routingConfidence": 1}]}`,
			"no confidence is above 1: they are percent, from 0 to 100; write 90 for 0.9\nno routingConfidence is above 1: they are percent, from 0 to 100; write 90 for 0.9",
		},
		"one of them is percent": {`{"verdicts": [{"repo": "a", "verdict": "RESPONSIBLE", "confidence": 90, "routingConfidence": 80}, {"repo": "b", "verdict": "RESPONSIBLE", "confidence": 1, "routingConfidence": 1}]}`, ""},
		"nobody was asked":       {`{"verdicts": []}`, "there is no verdict: nobody was asked; ask the candidates that pointsman route names"},
		"not selected": {
			`{"routing": {"schema": "pointsman.decision/v1", "confidence": {"ratio": 57}, "candidates": [{"repo": "a"}]},
			"verdicts": [{"repo": "a", "verdict": "RESPONSIBLE", "confidence": 90}, {"repo": "zzz", "verdict": "RESPONSIBLE", "confidence": 90}, {"repo": "own", "verdict": "RESPONSIBLE", "confidence": 90, "routingConfidence": 20}]}`,
			"1 that the decision did not select: zzz; their routingConfidence is that of the decision, give them their own or leave them out",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			verdicts, err := document.ReadVerdicts("v.json", []byte(tc.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, strings.Join(document.Combine(verdicts).Warnings, "\n")); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBadVerdicts(t *testing.T) {
	t.Parallel()
	one := func(fields string) string { return "{\"verdicts\": [\n{" + fields + "}\n]}" }
	for in, want := range map[string]string{
		"":                                     "v.json:1: the file ends too early",
		"[]":                                   `v.json:1: want an object, as in {"verdicts": [...]}`,
		"{}":                                   "v.json:1: verdicts is missing",
		"{\"verdict\": 1}":                     `v.json:1: "verdict" is no key`,
		"{\n\"verdicts\": {}}":                 "v.json:2: verdicts: want a list",
		"{\"verdicts\": []}\n{}":               "v.json:2: something follows",
		"{\"verdicts\": [\n{\"repo\": NaN}]}":  "v.json:2: not JSON",
		"{\"routing\": {\"schema\": \"x\"}}":   "routing: want a decision of schema pointsman.decision/v1",
		"{\"routing\": 7}":                     "v.json:1: : want an object, got number",
		one(`"repo": "a", "verdict": "MAYBE"`): "v.json:2: verdicts[0]: confidence is missing",
		one(`"repo": "a", "verdict": "MAYBE", "confidence": 1, "routingConfidence": 1`):                        `v.json:2: verdicts[0]: verdict: want RESPONSIBLE, PARTIALLY_RESPONSIBLE or NOT_RESPONSIBLE, got "MAYBE"`,
		one(`"repo": "a", "verdict": "RESPONSIBLE", "confidence": 1`):                                          "verdicts[0]: routingConfidence is missing",
		one(`"repo": "a", "verdict": "RESPONSIBLE", "confidence": 101, "routingConfidence": 1`):                "confidence: want a number from 0 to 100, got 101",
		one(`"repo": "a", "verdict": "RESPONSIBLE", "confidence": 1, "routingConfidence": -1`):                 "routingConfidence: want a number from 0 to 100, got -1",
		one(`"repo": "a", "verdict": "RESPONSIBLE", "confidence": 1e999, "routingConfidence": 1`):              "v.json:2: confidence: want a number, got number 1e999",
		one(`"repo": "a", "confidence": "high"`):                                                               "v.json:2: confidence: want a number, got string (verdicts[0])",
		"{\"verdicts\": [],\n\"verdicts\": []}":                                                                `v.json:2: "verdicts" is given twice`,
		one(`"repo": "a", "verdict": "RESPONSIBLE", "confidence": 1, "Confidence": 2, "routingConfidence": 1`): `v.json:2: verdicts[0]: "Confidence" is given twice`,
		one(`"repo": "a", "sure": 1`):                                                                          `v.json:2: json: unknown field "sure"`,
		one(`"repo": " ", "verdict": "RESPONSIBLE", "confidence": 1, "routingConfidence": 1`):                  "repo: want the name",
		one(`"repo": "a", "verdict": "RESPONSIBLE", "confidence": 1, "routingConfidence": 1, "missing": [""]`): "missing: want names",
		one(`"repo": "a", "verdict": "RESPONSIBLE", "confidence": 1, "routingConfidence": 1, "missing": "x"`):  "missing: want a list of names, got string",
		one(`"repo": "a", "verdict": "RESPONSIBLE", "confidence": 1, "routingConfidence": 1},` + "\n" + `{"repo": "a", "verdict": "RESPONSIBLE", "confidence": 1, "routingConfidence": 1`): "v.json:3: verdicts[1]: a has spoken twice",
	} {
		_, err := document.ReadVerdicts("v.json", []byte(in))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: err = %v, want %q", in, err, want)
		}
	}
}

func FuzzReadVerdicts(f *testing.F) {
	f.Add([]byte(`{"verdicts": [{"repo": "a", "verdict": "RESPONSIBLE", "confidence": 90, "routingConfidence": 1}]}`))
	f.Add([]byte(`{"routing": {"schema": "pointsman.decision/v1", "confidence": {"ratio": 61}}, "verdicts": [{}]}`))
	f.Add([]byte("{\"verdicts\": [\n{\"repo\": "))
	f.Fuzz(func(t *testing.T, data []byte) {
		verdicts, err := document.ReadVerdicts("v.json", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "v.json:") {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		if a := document.Combine(verdicts); !(a.Confidence >= 0 && a.Confidence <= 100) {
			t.Errorf("aggregate %v of %+v", a.Confidence, verdicts)
		}
	})
}
