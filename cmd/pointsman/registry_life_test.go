package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

// editorEnv makes the test binary behave as an editor: see TestEditorProcess.
const editorEnv = "TEST_POINTSMAN_EDITOR"

// TestEditorProcess is no test: started with editorEnv it is an editor that puts
// what a file says, "old=>new" a line, into the file that is its last argument.
func TestEditorProcess(t *testing.T) { //nolint:paralleltest // it is a process of its own
	rules := os.Getenv(editorEnv)
	if rules == "" {
		t.Skip("only for the tests that need an editor")
	}
	if out, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stdout = out // what tests say is not an editor's to say
	}
	name := os.Args[len(os.Args)-1]
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for rule := range strings.SplitSeq(rules, "\n") {
		old, replacement, _ := strings.Cut(rule, "=>")
		text = bytes.Replace(text, []byte(old), []byte(replacement), 1)
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// terminal is a stream that a person sits at.
type terminal struct{ io.Reader }

func (terminal) Terminal() bool              { return true }
func (terminal) Write(p []byte) (int, error) { return len(p), nil }

// answering runs the program for a person who gives these answers.
func answering(answers string, args ...string) (code int, out string) {
	var o bytes.Buffer
	code = run(args, terminal{strings.NewReader(answers)}, &o, terminal{})
	return code, o.String()
}

// ferryline is a folder of repositories with a registry that init drafted.
func ferryline(t *testing.T) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	ferries(t, dir)
	if code, _, errOut := pointsman("", "init", "--repos", dir, "--yes"); code != exitDone {
		t.Fatalf("init: code %d, %s", code, errOut)
	}
	return dir, filepath.Join(dir, ".repo-orchestrator", "registry.json")
}

func entriesOf(t *testing.T, file string) map[string]routing.Repo {
	t.Helper()
	reg, err := registry.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]routing.Repo{}
	for _, r := range reg.Repos {
		out[r.Name] = r
	}
	return out
}

func contents(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestInitAsksBeforeItWrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ferries(t, dir)
	file := filepath.Join(dir, ".repo-orchestrator", "registry.json")
	for name, try := range map[string]func() (int, string){
		"nobody there": func() (int, string) {
			code, out, _ := pointsman("", "init", "--repos", dir)
			return code - exitUsage, out
		},
		"dry run": func() (int, string) {
			code, out, _ := pointsman("", "init", "--repos", dir, "--dry-run")
			return code, out
		},
		"json": func() (int, string) {
			code, out, _ := pointsman("", "init", "--repos", dir, "--json")
			return code, out
		},
		"no": func() (int, string) {
			code, out := answering("n\n", "init", "--repos", dir)
			return code - exitFailed, out
		},
		"just enter": func() (int, string) {
			code, out := answering("\n", "init", "--repos", dir)
			return code - exitFailed, out
		},
		"end of input": func() (int, string) {
			code, out := answering("", "init", "--repos", dir)
			return code - exitFailed, out
		},
	} {
		code, out := try()
		if code != 0 || !strings.Contains(out, "fares-api") || !strings.Contains(out, "Works out what") {
			t.Errorf("%s: code off by %d, output %s", name, code, out)
		}
		if _, err := os.Stat(file); err == nil {
			t.Fatalf("%s: a registry was written", name)
		}
	}
	if code, out := answering("y\n", "init", "--repos", dir); code != exitDone || !strings.Contains(out, "Written.") {
		t.Errorf("yes: code %d, output %s", code, out)
	}
	if got := entriesOf(t, file); len(got) != 4 || got["fares-api"].Owner.Team != "tariff" || got["fares-api"].Path != "./fares-api" {
		t.Errorf("entries %+v", got)
	}
	left, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(left) != 1 {
		t.Errorf("%v, the folder holds %v; want the registry alone", err, left)
	}
}

func TestInitAddsOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	dir, file := ferryline(t)
	before := contents(t, file)
	commit(t, dir, "berths", map[string]string{"README.md": "# Berths\n\nSomething else entirely is written here now.\n"})
	code, out, _ := pointsman("", "init", "--repos", dir, "--yes")
	if code != exitDone || !strings.Contains(out, "Nothing to add.") || contents(t, file) != before {
		t.Errorf("code %d, %s\n%s", code, out, cmp.Diff(before, contents(t, file)))
	}
	var got initResult
	_, out, _ = pointsman("", "init", "--repos", dir, "--json")
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Schema != initSchema || len(got.Kept) != 4 || got.Diff != "" || got.Written || len(got.Repos) != 4 {
		t.Errorf("%v, %+v", err, got)
	}
}

// The four ways, through the file.
func TestSyncKeepsWhatPeopleWrote(t *testing.T) {
	t.Parallel()
	dir, file := ferryline(t)
	if code, _, errOut := pointsman("", "edit", "tickets-web", "description=The shop on the web, where travellers buy.", "--registry", file, "--yes"); code != exitDone {
		t.Fatal(errOut)
	}
	text := strings.Replace(contents(t, file), "Says which ferry lies", "Says at once which ferry lies", 1) // somebody with an editor, who sets no flag
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tickets-web", "fares-api"} {
		commit(t, dir, name, map[string]string{"README.md": "# New\n\nThe code says of itself what it never said before.\n"})
	}
	sync := []string{"sync", "--repos", dir}
	if code, out, _ := pointsman("", append(sync, "--check")...); code != exitFailed || !strings.Contains(out, "edited   berths") {
		t.Errorf("--check: code %d, %s", code, out)
	}
	code, out, errOut := pointsman("", append(sync, "--yes")...)
	if code != exitDone || !strings.Contains(out, "--take tickets-web") {
		t.Fatalf("code %d, %s%s", code, out, errOut)
	}
	got := entriesOf(t, file)
	const fresh = "The code says of itself what it never said before."
	if r := got["fares-api"]; r.Description != fresh || r.UserEdited {
		t.Errorf("drifted: %+v", r)
	}
	if r := got["tickets-web"]; r.Description != "The shop on the web, where travellers buy." || !r.UserEdited || r.DescriptionSource != "human" {
		t.Errorf("both: %+v", r)
	}
	if r := got["berths"]; !strings.Contains(r.Description, "at once") || !r.UserEdited {
		t.Errorf("edited: %+v", r)
	}
	if code, out, _ := pointsman("", append(sync, "--check")...); code != exitDone || !strings.Contains(out, "4 repositories are as the registry says") && !strings.Contains(out, "3 repositories are as the registry says") {
		t.Errorf("afterwards: code %d, %s", code, out)
	}
	if code, _, errOut := pointsman("", append(sync, "--take", "tickets-web", "--yes")...); code != exitDone {
		t.Fatal(errOut)
	}
	if r := entriesOf(t, file)["tickets-web"]; r.Description != fresh || r.UserEdited {
		t.Errorf("taken: %+v", r)
	}
	if code, _, _ := pointsman("", append(sync, "--take", "nobody")...); code != exitUsage {
		t.Errorf("taking what is not there: code %d", code)
	}
}

// At a terminal, each question is about one entry.
func TestSyncAsks(t *testing.T) {
	t.Parallel()
	dir, file := ferryline(t)
	if code, _, errOut := pointsman("", "edit", "tickets-web", "owns+=gangway", "--registry", file, "--yes"); code != exitDone {
		t.Fatal(errOut)
	}
	commit(t, dir, "tickets-web", map[string]string{"README.md": "# New\n\nThe code says of itself what it never said before.\n"})
	if err := os.RemoveAll(filepath.Join(dir, "notes")); err != nil {
		t.Fatal(err)
	}
	before := contents(t, file)
	if code, _ := answering("y\ny\nn\n", "sync", "--repos", dir); code != exitFailed || contents(t, file) != before {
		t.Errorf("declined: code %d\n%s", code, cmp.Diff(before, contents(t, file)))
	}
	if code, out := answering("y\ny\ny\n", "sync", "--repos", dir); code != exitDone {
		t.Fatalf("code %d, %s", code, out)
	}
	got := entriesOf(t, file)
	if r, there := got["tickets-web"], got["notes"].Name != ""; there || r.UserEdited || !strings.HasPrefix(r.Description, "The code says") {
		t.Errorf("notes there %v, %+v", there, r)
	}
}
