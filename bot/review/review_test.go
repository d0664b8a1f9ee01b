package review_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/review"
	"github.com/pointsman/pointsman/routing/registry"
)

var update = flag.Bool("update", false, "write the goldens anew")

const inForce = `{
  "version": 1,
  "repos": [
    {"name": "berths", "owns": ["quay berth"], "description": "Allocates quay berths to ferries by length and tide."},
    {"name": "tickets", "description": "Sells passenger tickets and refunds payments."},
    {"name": "kiosk"}
  ]
}
`

// show is all that a check says, as a text.
func show(c bot.Check) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n%s\n\n%s", c.Name, c.Conclusion, c.Title, c.Summary)
	for _, r := range c.Remarks {
		fmt.Fprintf(&b, "\n%s:%d: %s: %s", r.Path, r.Line, r.Level, r.Text)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func now(tb testing.TB) *registry.Registry {
	tb.Helper()
	reg, err := registry.Parse("r.json", []byte(inForce))
	if err != nil {
		tb.Fatal(err)
	}
	return &reg
}

func TestGolden(t *testing.T) {
	t.Parallel()
	edit := strings.NewReplacer(
		`{"name": "kiosk"}`, `{"name": "terminal", "aliases": ["kiosk"], "description": "The machines at the pier that print tickets."}`,
		`"Sells passenger tickets and refunds payments."`, `"Sells passenger tickets, refunds payments.", "descriptionSource": "generated"`,
		`]
}`, `  ,{"name": "tides", "owns": ["tide", "api"]}
  ]
}`)
	for name, c := range map[string]review.Change{
		"sound":  {Data: []byte(strings.Replace(inForce, "by length and tide", "by their length", 1)), Now: now(t)},
		"edited": {Data: []byte(edit.Replace(inForce)), Now: now(t)},
		"first":  {Data: []byte(inForce)},
		"gone":   {Gone: true, Now: now(t)},
		"unread": {Sick: "reading r.json: it is larger than 8388608 bytes", Now: now(t)},
		"tables": {
			Data: []byte(inForce), Now: now(t), TablesPath: ".repo-orchestrator/tables.json", Tables: []byte("{\"points\": {\n  \"team\": 99}}"),
		},
		"cut":      {Data: []byte(inForce[:len(inForce)-4]), Now: now(t)},
		"types":    {Data: []byte(strings.ReplaceAll(inForce, `"description": `, `"owns": 7, "description": `)), Now: now(t)},
		"confined": {Data: []byte(strings.Replace(inForce, `{"name": "kiosk"}`, `{"name": "kiosk",`+"\n"+`"path": "../x", "cloneURL": "https://evil.example/x"}`, 1)), Now: now(t)},
		"hostile":  {Data: []byte(strings.Replace(inForce, `"kiosk"`, `"@acme/everyone <img src=x> [x](https://evil.example) #1 |`+"`"+`\u0060 **a**"`, 1)), Now: now(t)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.Path = ".repo-orchestrator/registry.json"
			got := show(check(t, c))
			golden := filepath.Join("testdata", name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("the check reads differently (-want +got):\n%s", d)
			}
		})
	}
}

func check(t *testing.T, c review.Change) bot.Check {
	t.Helper()
	got, err := review.Check(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Whoever opens a pull request decides how much there is to look at, and does not
// get to hold a worker with it.
func TestBounds(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"many entries": `{"version":1,"repos":[` + strings.TrimSuffix(many(5001), ",") + `]}`,
		"large":        `{"version":1,"repos":[{"name":"a","note":"` + strings.Repeat("x", 2<<20) + `"}]}`,
	} {
		got := check(t, review.Change{Path: "r.json", Data: []byte(data), Now: now(t)})
		if got.Conclusion != bot.CheckSuccess || len(got.Remarks) != 1 || !strings.Contains(got.Remarks[0].Text, "not looked at one by one here: run pointsman lint") {
			t.Errorf("%s: the check is %s: %+.300v", name, got.Conclusion, got.Remarks)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if got, err := review.Check(ended, review.Change{Path: "r.json", Data: []byte(inForce), Now: now(t)}); !errors.Is(err, context.Canceled) || got.Conclusion != "" {
		t.Errorf("after its end a check is %q, the error %v", got.Conclusion, err)
	}
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"name":"r%d"},`, i)
	}
	return b.String()
}

// The mark is the same for the same, and for nothing else.
func TestMark(t *testing.T) {
	t.Parallel()
	c := review.Change{Path: "r.json", Data: []byte(inForce), Now: now(t)}
	first, again := check(t, c), check(t, c)
	c.Now = nil
	other := check(t, c)
	if first.Mark == "" || first.Mark != again.Mark || first.Mark == other.Mark {
		t.Errorf("marks are %q, %q and %q", first.Mark, again.Mark, other.Mark)
	}
}

func TestRemarksAreOneLine(t *testing.T) {
	t.Parallel()
	c := check(t, review.Change{Path: "r.json", Sick: "not readable:\n\x1b[31mall is well"})
	if len(c.Remarks) != 1 || strings.ContainsAny(c.Remarks[0].Text, "\n\x1b") {
		t.Errorf("the remarks are %+v", c.Remarks)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(inForce))
	f.Add([]byte(`{"version":1,"repos":[{"name":"a","aliases":["berths"],"owns":["x"],"cloneURL":"https://u:p@h/"}]}`))
	f.Add([]byte(inForce[:50]))
	f.Add([]byte("\xff\xfe{"))
	f.Add([]byte(`{"version":1,"repos":[{"name":"a","siblings":[{"name":"b","x\ny":1}],"a\u001b\nb":2},{"name":"b\nc"}]}`))
	force := now(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		c := check(t, review.Change{Path: "r.json", Data: data, Now: force})
		if c.Title == "" || c.Summary == "" || c.Mark == "" || c.Conclusion == "" || strings.Contains(c.Title, "\n") {
			t.Errorf("%q gives %+v", data, c)
		}
		if !utf8.ValidString(c.Summary) || len(c.Remarks) > 500 {
			t.Errorf("%q: %d remarks, summary %q", data, len(c.Remarks), c.Summary)
		}
		for _, r := range c.Remarks {
			if r.Line < 1 || r.Text == "" || strings.ContainsAny(r.Text, "\n\x1b") {
				t.Errorf("%q: remark %+v", data, r)
			}
		}
	})
}
