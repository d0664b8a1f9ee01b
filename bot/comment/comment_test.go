package comment_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot/comment"
	"github.com/pointsman/pointsman/routing"
)

var update = flag.Bool("update", false, "write the golden files")

const (
	commitA = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
	commitB = "9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"
)

func evidence(repo, path string, from, to int) routing.Evidence {
	return routing.Evidence{
		Repo: repo, Branch: "main", Commit: commitA, Generation: commitA, Path: path, StartLine: from, EndLine: to,
		Freshness: routing.FreshCurrent, IndexVersion: "1", Failures: []string{}, Why: "speaks of fare and zone",
	}
}

func candidate(rank int, repo string, reasons ...string) routing.Candidate {
	return routing.Candidate{
		Rank: rank, Repo: repo, Score: 0.9, Reasons: reasons, Notes: []string{"no screen index"},
		Evidence: []routing.Evidence{evidence(repo, "src/fares/zone.go", 10, 42)},
	}
}

func decision(cs ...routing.Candidate) routing.Decision {
	return routing.Decision{
		Schema: routing.DecisionSchema, Verdict: routing.VerdictRoute,
		Ticket:     routing.TicketName{Source: "github", Key: "ferry/helpdesk#12", Title: "Child fare is wrong"},
		Candidates: cs, Spans: []string{}, Ambiguities: []routing.Ambiguity{},
		Confidence: routing.Confidence{Ratio: 47},
		Coverage:   []routing.Coverage{{Ranker: "code", Can: 8, Of: 8, Fused: true, Missing: []string{}, Why: []string{}}},
		Keywords:   []string{"fare", "zone"}, Warnings: []string{},
		AsOf: routing.AsOf{
			Registry:    "sha256:" + strings.Repeat("ab12", 16),
			Generations: map[string]string{"fare-engine": commitA, "booking-web": commitB, "timetable": commitA, "crew-roster": commitB},
			Program:     "0.1.0",
		},
	}
}

// cases are decisions whose comments are kept whole as goldens.
func cases() map[string]routing.Decision {
	sure := decision(
		candidate(1, "fare-engine", "its description speaks of fare, child and zone", "its code speaks of fare and zone (src/fares/zone.go:10-42)"),
		candidate(2, "booking-web", "its code speaks of fare (src/fares/zone.go:10-42)"),
		candidate(3, "timetable", "its description speaks of zone"),
		candidate(4, "crew-roster", "its description speaks of child"),
	)
	sure.Candidates[0].Evidence = append(sure.Candidates[0].Evidence, evidence("fare-engine", "src/fares/child.go", 7, 7))
	sure.Confidence = routing.Confidence{Calibrated: true, Top1: 0.884, Top3: 0.971, N: 240}

	ask := decision(candidate(1, "fare-engine", "its code speaks of fare"))
	ask.Verdict = routing.VerdictAsk
	ask.Warnings = []string{
		"3 of 8 descriptions are drafts from READMEs",
		"low confidence: the ticket has only 2 words to go by; name the service, the page or the action that is affected",
	}

	none := decision()
	none.Verdict = routing.VerdictNone
	none.Confidence = routing.Confidence{}
	none.Warnings = []string{"no repository matches this ticket; add the words it uses to the `owns` or the `description` of the repository it belongs in"}

	spans := decision(candidate(1, "fare-engine", "its code speaks of fare"), candidate(2, "booking-web", "its code speaks of basket"))
	spans.Spans = []string{"fare-engine", "booking-web"}

	low := decision(candidate(1, "fare-engine", "its code speaks of fare"), candidate(2, "booking-web"))
	low.Candidates[1].Notes = []string{"not seen by code search: the repository is empty"}
	low.Candidates[1].Evidence = nil
	low.Coverage = []routing.Coverage{
		{Ranker: "code", Can: 7, Of: 8, Fused: true, Missing: []string{"booking-web"}, Why: []string{"the repository is empty"}},
		{Ranker: "screens", Can: 0, Of: 8, Missing: []string{"fare-engine", "booking-web"}, Why: []string{"no screen index", "no screen index"}},
	}
	low.Warnings = []string{"2 blobs could not be read"}

	chance := decision(candidate(1, "fare-engine", "owns zone and farewell (part of a word)"))
	chance.Confidence = routing.Confidence{Ratio: 100}
	chance.Warnings = []string{
		"the registry knows fare-engine by a part of a word only (owns zone); that it is alone says little",
		"2 blobs could not be read",
	}
	chance.Coverage = []routing.Coverage{
		{Ranker: "registry", Can: 7, Of: 8, Fused: true, Missing: []string{"quay"}, Why: []string{"no entry"}},
		{Ranker: "description", Can: 3, Of: 8, Fused: true, Missing: []string{"quay", "pier", "berth", "mole", "slip"}, Why: []string{"none", "none", "none", "none", "none"}},
	}

	long := decision(candidate(1, "fare-engine", strings.Repeat("a reason that does not end ", 50)))
	long.Candidates[0].Evidence[0].Path = strings.Repeat("deep/", 100) + "zone.go"
	long.Candidates[0].Repo = strings.Repeat("n", 150)

	return map[string]routing.Decision{
		"sure": sure, "ask": ask, "none": none, "spans": spans, "low-coverage": low, "chance": chance, "long": long,
		"siblings": siblings("pier-app-v1", "pier-app-v2"),
		"folded":   siblings("gate-amber", "gate-bergen", "gate-calais", "gate-dover", "gate-essen", "gate-faro", "gate-genoa"),
		"hostile":  hostile(),
	}
}

