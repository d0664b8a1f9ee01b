package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/routing/gold"
)

// histories writes two repositories with a shared ticket, a reverted commit, a
// branch that was merged, and history that one took over from the other.
func histories(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	hashes := map[string]string{}
	record := func(id, repo string, day int, message string, e gittest.Entry) {
		t.Helper()
		path := filepath.Join(dir, repo+".git")
		if _, err := os.Stat(path); err != nil {
			if err := gittest.Empty(path, true); err != nil {
				t.Fatal(err)
			}
		}
		e.Message, e.Authored = message, time.Date(2023, 3, day, 9, 0, 0, 0, time.UTC)
		for i, p := range e.Parents {
			e.Parents[i] = hashes[p]
		}
		hash, err := gittest.Record(path, e)
		if err != nil {
			t.Fatal(err)
		}
		hashes[id] = hash
	}
	files := func(pairs ...string) gittest.Entry {
		f := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			f[pairs[i]] = pairs[i+1]
		}
		return gittest.Entry{Files: f}
	}
	record("c1", "cart", 1, "Start", files("cart/total.py", "1"))
	record("c2", "cart", 2, "PAY-1 Sum up once", files("cart/total.py", "2", "cart/tests/test_total.py", "1"))
	record("c3", "cart", 3, "PAY-2 Guess the tax", files("cart/total.py", "3", "cart/tests/test_total.py", "1"))
	record("c4", "cart", 4, "Revert \"PAY-2 Guess the tax\"", files("cart/total.py", "2", "cart/tests/test_total.py", "1"))
	side := files("cart/total.py", "2", "cart/tests/test_total.py", "1", "cart/gift.py", "1")
	side.Branch, side.Parents = "PAY-3-gift", []string{"c2"}
	record("c5", "cart", 5, "Wrap gifts", side)
	merge := files("cart/total.py", "2", "cart/tests/test_total.py", "1", "cart/gift.py", "1")
	merge.Parents = []string{"c4", "c5"}
	record("c6", "cart", 6, "Merge branch 'PAY-3-gift'", merge)
	record("t1", "till", 2, "PAY-1 Sum up once", files("cart/total.py", "2")) // split off cart
	record("t2", "till", 7, "Till starts", files("till/till.py", "1"))
	record("t3", "till", 8, "Round what the till shows\n\nIt went on with PAY-1.", files("till/till.py", "2"))
	return dir
}

