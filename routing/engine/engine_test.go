package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/index"
)

// snapshot is a small organisation: a payments service, a web shop, and a
// repository nobody has committed to.
func snapshot(tb testing.TB) Snapshot {
	tb.Helper()
	var segments []*index.Segment
	for _, s := range []struct{ repo, path, text string }{
		{"ledger", "src/refund.go", "// RefundOrder books the money back to the card of the traveller.\nfunc RefundOrder(o Order) error { return book(o) }\n"},
		{"shop", "app/basket.ts", "// The basket page lists what the traveller buys.\nexport function basketPage() { return render() }\n"},
	} {
		b := index.NewBuilder(index.Identity{Repo: s.repo, Branch: "main", Commit: strings.Repeat("c0", 20)})
		b.Add(routing.Document{Path: s.path, Text: []byte(s.text)})
		var buf bytes.Buffer
		if _, err := b.WriteTo(&buf); err != nil {
			tb.Fatal(err)
		}
		file := filepath.Join(tb.TempDir(), s.repo)
		if err := os.WriteFile(file, buf.Bytes(), 0o600); err != nil {
			tb.Fatal(err)
		}
		seg, err := index.Open(file)
		if err != nil {
			tb.Fatal(err)
		}
		segments = append(segments, seg)
	}
	return Snapshot{
		Repos: []routing.Repo{
			{Name: "ledger", Description: "Books payments and refunds", FiledIn: []string{"PAY"}},
			{Name: "shop", Description: "The web shop with its basket"},
			{Name: "void", Description: "Reserved for later"},
		},
		RegistryHash: "sha256:feed",
		Index:        index.NewSet(segments),
		Missing:      []routing.Missing{{Repo: "void", Why: "it has no commits", Empty: true}},
	}
}

func newEngine(tb testing.TB, o Options) *Engine {
	tb.Helper()
	e, err := New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func route(tb testing.TB, e *Engine, title, body string) routing.Decision {
	tb.Helper()
	d, err := e.Route(tb.Context(), routing.Ticket{Ref: routing.Ref{System: "text", Key: "k1"}, Title: title, Body: body}, snapshot(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func TestRoute(t *testing.T) {
	t.Parallel()
	d := route(t, newEngine(t, Options{Program: "test"}), "PAY-12: a refund reaches the card of the traveller twice", "The money is booked back two times.")
	if d.Verdict != routing.VerdictRoute || d.Candidates[0].Repo != "ledger" || d.Candidates[0].Rank != 1 {
		t.Fatalf("decision %+v", d)
	}
	if d.Ticket.Title != "PAY-12: a refund reaches the card of the traveller twice" {
		t.Errorf("title %q: people see the ticket as it was filed", d.Ticket.Title)
	}
	for _, k := range d.Keywords {
		if strings.Contains(k, "PAY") || k == "12" {
			t.Errorf("keywords %v hold the tracker key", d.Keywords)
		}
	}
	want := map[string]string{"ledger": strings.Repeat("c0", 20), "shop": strings.Repeat("c0", 20)}
	if diff := cmp.Diff(want, d.AsOf.Generations); diff != "" {
		t.Errorf("generations (-want +got):\n%s", diff)
	}
	if d.AsOf.Registry != "sha256:feed" || d.AsOf.Program != "test" || !strings.HasPrefix(d.AsOf.Weights, "sha256:") {
		t.Errorf("asOf %+v", d.AsOf)
	}
}

func TestFiledInIsAFieldAndNotText(t *testing.T) {
	t.Parallel()
	tk := routing.Ticket{Title: "the basket page of the shop stays empty", FiledIn: "PAY"}
	top := func(o Options) routing.Candidate {
		d, err := newEngine(t, o).Route(t.Context(), tk, snapshot(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range d.Candidates {
			if c.Repo == "ledger" {
				return c
			}
		}
		return routing.Candidate{}
	}
	if c := top(Options{}); len(c.Parts) == 0 || c.Parts[len(c.Parts)-1].Ranker != "filedIn" {
		t.Errorf("ledger %+v: want a filedIn part", c)
	}
	for _, p := range top(Options{IgnoreFiledIn: true}).Parts {
		if p.Ranker == "filedIn" {
			t.Error("an evaluation saw where the ticket was filed")
		}
	}
}

func TestSameInputSameBytes(t *testing.T) {
	t.Parallel()
	e, s := newEngine(t, Options{}), snapshot(t)
	encode := func() string {
		d, err := e.Route(t.Context(), routing.Ticket{Title: "refund twice on the basket page of the card"}, s)
		if err != nil {
			t.Error(err)
		}
		d.TookMs = 0
		b, err := json.Marshal(d)
		if err != nil {
			t.Error(err)
		}
		return string(b)
	}
	want := encode()
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				if got := encode(); got != want {
					t.Errorf("two runs differ:\n%s\n%s", want, got)
					return
				}
			}
		})
	}
	wait.Wait()
}

// The contract pointsman.decision/v1: every key is there, lists are never null.
func TestDecisionJSONHasEveryKey(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"a refund reaches the card of the traveller twice", "zzz", "\x00"} {
		b, err := json.Marshal(route(t, newEngine(t, Options{}), title, ""))
		if err != nil {
			t.Fatal(err)
		}
		var d map[string]any
		if err := json.Unmarshal(b, &d); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "null") {
			t.Errorf("%q: null in %s", title, b)
		}
		for _, key := range strings.Fields("schema ticket verdict candidates spans ambiguities confidence coverage keywords warnings asOf tookMs") {
			if _, ok := d[key]; !ok {
				t.Errorf("%q: no key %q in %s", title, key, b)
			}
		}
	}
}

