package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/git/gittest"
)

var updateEval = flag.Bool("update-eval", false, "rewrite the golden table and JSON of pointsman eval")

// bench is an organisation with a registry and a gold file, all in one folder.
type bench struct{ dir, registry, gold, cache string }

func newBench(t *testing.T) bench {
	t.Helper()
	dir := t.TempDir()
	b := bench{dir, filepath.Join(dir, "registry.json"), filepath.Join(dir, "gold.jsonl"), t.TempDir()}
	for name, files := range map[string]map[string]string{
		"ledger": {"src/refund.go": "package src\n\n// RefundOrder books the money back to the card of the traveller.\nfunc RefundOrder() {}\n"},
		"shop":   {"basket.ts": "export function basketPage() { return render('basket of the shop') }\n"},
		"shop2":  {"cart.ts": "export function cartPage() { return render('cart of the new shop') }\n"},
	} {
		if _, err := gittest.Write(filepath.Join(dir, name), false, files, "first"); err != nil {
			t.Fatal(err)
		}
	}
	b.write(t, b.registry, `{"version": 1, "repos": [
		{"name": "ledger", "path": "ledger", "owns": ["refund"], "description": "Books payments and refunds."},
		{"name": "shop", "path": "shop", "owns": ["basket"], "description": "The web shop with its basket.", "siblings": [{"repo": "shop2", "relation": "replacedBy"}]},
		{"name": "shop2", "path": "shop2", "description": "The new web shop with its cart."}]}`)
	b.write(t, b.gold, `{"id":"B-1","title":"The refund reaches the card of the traveller twice","repos":["ledger"]}
{"id":"B-2","title":"The basket page stays empty in the shop today","repos":["shop"],"present":{"state":"moved","repos":["shop2"]}}
{"id":"B-3","title":"A refund empties the basket and the cart page of the traveller","repos":["ledger","shop","shop2"]}
{"id":"B-4","title":"Xylophone zither quokka wombat","repos":["shop2"],"present":{"state":"shipped","repos":[]}}
{"id":"B-5","title":"Lighthouse is dark","repos":["lighthouse"]}
`)
	return b
}

func (b bench) write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (b bench) read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// eval runs pointsman eval and wants it to succeed.
func (b bench) eval(t *testing.T, args ...string) (out, errOut string) {
	t.Helper()
	code, out, errOut := pointsman("", append([]string{"eval", "--cache", b.cache}, args...)...)
	if code != exitDone {
		t.Fatalf("eval %v: exit code %d, %s", args, code, errOut)
	}
	return out, errOut
}

// refused runs pointsman eval and wants it to say why it does not.
func (b bench) refused(t *testing.T, want string, args ...string) {
	t.Helper()
	code, out, errOut := pointsman("", append([]string{"eval", "--cache", b.cache}, args...)...)
	if code != exitUsage || out != "" || !strings.Contains(errOut, want) || strings.Count(errOut, "\n") != 1 {
		t.Errorf("eval %v: exit code %d, stdout %q, stderr %q; want %d and one line with %q", args, code, out, errOut, exitUsage, want)
	}
}

func TestARunIsRepeatedToTheByte(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := func(name string) string { return filepath.Join(b.dir, name) }
	first, _ := b.eval(t, "--gold", b.gold, "--registry", b.registry, "--save", in("a.json"), "--html", in("a.html"), "--json", "--compare", "fused,null")
	// Elsewhere, with a cold cache: paths are found beside the run file.
	again := b
	again.cache = t.TempDir()
	second, errOut := again.eval(t, "--rerun", in("a.json"), "--save", in("b.json"), "--html", in("b.html"), "--json")
	if !strings.Contains(errOut, "all 4 tickets as in ") {
		t.Errorf("stderr %q", errOut)
	}
	if first != second {
		t.Errorf("the JSON differs:\n%s", cmp.Diff(first, second))
	}
	for _, pair := range [][2]string{{"a.json", "b.json"}, {"a.html", "b.html"}} {
		if d := cmp.Diff(b.read(t, in(pair[0])), b.read(t, in(pair[1]))); d != "" {
			t.Errorf("%s and %s differ:\n%s", pair[0], pair[1], d)
		}
	}
	if text := b.read(t, in("a.json")); strings.Contains(text, b.dir) || strings.Contains(text, "tookMs") {
		t.Errorf("the run file holds paths of this machine or times: %s", text)
	}
	// Without routing: the folder of repositories may be gone.
	if err := os.RemoveAll(in("ledger")); err != nil {
		t.Fatal(err)
	}
	third, _ := b.eval(t, "--from", in("a.json"), "--json", "--html", in("c.html"))
	if third != first || b.read(t, in("c.html")) != b.read(t, in("a.html")) {
		t.Errorf("the saved run is reported differently:\n%s", cmp.Diff(first, third))
	}
}

