package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/gold"
)

// decided is a result with the candidates "1a 2b 2c" and the like.
func decided(n int, verdict routing.Verdict, took float64, places string, ties ...routing.Ambiguity) Result {
	p := ticket("acme/web", n)
	d := routing.Decision{
		Verdict: verdict, TookMs: took, Ambiguities: ties, Warnings: []string{"descriptions are drafts"},
		Ticket:   routing.TicketName{Key: p.Key, Title: p.Event.Ticket.Title, URL: "https://github.example/acme/web/issues/1"},
		Coverage: []routing.Coverage{{Ranker: "code", Can: 3, Of: 4, Fused: true, Missing: []string{"e"}, Why: []string{"empty"}}},
		AsOf:     routing.AsOf{Registry: "sha256:1"},
	}
	for _, f := range strings.Fields(places) {
		d.Candidates = append(d.Candidates, routing.Candidate{Rank: int(f[0] - '0'), Repo: f[1:]})
	}
	return Result{Key: p.Key, Ticket: p.Event.Ticket, Decision: d}
}

// sample is worked out by hand below.
//
//	1  route  1a 2b 3c 4d        a first; a b c among three
//	2  route  1a 2b              a first; a b
//	3  route  1b 1c 3d 3e        b and c half each first; b c whole, d and e half each among three
//	4  ask    1d                 not counted
//	5  none                      not counted
func sample() []Result {
	tie := routing.Ambiguity{Group: "b+c", Repos: []string{"b", "c"}}
	list := []Result{
		decided(1, routing.VerdictRoute, 4, "1a 2b 3c 4d"),
		decided(2, routing.VerdictRoute, 1, "1a 2b"),
		decided(3, routing.VerdictRoute, 100, "1b 1c 3d 3e", tie),
		decided(4, routing.VerdictAsk, 2, "1d"),
		decided(5, routing.VerdictNone, 3, ""),
		{Key: "acme/web#6", Ignored: "a pull request, not an issue"},
		{Key: "acme/web#7", Err: errors.New("no\nidea")},
	}
	list[1].Known = true
	return list
}

func TestFiguresByHand(t *testing.T) {
	t.Parallel()
	got := Summarise(About{Source: "github", Places: []string{"acme/web"}, Last: 9}, sample(), errors.New("stop"), nil)
	want := Report{
		Schema: Schema, About: About{Source: "github", Places: []string{"acme/web"}, Last: 9},
		N: 5, Known: 1, Stopped: "stop", Oldest: "2026-05-01T09:00:00Z", Newest: "2026-05-01T13:00:00Z",
		Verdicts: map[string]int{"route": 3, "ask": 1, "none": 1},
		Repos: []RepoRow{
			{Repo: "a", First: 2, Top3: 2, Share: 2.0 / 3},
			{Repo: "b", First: 0.5, Top3: 3, Share: 0.5 / 3},
			{Repo: "c", First: 0.5, Top3: 2, Share: 0.5 / 3},
			{Repo: "d", Top3: 0.5},
			{Repo: "e", Top3: 0.5},
		},
		Null:     Null{Repo: "a", Share: 2.0 / 3, N: 3},
		Ties:     Ties{N: 1, Groups: []Group{{Group: "b+c", Repos: []string{"b", "c"}, N: 1}}},
		Ask:      []Example{{Key: "acme/web#4", Title: "ticket 4", URL: "https://github.example/acme/web/issues/1"}},
		None:     []Example{{Key: "acme/web#5", Title: "ticket 5", URL: "https://github.example/acme/web/issues/1"}},
		Coverage: []routing.Coverage{{Ranker: "code", Can: 3, Of: 4, Fused: true, Missing: []string{"e"}, Why: []string{"empty"}}},
		Timing:   Timing{MedianMs: 3, P95Ms: 100},
		Ignored:  []Reason{{Why: "a pull request, not an issue", N: 1}},
		Failed:   []Failed{{Key: "acme/web#7", Why: "no idea"}},
		Warnings: []Reason{{Why: "descriptions are drafts", N: 5}},
		AsOf:     routing.AsOf{Registry: "sha256:1"},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(Report{}, "Tickets"), cmpopts.EquateApprox(0, 1e-12)); d != "" {
		t.Errorf("report (-want +got):\n%s", d)
	}
	row := Row{
		Key: "acme/web#3", Title: "ticket 3", URL: "https://github.example/acme/web/issues/1", Created: "2026-05-01T11:00:00Z",
		Verdict: routing.VerdictRoute, Answer: []Place{{1, "b"}, {1, "c"}, {3, "d"}, {3, "e"}}, Ties: []string{"b+c"}, TookMs: 100,
	}
	if d := cmp.Diff(row, got.Tickets[2]); d != "" || len(got.Tickets) != 5 {
		t.Errorf("%d rows, the third (-want +got):\n%s", len(got.Tickets), d)
	}
	if text := answerText(got.Tickets[2]); text != "1= b, 1= c, 3= d, 3= e" {
		t.Errorf("the answer reads %q", text)
	}
}

