package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pointsman/pointsman/adapters/git/gittest"
)

// An organisation with a past: until 2020 the refunds stood in shop, then they
// moved to ledger, which had not been there before.
func historic(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	refunds := "// refund reaches the card of the traveller, booked back once\n"
	for _, c := range []struct {
		repo  string
		at    int
		files map[string]string
	}{
		{"shop", 2015, map[string]string{"refund.go": refunds, "basket.go": "// basket page\n"}},
		{"shop", 2020, map[string]string{"basket.go": "// basket page\n"}},
		{"ledger", 2020, map[string]string{"refund.go": refunds}},
	} {
		repo := filepath.Join(dir, c.repo)
		if _, err := os.Stat(repo); err != nil {
			if err := gittest.Empty(repo, true); err != nil {
				t.Fatal(err)
			}
		}
		when := time.Date(c.at, 6, 1, 0, 0, 0, 0, time.UTC)
		if _, err := gittest.Record(repo, gittest.Entry{Files: c.files, Message: "change", Authored: when}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEvalAsOfYear(t *testing.T) {
	t.Parallel()
	org, cache := historic(t), t.TempDir()
	gold := filepath.Join(t.TempDir(), "gold.jsonl")
	lines := `{"id":"1","title":"the refund never reaches the card of the traveller","repos":["shop"],"created":"2018-03-01T00:00:00Z"}
{"id":"2","title":"the refund never reaches the card of the traveller","repos":["ledger"],"created":"2021-03-01T00:00:00Z"}
`
	if err := os.WriteFile(gold, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(t.TempDir(), "run.json")
	args := []string{"eval", "--repos", org, "--cache", cache, "--gold", gold}
	code, out, errOut := pointsman("", append(slices.Clone(args), "--as-of", "year", "--json", "--save", run)...)
	var report struct {
		Systems []struct {
			Name string
			Top1 float64
		}
		AsOf struct{ Generations map[string]string }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != exitDone {
		t.Fatalf("code %d, %v, stderr %q", code, err, errOut)
	}
	top1 := map[string]float64{}
	for _, s := range report.Systems {
		top1[s.Name] = s.Top1
	}
	if top1["code"] != 1 || top1["fused"] != 1 || top1["saved"] != 0.5 {
		t.Errorf("top-1 %v: want all right in their time, and half of them at head", top1)
	}
	g := report.AsOf.Generations
	if g["shop@2018"] == "" || g["shop@2018"] == g["shop@2021"] || g["ledger@2018"] != "" || g["ledger@2021"] == "" {
		t.Errorf("generations %v", g)
	}
	if code, _, errOut := pointsman("", "eval", "--rerun", run, "--cache", cache, "--json"); code != exitDone || !strings.Contains(errOut, "The same inputs gave the same answers") {
		t.Errorf("rerun: code %d, stderr %q", code, errOut)
	}
	if code, out, _ := pointsman("", "eval", "--from", run); code != exitDone || !strings.Contains(out, "saved: the same tickets with every repository as it stands today") {
		t.Errorf("from: code %d, %s", code, out)
	}
	if strings.Contains(out, `"gold",`) {
		t.Errorf("the two runs are said to differ in gold: %s", out)
	}
	recordLater(t, filepath.Join(org, "ledger"))
	if code, _, errOut := pointsman("", "eval", "--rerun", run, "--cache", cache, "--json"); code != exitUsage || !strings.Contains(errOut, "generation of ledger at head") {
		t.Errorf("rerun after a commit: code %d, stderr %q", code, errOut)
	}
	for want, bad := range map[string][]string{
		"want year":       append(slices.Clone(args), "--as-of", "month"),
		"needs `created`": {"eval", "--repos", org, "--cache", cache, "--gold", goldWithout(t), "--as-of", "year"},
	} {
		if code, _, errOut := pointsman("", bad...); code != exitUsage || !strings.Contains(errOut, want) {
			t.Errorf("%v: code %d, stderr %q, want %q", bad, code, errOut, want)
		}
	}
}

// recordLater adds a commit of today.
func recordLater(t *testing.T, repo string) {
	t.Helper()
	when := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	if _, err := gittest.Record(repo, gittest.Entry{Files: map[string]string{"new.go": "// new\n"}, Message: "later", Authored: when}); err != nil {
		t.Fatal(err)
	}
}

func goldWithout(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "gold.jsonl")
	if err := os.WriteFile(file, []byte(`{"id":"1","title":"refund","repos":["shop"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestEvalLeaks(t *testing.T) {
	t.Parallel()
	org := t.TempDir()
	if _, err := gittest.Write(filepath.Join(org, "ledger"), true, map[string]string{
		"refund.go":    "// Refund reaches the card twice on Fridays: mended.\n",
		"CHANGELOG.md": "- The basket page stays empty for guests\n",
	}, "first"); err != nil {
		t.Fatal(err)
	}
	gold := filepath.Join(t.TempDir(), "gold.jsonl")
	lines := `{"id":"1","title":"Refund reaches the card twice on Fridays","repos":["ledger"]}
{"id":"2","title":"The basket page stays empty for guests","repos":["ledger"]}
`
	if err := os.WriteFile(gold, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"eval", "--leaks", "--repos", org, "--cache", t.TempDir(), "--gold", gold}
	code, out, errOut := pointsman("", args...)
	if code != exitDone || !strings.Contains(out, "ledger: refund.go") || !strings.Contains(out, "The titles of 1 of 2 tickets") {
		t.Errorf("code %d, stderr %q, stdout %s", code, errOut, out)
	}
	code, out, _ = pointsman("", append(args, "--json")...)
	var r leaksReport
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != exitDone || r.Tickets != 1 || len(r.Places) != 1 || r.N != 2 {
		t.Errorf("code %d, %v, report %+v", code, err, r)
	}
}
