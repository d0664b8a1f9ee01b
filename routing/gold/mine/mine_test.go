package mine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/gold"
)

// made is a commit as a test tells it, oldest first.
type made struct {
	id      string // becomes the start of the hash
	message string
	files   string // separated by blanks
	day     int
	author  string
	parents string // ids, separated by blanks; "" is the commit before it
	branch  string // "" is the default branch
}

func hash(id string) string { return fmt.Sprintf("%x%s", id, strings.Repeat("0", 40-2*len(id))) }

// tell builds the histories and mines them.
func tell(t *testing.T, o Options, tickets map[string]Ticket, repos map[string][]made) ([]gold.Case, Report) {
	t.Helper()
	var all []routing.Repo
	for name := range repos {
		all = append(all, routing.Repo{Name: name, CloneURL: "https://example.com/shop/" + name + ".git"})
	}
	m := New(o, NamesOf(all), tickets)
	var histories []*History
	for _, r := range all {
		h := m.History(r.Name)
		commits := repos[r.Name]
		for i := len(commits) - 1; i >= 0; i-- {
			h.Add(commitOf(commits, i))
		}
		histories = append(histories, h)
	}
	l := m.Link(histories)
	for _, r := range all {
		for _, wanted := range l.Wanted(r.Name) {
			for _, c := range repos[r.Name] {
				if hash(c.id) == wanted {
					l.Change(r.Name, routing.Change{Commit: wanted, Files: strings.Fields(c.files)})
				}
			}
		}
	}
	return l.Cases()
}

func commitOf(commits []made, i int) routing.Commit {
	c := commits[i]
	at := time.Date(2023, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, c.day)
	k := routing.Commit{
		Hash: hash(c.id), Message: c.message, AuthorName: "Ada", AuthorEmail: "ada@example.com",
		AuthoredAt: at, CommittedAt: at, Branch: c.branch, Default: c.branch == "",
	}
	if c.author != "" {
		k.AuthorName = c.author
	}
	for _, p := range strings.Fields(c.parents) {
		k.Parents = append(k.Parents, hash(p))
	}
	if c.parents == "" && i > 0 {
		k.Parents = []string{hash(commits[i-1].id)}
	}
	return k
}

// answers writes cases as "PAY-1: cart(2) ledger(1)".
func answers(cases []gold.Case) []string {
	list := []string{}
	for _, c := range cases {
		line := c.ID + ":"
		for _, r := range c.Repos {
			line += fmt.Sprintf(" %s(%d)", r, len(c.Commits[r]))
		}
		list = append(list, line)
	}
	return list
}