func TestARerunRefusesOtherInputs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	run := filepath.Join(b.dir, "run.json")
	b.eval(t, "--gold", b.gold, "--registry", b.registry, "--save", run)
	saved := b.read(t, run)

	gold := b.read(t, b.gold)
	b.write(t, b.gold, gold+"\n")
	b.refused(t, "not the inputs of that run: gold: the run file has sha256:", "--rerun", run)
	b.write(t, b.gold, gold)

	weights := filepath.Join(b.dir, "weights.json")
	b.write(t, weights, strings.Replace(b.read(t, filepath.Join(moduleRoot, "routing", "fuse", "weights.json")), `"version"`, ` "version"`, 1))
	b.refused(t, "not the inputs of that run: weights: ", "--rerun", run, "--weights", weights)

	registry := b.read(t, b.registry)
	b.write(t, b.registry, strings.Replace(registry, "Books", "Keeps", 1))
	b.refused(t, "not the inputs of that run: registry: ", "--rerun", run)
	b.write(t, b.registry, registry)

	b.write(t, run, strings.Replace(saved, `"program":"`, `"program":"v9.9.9-`, 1))
	b.refused(t, "not the inputs of that run: program: the run file has v9.9.9-", "--rerun", run)
	b.write(t, run, saved)

	if _, err := gittest.Commit(filepath.Join(b.dir, "shop"), map[string]string{"pay.ts": "export const pay = 1\n"}, "second"); err != nil {
		t.Fatal(err)
	}
	b.refused(t, "not the inputs of that run: generation of shop: the run file has ", "--rerun", run)

	if err := os.Rename(b.gold, b.gold+".moved"); err != nil {
		t.Fatal(err)
	}
	b.refused(t, "reading the gold file: ", "--rerun", run)
}

// A run file that does not repeat was not made from these inputs by this program.
func TestARerunThatGivesOtherAnswersFails(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	run := filepath.Join(b.dir, "run.json")
	b.eval(t, "--gold", b.gold, "--registry", b.registry, "--save", run)
	b.write(t, run, strings.Replace(b.read(t, run), `"spans":["shop"]`, `"spans":[]`, 1))
	code, _, errOut := pointsman("", "eval", "--cache", b.cache, "--rerun", run)
	if code != exitFailed || !strings.Contains(errOut, "the same inputs gave other answers, first for B-2") {
		t.Errorf("exit code %d, %s", code, errOut)
	}
}

