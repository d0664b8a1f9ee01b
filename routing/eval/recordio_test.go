package eval

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/gold"
)

// fullRecord has every field set.
func fullRecord() Record {
	return Record{
		Schema: RecordSchema,
		Inputs: Inputs{Gold: "gold.jsonl", Registry: "../registry.json", Repos: "src", Weights: "w.json", Against: "old.json"},
		Gold:   Digest{SHA256: "sha256:01", Cases: 3},
		AsOf: routing.AsOf{
			Registry: "sha256:02", Generations: map[string]string{"quay": "c0", "ferry": "c1"}, Config: "sha256:03", Weights: "sha256:04",
			History: "sha256:05", Program: "v1",
		},
		Settings: Settings{Without: "ferry", Compare: []string{"fused,code"}, Against: "sha256:06"},
		Repos:    []string{"quay", "ferry"},
		Groups:   [][]string{{"ferry", "quay"}},
		Rankers:  []string{"code"},
		Coverage: []routing.Coverage{{Ranker: "code", Can: 1, Of: 2, Fused: true, Missing: []string{"ferry"}, Why: []string{"hidden"}}},
		Skipped:  []Skipped{{ID: "9", Why: "gone"}},
		Cases: []CaseRecord{
			{
				ID: "1", Title: "No berth <b>", Repos: []string{"quay"}, Present: &gold.Present{State: "moved", Repos: []string{"ferry"}},
				Verdict: routing.VerdictRoute, Ranks: []Place{{1, "ferry"}, {2, "quay"}}, Spans: []string{"ferry"}, Score: 0.75, Margin: 0.25,
				Confidence: &Certainty{Top1: 0.5, Top3: 0.9}, Ambiguities: []string{"ferry+quay"},
				Rankers: []RankerNote{{First: []string{"ferry"}, At: map[string]Standing{"quay": {1, 2}}}},
				Why:     []Why{{Repo: "ferry", Rank: 1, Parts: []routing.Part{{Ranker: "code", Rank: 1, Score: 0.5, Weight: 1, Contribution: 0.5}}}},
			},
			{
				ID: "2", Title: "Late", Repos: []string{"ferry"}, Verdict: routing.VerdictNone, Ranks: []Place{}, Spans: []string{},
				Ambiguities: []string{}, Rankers: []RankerNote{{First: []string{}, At: map[string]Standing{}}},
			},
		},
	}
}