func TestRules(t *testing.T) {
	t.Parallel()
	pay := Options{Projects: []string{"PAY"}}
	for name, c := range map[string]struct {
		options Options
		repos   map[string][]made
		want    []string
		out     map[string]int
	}{
		"the first key counts": {
			pay, map[string][]made{
				"cart":   {{id: "a", message: "PAY-1 x, after PAY-2", files: "a.go"}},
				"ledger": {{id: "b", message: "PAY-2 y, before PAY-1", files: "b.go", day: 1}},
			}, []string{"PAY-1: cart(1)", "PAY-2: ledger(1)"}, nil,
		},
		"a key is heard before a number": {
			pay,
			map[string][]made{"cart": {{id: "a", message: "Closes #7: PAY-1 x", files: "a.go"}}},
			[]string{"PAY-1: cart(1)"},
			nil,
		},
		"many keys are a list of changes": {
			pay, map[string][]made{"cart": {
				{id: "a", message: "PAY-1 PAY-2 PAY-3 PAY-4", files: "a.go"},
				{id: "b", message: "PAY-5 PAY-6 PAY-7", files: "a.go"},
			}}, []string{"PAY-5: cart(1)"}, map[string]int{MarkMany: 1},
		},
		"only source counts": {
			pay, map[string][]made{
				"cart":   {{id: "a", message: "PAY-1", files: "a.go a_test.go"}, {id: "e", message: "PAY-2", files: "Makefile"}},
				"ledger": {{id: "b", message: "PAY-1", files: "b_test.go"}, {id: "c", message: "PAY-1 docs", files: "docs/x.md"}},
			}, []string{"PAY-1: cart(1)"}, map[string]int{MarkTests: 1, MarkDocs: 1, MarkOther: 1},
		},
		"unless any file does": {
			Options{Projects: []string{"PAY"}, AnyFile: true},
			map[string][]made{"cart": {{id: "a", message: "PAY-2", files: "Makefile"}}},
			[]string{"PAY-2: cart(1)"},
			nil,
		},
		"a mass change is none": {
			Options{Projects: []string{"PAY"}, MaxFiles: 2},
			map[string][]made{"cart": {{id: "a", message: "PAY-1", files: "a.go b.go c.go"}}},
			nil,
			map[string]int{MarkMass: 1},
		},
		"a campaign is no ticket": {
			Options{Projects: []string{"PAY"}, MaxRepos: 1}, map[string][]made{
				"cart": {{id: "a", message: "PAY-1", files: "a.go"}}, "ledger": {{id: "b", message: "PAY-1 too", files: "a.go"}},
			}, nil, nil,
		},
		"bots and releases are out": {
			pay, map[string][]made{"cart": {
				{id: "a", message: "PAY-1", files: "a.go", author: "till[bot]"},
				{id: "b", message: "Prepare release 1.2 (PAY-2)", files: "a.go"},
			}}, nil, map[string]int{MarkBot: 1, MarkRelease: 1},
		},
		"what was reverted drops out": {
			pay, map[string][]made{"cart": {
				{id: "a1b2", message: "PAY-1 x", files: "a.go"},
				{id: "b", message: "PAY-1 y", files: "a.go"},
				{id: "c", message: "Revert \"PAY-1 x\"\n\nThis reverts commit " + hash("a1b2")[:12] + ".", files: "a.go"},
				{id: "d", message: "PAY-2 z", files: "a.go"},
				{id: "e", message: "Revert \"PAY-2 z\"", files: "a.go"},
			}}, []string{"PAY-1: cart(1)"}, map[string]int{MarkRevert: 2, MarkReverted: 2},
		},
		"a revert that was reverted takes nothing back": {
			pay, map[string][]made{"cart": {
				{id: "a", message: "PAY-1 x", files: "a.go"},
				{id: "b", message: "Revert \"PAY-1 x\"", files: "a.go"},
				{id: "c", message: "Revert \"Revert \"PAY-1 x\"\"", files: "a.go"},
			}}, []string{"PAY-1: cart(1)"}, map[string]int{MarkRevert: 2},
		},
		"a merge hands its ticket to what it brings in": {
			pay, map[string][]made{"cart": {
				{id: "a", message: "start", files: "a.go"},
				{id: "m", message: "main goes on", files: "m.go"},
				{id: "b", message: "one", files: "b.go", parents: "a", day: 1},
				{id: "c", message: "PAY-9 two", files: "c.go", day: 2},
				{id: "d", message: "Merge branch 'feature/PAY-1-x'", parents: "m c", day: 3},
				{id: "e", message: "Merge branch 'main' into PAY-2", parents: "d m", day: 4},
			}}, []string{"PAY-1: cart(1)", "PAY-9: cart(1)"}, nil,
		},
		"a branch that was never merged names a ticket": {
			pay, map[string][]made{"cart": {
				{id: "a", message: "start", files: "a.go"},
				{id: "b", message: "one", files: "b.go", branch: "PAY-1-x"},
				{id: "c", message: "two", files: "b.go", branch: "stable"},
			}}, []string{"PAY-1: cart(1)"}, nil,
		},
		"related bugs are weak": {
			Options{},
			map[string][]made{"cart": {{id: "a", message: "x\n\nRelated-Bug: #1234", files: "a.go"}}},
			nil,
			map[string]int{MarkWeak: 1},
		},
		"unless they are asked for": {
			Options{Related: true},
			map[string][]made{"cart": {{id: "a", message: "x\n\nRelated-Bug: #1234", files: "a.go"}}},
			[]string{"bug#1234: cart(1)"},
			nil,
		},
		"a bug has one number everywhere, an issue one in each repository": {
			Options{}, map[string][]made{
				"cart":   {{id: "a", message: "x\n\nCloses-Bug: #12", files: "a.go"}, {id: "b", message: "fixes #7", files: "a.go", day: 1}},
				"ledger": {{id: "c", message: "y\n\nPartial-Bug: #12", files: "a.go"}, {id: "d", message: "fixes shop/cart#7", files: "a.go", day: 1}, {id: "e", message: "fixes #7 here", files: "a.go", day: 2}},
			}, []string{"bug#12: cart(1) ledger(1)", "cart#7: cart(1) ledger(1)", "ledger#7: ledger(1)"}, nil,
		},
		"pull requests are no tickets": {
			Options{}, map[string][]made{"cart": {{id: "a", message: "x (#7)", files: "a.go"}}}, nil, nil,
		},
		"nor are backported ones": {
			Options{}, map[string][]made{"cart": {{id: "a", message: "x (#7) (#9)", files: "a.go"}}}, nil, nil,
		},
		"a colour is no ticket": {
			Options{}, map[string][]made{"cart": {
				{id: "a", message: "Links in #336699", files: "a.go"}, {id: "b", message: "Links in #336699, issue #21", files: "a.go", day: 1},
			}}, []string{"cart#21: cart(1)"}, nil,
		},
		"unless they are asked for, too": {
			Options{Pulls: true}, map[string][]made{"cart": {{id: "a", message: "x (#7)", files: "a.go"}}}, []string{"cart#7: cart(1)"}, nil,
		},
		"only trackers that are asked for": {
			Options{Trackers: []string{TrackerBugs}},
			map[string][]made{"cart": {{id: "a", message: "fixes #7\n\nCloses-Bug: #12", files: "a.go"}}},
			[]string{"bug#12: cart(1)"},
			nil,
		},
		"a project is learnt from several tickets, a standard never": {
			Options{MinTickets: 2}, map[string][]made{"cart": {
				{id: "a", message: "PAY-1 x UTF-8", files: "a.go"},
				{id: "b", message: "PAY-2 UTF-16", files: "a.go", day: 1},
				{id: "c", message: "UTF-8 y", files: "a.go"},
				{id: "d", message: "ODD-1 z", files: "a.go"},
			}}, []string{"PAY-1: cart(1)", "PAY-2: cart(1)"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cases, report := tell(t, c.options, nil, c.repos)
			want := c.want
			if want == nil {
				want = []string{}
			}
			if d := cmp.Diff(want, answers(cases)); d != "" {
				t.Error(d)
			}
			for mark, n := range c.out {
				if report.Out[mark] != n {
					t.Errorf("out %v, want %d %s", report.Out, n, mark)
				}
			}
		})
	}
}

