package mine

import (
	"sort"
	"strings"
	"time"

	"github.com/pointsman/pointsman/routing/gold"
)

// Report counts what became of the commits and tickets.
type Report struct {
	Repos    int            `json:"repos"`
	Commits  int            `json:"commits"`
	Citing   int            `json:"citing"`   // commits with a ticket
	Counted  int            `json:"counted"`  // those that are part of an answer, sampling aside
	Out      map[string]int `json:"out"`      // citing commits that are not, by mark
	Rules    map[string]int `json:"rules"`    // counted commits by rule
	Tickets  int            `json:"tickets"`  // cited by at least one commit
	LeftOut  map[string]int `json:"leftOut"`  // tickets without a case, by reason
	Projects []Project      `json:"projects"` // Jira projects whose keys count
	Cases    int            `json:"cases"`
	Sets     int            `json:"sets"`    // cases of several repositories
	Proxies  int            `json:"proxies"` // cases whose text is a commit message
	Texts    int            `json:"texts"`   // tickets whose own text is known
	Uncited  int            `json:"uncited"` // of these: cited by no commit
	PerRepo  map[string]int `json:"perRepo"` // cases that name the repository
}

// The reasons for which a ticket has no case.
const (
	LeftNoSource = "no source" // no commit of it counts
	LeftCampaign = "campaign"  // more repositories than one ticket is about
	LeftTime     = "time"      // outside the wanted times
	LeftNoText   = "no text"   // it has none, or not its own and only such were wanted
	LeftWords    = "words"     // too few words
	LeftSample   = "sample"    // not drawn
)

// found is a ticket with all that cites it.
type found struct {
	ref     *Ref
	all     []placed // in the order of the histories
	counted []placed
}

// Cases makes the gold cases, oldest first, and says what was left out.
func (l *Links) Cases() ([]gold.Case, Report) {
	r := Report{
		Repos: len(l.histories), Out: map[string]int{}, Rules: map[string]int{}, LeftOut: map[string]int{},
		Projects: l.learnt, PerRepo: map[string]int{},
	}
	l.judge()
	tickets := l.gather(&r)
	r.Tickets = len(tickets)
	var cases []gold.Case
	for _, key := range sortedKeys(tickets) {
		t := tickets[key]
		if len(t.counted) == 0 {
			r.LeftOut[LeftNoSource]++
			continue
		}
		c, why := l.makeCase(t)
		if why != "" {
			r.LeftOut[why]++
			continue
		}
		cases = append(cases, c)
	}
	before := len(cases)
	cases = l.miner.options.draw(cases)
	if n := before - len(cases); n > 0 {
		r.LeftOut[LeftSample] = n
	}
	sort.SliceStable(cases, func(i, j int) bool {
		if cases[i].Created != cases[j].Created {
			return cases[i].Created < cases[j].Created
		}
		return cases[i].ID < cases[j].ID
	})
	r.count(cases)
	r.Texts, r.Uncited = len(l.miner.tickets), l.uncited(tickets)
	return cases, r
}

// uncited counts the tickets with a text that no commit cites, first or later.
func (l *Links) uncited(tickets map[string]*found) int {
	cited := map[string]bool{}
	for _, h := range l.histories {
		for i := range h.commits {
			for _, ref := range h.commits[i].refs {
				cited[ref.Key] = true
			}
		}
	}
	n := 0
	for key := range l.miner.tickets {
		if !cited[key] && tickets[key] == nil {
			n++
		}
	}
	return n
}

// judge marks the commits that change no source, and the copies.
func (l *Links) judge() {
	same := map[uint64][]placed{}
	for _, h := range l.histories {
		for i := range h.commits {
			c := &h.commits[i]
			if c.ref == nil || len(c.marks) > 0 {
				continue
			}
			same[c.identity] = append(same[c.identity], placed{h.repo, c})
		}
	}
	for _, group := range same {
		if several(group) {
			l.owners.markCopies(group)
		}
	}
	for _, group := range same {
		for _, p := range group {
			if mark := p.c.fileMark(); mark != "" && len(p.c.marks) == 0 {
				p.c.mark(mark)
			}
		}
	}
}

func several(group []placed) bool {
	for _, p := range group[1:] {
		if p.repo != group[0].repo {
			return true
		}
	}
	return false
}

// fileMark says why the changed files make no answer; "" when they do.
func (c *commit) fileMark() string {
	switch {
	case !c.seen:
		return MarkUnread
	case c.isMass:
		return MarkMass
	case len(c.files) > 0:
		return ""
	case c.kinds[kindTest] > 0:
		return MarkTests
	case c.kinds[kindDocs] > 0:
		return MarkDocs
	case c.kinds[kindVendored] > 0:
		return MarkSync
	}
	return MarkOther
}

