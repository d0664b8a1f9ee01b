package decide

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/fuse"
)

// input is a plain case: the repositories with their fused scores, best first.
func input(scores ...fuse.Scored) Input {
	in := Input{
		Keep: 5, Useful: 10, Strength: 1,
		Weights: fuse.Weights{FiledIn: 0.5, TieBand: 0.1, Plausible: 0.5, Floor: 0.1, Span: 0.9},
		Fused:   fuse.Fused{Scored: scores, Coverage: []routing.Coverage{}},
		Separate: func([]string) (map[string]float64, error) {
			return nil, errors.New("nobody asked for siblings")
		},
	}
	for _, s := range scores {
		in.Repos = append(in.Repos, routing.Repo{Name: s.Repo})
	}
	return in
}

func scored(repo string, score float64) fuse.Scored {
	return fuse.Scored{Repo: repo, Score: score, Seen: true, Parts: []routing.Part{{Ranker: "code", Rank: 1, Score: score, Weight: 1, Contribution: score}}}
}

// apart makes Separate answer with fixed values.
func apart(values map[string]float64) func([]string) (map[string]float64, error) {
	return func([]string) (map[string]float64, error) { return values, nil }
}

func siblings(in *Input, a, b string, tell ...routing.Tell) {
	for i := range in.Repos {
		if in.Repos[i].Name == a {
			in.Repos[i].Siblings = append(in.Repos[i].Siblings, routing.Sibling{Repo: b, Relation: "replaces", Tell: tell})
		}
	}
}

func decideOn(t *testing.T, in Input) routing.Decision {
	t.Helper()
	d, err := Decide(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range d.Candidates {
		sum := 0.0
		for _, p := range c.Parts {
			sum += p.Contribution
		}
		if diff := sum - c.Score; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("%s scores %v, its parts add up to %v", c.Repo, c.Score, sum)
		}
	}
	return d
}

// ranks reads "1 a, 1 b, 3 c".
func ranks(d routing.Decision) map[string]int {
	m := map[string]int{}
	for _, c := range d.Candidates {
		m[c.Repo] = c.Rank
	}
	return m
}

func TestRanksAreSharedOnTies(t *testing.T) {
	t.Parallel()
	d := decideOn(t, input(scored("a", 0.9), scored("b", 0.9), scored("c", 0.5), scored("d", 0)))
	if diff := cmp.Diff(map[string]int{"a": 1, "b": 1, "c": 3}, ranks(d)); diff != "" {
		t.Errorf("ranks (-want +got):\n%s", diff)
	}
	if d.Verdict != routing.VerdictRoute || len(d.Ambiguities) != 0 {
		t.Errorf("verdict %s, ambiguities %v", d.Verdict, d.Ambiguities)
	}
}

func TestKeepCuts(t *testing.T) {
	t.Parallel()
	in := input(scored("a", 0.9), scored("b", 0.8), scored("c", 0.7))
	in.Keep = 2
	if d := decideOn(t, in); len(d.Candidates) != 2 {
		t.Errorf("%d candidates, want 2", len(d.Candidates))
	}
	in.Tail = true
	if d := decideOn(t, in); len(d.Candidates) != 3 {
		t.Errorf("%d candidates with the tail, want 3", len(d.Candidates))
	}
}

func TestUnwinnableTieSharesTheRank(t *testing.T) {
	t.Parallel()
	in := input(scored("old-desk", 0.9), scored("other", 0.8), scored("new-desk", 0.7), scored("tail", 0.1))
	siblings(&in, "new-desk", "old-desk", routing.Tell{Ask: "Which address do you log in at?", Matches: routing.Match{Hosts: []string{"desk.example"}}})
	in.Separate = apart(map[string]float64{"old-desk": 0.50, "new-desk": 0.45})
	d := decideOn(t, in)
	if diff := cmp.Diff(map[string]int{"new-desk": 1, "old-desk": 1, "other": 3, "tail": 4}, ranks(d)); diff != "" {
		t.Errorf("ranks (-want +got):\n%s", diff)
	}
	if d.Candidates[0].Repo != "new-desk" {
		t.Errorf("tied members stand in order of name, got %s first", d.Candidates[0].Repo)
	}
	if len(d.Ambiguities) != 1 {
		t.Fatalf("ambiguities %+v, want one", d.Ambiguities)
	}
	a := d.Ambiguities[0]
	if diff := cmp.Diff([]string{"new-desk", "old-desk"}, a.Repos); diff != "" {
		t.Errorf("repos (-want +got):\n%s", diff)
	}
	if a.Ask != "Which address do you log in at?" || !strings.Contains(a.Reason, "cannot tell new-desk and old-desk apart") || a.Group != "new-desk+old-desk" {
		t.Errorf("ambiguity %+v", a)
	}
	if len(d.Spans) != 0 {
		t.Errorf("spans %v: which member is needed is not known", d.Spans)
	}
}

