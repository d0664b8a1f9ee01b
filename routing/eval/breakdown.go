package eval

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// siblings measures each declared group among its own members only.
func siblings(cases []CaseRecord, groups [][]string) []SiblingRow {
	rows := []SiblingRow{}
	for _, group := range groups {
		row := SiblingRow{Group: strings.Join(group, "+")}
		for _, c := range cases {
			own := slices.DeleteFunc(slices.Clone(c.Repos), func(r string) bool { return !slices.Contains(group, r) })
			if len(own) == 0 {
				continue
			}
			row.N++
			best, at := 0.0, c.viewOfDecision().at
			for _, r := range own {
				best = max(best, standingWithin(at, r, group).Credit(1))
			}
			row.Top1Within += best
			if slices.Contains(c.Ambiguities, row.Group) {
				row.AmbiguityReported++
			}
		}
		if row.N > 0 {
			row.Top1Within /= float64(row.N)
			row.AmbiguityReported /= float64(row.N)
		}
		rows = append(rows, row)
	}
	return rows
}

// standingWithin places a repository among the members of its group only.
func standingWithin(at func(string) Standing, repo string, group []string) Standing {
	own := at(repo)
	if own.Rank == 0 {
		return Standing{}
	}
	s := Standing{Rank: 1, Share: 1}
	for _, other := range group {
		o := at(other)
		switch {
		case other == repo || o.Rank == 0:
		case o.Rank < own.Rank:
			s.Rank++
		case o.Rank == own.Rank:
			s.Share++
		}
	}
	return s
}

// perRepo measures where each repository stands in the cases that need it, and
// counts those of others that it heads alone.
func perRepo(cases []CaseRecord) []RepoRow {
	rows := map[string]*RepoRow{}
	row := func(name string) *RepoRow {
		if rows[name] == nil {
			rows[name] = &RepoRow{Repo: name}
		}
		return rows[name]
	}
	for _, c := range cases {
		at := c.viewOfDecision().at
		for _, name := range c.Repos {
			r := row(name)
			r.N++
			r.Top1 += at(name).Credit(1)
			r.Top3 += at(name).Credit(3)
		}
		if first := firsts(c.Ranks); len(first) == 1 && !slices.Contains(c.Repos, first[0]) {
			row(first[0]).WrongFirst++
		}
	}
	list := []RepoRow{}
	for _, r := range rows {
		if r.N > 0 {
			r.Top1 /= float64(r.N)
			r.Top3 /= float64(r.N)
		}
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b RepoRow) int { return strings.Compare(a.Repo, b.Repo) })
	return list
}

// firstWrong is the first candidate that is not right; "" when there is none.
func firstWrong(c CaseRecord) string {
	for _, p := range c.Ranks {
		if !slices.Contains(c.Repos, p.Repo) {
			return p.Repo
		}
	}
	return ""
}

// bestPlaced is the right repository that stands highest; the first by name where
// none is listed.
func bestPlaced(c CaseRecord) string {
	for _, p := range c.Ranks {
		if slices.Contains(c.Repos, p.Repo) {
			return p.Repo
		}
	}
	return slices.Min(c.Repos)
}

// confusion counts, over the cases whose answer does not stand first, what did.
func confusion(cases []CaseRecord, fused []outcome) []Confusion {
	count := map[Confusion]int{}
	for i, c := range cases {
		if !right(fused[i].top1) {
			count[Confusion{Answer: bestPlaced(c), First: firstWrong(c)}]++
		}
	}
	list := []Confusion{}
	for pair, n := range count {
		pair.N = n
		list = append(list, pair)
	}
	slices.SortFunc(list, func(a, b Confusion) int {
		return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Answer, b.Answer), strings.Compare(a.First, b.First))
	})
	return list
}

// misses lists the cases whose answer does not stand first: those whose answer is
// not there at all before the others, the lowest-placed first, and of equals the
// ones that were surest of themselves.
func misses(cases []CaseRecord, fused []outcome) (worst []Miss, all int) {
	list := []Miss{}
	for i, c := range cases {
		if right(fused[i].top1) {
			continue
		}
		m := Miss{
			ID: c.ID, Title: c.Title, Answer: c.Repos, Verdict: string(c.Verdict), Rank: bestRank(c, c.Repos),
			First: firstWrong(c), Margin: c.Margin, Why: c.Why,
		}
		if c.Verdict == routing.VerdictNone {
			m.First = ""
		}
		if m.Why == nil {
			m.Why = []Why{}
		}
		list = append(list, m)
	}
	slices.SortStableFunc(list, func(a, b Miss) int {
		return cmp.Or(cmp.Compare(depth(b), depth(a)), cmp.Compare(b.Margin, a.Margin), strings.Compare(a.ID, b.ID))
	})
	return list[:min(MaxMisses, len(list))], len(list)
}

// depth orders misses: not there is deeper than any rank.
func depth(m Miss) int {
	if m.Rank == 0 {
		return int(^uint(0) >> 1)
	}
	return m.Rank
}
