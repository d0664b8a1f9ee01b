package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing/registry/lint"
)

// withEditor makes the test binary the editor, one that follows the rules.
func withEditor(t *testing.T, rules ...string) {
	t.Helper()
	t.Setenv("VISUAL", `"`+os.Args[0]+`" -test.run=^TestEditorProcess$`)
	t.Setenv(editorEnv, strings.Join(rules, "\n"))
}

// keptIn is the file that an error says the text is kept in.
func keptIn(t *testing.T, errOut string) string {
	t.Helper()
	m := regexp.MustCompile(`your text is kept in (\S+)`).FindStringSubmatch(errOut)
	if m == nil {
		t.Fatalf("nothing is kept: %s", errOut)
	}
	return m[1]
}

func TestEditInAnEditor(t *testing.T) { //nolint:paralleltest // the environment names its editor
	_, file := ferryline(t)
	withEditor(t, `"name": "berths"=>"name": "quays"`, `"endpoints"=>"ourOwn": {"kept": 1.50}, "endpoints"`, `Says which=>Tells which`)
	code, out, errOut := pointsman("", "edit", "berths", "--registry", file, "--yes")
	if code != exitDone || !strings.Contains(out, "+") {
		t.Fatalf("code %d, %s%s", code, out, errOut)
	}
	r := entriesOf(t, file)["quays"]
	if !r.UserEdited || r.DescriptionSource != "human" || !strings.HasPrefix(r.Description, "Tells which") || cmp.Diff([]string{"berths"}, r.Aliases) != "" {
		t.Errorf("%+v", r)
	}
	if text := contents(t, file); !strings.Contains(text, "1.50") {
		t.Errorf("a field of one's own was rewritten: %s", text)
	}
	if code, out, _ := pointsman("", "edit", "quays", "--registry", file, "--yes"); code != exitDone || !strings.Contains(out, "Nothing changed.") {
		t.Errorf("an editor that changes nothing: code %d, %s", code, out)
	}
}

func TestEditThatDoesNotRead(t *testing.T) {
	_, file := ferryline(t)
	before := contents(t, file)
	for _, c := range []struct{ rule, want string }{
		{`"endpoints": [=>"endpoints": 7, "x": [`, "$.endpoints"},
		{`{=>{,`, `entry.json:1: invalid character ',' looking for beginning of object key string; write one entry as a JSON object`},
		{`"name": "fares-api"=>"name": "berths"`, "another entry's name"},
	} {
		withEditor(t, c.rule)
		code, _, errOut := pointsman("", "edit", "fares-api", "--registry", file, "--yes")
		if code != exitUsage || !strings.Contains(errOut, c.want) || contents(t, file) != before {
			t.Errorf("%s: code %d, %s", c.rule, code, errOut)
		}
		if text := contents(t, keptIn(t, errOut)); !strings.Contains(text, "fares") {
			t.Errorf("%s: kept is %s", c.rule, text)
		}
	}
	for text, want := range map[string]string{
		"": "entry.json:1: it ends too early; write one entry", "null": "entry.json:1: it is no object", "[]": "entry.json:1: it is no object",
		"{\n\"name\": \"fares-api\",\n":        "entry.json:3: it ends too early",
		`{"name": "fares-api"}, {"name": "x"}`: "want one entry, got 2",
	} {
		from := filepath.Join(t.TempDir(), "from.json")
		if err := os.WriteFile(from, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, errOut := pointsman("", "edit", "fares-api", "--registry", file, "--from", from, "--yes")
		if code != exitUsage || !strings.Contains(errOut, want) || strings.Contains(errOut, "--repos") || contents(t, file) != before {
			t.Errorf("%q: code %d, %s", text, code, errOut)
		}
	}
	// At a terminal the editor opens again, for as long as somebody wants it.
	withEditor(t, `"frameworks": [=>"frameworks": 7, "x": [`)
	for _, answers := range []string{"y\nn\n", "\n", ""} { // nobody there any more is no answer
		if code, _ := answering(answers, "edit", "fares-api", "--registry", file); code != exitUsage || contents(t, file) != before {
			t.Errorf("%q: code %d", answers, code)
		}
	}
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", "")
	if code, _, errOut := pointsman("", "edit", "fares-api", "--registry", file); code != exitUsage || !strings.Contains(errOut, "EDITOR=vim") {
		t.Errorf("no editor: code %d, %s", code, errOut)
	}
	t.Setenv("EDITOR", `"open`)
	if code, _, errOut := pointsman("", "edit", "fares-api", "--registry", file); code != exitUsage || !strings.Contains(errOut, "not closed") {
		t.Errorf("an open quote: code %d, %s", code, errOut)
	}
}

func TestDescribeInAnEditor(t *testing.T) { //nolint:paralleltest // the environment names its editor
	_, file := ferryline(t)
	withEditor(t, "Works out what a crossing costs=>Says what a crossing costs")
	code, out, errOut := pointsman("", "describe", "fares-api", "--registry", file, "--yes")
	if code != exitDone {
		t.Fatalf("code %d, %s%s", code, out, errOut)
	}
	r := entriesOf(t, file)["fares-api"]
	if !strings.HasPrefix(r.Description, "Says what a crossing costs: zones") || strings.Contains(r.Description, "#") || r.DescriptionSource != "human" {
		t.Errorf("%+v", r)
	}
	if code, out, _ := pointsman("", "describe", "tickets-web", "--registry", file, "--accept", "--yes"); code != exitDone || entriesOf(t, file)["tickets-web"].DescriptionSource != "human" {
		t.Errorf("accepted: code %d, %s", code, out)
	}
	if code, _, errOut := pointsman("", "describe", "notes", "--registry", file, "--text", "Too short", "--yes"); code != exitUsage || !strings.Contains(errOut, "9 characters") {
		t.Errorf("too short: code %d, %s", code, errOut)
	}
}

func TestAssignments(t *testing.T) {
	t.Parallel()
	_, file := ferryline(t)
	ok, _, errOut := pointsman("", "edit", "NOTES", `owns=minutes, "to do"`, "owns+=minutes,agenda", "owns-=agenda", "owner.team=office", "id=42",
		"archived=true", `siblings=[{"repo": "berths", "relation": "variant"}]`, "visibility=private", "errorContracts.codes+=404", "--registry", file, "--yes")
	if ok != exitDone {
		t.Fatal(errOut)
	}
	r := entriesOf(t, file)["notes"]
	if d := cmp.Diff([]string{"minutes", `"to do"`}, r.Owns); d != "" || r.Owner.Team != "office" || r.ID != int64(42) || !r.Archived ||
		len(r.Siblings) != 1 || r.Visibility != "private" || len(r.ErrorContracts.Codes) != 1 || !r.UserEdited {
		t.Errorf("%+v (-want +got):\n%s", r, d)
	}
	if code, _, errOut := pointsman("", "edit", "notes", "owner.team=", "archived=", "userEdited=false", "--registry", file, "--yes"); code != exitDone {
		t.Fatal(errOut)
	}
	if r := entriesOf(t, file)["notes"]; r.Owner.Team != "" || r.Archived || r.UserEdited {
		t.Errorf("taken away: %+v", r)
	}
	before := contents(t, file)
	for assignment, want := range map[string]string{
		"owns":               "want FIELD=VALUE",
		"bogus=1":            "is no field",
		"Owns=1":             "write owns",
		"owner=x":            "owner.team=VALUE",
		"owner.boss=x":       "is no field",
		"name.first=x":       "no fields of its own",
		"archived=maybe":     "true or false",
		"owns-=moon":         "not in the list",
		"description+=x":     "no list of words",
		"siblings=berths":    "as JSON",
		`owns=[1]`:           "not the JSON",
		"drafted=x":          "people do not",
		"visibility=secret":  "visibility",
		"name=berths":        "another entry's name",
		"aliases=berths":     "berths",
		"cloneURL=\x1b[31mx": "",
	} {
		code, out, errOut := pointsman("", "edit", "notes", assignment, "--registry", file, "--dry-run")
		if want != "" && (code != exitUsage || !strings.Contains(errOut, want)) || strings.Contains(out+errOut, "\x1b") {
			t.Errorf("%s: code %d, %s%s", assignment, code, out, errOut)
		}
	}
	if contents(t, file) != before {
		t.Error("something was written")
	}
}

func TestSplitCommand(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"vim":                          {"vim"},
		"code  --wait":                 {"code", "--wait"},
		`"/Applications/My Editor" -w`: {"/Applications/My Editor", "-w"},
		`emacs -eval '(do "it")' ""`:   {"emacs", "-eval", `(do "it")`, ""},
		"vi; rm -rf $HOME":             {"vi;", "rm", "-rf", "$HOME"},
		`C:\Program\ed.exe`:            {`C:\Program\ed.exe`},
		" ":                            nil,
		`""`:                           nil,
		"'":                            nil,
	} {
		got, err := splitCommand(line)
		if d := cmp.Diff(want, got); d != "" || (err != nil) != (want == nil) {
			t.Errorf("%q: %v (-want +got):\n%s", line, err, d)
		}
	}
}