func TestCopies(t *testing.T) {
	t.Parallel()
	pay := Options{Projects: []string{"PAY"}}
	split := made{id: "s", message: "PAY-1 x", files: "src/cart/a.go", day: 5}
	for name, c := range map[string]struct {
		repos map[string][]made
		want  string
	}{
		"history split off": {map[string][]made{
			"cart": {{id: "a", message: "start", day: 1}, split, {id: "b", message: "end", day: 9}},
			"till": {split, {id: "c", message: "till starts", day: 8}},
		}, "PAY-1: cart(1)"},
		"a fork of everything, told by its folders": {map[string][]made{
			"cart": {split, {id: "b", message: "end", day: 9}},
			"bart": {split, {id: "c", message: "bart starts", day: 8}},
		}, "PAY-1: cart(1)"},
		"a fork without such folders: own work began first": {map[string][]made{
			"x": {{id: "s", message: "PAY-1 x", files: "a.go", day: 5}, {id: "b", message: "end", day: 9}},
			"y": {{id: "s", message: "PAY-1 x", files: "a.go", day: 5}, {id: "c", message: "y starts", day: 8}},
		}, "PAY-1: y(1)"},
		"a side branch that holds another project": {map[string][]made{
			"a": {{id: "a", message: "start", day: 1}, {id: "s", message: "PAY-1 x", files: "a.go", day: 5, branch: "odd"}},
			"b": {{id: "s", message: "PAY-1 x", files: "a.go", day: 5}, {id: "c", message: "end", day: 9}},
		}, "PAY-1: b(1)"},
		"a folder split off alone, without its name": {map[string][]made{
			"tools": {{id: "a", message: "start", day: 1}, {id: "s", message: "PAY-1 x", files: "pdf/in/a.go", day: 5}, {id: "b", message: "end", day: 9}},
			"pdf":   {{id: "u", message: "PAY-1 x", files: "in/a.go", day: 5}, {id: "c", message: "pdf starts", day: 8}},
		}, "PAY-1: pdf(1)"},
		"of a change most of which stayed": {map[string][]made{
			"tools": {{id: "a", message: "start", day: 1}, {id: "s", message: "PAY-1 x", files: "pdf/a.go lib/b.go", day: 5}, {id: "b", message: "end", day: 9}},
			"pdf":   {{id: "u", message: "PAY-1 x", files: "a.go", day: 5}, {id: "c", message: "pdf starts", day: 8}},
		}, "PAY-1: tools(1)"},
		"a folder that had another name": {map[string][]made{
			"tools": {{id: "a", message: "start", day: 1}, {id: "s", message: "PAY-1 x", files: "print/a.go", day: 5}, {id: "b", message: "end", day: 9}},
			"pdf":   {{id: "u", message: "PAY-1 x", files: "a.go", day: 5}, {id: "c", message: "pdf starts", day: 8}},
		}, "PAY-1: tools(1)"},
		"one script, different files": {map[string][]made{
			"a": {{id: "s", message: "PAY-1 x", files: "a.go", day: 5}},
			"b": {{id: "t", message: "PAY-1 x", files: "b.go", day: 5}},
		}, "PAY-1: a(1) b(1)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cases, _ := tell(t, pay, nil, c.repos)
			if d := cmp.Diff([]string{c.want}, answers(cases)); d != "" {
				t.Error(d)
			}
		})
	}
}

