package lint_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing/registry"
	"github.com/pointsman/pointsman/routing/registry/lint"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func read(tb testing.TB, text string) registry.Registry {
	tb.Helper()
	reg, err := registry.Parse("registry.json", []byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return reg
}

func lines(found []lint.Finding) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintln(&b, f)
	}
	return b.String()
}

// Every rule but those about whole registries, each at its place.
func TestGolden(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "registry.json"))
	if err != nil {
		t.Fatal(err)
	}
	reg := read(t, string(text))
	for i := range reg.Repos {
		if reg.Repos[i].Name != "gone" && reg.Repos[i].Name != "ferry-kiosk" {
			reg.Repos[i].Dir = "/somewhere"
		}
	}
	got := lines(lint.Check(reg, lint.Options{Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Located: true}))
	file := filepath.Join("testdata", "findings.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	for _, f := range strings.Split(strings.TrimSpace(got), "\n") {
		if !strings.Contains(f, "; ") {
			t.Errorf("no mend: %s", f)
		}
	}
}

// A registry with nothing to mend says nothing.
func TestSound(t *testing.T) {
	t.Parallel()
	reg := read(t, `{"version": 1, "repos": [
{"name": "a", "description": "Works out what a crossing costs for passengers and cars.", "owns": ["fares", "zone surcharge"]},
{"name": "b", "description": "Tells the deck crew when to cast off and whom to wait for.", "owns": ["departure board", "late passengers"]}
]}`)
	if got := lint.Check(reg, lint.Options{Now: time.Now(), Located: false}); len(got) != 0 {
		t.Errorf("findings: %s", lines(got))
	}
}

func TestOwnsThatMatchEverything(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"version": 1, "repos": [`)
	for i := range 10 {
		word := fmt.Sprintf("paymentplan%c", 'a'+i)
		if i < 3 {
			word = "Loyalty points"
		}
		fmt.Fprintf(&b, `%s{"name": "r%d", "description": "Alpha%d beta%d gamma%d delta%d", "owns": ["%s"]}`, map[bool]string{true: ",\n"}[i > 0], i, i, i, i, i, word)
	}
	b.WriteString(`,
{"name": "s", "description": "One thing or another thing entirely here", "owns": ["payment"]}]}`)
	var got []string
	for _, f := range lint.Check(read(t, b.String()), lint.Options{}) {
		got = append(got, f.Entry+" "+f.Rule+" "+f.Text)
	}
	want := []string{
		`r0 owns-everywhere "Loyalty points": 3 of 11 entries hold this keyword, so that it tells nothing`,
		`r1 owns-everywhere "Loyalty points": 3 of 11 entries hold this keyword, so that it tells nothing`,
		`r2 owns-everywhere "Loyalty points": 3 of 11 entries hold this keyword, so that it tells nothing`,
		`s owns-inside "payment": it is a part of keywords of 7 other entries (r3, r4, r5 and 4 more)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// What Parse refuses becomes findings as well, all of it.
func TestRefused(t *testing.T) {
	t.Parallel()
	_, err := registry.Parse("registry.json", []byte("{\"version\": 1, \"repos\": [\n{\"name\": \"a\", \"owns\": 1},\n{\"path\": 2}]}"))
	got := lines(lint.Refused("registry.json", err))
	want := `registry.json:2:23: $.repos[0].owns: want a list of strings, got a number; write ["..."] [error: format]
registry.json:3:1: $.repos[1]: it has no "name"; write "name": "..." [error: format]
registry.json:3:10: $.repos[1].path: want a string, got a number; write "..." [error: format]
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if got := lint.Refused("r", fmt.Errorf("reading registry: r does not exist")); len(got) != 1 || got[0].Severity != lint.Error {
		t.Errorf("findings = %v", got)
	}
	if got := lint.Refused("r", nil); got != nil {
		t.Errorf("findings = %v", got)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(`{"version":1,"repos":[{"name":"a","owns":["-","é","in"],"siblings":[{"repo":"a","tell":[{}]},{"repo":"b"}]},{"name":"b","description":"x x x x x"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		reg, err := registry.Parse("f", data)
		if err != nil {
			if len(lint.Refused("f", err)) == 0 {
				t.Error("an error without a finding")
			}
			return
		}
		a := lines(lint.Check(reg, lint.Options{Located: true}))
		if b := lines(lint.Check(reg, lint.Options{Located: true})); a != b {
			t.Errorf("two answers:\n%s\n%s", a, b)
		}
	})
}

// many is a registry of n entries, every fourth like another.
func many(n int) string {
	var b strings.Builder
	b.WriteString("{\"version\": 1, \"repos\": [")
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n{\"name\": \"s%d\", \"cloneURL\": \"https://git.example/a/s%d.git\", \"description\": \"Keeps the berths of harbour%d, tells pilots%d about tides and bills owners%d for moorings\",\n"+
			"\"owns\": [\"berth%d\", \"mooring fee %d\", \"pilot%d\", \"tide\", \"harbour dues %d\"], \"endpoints\": [\"GET /v1/berths%d/{id}\"], \"languages\": [\"Go\"]}",
			i, i, i/4*4, i, i/4*4, i, i, i%50, i, i)
	}
	b.WriteString("]}")
	return b.String()
}

func BenchmarkCheck(b *testing.B) {
	reg := read(b, many(1000))
	b.ReportAllocs()
	for b.Loop() {
		lint.Check(reg, lint.Options{Located: true})
	}
}

func BenchmarkParseAndCheck(b *testing.B) {
	text := many(1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		lint.Check(read(b, text), lint.Options{Located: true})
	}
}