func TestTellRuleBreaksTheTie(t *testing.T) {
	t.Parallel()
	tell := routing.Tell{Ask: "Which address?", Matches: routing.Match{
		Hosts: []string{"desk.example"}, Words: []string{"blue page"}, Labels: []string{"new"}, Components: []string{"Desk"}, Environment: []string{"eu-2"},
	}}
	for name, ticket := range map[string]routing.Ticket{
		"host":        {Body: "I was at https://desk.example/login"},
		"words":       {Title: "The Blue Page is empty"},
		"label":       {Labels: []string{"NEW"}},
		"component":   {Components: []string{"desk"}},
		"environment": {Environment: "prod EU-2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := input(scored("old-desk", 0.9), scored("new-desk", 0.7))
			siblings(&in, "new-desk", "old-desk", tell)
			in.Separate = apart(map[string]float64{"old-desk": 0.5, "new-desk": 0.5})
			in.Ticket = ticket
			d := decideOn(t, in)
			if diff := cmp.Diff(map[string]int{"new-desk": 1, "old-desk": 2}, ranks(d)); diff != "" {
				t.Errorf("ranks (-want +got):\n%s", diff)
			}
			if len(d.Ambiguities) != 0 || !strings.Contains(d.Candidates[0].Reasons[0], "told from its siblings by") {
				t.Errorf("ambiguities %v, reasons %v", d.Ambiguities, d.Candidates[0].Reasons)
			}
		})
	}
}

// A rule that names one of three says nothing about the other two.
func TestTellRuleLeavesTheOthersTied(t *testing.T) {
	t.Parallel()
	in := input(scored("aa", 0.9), scored("bb", 0.8), scored("cc", 0.7))
	siblings(&in, "bb", "aa", routing.Tell{Matches: routing.Match{Hosts: []string{"b.example"}}})
	siblings(&in, "bb", "cc")
	in.Ticket = routing.Ticket{Body: "at b.example"}
	in.Separate = apart(map[string]float64{"aa": 0.5, "bb": 0.5, "cc": 0.5})
	d := decideOn(t, in)
	if diff := cmp.Diff(map[string]int{"bb": 1, "aa": 2, "cc": 2}, ranks(d)); diff != "" {
		t.Errorf("ranks (-want +got):\n%s", diff)
	}
	if len(d.Ambiguities) != 1 || !slices.Equal(d.Ambiguities[0].Repos, []string{"aa", "cc"}) {
		t.Errorf("ambiguities %+v, want aa and cc", d.Ambiguities)
	}
}

// What tells siblings apart was declared by people; a stray word was not.
func TestTellRuleBeatsUnsharedEvidence(t *testing.T) {
	t.Parallel()
	in := input(scored("aa", 0.9), scored("bb", 0.7))
	siblings(&in, "bb", "aa", routing.Tell{Matches: routing.Match{Hosts: []string{"b.example"}}})
	in.Ticket = routing.Ticket{Body: "at b.example"}
	in.Separate = apart(map[string]float64{"aa": 0.5, "bb": 0.1})
	d := decideOn(t, in)
	if d.Candidates[0].Repo != "bb" || !strings.Contains(d.Candidates[0].Reasons[0], "b.example") {
		t.Errorf("candidates %+v", d.Candidates)
	}
}

func TestTellKnowsAliases(t *testing.T) {
	t.Parallel()
	in := input(scored("aa", 0.9), scored("bb", 0.7))
	in.Repos[0].Aliases = []string{"old-aa"}
	siblings(&in, "bb", "old-aa", routing.Tell{Ask: "Which page?", Matches: routing.Match{Words: []string{"blue"}}})
	in.Separate = apart(map[string]float64{"aa": 0.5, "bb": 0.5})
	if d := decideOn(t, in); len(d.Ambiguities) != 1 || d.Ambiguities[0].Ask != "Which page?" {
		t.Errorf("ambiguities %+v", d.Ambiguities)
	}
	in.Ticket.Title = "the blue one"
	if d := decideOn(t, in); d.Candidates[0].Repo != "bb" || len(d.Ambiguities) != 0 {
		t.Errorf("candidates %+v", d.Candidates)
	}
}