func TestHostileTextRoutes(t *testing.T) {
	t.Parallel()
	e := newEngine(t, Options{})
	for name, text := range map[string]string{
		"empty": "", "NUL": "refund\x00twice", "200 kB": strings.Repeat("refund of the card ", 11_000),
		"one word of 200 kB": strings.Repeat("x", 200_000), "Japanese": "予約詳細画面の日付が間違っています", "bidi": "\u202eecnavda\u2066",
		"HTML": "<script>alert(1)</script> @acme/payments --> refund", "invalid": "\xff\xfe\xfd",
	} {
		d := route(t, e, text, text)
		if d.Schema != routing.DecisionSchema || d.Verdict == "" {
			t.Errorf("%s: decision %+v", name, d)
		}
	}
}

func TestNewRefusesNonsense(t *testing.T) {
	t.Parallel()
	if _, err := New(Options{Keep: -1}); err == nil || !strings.Contains(err.Error(), "routing.keep") {
		t.Errorf("keep -1: %v", err)
	}
	if _, err := New(Options{Weights: []byte("{}")}); err == nil || !strings.Contains(err.Error(), "reading weights") {
		t.Errorf("empty weights: %v", err)
	}
}

func TestCoverageNeedsNoTicket(t *testing.T) {
	t.Parallel()
	rows, err := newEngine(t, Options{}).Coverage(t.Context(), snapshot(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Ranker == "code" && (r.Can != 2 || r.Of != 3 || !r.Fused || r.Why[0] != "it has no commits") {
			t.Errorf("code %+v", r)
		}
	}
}

func TestCancelledContextEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newEngine(t, Options{}).Route(ctx, routing.Ticket{Title: "refund"}, snapshot(t)); err == nil {
		t.Error("no error from a cancelled context")
	}
}

// TestBareEntries holds that entries which the registry's points always miss are
// warned of, once, and that the warning says when they silence the registry.
func TestBareEntries(t *testing.T) {
	t.Parallel()
	repos := func(bare int) []routing.Repo {
		list := []routing.Repo{{Name: "till", Owns: []string{"receipt"}, Description: "Prints receipts of the till"}}
		for i := range bare {
			list = append(list, routing.Repo{Name: "bare" + string(rune('a'+i)), Description: "Counts boxes", Languages: []string{"Go"}})
		}
		return list
	}
	for name, tc := range map[string]struct {
		repos []routing.Repo
		hash  string
		title string
		want  string
	}{
		"all are whole": {repos(0), "sha256:feed", "the receipt is printed twice", ""},
		"one is bare": {
			repos(1), "sha256:feed", "the receipt is printed twice",
			"the registry annotates only, its points move nobody, because 1 of 2 entries has neither owns nor another routing field (barea); add the words its tickets use with pointsman edit",
		},
		"many are": {
			repos(7), "sha256:feed", "the receipt is printed twice",
			"the registry annotates only, its points move nobody, because 7 of 8 entries have neither owns nor another routing field (barea, bareb, barec, bared, baree, and more); add the words their tickets use with pointsman edit",
		},
		"all are": {
			repos(2)[1:], "sha256:feed", "boxes are counted twice",
			"owns is empty and no other routing field set in 2 of 2 entries (barea, bareb): the registry misses them; add the words their tickets use with pointsman edit",
		},
		"without a registry": {repos(1), "", "the receipt is printed twice", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := newEngine(t, Options{}).Route(t.Context(), routing.Ticket{Title: tc.title}, Snapshot{Repos: tc.repos, RegistryHash: tc.hash})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, w := range d.Warnings {
				if strings.Contains(w, "owns") {
					got = append(got, w)
				}
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}