// Against gold by hand: 1 is right (a), 2 is second (b), 3 straddles: d is half
// among three, 4's a is nowhere; 9 was not replayed. a is right twice, b and d once:
// null is a b d.
func TestGoldByHand(t *testing.T) {
	t.Parallel()
	cases := []gold.Case{
		{ID: "acme/web#1", Repos: []string{"a"}},
		{ID: "acme/web#2", Repos: []string{"b"}},
		{ID: "acme/web#3", Repos: []string{"d"}},
		{ID: "acme/web#4", Repos: []string{"a"}},
		{ID: "acme/web#9", Repos: []string{"a"}},
	}
	got := Summarise(About{}, sample(), nil, cases).Gold
	want := &Gold{N: 4, Unmatched: 1, Top1: 1.0 / 4, Top3: 2.5 / 4, NullTop1: 2.0 / 4, NullTop3: 1, Null: []string{"a", "b", "d"}}
	if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12)); d != "" {
		t.Errorf("gold (-want +got):\n%s", d)
	}
	if d := cmp.Diff(&Gold{Unmatched: 5, Null: []string{}}, Summarise(About{}, nil, nil, cases).Gold); d != "" {
		t.Errorf("nothing replayed (-want +got):\n%s", d)
	}
}

// Lists are lists in JSON, also when they are empty.
func TestNothingIsNull(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(Summarise(About{Places: []string{"a"}}, nil, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	if nulls := regexp.MustCompile(`"(\w+)":null`).FindAllStringSubmatch(string(text), -1); len(nulls) != 1 || nulls[0][1] != "gold" {
		t.Errorf("null are %v in %s", nulls, text)
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	list := sample()
	list[0].Decision.Ticket.Title = `<script>alert("x")</script>`
	list[1].Decision.Ticket.URL = "javascript:alert(1)"
	var out bytes.Buffer
	cases := []gold.Case{{ID: "acme/web#1", Repos: []string{"a"}}}
	if err := WritePage(&out, Summarise(About{Source: "github", Places: []string{"acme/web"}}, list, errors.New("the disk is full"), cases)); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, want := range []string{
		"<b>5</b>tickets decided", "&lt;script&gt;alert", "Always answering a would", "67 %", "b, c", "1= b, 1= c, 3= d, 3= e",
		"the disk is full", "width: 66.7%", "acme/web#7 failed: no idea", "null: always a", "3 of 4",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not hold %q", want)
		}
	}
	for _, never := range []string{"<script", `"javascript:`, "<img", "<link", "url(", "@import", "src="} {
		if strings.Contains(page, never) {
			t.Errorf("the page holds %q", never)
		}
	}
	out.Reset()
	if err := WritePage(&out, Summarise(About{}, nil, nil, nil)); err != nil {
		t.Errorf("an empty report: %v", err)
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sorted   []float64
		percent  int
		quantile float64
	}{
		{[]float64{1}, 50, 1},
		{[]float64{1}, 95, 1},
		{[]float64{1, 2}, 50, 1},
		{[]float64{1, 2, 3}, 50, 2},
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, 95, 19},
	} {
		if got := quantile(c.sorted, c.percent); got != c.quantile {
			t.Errorf("quantile(%v, %d) = %v, want %v", c.sorted, c.percent, got, c.quantile)
		}
	}
}