func TestAnEarlierRunStandsBeside(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := func(name string) string { return filepath.Join(b.dir, name) }
	b.eval(t, "--gold", b.gold, "--registry", b.registry, "--save", in("old.json"))
	args := []string{"--gold", b.gold, "--registry", b.registry, "--against", in("old.json"), "--compare", "fused,saved", "--compare", "code,registry"}
	out, _ := b.eval(t, append(args, "--json", "--save", in("new.json"))...)
	var report struct {
		Systems []struct{ Name string }
		Compare []struct {
			A, B, Metric string
			AOnly, BOnly int
			P            float64
		}
		Against struct{ Common, OnlyHere int }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	if report.Systems[len(report.Systems)-1].Name != "saved" || report.Against.Common != 4 || len(report.Compare) != 4 {
		t.Errorf("report %+v", report)
	}
	if c := report.Compare[0]; c.A != "fused" || c.B != "saved" || c.AOnly != 0 || c.BOnly != 0 || c.P != 1 {
		t.Errorf("a run against itself: %+v", c)
	}
	if again, _ := b.eval(t, "--from", in("new.json"), "--json"); again != out {
		t.Errorf("from the saved run:\n%s", cmp.Diff(out, again))
	}
	b.refused(t, `comparing "saved"`, "--from", in("old.json"), "--compare", "fused,saved")
	b.refused(t, `comparing "magic": there is no such system here; there are null, triple, registry, description, code, fused`, "--from", in("old.json"), "--compare", "fused,magic")
	b.write(t, in("old.json"), strings.Replace(b.read(t, in("old.json")), `"spans":["shop"]`, `"spans":[]`, 1))
	b.refused(t, "was set beside another ", "--from", in("new.json"))
}

func TestContradictingEvalFlags(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	run := filepath.Join(b.dir, "run.json")
	b.write(t, run, "{}")
	for want, args := range map[string][]string{
		"want --gold FILE, or a run file":                       {"--registry", b.registry},
		"so --gold has no say":                                  {"--from", run, "--gold", b.gold},
		"so --rerun has no say":                                 {"--from", run, "--rerun", run},
		"so --save has no say":                                  {"--from", run, "--save", run},
		"--rerun takes --without and --as-of from the run file": {"--rerun", run, "--without", "shop"},
		"want two names of systems":                             {"--gold", b.gold, "--compare", "fused"},
		"there is no such folder to write it in":                {"--gold", b.gold, "--html", filepath.Join(b.dir, "no", "x.html")},
		`schema: want "pointsman.run/v1", got ""`:               {"--from", run},
		"want a run file as pointsman eval --save wr":           {"--rerun", b.gold},
		"reading the run file":                                  {"--gold", b.gold, "--registry", b.registry, "--against", run + ".gone"},
	} {
		b.refused(t, want, args...)
	}
}

// Ids that name the answer, or another repository, change nothing but themselves.
func TestIDsNeverReachARanker(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	run := filepath.Join(b.dir, "run.json")
	said := func(id func(n int) string) string {
		text := b.read(t, b.gold)
		for n := 1; n <= 5; n++ {
			text = strings.Replace(text, fmt.Sprintf(`"id":"B-%d"`, n), fmt.Sprintf(`"id":%q`, id(n)), 1)
		}
		file := filepath.Join(b.dir, "planted.jsonl")
		b.write(t, file, text)
		b.eval(t, "--gold", file, "--registry", b.registry, "--save", run)
		_, cases, _ := strings.Cut(b.read(t, run), "\n")
		return regexp.MustCompile(`"id":"[^"]*"`).ReplaceAllString(cases, "")
	}
	plain := said(func(n int) string { return fmt.Sprint(n) })
	answer := []string{"", "ledger-1 refund", "shop-1 basket", "shop2-1 cart", "shop2-2 cart", "ledger-2"}
	if d := cmp.Diff(plain, said(func(n int) string { return answer[n] })); d != "" {
		t.Errorf("ids that name the answer changed what was said:\n%s", d)
	}
}

func TestEvalTableFitsATerminal(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	run := filepath.Join(b.dir, "run.json")
	b.eval(t, "--gold", b.gold, "--registry", b.registry, "--save", run)
	b.write(t, run, strings.ReplaceAll(b.read(t, run), "shop2", "shop2-"+strings.Repeat("x", 120)))
	out, _ := b.eval(t, "--from", run, "--against", run)
	for line := range strings.Lines(out) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > reportWidth {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, want := range []string{
		"4 tickets, 3 repositories, 1 skipped", "null ", "triple ", "fused ", "saved ", "triple: the best three for every ticket: ", "exact McNemar", "Siblings ",
		"need several repositories", "what is right today: 2", "Skipped B-5: not among the candidates: lighthouse", "fused, when it answers",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the table lacks %q:\n%s", want, out)
		}
	}
}

// The whole table and the whole JSON of a small saved run.
func TestEvalOutputs(t *testing.T) {
	t.Parallel()
	var b bench
	run := filepath.Join(moduleRoot, "routing", "eval", "page", "testdata", "run.json")
	for golden, args := range map[string][]string{"eval.golden.txt": nil, "eval.golden.json": {"--json"}} {
		_, got, errOut := pointsman("", append([]string{"eval", "--from", run}, args...)...)
		if errOut != "" {
			t.Errorf("stderr %q", errOut)
		}
		file := filepath.Join("testdata", golden)
		if *updateEval {
			b.write(t, file, got)
		}
		if d := cmp.Diff(b.read(t, file), got); d != "" {
			t.Errorf("%s (-golden +got); go test ./cmd/pointsman -update-eval when it is meant:\n%s", golden, d)
		}
	}
}