// One patch applied in two living repositories at different times counts in both;
// what a young repository took over, with new times, does not.
func TestCopiesCommittedAnew(t *testing.T) {
	t.Parallel()
	m := New(Options{Projects: []string{"PAY"}}, nil, nil)
	at := func(d int) time.Time { return time.Date(2023, 1, d, 0, 0, 0, 0, time.UTC) }
	var histories []*History
	for repo, days := range map[string][2]int{"old": {10, 1}, "living": {12, 2}, "young": {14, 20}} {
		h := m.History(repo)
		h.Add(routing.Commit{Hash: hash(repo), Message: "PAY-1 x", AuthoredAt: at(9), CommittedAt: at(days[0]), Default: true})
		h.Add(routing.Commit{Hash: hash(repo + "1"), Message: "start of " + repo, AuthoredAt: at(days[1]), CommittedAt: at(days[1]), Default: true})
		histories = append(histories, h)
	}
	l := m.Link(histories)
	for _, h := range histories {
		l.Change(h.repo, routing.Change{Commit: hash(h.repo), Files: []string{"a.go"}})
	}
	cases, report := l.Cases()
	if d := cmp.Diff([]string{"PAY-1: living(1) old(1)"}, answers(cases)); d != "" || report.Out[MarkCopy] != 1 {
		t.Error(d, report.Out)
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	repos := map[string][]made{"cart": {
		{id: "a", message: "PAY-1 x\n\nWhy.\nChange-Id: I1", files: "a.go", day: 1},
		{id: "b", message: "PAY-2 y", files: "a.go", day: 2},
	}}
	tickets, err := Keyed([]gold.Text{{Key: "pay-2", Title: "Refunds", Body: "Twice", Created: "2022-12-24T00:00:00Z"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	cases, _ := tell(t, Options{}, tickets, repos) // the export names the project
	if d := cmp.Diff([]string{"PAY-2: cart(1)", "PAY-1: cart(1)"}, answers(cases)); d != "" {
		t.Fatal(d)
	}
	own, proxy := cases[0], cases[1]
	if own.Title != "Refunds" || own.Body != "Twice" || own.Provenance.Text != gold.TextTracker || own.Created != "2022-12-24T00:00:00Z" {
		t.Errorf("own text: %+v", own)
	}
	if proxy.Title != "PAY-1 x" || proxy.Body != "Why." || proxy.Provenance.Text != gold.TextProxy || proxy.Created != "2023-01-02T12:00:00Z" {
		t.Errorf("proxy: %+v", proxy)
	}
	for want, o := range map[string]Options{
		LeftNoText: {OnlyTexts: true}, LeftWords: {MinWords: 2}, LeftTime: {Until: time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		o.Projects = []string{"PAY"}
		if _, r := tell(t, o, tickets, repos); r.LeftOut[want] == 0 {
			t.Errorf("%+v left out %v, want %s", o, r.LeftOut, want)
		}
	}
}

func TestSample(t *testing.T) {
	t.Parallel()
	repos := map[string][]made{}
	for i := range 30 {
		repos["cart"] = append(repos["cart"], made{id: fmt.Sprintf("c%d", i), message: fmt.Sprintf("PAY-%d x", i+1), files: "a.go", day: i})
	}
	for i := range 3 {
		repos["till"] = append(repos["till"], made{id: fmt.Sprintf("t%d", i), message: fmt.Sprintf("PAY-%d till", 10*i+1), files: "b.go", day: 40 + i})
	}
	o := Options{Projects: []string{"PAY"}, Sample: 8, SetsFirst: true}
	first, report := tell(t, o, nil, repos)
	again, _ := tell(t, o, nil, repos)
	if d := cmp.Diff(first, again); d != "" || len(first) != 8 || report.Sets != 3 || report.LeftOut[LeftSample] != 22 {
		t.Errorf("%d cases, %+v, %s", len(first), report, d)
	}
	o = Options{Projects: []string{"PAY"}, PerRepo: 4}
	if few, _ := tell(t, o, nil, repos); len(few) != 7 {
		t.Errorf("%v, want 4 of cart alone and 3 of both", answers(few))
	}
}

// What looks like a colour is a ticket when there is one of that number.
func TestVagueNumbersOfKnownTickets(t *testing.T) {
	t.Parallel()
	known := map[string]Ticket{"cart#336699": {Title: "Fold the map"}}
	cases, _ := tell(t, Options{}, known, map[string][]made{"cart": {{id: "a", message: "More for #336699", files: "a.go"}}})
	if d := cmp.Diff([]string{"cart#336699: cart(1)"}, answers(cases)); d != "" || cases[0].Provenance.Links[0].Rule != RuleVague {
		t.Error(d, cases)
	}
}