func TestHostsAreWhole(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"see https://books.example.com/login": true,
		"at books.example.com.":               true,
		"(books.example.com)":                 true,
		"books.example.com:8443":              true,
		"https://new-books.example.com":       false,
		"eu.books.example.com":                false,
		"books.example.com.au":                false,
		"mybooks.example.com":                 false,
	} {
		if got := host(text, "books.example.com"); got != want {
			t.Errorf("host(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestTellRulesThatDisagreeTellNothing(t *testing.T) {
	t.Parallel()
	in := input(scored("a", 0.9), scored("b", 0.9))
	siblings(&in, "a", "b", routing.Tell{Matches: routing.Match{Words: []string{"red"}}})
	siblings(&in, "b", "a", routing.Tell{Matches: routing.Match{Words: []string{"blue"}}})
	in.Separate = apart(map[string]float64{"a": 0, "b": 0})
	in.Ticket = routing.Ticket{Title: "red and blue"}
	if d := decideOn(t, in); len(d.Ambiguities) != 1 {
		t.Errorf("ambiguities %v, want the tie", d.Ambiguities)
	}
	in.Ticket = routing.Ticket{Title: "redder and bluer"} // not the words
	if d := decideOn(t, in); len(d.Ambiguities) != 1 {
		t.Errorf("ambiguities %v, want the tie", d.Ambiguities)
	}
}

func TestUnsharedEvidenceOrdersSiblings(t *testing.T) {
	t.Parallel()
	in := input(scored("a", 0.9), scored("b", 0.8))
	siblings(&in, "a", "b")
	in.Separate = apart(map[string]float64{"a": 0.5, "b": 0.3})
	d := decideOn(t, in)
	if diff := cmp.Diff(map[string]int{"a": 1, "b": 2}, ranks(d)); diff != "" || len(d.Ambiguities) != 0 {
		t.Errorf("ambiguities %v, ranks (-want +got):\n%s", d.Ambiguities, diff)
	}
}

func TestImplausibleSiblingsAreNotAsked(t *testing.T) {
	t.Parallel()
	in := input(scored("a", 0.9), scored("b", 0.2))
	siblings(&in, "a", "b") // Separate fails the test when it is called
	if d := decideOn(t, in); len(d.Ambiguities) != 0 {
		t.Errorf("ambiguities %v", d.Ambiguities)
	}
}

// A group larger than the list: nobody may be cut off by name.
func TestTieReachesBeyondKeep(t *testing.T) {
	t.Parallel()
	var all []fuse.Scored
	values := map[string]float64{}
	for _, n := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		all = append(all, scored(n, 0.9))
		values[n] = 0.4
	}
	in := input(all...)
	for _, n := range []string{"b", "c", "d", "e", "f", "g"} {
		siblings(&in, n, "a")
	}
	in.Separate = apart(values)
	d := decideOn(t, in)
	if len(d.Candidates) != 7 || len(d.Ambiguities) != 1 || len(d.Ambiguities[0].Repos) != 7 {
		t.Errorf("%d candidates, ambiguities %v; want all 7 in one tie", len(d.Candidates), d.Ambiguities)
	}
}

func TestFiledInIsAPartOfItsOwn(t *testing.T) {
	t.Parallel()
	in := input(scored("a", 0.9), scored("b", 0.6))
	in.Repos[1].FiledIn = []string{"DESK"}
	in.Ticket.FiledIn = "desk"
	d := decideOn(t, in)
	if d.Candidates[0].Repo != "b" || !slices.ContainsFunc(d.Candidates[0].Parts, func(p routing.Part) bool { return p.Ranker == "filedIn" && p.Contribution == 0.5 }) {
		t.Errorf("candidates %+v", d.Candidates)
	}
	if !strings.Contains(strings.Join(d.Candidates[0].Reasons, " "), "filed in desk") {
		t.Errorf("reasons %v", d.Candidates[0].Reasons)
	}
}

func TestNothingToRouteTo(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Input){
		"no repository":   func(in *Input) { in.Repos, in.Fused.Scored = nil, nil },
		"no evidence":     func(in *Input) { in.Fused.Scored = []fuse.Scored{scored("a", 0)} },
		"below the floor": func(in *Input) { in.Strength = 0.05 },
		"no words":        func(in *Input) { in.Useful, in.Fused.Scored = 0, nil },
	} {
		in := input(scored("a", 0.9))
		change(&in)
		d := decideOn(t, in)
		if d.Verdict != routing.VerdictNone || len(d.Candidates) != 0 || len(d.Warnings) == 0 {
			t.Errorf("%s: verdict %s, %d candidates, warnings %v", name, d.Verdict, len(d.Candidates), d.Warnings)
		}
	}
}

