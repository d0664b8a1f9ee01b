package rank

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/index"
)

// segment builds an index of path, text, path, text, ...
func segment(tb testing.TB, repo string, files ...string) *index.Segment {
	tb.Helper()
	b := index.NewBuilder(index.Identity{Repo: repo, Branch: "main", Commit: strings.Repeat("ab", 20)})
	for i := 0; i < len(files); i += 2 {
		b.Add(routing.Document{Path: files[i], Text: []byte(files[i+1])})
	}
	b.Fail(routing.Failure{Path: files[0], Why: "half of it is missing"})
	var buf bytes.Buffer
	if _, err := b.WriteTo(&buf); err != nil {
		tb.Fatal(err)
	}
	file := filepath.Join(tb.TempDir(), "segment")
	if err := os.WriteFile(file, buf.Bytes(), 0o600); err != nil {
		tb.Fatal(err)
	}
	s, err := index.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func ticket(title, body string) routing.Ticket { return routing.Ticket{Title: title, Body: body} }

func rankBy(t *testing.T, r routing.Ranker, tk routing.Ticket, repos ...routing.Repo) routing.Ranking {
	t.Helper()
	got, err := r.Rank(t.Context(), tk, repos)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func order(r routing.Ranking) []string {
	var names []string
	for _, h := range r.Hits {
		names = append(names, h.Repo)
	}
	return names
}

func equalViews() []ViewWeight {
	return []ViewWeight{{ViewBest, 1}, {ViewDocument, 1}, {ViewTop, 1}, {ViewVote, 1}}
}

func TestQueryWeighsTitleAndTemplates(t *testing.T) {
	t.Parallel()
	terms := NewQueries().Of(ticket("Refund fails", "Steps to reproduce: the refund of the PDFInvoice is late"))
	got := map[string]float64{}
	words := map[string]string{}
	for _, term := range terms {
		got[term.Stem], words[term.Stem] = term.Weight, term.Word
	}
	for stem, want := range map[string]float64{
		"refund": 1 + math.Log(3+1), // three for the title, one for the body
		"fail":   1 + math.Log(3),
		"late":   1,
		"step":   boilerplateWeight,
	} {
		if math.Abs(got[stem]-want) > 1e-12 {
			t.Errorf("weight of %s is %v, want %v", stem, got[stem], want)
		}
	}
	if _, ok := got["the"]; ok {
		t.Error("a stop word is in the query")
	}
	if words["pdfinvoic"] != "PDFInvoice" || words["pdf"] != "pdf" {
		t.Errorf("words %q, %q: want the compound as the ticket wrote it", words["pdfinvoic"], words["pdf"])
	}
}

func TestUseful(t *testing.T) {
	t.Parallel()
	q := NewQueries()
	for text, want := range map[string]int{
		"":                             0,
		"the a of":                     0,
		"refund refund Refund":         1,
		"HTTPServer fails to start up": 4 - 1, // "up" says nothing
		"予約詳細の日付":                      6,
		"\x00\x01":                     0,
	} {
		if got := q.Useful(ticket(text, "")); got != want {
			t.Errorf("Useful(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestDescriptionMeetsProseWithProse(t *testing.T) {
	t.Parallel()
	pay := routing.Repo{Name: "ledger", Description: "Books payments and refunds for travellers", Owns: []string{"chargeback"}}
	desk := routing.Repo{Name: "desk", Description: "Screens where agents change bookings", DescriptionSource: "generated"}
	bare := routing.Repo{Name: "bare"}
	r := rankBy(t, NewDescription(NewQueries()), ticket("A refunded payment is booked twice", ""), pay, desk, bare)
	if d := cmp.Diff([]string{"ledger", "desk"}, r.CanRank); d != "" {
		t.Errorf("can rank (-want +got):\n%s", d)
	}
	if len(r.Missing) != 1 || r.Missing[0].Repo != "bare" {
		t.Errorf("missing %+v", r.Missing)
	}
	if d := cmp.Diff([]string{"ledger", "desk"}, order(r)); d != "" {
		t.Errorf("order (-want +got):\n%s", d)
	}
	if want := "its description matches refunded, payment and booked"; r.Hits[0].Reasons[0] != want {
		t.Errorf("reason %q, want %q", r.Hits[0].Reasons[0], want)
	}
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "1 of 2 descriptions are drafts") {
		t.Errorf("warnings %v", r.Warnings)
	}
	if want := "its README matches booked"; r.Hits[1].Reasons[0] != want {
		t.Errorf("reason %q, want %q: a draft must not pass for a description", r.Hits[1].Reasons[0], want)
	}
	if r = rankBy(t, NewDescription(NewQueries()), ticket("chargeback", ""), pay, desk); len(r.Hits) != 1 {
		t.Errorf("owns are prose too: hits %+v", r.Hits)
	}
	if r = rankBy(t, NewDescription(NewQueries()), ticket("x", ""), bare); r.Abstained == "" {
		t.Error("with no description at all it must abstain and say why")
	}
}

func TestCodeShowsWhereItMatched(t *testing.T) {
	t.Parallel()
	set := index.NewSet([]*index.Segment{
		segment(t, "pay", "src/refund.go", "func RefundOrder(order Order) error\n"),
		segment(t, "web", "app/page.ts", "render the order page\n"),
	})
	missing := []routing.Missing{{Repo: "void", Why: "it has no commits", Empty: true}}
	code := NewCode(NewQueries(), set, missing, equalViews())
	r := rankBy(t, code, ticket("RefundOrder fails", ""), routing.Repo{Name: "pay"}, routing.Repo{Name: "void"}, routing.Repo{Name: "web"}, routing.Repo{Name: "lost"})
	if d := cmp.Diff([]string{"pay", "web"}, r.CanRank); d != "" {
		t.Errorf("can rank (-want +got):\n%s", d)
	}
	want := []routing.Missing{missing[0], {Repo: "lost", Why: "no code index of it was built"}}
	if d := cmp.Diff(want, r.Missing); d != "" {
		t.Errorf("missing (-want +got):\n%s", d)
	}
	e := r.Hits[0].Evidence[0]
	if e.Repo != "pay" || e.Branch != "main" || e.Commit != strings.Repeat("ab", 20) || e.Path != "src/refund.go" ||
		e.StartLine != 1 || e.EndLine != 1 || e.Generation == "" || e.IndexVersion != index.Version || e.Freshness != routing.FreshCurrent {
		t.Errorf("evidence %+v is not pinned", e)
	}
	if d := cmp.Diff([]string{"half of it is missing"}, e.Failures); d != "" {
		t.Errorf("failures of the shown file (-want +got):\n%s", d)
	}
	if !strings.Contains(r.Hits[0].Reasons[0], "RefundOrder") || !strings.Contains(r.Hits[0].Reasons[0], "src/refund.go:1-1") {
		t.Errorf("reason %q", r.Hits[0].Reasons[0])
	}
	for _, v := range r.Hits[0].Views {
		if v.Score != 1 {
			t.Errorf("view %s of the best is %v, want 1", v.Name, v.Score)
		}
	}
	if r.Strength <= 0 || r.Strength > 1 {
		t.Errorf("strength %v", r.Strength)
	}
}

func TestCodeFindsNothing(t *testing.T) {
	t.Parallel()
	set := index.NewSet([]*index.Segment{segment(t, "pay", "a.go", "refund\n")})
	code := NewCode(NewQueries(), set, nil, equalViews())
	if r := rankBy(t, code, ticket("zzz qqq", ""), routing.Repo{Name: "pay"}); len(r.Hits) != 0 || r.Strength != 0 || r.Abstained != "" {
		t.Errorf("looked and found nothing is a ranking without hits, got %+v", r)
	}
	if r := rankBy(t, NewCode(NewQueries(), nil, nil, equalViews()), ticket("refund", ""), routing.Repo{Name: "pay"}); r.Abstained == "" {
		t.Error("without an index it must abstain and say why")
	}
}

// CORI by hand: two repositories of one chunk each, so cw/mean is 1; "refund" in
// one of two repositories.
func TestDocumentByHand(t *testing.T) {
	t.Parallel()
	set := index.NewSet([]*index.Segment{segment(t, "one", "a.go", "refund\n"), segment(t, "two", "b.go", "order\n")})
	found, err := set.Search(t.Context(), []index.QueryTerm{{Stem: "refund", Weight: 2}})
	if err != nil {
		t.Fatal(err)
	}
	belief := 1.0 / (1 + 50 + 150)
	rare := math.Log(2.5/1) / math.Log(3)
	got := document(found)
	if math.Abs(got[0]-2*belief*rare) > 1e-12 || got[1] != 0 {
		t.Errorf("document view %v, want %v and 0", got, 2*belief*rare)
	}
}

func TestDecayedByHand(t *testing.T) {
	t.Parallel()
	found := index.Result{Repos: []index.RepoHits{{Top: []index.ChunkHit{{Score: 8}, {Score: 4}, {Score: 4}}}, {}}}
	if d := cmp.Diff([]float64{8 + 2 + 1, 0}, decayed(found)); d != "" {
		t.Errorf("decayed sum (-want +got):\n%s", d)
	}
}

func TestVoteCountsTheBestOfAll(t *testing.T) {
	t.Parallel()
	var many []index.ChunkHit
	for range index.Depth {
		many = append(many, index.ChunkHit{Score: 1})
	}
	found := index.Result{Repos: []index.RepoHits{{Top: many}, {Top: []index.ChunkHit{{Score: 9}}}}}
	if d := cmp.Diff([]float64{index.Depth - 1, 9}, vote(found)); d != "" {
		t.Errorf("votes (-want +got):\n%s", d)
	}
}

func TestSiblingsShareAlmostEverything(t *testing.T) {
	t.Parallel()
	shared := strings.Repeat("reservation detail screen shows the date\n", 20)
	set := index.NewSet([]*index.Segment{
		segment(t, "new", "detail.ts", shared, "voucher.ts", "print a voucher barcode\n"),
		segment(t, "old", "detail.ts", shared, "fax.ts", "send the reservation by fax\n"),
		segment(t, "other", "x.ts", "nothing alike\n"),
	})
	sep := Separator{Queries: NewQueries(), Set: set, Code: 0.8, Description: 0.2}
	members := []routing.Repo{{Name: "new", Description: "The booking desk"}, {Name: "old", Description: "The booking desk before"}}
	diff := func(title string) float64 {
		t.Helper()
		got, err := sep.Apart(t.Context(), ticket(title, ""), members, nil)
		if err != nil {
			t.Fatal(err)
		}
		return got["new"] - got["old"]
	}
	if d := diff("the date is wrong on the detail screen"); math.Abs(d) > 0.05 {
		t.Errorf("shared words separate siblings by %v", d)
	}
	if d := diff("the voucher barcode does not print"); d < 0.1 {
		t.Errorf("words of one sibling separate by only %v", d)
	}
	if d := diff("fax is broken"); d > -0.1 {
		t.Errorf("words of the other sibling separate by only %v", d)
	}
}

// Siblings that differ in size and in their titles only: nothing of that may
// order them.
func TestSizeNeverOrdersSiblings(t *testing.T) {
	t.Parallel()
	shared := strings.Repeat("the thermometer of the greenhouse reads the climate\n", 30)
	filler := strings.Repeat("valve pump pipe\n", 400)
	set := index.NewSet([]*index.Segment{
		segment(t, "aa", "README.md", "# aa\n\nThermometers and climate of the greenhouse.\n", "src/t.py", shared),
		segment(t, "bb", "README.md", "# bb\n\nThermometers and climate of the greenhouse.\n", "src/t.py", shared, "src/u.py", filler),
		segment(t, "other", "x.ts", "nothing alike\n"),
	})
	sep := Separator{Queries: NewQueries(), Set: set, Code: 0.8, Description: 0.05}
	members := []routing.Repo{{Name: "aa", Description: "x"}, {Name: "bb", Description: "x"}}
	got, err := sep.Apart(t.Context(), ticket("thermometers of the greenhouse show a wrong climate", ""), members, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got["aa"] != got["bb"] {
		t.Errorf("apart %v: size orders siblings", got)
	}
}

// A word that only the name and the README's title of one sibling hold.
func TestNamesNeverOrderSiblings(t *testing.T) {
	t.Parallel()
	shared := strings.Repeat("the invoice of the haulier lists the freight\n", 30)
	set := index.NewSet([]*index.Segment{
		segment(t, "monthly-core", "README.md", "# monthly-core\n\nFreight invoices.\n", "src/t.py", shared),
		segment(t, "x", "README.md", "# x\n\nFreight invoices.\n", "src/t.py", shared),
		segment(t, "other", "x.ts", "nothing alike\n"),
	})
	sep := Separator{Queries: NewQueries(), Set: set, Code: 0.8, Description: 0.05}
	members := []routing.Repo{{Name: "monthly-core", Description: "Invoices"}, {Name: "x", Description: "Invoices"}}
	got, err := sep.Apart(t.Context(), ticket("the monthly freight invoice of the haulier is wrong", ""), members, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got["monthly-core"] != got["x"] {
		t.Errorf("apart %v: a name orders siblings", got)
	}
}

func TestHardRowsOfTheRegistrySeparate(t *testing.T) {
	t.Parallel()
	sep := Separator{Queries: NewQueries(), Code: 1, Description: 1}
	members := []routing.Repo{{Name: "a"}, {Name: "b"}}
	both, own := routing.Point{Rule: "event", Term: "paid", Points: 3}, routing.Point{Rule: "endpoint", Term: "/v2", Points: 4}
	rankings := []routing.Ranking{{Ranker: "registry", Hits: []routing.Hit{
		{Repo: "a", Points: []routing.Point{both, own, {Rule: RuleOwns, Term: "x", Points: 3}}},
		{Repo: "b", Points: []routing.Point{both}},
	}}}
	got, err := sep.Apart(t.Context(), ticket("x", ""), members, rankings)
	if err != nil {
		t.Fatal(err)
	}
	if got["a"] != 0.5 || got["b"] != 0 {
		t.Errorf("apart %v, want a ahead by 0.5 for the endpoint only it has", got)
	}
}
