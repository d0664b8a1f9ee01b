package comment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// Bounds of each field, in characters of the source text, and of lists.
const (
	maxName    = 60
	maxPlace   = 160
	maxReason  = 160
	maxTie     = 240
	maxWarning = 300

	foldOver   = 3 // members of one rank; more become one entry
	maxNames   = 6 // named in a folded entry
	maxReasons = 2 // beside a repository; the rest is in the details
	maxTies    = 3
	maxSpans   = 6
	maxDetails = 3  // of a kind, per repository
	maxMissing = 10 // repositories named as not covered
	maxOther   = 5  // warnings
	maxCases   = 999_999
)

// size is how much of a decision is shown.
type size struct {
	show    int
	details bool
}

// view is what the templates see. Every string in it is markup already.
type view struct {
	Verdict  routing.Verdict
	Entries  []entry
	Ties     []string
	Spans    []string
	Sure     string
	Careful  []string // what speaks against it
	Coverage []string
	Notes    []string // true of all that is shown
	Warning  string   // what to do, when there is no route
	Details  *details
	AsOf     string // the commits it stands on
	Registry string
	Program  string
	Marker   string
}

// entry is one place of the list: a repository, or several that share a rank.
type entry struct {
	Rank    string
	Names   []string
	More    int // members that are not named
	Reasons []string
	Place   string // the best evidence
}

// details is what stands below the fold.
type details struct {
	Entries  []detail
	Missing  []missing
	Warnings []string
}

type detail struct {
	Name    string
	Reasons []string
	Places  []string
	Notes   []string
}

type missing struct {
	Ranker string
	Names  []string
	More   int
}

// look chooses what a person sees of a decision.
func look(w writer, d routing.Decision, s size) view {
	shown := shortlist(d, s.show)
	v := view{
		Verdict:  d.Verdict,
		Entries:  entries(w, shown),
		Ties:     ties(w, d, shown),
		Spans:    spanned(w, d),
		Sure:     sure(d),
		Coverage: coverage(w, d),
		Registry: code(w, shortHex(d.AsOf.Registry, 8)),
		Program:  code(w, d.AsOf.Program),
	}
	common := commonNotes(d, shown)
	for _, n := range common {
		v.Notes = append(v.Notes, w.prose(n, maxReason))
	}
	warnings := d.Warnings
	if d.Verdict != routing.VerdictRoute && len(warnings) > 0 {
		v.Warning = w.prose(warnings[len(warnings)-1], maxWarning)
		warnings = warnings[:len(warnings)-1]
	}
	open, warnings := careful(d, warnings)
	for _, text := range open {
		v.Careful = append(v.Careful, w.prose(text, maxWarning))
	}
	if s.details {
		v.Details = below(w, d, shown, common, warnings)
	}
	v.AsOf = asOf(w, d, shown)
	return v
}

// shortlist cuts at the rank, so that a tie across the cut is shown whole.
func shortlist(d routing.Decision, show int) [][]routing.Candidate {
	var groups [][]routing.Candidate
	for i, c := range d.Candidates {
		switch {
		case len(groups) > 0 && c.Rank == d.Candidates[i-1].Rank:
			groups[len(groups)-1] = append(groups[len(groups)-1], c)
		case c.Rank > show || len(groups) == show:
			return groups
		default:
			groups = append(groups, []routing.Candidate{c})
		}
	}
	return groups
}

func entries(w writer, shown [][]routing.Candidate) []entry {
	var out []entry
	for _, group := range shown {
		rank := fmt.Sprintf("%d.", group[0].Rank)
		if len(group) > 1 {
			rank = fmt.Sprintf("%d=", group[0].Rank)
		}
		if len(group) > foldOver {
			out = append(out, fold(w, rank, group))
			continue
		}
		for _, c := range group {
			e := entry{Rank: rank, Names: []string{w.code(c.Repo, maxName)}}
			if len(c.Evidence) > 0 {
				e.Place = place(w, c.Evidence[0])
			}
			for _, r := range c.Reasons[:min(len(c.Reasons), maxReasons)] {
				e.Reasons = append(e.Reasons, reason(w, c, r))
			}
			out = append(out, e)
		}
	}
	return out
}

// fold names the members of a large tie in one entry.
func fold(w writer, rank string, group []routing.Candidate) entry {
	e := entry{Rank: rank, More: max(0, len(group)-maxNames)}
	for _, c := range group[:min(len(group), maxNames)] {
		e.Names = append(e.Names, w.code(c.Repo, maxName))
	}
	if c := group[0]; len(c.Reasons) > 0 {
		e.Reasons = []string{reason(w, c, c.Reasons[0])}
	}
	return e
}

// reason leaves out the place that stands below it anyway.
func reason(w writer, c routing.Candidate, r string) string {
	if len(c.Evidence) > 0 {
		ev := c.Evidence[0]
		r = strings.TrimSuffix(r, fmt.Sprintf(" (%s:%d-%d)", ev.Path, ev.StartLine, ev.EndLine))
	}
	return w.prose(r, maxReason)
}

// place is "path:10-42 @ 1a2b3c4".
func place(w writer, ev routing.Evidence) string {
	s := line(ev.Path, maxPlace)
	switch {
	case ev.StartLine > 0 && ev.EndLine > ev.StartLine:
		s += fmt.Sprintf(":%d-%d", ev.StartLine, ev.EndLine)
	case ev.StartLine > 0:
		s += fmt.Sprintf(":%d", ev.StartLine)
	}
	if commit := shortHex(ev.Commit, 7); commit != "" {
		s += " @ " + commit
	}
	if ev.Freshness == routing.FreshStale {
		s += " (stale)"
	}
	return w.code(s, maxPlace+80)
}

// ties words each ambiguity that touches what is shown, with its question.
func ties(w writer, d routing.Decision, shown [][]routing.Candidate) []string {
	var out []string
	for _, a := range d.Ambiguities {
		touched := slices.ContainsFunc(shown, func(g []routing.Candidate) bool {
			return slices.ContainsFunc(g, func(c routing.Candidate) bool { return slices.Contains(a.Repos, c.Repo) })
		})
		if !touched || len(out) == maxTies {
			continue
		}
		why := a.Reason
		if why == "" {
			why = "the text cannot tell " + strings.Join(a.Repos, " and ") + " apart"
		}
		text := w.prose(upper(why), maxTie)
		if a.Ask != "" {
			text += ". What would: " + w.prose(a.Ask, maxTie)
		}
		out = append(out, text)
	}
	return out
}

func spanned(w writer, d routing.Decision) []string {
	if len(d.Spans) < 2 {
		return nil
	}
	var out []string
	for _, s := range d.Spans[:min(len(d.Spans), maxSpans)] {
		out = append(out, w.code(s, maxName))
	}
	return out
}

// sure never lets a ratio pass for a probability.
func sure(d routing.Decision) string {
	c := d.Confidence
	switch {
	case d.Verdict == routing.VerdictNone:
		return ""
	case c.Calibrated:
		return fmt.Sprintf("the first is right with probability %d%%, one of the first three with %d%% (calibrated on %d settled tickets)",
			percent(c.Top1), percent(c.Top3), min(max(c.N, 0), maxCases))
	case c.Ratio > 0:
		return fmt.Sprintf("not calibrated yet (registry score ratio %d of 100, from its points; not a probability)", min(c.Ratio, 100))
	default:
		return "not calibrated yet"
	}
}

func percent(p float64) int { return int(100*min(max(p, 0), 1) + 0.5) }

func upper(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

func code(w writer, s string) string {
	if s == "" {
		return ""
	}
	return w.code(s, maxName)
}