func written(t *testing.T, rec Record) string {
	t.Helper()
	var buf bytes.Buffer
	if err := rec.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func TestARunFileIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	text := written(t, fullRecord())
	rec, err := ReadRecord("run.json", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(fullRecord(), rec); d != "" {
		t.Errorf("read back (-written +read):\n%s", d)
	}
	if again := written(t, rec); again != text {
		t.Errorf("written again:\n%s", cmp.Diff(text, again))
	}
	if lines := strings.Split(strings.TrimSpace(text), "\n"); len(lines) != 4 || !json.Valid([]byte(text)) {
		t.Errorf("want a head, one case a line and an end, got %d lines of %s", len(lines), text)
	}
	// What was written is all that figures are made of.
	before, after := measure(t, fullRecord(), MeasureOptions{}), measure(t, rec, MeasureOptions{})
	if d := cmp.Diff(before, after); d != "" {
		t.Errorf("figures (-before +after):\n%s", d)
	}
}

func TestARunMakesARunFile(t *testing.T) {
	t.Parallel()
	s := organisation("a", "b", "c", "d")
	s.Repos[0].Siblings = []routing.Sibling{{Repo: "b"}}
	o := oracle{"1": "1a 1b 3c", "2": "1b 2a", "3": ""}
	cases := []gold.Case{ticket("1", "a"), ticket("2", "d", "a"), ticket("3", "c"), ticket("4", "gone")}
	cases[1].Present = &gold.Present{State: "moved", Repos: []string{"b"}}
	var texts []string
	for _, workers := range []int{1, 4} {
		rec, err := Run(t.Context(), cases, s, o, Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, written(t, rec))
		read, err := ReadRecord("run.json", strings.NewReader(texts[0]))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(rec, read); d != "" {
			t.Errorf("read back (-run +read):\n%s", d)
		}
	}
	if texts[0] != texts[1] {
		t.Errorf("two runs differ:\n%s", cmp.Diff(texts[0], texts[1]))
	}
}

func TestDamagedRunFilesAreRefused(t *testing.T) {
	t.Parallel()
	good := written(t, fullRecord())
	for name, tc := range map[string]struct{ old, now, want string }{
		"no JSON":          {good, "gold", "want a run file as pointsman eval --save writes it"},
		"cut off":          {"]}\n", "", "want a run file"},
		"another schema":   {RecordSchema, "pointsman.run/v9", `schema: want "pointsman.run/v1", got "pointsman.run/v9"`},
		"a report":         {RecordSchema, Schema, "schema: want"},
		"an unknown field": {`"verdict":"route"`, `"verdict":"route","colour":"red"`, `unknown field "colour"`},
		"a verdict":        {`"verdict":"route"`, `"verdict":"perhaps"`, `case 1: verdict: want route, ask or none, got "perhaps"`},
		"a rank":           {`[2,"quay"]`, `[3,"quay"]`, "case 1: ranks: want rank 2 for quay"},
		"a rank below":     {`[1,"ferry"]`, `[0,"ferry"]`, "case 1: ranks: want rank 1 for ferry"},
		"a place":          {`[2,"quay"]`, `["quay"]`, "want [rank, repo]"},
		"a twin":           {`[2,"quay"]`, `[2,"ferry"]`, `case 1: ranks: want repos of the run, each once, got "ferry"`},
		"a stranger":       {`[2,"quay"]`, `[2,"mole"]`, `got "mole"`},
		"an answer":        {`"repos":["quay"],"present"`, `"repos":["mole"],"present"`, "case 1: repos: mole is not among the repos"},
		"no answer":        {`"repos":["quay"],"present"`, `"repos":[],"present"`, "case 1: repos: want"},
		"a share":          {`"quay":[1,2]`, `"quay":[1,99]`, "case 1: rankers[0].at: quay: want [rank, share]"},
		"a huge share":     {`"quay":[1,2]`, `"quay":[9223372036854775807,2]`, "case 1: rankers[0].at: quay: want [rank, share]"},
		"a share alone":    {`"quay":[1,2]`, `"quay":[1]`, "want [rank, share]"},
		"a ranker":         {`"rankers":["code"]`, `"rankers":["code","moon"]`, "case 1: rankers: want 2 entries"},
		"a confidence":     {`"confidence":{"top1":0.5`, `"confidence":{"top1":1.5`, "case 1: confidence: want probabilities"},
		"an id":            {`"id":"2"`, `"id":"1"`, `cases[1].id: want an id that no other case has, got "1"`},
		"ranks of nothing": {`"verdict":"route"`, `"verdict":"none"`, "case 1: ranks: a decision that names nothing has none"},
		"coverage":         {`"why":["hidden"]`, `"why":[]`, "coverage: code: want one reason for each missing name"},
		"a name":           {`"repos":["quay","ferry"]`, `"repos":["quay","quay"]`, "repos: want names, each once"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bad := strings.Replace(good, tc.old, tc.now, 1)
			if bad == good {
				t.Fatalf("%q is not in the run file", tc.old)
			}
			_, err := ReadRecord("run.json", strings.NewReader(bad))
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "run.json: ") {
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
	empty := fullRecord()
	empty.Cases = nil
	if _, err := ReadRecord("run.json", strings.NewReader(written(t, empty))); err == nil {
		t.Error("a run without cases: want an error")
	}
}

func TestDifferencesAreNamed(t *testing.T) {
	t.Parallel()
	was, is := fullRecord(), fullRecord()
	if err := Differ(was, is).Err(); err != nil {
		t.Errorf("the same run: %v", err)
	}
	is.Inputs, is.Settings.Compare = Inputs{}, nil // no part of a run's identity
	if err := Differ(was, is).Err(); err != nil {
		t.Errorf("other paths: %v", err)
	}
	is.Gold.SHA256, is.AsOf.Program = "sha256:ff", ""
	is.AsOf.Generations = map[string]string{"quay": "c0", "mole": "c2"}
	want := "not the inputs of that run: gold: the run file has sha256:01, here it is sha256:ff; program: the run file has v1, here it is none; " +
		"generation of ferry: the run file has c1, here it is none; generation of mole: the run file has none, here it is c2"
	if err := Differ(was, is).Err(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Whatever is read is either refused or can be measured, written and read again.
func FuzzReadRecord(f *testing.F) {
	var buf bytes.Buffer
	if err := fullRecord().Write(&buf); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.String())
	f.Add(`{"schema":"pointsman.run/v1","repos":["a"],"cases":[{"id":"1","repos":["a"],"verdict":"route","ranks":[[1,"a"]]}]}`)
	f.Add(`{"schema":"pointsman.run/v1","repos":["a"],"groups":[["a","b"],null],"cases":[{"id":"1","repos":["a"],"verdict":"ask","score":1e308,"margin":-1e308,"confidence":{"top1":0,"top3":1},"present":{"state":"gone","repos":null}}]}`)
	f.Add(`{"schema":"pointsman.run/v1"}`)
	f.Add(`[`)
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := ReadRecord("run.json", strings.NewReader(text))
		if err != nil {
			return
		}
		r, err := Measure(rec, MeasureOptions{Against: &rec})
		if err != nil {
			t.Fatalf("read but not measured: %v", err)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatalf("measured but not written: %v", err)
		}
		first := written(t, rec)
		again, err := ReadRecord("run.json", strings.NewReader(first))
		if err != nil {
			t.Fatalf("written but not read: %v in %s", err, first)
		}
		if second := written(t, again); second != first {
			t.Errorf("written twice:\n%s", cmp.Diff(first, second))
		}
	})
}