func TestLintInAllFormats(t *testing.T) {
	t.Parallel()
	_, file := ferryline(t)
	var got lintResult
	code, out, _ := pointsman("", "lint", file, "--json")
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitDone || got.Schema != lintSchema || got.Entries != 4 || got.Counts[lint.Warning] == 0 {
		t.Errorf("code %d, %v, %+v", code, err, got)
	}
	if code, out, _ := pointsman("", "lint", file, "--strict", "--format", "github"); code != exitFailed || !strings.Contains(out, "::warning file=") || !strings.Contains(out, ",line=") {
		t.Errorf("code %d, %s", code, out)
	}
	if code, out, _ := pointsman("", "lint", "--schema"); code != exitDone || !json.Valid([]byte(out)) {
		t.Errorf("--schema: code %d, %s", code, out)
	}
	for text, want := range map[string]int{
		`{"version": 1, "repos": [{"name": 7}]}`: exitFailed,
		`{"version": 1,, "repos": []}`:           exitUsage,
		``:                                       exitUsage,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, out, errOut := pointsman("", "lint", file); code != want || !strings.Contains(out, "error") {
			t.Errorf("%q: code %d, want %d; %s%s", text, code, want, out, errOut)
		}
	}
	evil := annotation(lint.Finding{File: "a:b,c%", Line: 1, Col: 2, Severity: lint.Error, Rule: "x", Text: "one\n::set-output name=a::b", Entry: "e"})
	if evil != "::error file=a%3Ab%2Cc%25,line=1,col=2,title=registry x::e: one%0A::set-output name=a::b" {
		t.Errorf("an annotation may be broken out of: %s", evil)
	}
}

// A registry that changed while somebody looked at the difference is not
// overwritten.
func TestWriteNoticesOthers(t *testing.T) {
	t.Parallel()
	_, file := ferryline(t)
	open, err := openRegistry(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := open.edit.Put("notes", map[string]any{"owns": []string{"minutes"}}); err != nil {
		t.Fatal(err)
	}
	p, err := open.propose()
	if err != nil {
		t.Fatal(err)
	}
	others := contents(t, file) + "\n"
	if err := os.WriteFile(file, []byte(others), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.write(); err == nil || !strings.Contains(err.Error(), "while you looked") || contents(t, file) != others {
		t.Errorf("%v", err)
	}
}