func TestThinEvidenceIsSaid(t *testing.T) {
	t.Parallel()
	in := input(scored("a", 0.9))
	in.Weights.Weak = 0.2
	for strength, want := range map[float64]int{0.15: 1, 0.25: 0, 0: 0} { // 0: nobody could say
		in.Strength, in.Weights.Floor = strength, 0
		if d := decideOn(t, in); len(d.Warnings) != want || d.Verdict != routing.VerdictRoute {
			t.Errorf("strength %v: warnings %v, want %d", strength, d.Warnings, want)
		}
	}
}

func TestShortTicketAsks(t *testing.T) {
	t.Parallel()
	in := input(scored("a", 0.9))
	in.Useful = 4
	d := decideOn(t, in)
	if d.Verdict != routing.VerdictAsk || len(d.Candidates) != 1 || !strings.Contains(strings.Join(d.Warnings, " "), "low confidence") {
		t.Errorf("verdict %s, candidates %v, warnings %v", d.Verdict, d.Candidates, d.Warnings)
	}
}

func TestAbsentAndLastReadDifferently(t *testing.T) {
	t.Parallel()
	in := input(scored("a", 0.9))
	in.Rankings = []routing.Ranking{
		{Ranker: "description", CanRank: []string{"a"}},
		{Ranker: "registry", Missing: []routing.Missing{{Repo: "a", Why: "no routing field in its entry"}}},
	}
	want := []string{"the description found nothing for it", "not seen by the registry's routing fields: no routing field in its entry"}
	if diff := cmp.Diff(want, decideOn(t, in).Candidates[0].Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestSpansNameThoseThatStandAlone(t *testing.T) {
	t.Parallel()
	d := decideOn(t, input(scored("a", 0.9), scored("b", 0.85), scored("c", 0.5)))
	if diff := cmp.Diff([]string{"a", "b"}, d.Spans); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}

func TestSiblingsAreNotNeededTogether(t *testing.T) {
	t.Parallel()
	in := input(scored("a", 0.9), scored("b", 0.88), scored("c", 0.87))
	siblings(&in, "a", "b")
	in.Separate = apart(map[string]float64{"a": 0.5, "b": 0.1})
	if diff := cmp.Diff([]string{"a", "c"}, decideOn(t, in).Spans); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}

func TestRegistryThatDisagreesIsSaid(t *testing.T) {
	t.Parallel()
	in := input(scored("a", 0.9), scored("b", 0.5))
	in.Rankings = []routing.Ranking{{Ranker: "registry", CanRank: []string{"a", "b"}, Hits: []routing.Hit{{Repo: "b", Score: 4}}}}
	if d := decideOn(t, in); !strings.Contains(strings.Join(d.Warnings, " "), "would put b first, which the score ratio is about; all evidence together puts a first") {
		t.Errorf("warnings %v", d.Warnings)
	}
	in.Rankings[0].Hits = append(in.Rankings[0].Hits, routing.Hit{Repo: "a", Score: 4}) // as many points
	if d := decideOn(t, in); len(d.Warnings) != 0 {
		t.Errorf("warnings %v, want none on equal points", d.Warnings)
	}
	in.Rankings[0].Hits = []routing.Hit{{Repo: "a", Score: 4}}
	if d := decideOn(t, in); len(d.Warnings) != 0 {
		t.Errorf("warnings %v, want none", d.Warnings)
	}
}

// What names a repository outright is said before what merely weighs more.
func TestReasonsLeadWithWhatNamesIt(t *testing.T) {
	t.Parallel()
	a := scored("a", 0.9)
	a.Parts = append(a.Parts, routing.Part{Ranker: "registry", Contribution: 0, Points: []routing.Point{{Rule: "endpoint", Points: 4}}})
	in := input(a)
	in.Rankings = []routing.Ranking{
		{Ranker: "code", Hits: []routing.Hit{{Repo: "a", Score: 1, Reasons: []string{"its code"}}}},
		{Ranker: "registry", Hits: []routing.Hit{{Repo: "a", Score: 1, Reasons: []string{"its endpoint"}}}},
	}
	if diff := cmp.Diff([]string{"its endpoint", "its code"}, decideOn(t, in).Candidates[0].Reasons); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}