// gather groups the commits by ticket and counts them.
func (l *Links) gather(r *Report) map[string]*found {
	tickets := map[string]*found{}
	for _, h := range l.histories {
		r.Commits += len(h.commits)
		for i := range h.commits {
			c := &h.commits[i]
			if c.ref == nil {
				continue
			}
			r.Citing++
			t := tickets[c.ref.Key]
			if t == nil {
				t = &found{ref: c.ref}
				tickets[c.ref.Key] = t
			}
			t.all = append(t.all, placed{h.repo, c})
			if len(c.marks) > 0 {
				r.Out[c.marks[0]]++
				continue
			}
			r.Counted++
			r.Rules[c.ref.Rule]++
			t.counted = append(t.counted, placed{h.repo, c})
		}
	}
	return tickets
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// makeCase builds the case of a ticket, or says why there is none.
func (l *Links) makeCase(t *found) (gold.Case, string) {
	c := gold.Case{ID: l.miner.id(t.ref.Key), Files: map[string][]string{}, Commits: map[string][]string{}}
	for _, p := range t.counted {
		c.Commits[p.repo] = append(c.Commits[p.repo], p.c.hash)
		c.Files[p.repo] = append(c.Files[p.repo], p.c.files...)
	}
	for repo, files := range c.Files {
		sort.Strings(files)
		c.Files[repo] = compact(files)
	}
	c.Repos = sortedKeys(c.Commits)
	sort.SliceStable(c.Repos, func(i, j int) bool { return len(c.Commits[c.Repos[i]]) > len(c.Commits[c.Repos[j]]) })
	o := l.miner.options
	if len(c.Repos) > o.MaxRepos {
		return c, LeftCampaign
	}
	first := earliest(t.counted)
	created := time.Unix(first.written(), 0).UTC()
	c.Title, c.Body = first.title, first.body
	kind, listed := gold.TextProxy, ""
	if own, ok := l.miner.tickets[t.ref.Key]; ok && own.Title+own.Body != "" {
		kind, listed, c.Title, c.Body = gold.TextTracker, own.Listed, own.Title, own.Body
		if at, err := time.Parse(time.RFC3339, own.Created); err == nil {
			created = at
		}
	}
	c.Created = created.Format(time.RFC3339)
	switch {
	case c.Title+c.Body == "" || kind == gold.TextProxy && o.OnlyTexts:
		return c, LeftNoText
	case !o.Since.IsZero() && created.Before(o.Since) || !o.Until.IsZero() && !created.Before(o.Until):
		return c, LeftTime
	case wordCount(c.Title+" "+c.Body) < o.MinWords:
		return c, LeftWords
	}
	c.Provenance = &gold.Provenance{Source: gold.SourceMine, Tracker: t.ref.Tracker, Text: kind, Listed: listed, Links: links(t.all)}
	return c, ""
}

// maxLinks bounds the links that one case lists.
const maxLinks = 100

func links(all []placed) []gold.Link {
	list := make([]gold.Link, 0, len(all))
	for _, p := range all {
		k := gold.Link{Repo: p.repo, Commit: p.c.hash, Rule: p.c.ref.Rule, Ref: p.c.ref.Text}
		if len(p.c.marks) > 0 {
			k.Out, k.Marks = p.c.marks[0], p.c.marks[1:]
		}
		list = append(list, k)
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Out == "" && list[j].Out != "" })
	return list[:min(len(list), maxLinks)]
}

// earliest returns the commit that was committed first.
func earliest(all []placed) *commit {
	first := all[0]
	for _, p := range all[1:] {
		if p.c.committed < first.c.committed || p.c.committed == first.c.committed &&
			(p.repo < first.repo || p.repo == first.repo && p.c.hash < first.c.hash) {
			first = p
		}
	}
	return first.c
}

// written returns when a commit was authored, or committed where the clock of its
// author cannot have been right.
func (c *commit) written() int64 {
	const longest = 2 * 365 * 24 * 60 * 60
	if c.authored > c.committed || c.committed-c.authored > longest {
		return c.committed
	}
	return c.authored
}

func compact(sorted []string) []string {
	kept := sorted[:0]
	for i, s := range sorted {
		if i == 0 || s != sorted[i-1] {
			kept = append(kept, s)
		}
	}
	return kept
}

// wordCount counts the words of a text that hold a letter and are no reference.
func wordCount(s string) int {
	n := 0
	for _, w := range strings.Fields(s) {
		if len(w) > 2 && strings.IndexFunc(w, isLetter) >= 0 && len(Parse(w, "", nil)) == 0 {
			n++
		}
	}
	return n
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80 }

func (r *Report) count(cases []gold.Case) {
	r.Cases = len(cases)
	for _, c := range cases {
		if len(c.Repos) > 1 {
			r.Sets++
		}
		if c.Provenance.Text == gold.TextProxy {
			r.Proxies++
		}
		for _, repo := range c.Repos {
			r.PerRepo[repo]++
		}
	}
}
