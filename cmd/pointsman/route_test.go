package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/routing"
)

// organisation writes a folder of repositories: a bare one two levels down, a
// work tree, an empty one and a damaged one.
func organisation(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, bare bool, files map[string]string) {
		t.Helper()
		if _, err := gittest.Write(filepath.Join(dir, name), bare, files, "first"); err != nil {
			t.Fatal(err)
		}
	}
	write("group/ledger.git", true, map[string]string{
		"README.md":     "# Ledger\n\nBooks payments and refunds of travellers, for the accounts team.\n",
		"src/refund.go": "package src\n\n// RefundOrder books the money back to the card.\nfunc RefundOrder() {}\n",
		"CHANGELOG.md":  "- money reaches the card twice: mended\n",
	})
	write("shop", false, map[string]string{
		"README.md":  "# Shop\n\nThe web shop with its basket and its checkout pages.\n",
		"basket.ts":  "export function basketPage() { return render('basket') }\n",
		"b.test.ts":  "it('refunds the money of the card twice')\n",
		"page.md":    "The basket page lists what is bought.\n",
		"Dockerfile": "FROM scratch\n",
	})
	if err := gittest.Empty(filepath.Join(dir, "void"), false); err != nil {
		t.Fatal(err)
	}
	write("torn", false, map[string]string{"a.go": "package a\n"})
	if err := os.RemoveAll(filepath.Join(dir, "torn", ".git", "objects")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "torn", ".git", "objects"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// pointsman runs the program in this process.
func pointsman(stdin string, args ...string) (code int, out, errOut string) {
	var o, e bytes.Buffer
	code = run(args, strings.NewReader(stdin), &o, &e)
	return code, o.String(), e.String()
}

const refund = "The refund reaches the card of the traveller twice\nThe money is booked back two times since Friday."

func decode(t *testing.T, out string) routing.Decision {
	t.Helper()
	var d routing.Decision
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return d
}

func TestRouteWithoutRegistry(t *testing.T) {
	t.Parallel()
	org, cache := organisation(t), t.TempDir()
	code, out, errOut := pointsman("", "route", "--repos", org, "--cache", cache, "--json", refund)
	if code != exitDone || errOut != "" {
		t.Fatalf("code %d, stderr %q", code, errOut)
	}
	d := decode(t, out)
	if d.Candidates[0].Repo != "ledger" || d.Candidates[0].Evidence[0].Path == "" || len(d.Candidates[0].Evidence[0].Commit) != 40 {
		t.Errorf("first candidate %+v", d.Candidates[0])
	}
	for _, c := range d.Candidates {
		for _, e := range c.Evidence {
			if strings.Contains(e.Path, "CHANGELOG") || strings.Contains(e.Path, "test") {
				t.Errorf("evidence from %s", e.Path)
			}
		}
	}
	code2 := d.Coverage[len(d.Coverage)-1]
	if code2.Ranker != "code" || code2.Can != 2 || code2.Of != 4 {
		t.Errorf("coverage of code %+v, want 2 of 4", code2)
	}
	if diff := cmp.Diff([]string{"torn", "void"}, code2.Missing); diff != "" {
		t.Errorf("not covered (-want +got):\n%s", diff)
	}
	if text := strings.Join(d.Warnings, "\n"); strings.Contains(text, "was not read") {
		t.Errorf("warnings %s", text)
	}
	beside := filepath.Join(org, filepath.FromSlash(defaultRegistry))
	if err := os.MkdirAll(filepath.Dir(beside), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(beside, []byte(`{"version": 1, "repos": [{"name": "x"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, _ = pointsman("", "route", "--repos", org, "--cache", cache, "--json", refund)
	if text := strings.Join(decode(t, out).Warnings, "\n"); !strings.Contains(text, defaultRegistry+" was not read, since --repos stands alone; give it with --registry") {
		t.Errorf("warnings %s", text)
	}
}

func TestRouteGivesTheSameBytesTwice(t *testing.T) {
	t.Parallel()
	org := organisation(t)
	took := regexp.MustCompile(`"tookMs": [0-9.]+`)
	var outs []string
	for range 2 { // a cold cache each time: building is deterministic too
		_, out, _ := pointsman("", "route", "--repos", org, "--cache", t.TempDir(), "--json", refund)
		outs = append(outs, took.ReplaceAllString(out, ""))
	}
	if outs[0] != outs[1] {
		t.Errorf("two runs differ:\n%s", cmp.Diff(outs[0], outs[1]))
	}
}

func TestRouteTakesTextFileAndStdin(t *testing.T) {
	t.Parallel()
	org, cache := organisation(t), t.TempDir()
	file := filepath.Join(t.TempDir(), "ticket.txt")
	if err := os.WriteFile(file, []byte(refund), 0o600); err != nil {
		t.Fatal(err)
	}
	for arg, stdin := range map[string]string{refund: "", file: "", "-": refund} {
		code, out, errOut := pointsman(stdin, "route", "--repos", org, "--cache", cache, "--json", arg)
		if d := decode(t, out); code != exitDone || d.Ticket.Title != "The refund reaches the card of the traveller twice" {
			t.Errorf("%q: code %d, title %q, stderr %q", arg, code, d.Ticket.Title, errOut)
		}
	}
}

func TestRouteTable(t *testing.T) {
	t.Parallel()
	org := organisation(t)
	code, out, _ := pointsman("", "route", "--repos", org, "--cache", t.TempDir(), refund+"\x1b[31m")
	if code != exitDone {
		t.Fatalf("code %d", code)
	}
	for _, want := range []string{"The refund reaches the card", " 1  ledger", "src/refund.go:1-4", "code 2 of 4", "void: ", "drafts from READMEs"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Error("a ticket's escape codes reached the terminal")
	}
}

func TestRouteBatch(t *testing.T) {
	t.Parallel()
	org := organisation(t)
	lines := `{"id":"b-2","title":"The basket page stays empty in the shop today","body":"","repos":["x"]}
{"id":7,"title":"The refund reaches the card of the traveller twice"}

{"id":"none","title":"qqqq wwww zzzz xxxx vvvv kkkk"}
{"id":"void","title":""}
`
	code, out, errOut := pointsman(lines, "route", "--repos", org, "--cache", t.TempDir(), "--batch", "-")
	if code != exitDone {
		t.Fatalf("code %d, stderr %q", code, errOut)
	}
	var got []string
	for line := range strings.Lines(out) {
		d := decode(t, line)
		top := ""
		if len(d.Candidates) > 0 {
			top = d.Candidates[0].Repo
		}
		got = append(got, d.Ticket.Key+" "+string(d.Verdict)+" "+top)
	}
	want := []string{"b-2 route shop", "7 route ledger", "none none ", "void none "}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("answers (-want +got):\n%s", d)
	}
}

func TestRouteBadInput(t *testing.T) {
	t.Parallel()
	org, empty := organisation(t), t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(empty, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	noFolder := filepath.Join(t.TempDir(), "nope")
	for name, tc := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no ticket":        {[]string{"route", "--repos", org}, exitUsage, "want one ticket"},
		"two tickets":      {[]string{"route", "--repos", org, "a", "b"}, exitUsage, "put its text in quotes"},
		"empty ticket":     {[]string{"route", "--repos", org, " \n"}, exitUsage, "the ticket is empty"},
		"unknown flag":     {[]string{"route", "--speed"}, exitUsage, "unknown flag: --speed"},
		"unknown format":   {[]string{"route", "--repos", org, "--format", "xml", "x"}, exitUsage, "want table"},
		"unknown command":  {[]string{"rout"}, exitUsage, `no command "rout"`},
		"stray argument":   {[]string{"version", "x"}, exitUsage, `no use for "x"`},
		"mistyped file":    {[]string{"route", "--repos", org, "nosuch.txt"}, exitUsage, "there is no such file"},
		"no such folder":   {[]string{"route", "--repos", noFolder, "x y"}, exitUsage, "there is no such folder"},
		"no repositories":  {[]string{"route", "--repos", empty, "x y"}, exitUsage, "holds no git repository"},
		"folder is a file": {[]string{"route", "--repos", file("f", ""), "x y"}, exitUsage, "want a folder"},
		"no registry":      {[]string{"route", "--registry", noFolder, "x y"}, exitUsage, "does not exist"},
		"broken registry":  {[]string{"route", "--registry", file("r.json", `{"version":1,"repos":[{"name":"a","owns":1}]}`), "x y"}, exitUsage, "$.repos[0].owns"},
		"bad cache":        {[]string{"route", "--repos", org, "--cache", file("c", ""), "x y"}, exitUsage, "--cache"},
		"bad weights":      {[]string{"route", "--repos", org, "--weights", file("w.json", "{}"), "x y"}, exitUsage, "version: want"},
		"bad batch":        {[]string{"route", "--repos", org, "--batch", file("b.jsonl", "{\"id\":\"1\",\"title\":\"x\"}\n{")}, exitUsage, "b.jsonl:2: want"},
		"batch without id": {[]string{"route", "--repos", org, "--batch", file("i.jsonl", "{\"title\":\"x\"}")}, exitUsage, "i.jsonl:1: id: want"},
		"nothing found":    {[]string{"route", "--repos", org, "--cache", t.TempDir(), "qqqq wwww zzzz xxxx vvvv kkkk"}, exitNothing, ""},
		"no gold":          {[]string{"eval", "--repos", org}, exitUsage, "want --gold FILE"},
		"gold of others":   {[]string{"eval", "--repos", org, "--cache", t.TempDir(), "--gold", file("g.jsonl", `{"id":"1","title":"x","repos":["else"]}`)}, exitUsage, "none of the cases"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, _, errOut := pointsman("", tc.args...)
			if code != tc.code || !strings.Contains(errOut, tc.want) {
				t.Errorf("code %d, stderr %q; want %d and %q", code, errOut, tc.code, tc.want)
			}
			if strings.Count(errOut, "\n") > 1 {
				t.Errorf("more than one line: %q", errOut)
			}
		})
	}
}

func TestEvalAndCoverage(t *testing.T) {
	t.Parallel()
	org, cache := organisation(t), t.TempDir()
	gold := filepath.Join(t.TempDir(), "gold.jsonl")
	text := `{"id":"1","title":"The refund reaches the card of the traveller twice","repos":["ledger"]}
{"id":"2","title":"The basket page stays empty in the shop today","repos":["shop"]}
`
	if err := os.WriteFile(gold, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := pointsman("", "eval", "--repos", org, "--cache", cache, "--gold", gold, "--json")
	var report struct {
		Schema  string
		N       int
		Systems []struct {
			Name string
			Top1 float64
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != exitDone {
		t.Fatalf("code %d, %v, stderr %q", code, err, errOut)
	}
	top1 := map[string]float64{}
	for _, s := range report.Systems {
		top1[s.Name] = s.Top1
	}
	want := map[string]float64{"null": 0.5, "triple": 0.5, "registry": 0.5, "description": 1, "code": 1, "fused": 1}
	if d := cmp.Diff(want, top1); d != "" || report.Schema != "pointsman.eval/v1" || report.N != 2 {
		t.Errorf("schema %s, n %d, top-1 (-want +got):\n%s", report.Schema, report.N, d)
	}
	if code, out, _ := pointsman("", "eval", "--repos", org, "--cache", cache, "--gold", gold); code != exitDone || !strings.Contains(out, "fused") {
		t.Errorf("code %d, table %s", code, out)
	}
	if code, out, _ := pointsman("", "coverage", "--repos", org, "--cache", cache); code != exitDone || !strings.Contains(out, "code         can rank 2 of 4") {
		t.Errorf("code %d, coverage %s", code, out)
	}
}