// siblings is a tie at the first place among repositories that the text cannot tell apart.
func siblings(names ...string) routing.Decision {
	why := "the text cannot tell " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " apart: what it matches stands in each of them"
	var cs []routing.Candidate
	for _, n := range names {
		c := candidate(1, n, "its code speaks of gangway and scanner")
		c.Notes = append(c.Notes, why)
		cs = append(cs, c)
	}
	d := decision(append(cs, candidate(len(names)+1, "booking-web", "its code speaks of scanner"))...)
	for _, n := range names {
		d.AsOf.Generations[n] = commitB
	}
	d.Ambiguities = []routing.Ambiguity{{Group: strings.Join(names, "+"), Repos: names, Reason: why, Ask: "Which app was open on the gangway: the old or the new one?"}}
	return d
}

// hostile puts into every field what a host might act upon.
func hostile() routing.Decision {
	evil := "@ferry/crew ping @captain --> <script>alert(1)</script> <!-- closes #12 ferry/helpdesk#7 GH-9 PROJ-7 " +
		commitA + " [x](https://evil.example) ![p](http://evil.example/p.png) www.evil.example `code` ``` **b** _i_ ~~s~~ | a | " +
		"{code} {noformat} [~captain] !x.png! {color:red} h1. x ---- \\\\ :tada: $x^2$ &lt;b&gt; mailto:a@b.example a@b.example " +
		"\u202eevil\u2066\u0000\x1b[31m\n\n# heading\n- [ ] task\n</details> 日本語 مرحبا\xff"
	d := decision(candidate(1, "evil`@ferry/crew`", evil, evil, evil), candidate(2, evil, evil))
	d.Verdict = routing.VerdictAsk
	d.Ticket.Key, d.Ticket.Title, d.Ticket.URL = "ferry/helpdesk#13", evil, "javascript:alert(1)"
	for i := range d.Candidates {
		c := &d.Candidates[i]
		c.Notes = []string{evil, "own " + evil}
		c.Evidence[0].Path, c.Evidence[0].Symbol, c.Evidence[0].Why = evil, evil, evil
		c.Evidence = append(c.Evidence, c.Evidence[0])
	}
	d.Ambiguities = []routing.Ambiguity{{Group: evil, Repos: []string{evil}, Reason: evil, Ask: evil}}
	d.Spans, d.Warnings, d.Keywords = []string{evil, evil}, []string{evil, evil}, []string{evil}
	d.Coverage = []routing.Coverage{{Ranker: evil, Can: 1, Of: 2, Missing: []string{evil}, Why: []string{evil}}}
	d.AsOf = routing.AsOf{Registry: evil, Program: evil, Generations: map[string]string{evil: evil, "evil`@ferry/crew`": commitA}}
	return d
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for name, d := range cases() {
		for _, system := range []string{comment.GitHub, comment.Jira} {
			t.Run(name+"."+system, func(t *testing.T) {
				t.Parallel()
				got, marker := comment.Render(system, d, comment.Options{})
				if !strings.Contains(got, marker) {
					t.Errorf("the body does not hold its marker %q", marker)
				}
				first, _, _ := strings.Cut(got, "\n")
				if !strings.Contains(first, "Likely repositories") {
					t.Errorf("first line is %q", first)
				}
				golden(t, name+"."+system+".golden", got)
			})
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: run go test -update", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("comment differs (-want +got):\n%s", diff)
	}
}

func TestMarker(t *testing.T) {
	t.Parallel()
	for _, system := range []string{comment.GitHub, comment.Jira} {
		a := comment.Marker(system, "", "ferry/helpdesk#12")
		if b := comment.Marker(system, "", "ferry/helpdesk#12"); a != b {
			t.Errorf("%s: the same ticket has two markers: %q, %q", system, a, b)
		}
		for _, other := range []string{comment.Marker(system, "", "ferry/helpdesk#1"), comment.Marker(system, "acme", "ferry/helpdesk#12")} {
			if a == other {
				t.Errorf("%s: two tickets share the marker %q", system, a)
			}
		}
	}
	// Adapters look for these beginnings when a ticket has moved.
	if m := comment.Marker(comment.GitHub, "", "k"); !strings.HasPrefix(m, "<!-- pointsman:v1 ticket=") {
		t.Errorf("github marker is %q", m)
	}
	if m := comment.Marker(comment.Jira, "", "k"); !strings.HasPrefix(m, "{anchor:pointsman-") {
		t.Errorf("jira marker is %q", m)
	}
}

func TestShow(t *testing.T) {
	t.Parallel()
	d := cases()["sure"]
	for _, tt := range []struct{ show, want int }{{0, 3}, {1, 1}, {2, 2}, {4, 4}, {99, 4}, {-1, 3}} {
		body, _ := comment.Render(comment.GitHub, d, comment.Options{Show: tt.show})
		list, _, _ := strings.Cut(body, "<details>")
		if got := strings.Count(list, "\n- **"); got != tt.want {
			t.Errorf("Show %d: %d places, want %d", tt.show, got, tt.want)
		}
	}
}

// A ratio is said as what it is, and none is none.
func TestRatio(t *testing.T) {
	t.Parallel()
	for ratio, want := range map[int]string{
		0:  "**How sure:** not calibrated yet\n",
		36: "**How sure:** not calibrated yet (registry score ratio 36 of 100, from its points; not a probability)\n",
	} {
		d := decision(candidate(1, "fare-engine"))
		d.Confidence = routing.Confidence{Ratio: ratio}
		if body, _ := comment.Render(comment.GitHub, d, comment.Options{}); !strings.Contains(body, want) {
			t.Errorf("ratio %d: %q is missing from:\n%s", ratio, want, body)
		}
	}
}

// What makes a ratio of 100 worthless is not for the fold; below 100 it is.
func TestChanceIsNotFolded(t *testing.T) {
	t.Parallel()
	d := cases()["chance"]
	const said = "by a part of a word only"
	for ratio, open := range map[int]bool{100: true, 60: false} {
		d.Confidence.Ratio = ratio
		body, _ := comment.Render(comment.GitHub, d, comment.Options{})
		above, below, _ := strings.Cut(body, "<details>")
		if strings.Contains(above, said) != open || strings.Contains(below, said) == open {
			t.Errorf("ratio %d: want it above the fold %v:\n%s", ratio, open, body)
		}
	}
}

func TestTieAcrossTheCutIsShownWhole(t *testing.T) {
	t.Parallel()
	d := decision(candidate(1, "fare-engine"), candidate(2, "pier-app-v1"), candidate(2, "pier-app-v2"))
	body, _ := comment.Render(comment.GitHub, d, comment.Options{Show: 2})
	for _, want := range []string{"- **1.** `fare-engine`", "- **2=** `pier-app-v1`", "- **2=** `pier-app-v2`"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing from:\n%s", want, body)
		}
	}
}