func TestGoldFromMineToLabel(t *testing.T) {
	t.Parallel()
	org, file := histories(t), filepath.Join(t.TempDir(), "gold.jsonl")
	tickets := filepath.Join(t.TempDir(), "export.csv")
	if err := os.WriteFile(tickets, []byte("key,summary,description,created\nPAY-1,The total is charged twice,Since Friday.,2023-02-27\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := pointsman("", "gold", "mine", "--repos", org, "--project", "PAY", "--tickets", tickets, "-o", file)
	if code != exitDone || out != "" || !strings.Contains(errOut, "2 cases, 1 of several repositories, 1 with a commit message for text") {
		t.Fatalf("mine: code %d, stdout %q, stderr %q", code, out, errOut)
	}
	for _, part := range []string{"key 2", "merge 1", "copy 1", "revert 1", "reverted 1"} {
		if !strings.Contains(errOut, part) {
			t.Errorf("the summary lacks %q: %s", part, errOut)
		}
	}
	cases, err := readGold(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"cart", "till"}, cases[0].Repos); d != "" || cases[0].Title != "The total is charged twice" || cases[0].Provenance.Text != gold.TextTracker {
		t.Errorf("first case %+v %s", cases[0], d)
	}
	if c := cases[1]; c.ID != "PAY-3" || c.Title != "Wrap gifts" || c.Files["cart"][0] != "cart/gift.py" || c.Provenance.Links[0].Rule != "merge" {
		t.Errorf("second case %+v", c)
	}
	code, again, _ := pointsman("", "gold", "mine", "--repos", org, "--project", "PAY", "--tickets", tickets, "--jobs", "1")
	if written, err := os.ReadFile(file); err != nil || code != exitDone || string(written) != again {
		t.Errorf("another run differs: %v\n%s", err, cmp.Diff(string(written), again))
	}

	code, _, errOut = pointsman("", "gold", "label", file, "--id", "PAY-1", "--state", "moved", "--repos", "ledger, books")
	if code != exitDone {
		t.Fatalf("label: code %d, %s", code, errOut)
	}
	code, out, _ = pointsman("", "gold", "list", file, "--json")
	var s goldSummary
	if err := json.Unmarshal([]byte(out), &s); err != nil || code != exitDone {
		t.Fatalf("list: code %d, %v", code, err)
	}
	if s.Cases != 2 || s.Sets != 1 || s.Proxies != 1 || s.Present["moved"] != 1 || s.Repos["cart"] != 2 || s.First != "2023-02-27T00:00:00Z" || s.Rows[0].State != "moved" {
		t.Errorf("list says %s", out)
	}
	code, out, _ = pointsman("", "gold", "list", file)
	if code != exitDone || !strings.Contains(out, "Today: open 0, shipped 0, moved 1, not labelled 1") || !strings.Contains(out, "1 with 2 repositories") {
		t.Errorf("list: code %d, %s", code, out)
	}
}

// Jira's own way to write a time is read; one that cannot be is left out on request.
func TestGoldMineReadsExportsOfJira(t *testing.T) {
	t.Parallel()
	org, tickets := histories(t), filepath.Join(t.TempDir(), "export.csv")
	args := []string{"gold", "mine", "--repos", org, "--project", "PAY", "--tickets", tickets}
	for _, c := range []struct{ stamp, column, want string }{
		{"27/Feb/23 9:00 AM", "title=Subject line", `"created":"2023-02-27T09:00:00Z"`},
		{"02/03/2023", "created=-", `"created":"2023-03-02T09:00:00Z"`}, // of its first commit
	} {
		if err := os.WriteFile(tickets, []byte("Issue key,Subject line,Description,Created\nPAY-1,The total is charged twice,Since Friday.,"+c.stamp+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, errOut := pointsman("", append(args, "--column", "title=Subject line", "--column", c.column)...)
		if first, _, _ := strings.Cut(out, "\n"); code != exitDone || !strings.Contains(first, c.want) || !strings.Contains(first, "charged twice") {
			t.Errorf("%s: code %d, %s %s; want %s", c.stamp, code, first, errOut, c.want)
		}
	}
	code, _, errOut := pointsman("", args...)
	if code != exitUsage || !strings.Contains(errOut, `:2: column "created": want a time such as 2024-05-01`) || !strings.Contains(errOut, "--column created=- leaves it out") {
		t.Errorf("code %d, %s", code, errOut)
	}
}

func TestGoldImportAndCompare(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	table, file := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.jsonl")
	if err := os.WriteFile(table, []byte("Number;Summary;Repo\n1;Broken;cart|till\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errOut := pointsman("", "gold", "import", table, "--column", "id=Number", "-o", file)
	if code != exitDone || !strings.Contains(errOut, "1 cases imported") {
		t.Fatalf("import: code %d, %s", code, errOut)
	}
	cases, err := readGold(file)
	if err != nil || len(cases[0].Repos) != 2 {
		t.Errorf("%+v, %v", cases, err)
	}
	a, b := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	for name, line := range map[string]string{
		a: `{"id":"x","title":"x","repos":["cart"],"commits":{"cart":["1"]}}`,
		b: `{"id":"y","title":"y","repos":["cart","till"],"commits":{"cart":["1"],"till":["2"]}}`,
	} {
		if err := os.WriteFile(name, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, out, _ := pointsman("", "gold", "compare", a, b)
	if code != exitDone || !strings.Contains(out, "0 of 1 cases found again") || !strings.Contains(out, "wider     x as y: want cart, have cart till") {
		t.Errorf("compare: code %d, %s", code, out)
	}
	if code, _, _ := pointsman("", "gold", "compare", a, b, "--least", "0.95"); code != exitFailed {
		t.Errorf("compare --least: code %d, want %d", code, exitFailed)
	}
	if code, out, _ := pointsman("", "gold", "compare", a, a, "--least", "1", "--json"); code != exitDone || !strings.Contains(out, `"same": 1`) {
		t.Errorf("compare with itself: code %d, %s", code, out)
	}
	if code, _, errOut := pointsman("", "gold", "compare", file, a); code != exitUsage || !strings.Contains(errOut, "names no commits") {
		t.Errorf("compare without commits: code %d, %s", code, errOut)
	}
}

func TestGoldMinesNothing(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "gold.jsonl")
	code, out, errOut := pointsman("", "gold", "mine", "--repos", histories(t), "--project", "OTHER", "-o", file)
	if code != exitFailed || out != "" || !strings.Contains(errOut, "no ticket with a known answer") {
		t.Errorf("code %d, stdout %q, stderr %q", code, out, errOut)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a gold file without cases was written")
	}
}

// Bad input is one clear line and exit code 2.
func TestGoldRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, bad := filepath.Join(dir, "g.jsonl"), filepath.Join(dir, "bad.csv")
	if err := os.WriteFile(file, []byte(`{"id":"1","title":"x","repos":["a"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, []byte("id,title,repos\n1,x,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"there is no command":                     {"dig"},
		"no candidates":                           {"mine"},
		"there is no such folder":                 {"mine", "--repos", filepath.Join(dir, "gone")},
		"it holds no git repository":              {"mine", "--repos", dir},
		"--max-keys: want a positive number":      {"mine", "--repos", dir, "--max-keys", "0"},
		"--since: want a day such as":             {"mine", "--repos", dir, "--since", "May"},
		"--tracker: want jira, issues or bugs":    {"mine", "--repos", dir, "--tracker", "wiki"},
		"--column names a column of --tickets":    {"mine", "--repos", dir, "--column", "key=Nr"},
		"--column repos=x: want FIELD=COLUMN":     {"mine", "--repos", dir, "--tickets", bad, "--column", "repos=x"},
		"--tickets: open":                         {"mine", "--repos", dir, "--tickets", filepath.Join(dir, "gone")},
		`bad.csv:2: column "repos"`:               {"import", bad},
		"--column team: want FIELD=COLUMN":        {"import", bad, "--column", "team"},
		"want one FILE":                           {"list"},
		"reading the gold file":                   {"list", filepath.Join(dir, "gone")},
		"want --id and --state":                   {"label", file},
		`holds no case "2"`:                       {"label", file, "--id", "2", "--state", "open"},
		"present.state: want open, shipped or mo": {"label", file, "--id", "1", "--state", "done"},
		"--repos is not for shipped":              {"label", file, "--id", "1", "--state", "shipped", "--repos", "a"},
		"--state moved wants --repos":             {"label", file, "--id", "1", "--state", "moved"},
		"want two gold files":                     {"compare", file},
	} {
		code, out, errOut := pointsman("", append([]string{"gold"}, args...)...)
		if code != exitUsage || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, want) {
			t.Errorf("%v: code %d, stdout %q, stderr %q, want %q", args, code, out, errOut, want)
		}
	}
}
