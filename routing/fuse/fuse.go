package fuse

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// Scored is one repository with its fused score and the named parts of it.
type Scored struct {
	Repo  string
	Score float64 // the sum of the parts' contributions
	Seen  bool    // some fused ranker could rank it
	Parts []routing.Part

	total float64 // of the weights of the rankers that could rank it
}

// Fused is the blend of several rankings.
type Fused struct {
	Scored   []Scored // every repository, best first, ties by name; unseen ones last
	Coverage []routing.Coverage
}

// Fuse blends rankings over repos:
//
//	score(c) = sum of w_r * v_r(c) / sum of w_r, over the fused rankers r that can rank c
//
// w_r are those of the case: with code search or without. v_r(c) is the ranker's
// score divided by its best (plus the doubt of the case) where its scores compare
// across repositories, else 1/rank; "looked and found nothing" is 0. Rankers
// below w.MinCoverage of the repositories with content have weight 0; when none
// reaches it, or those that do find nothing, the widest leads alone. A fused ranker that misses a few of them
// leaves those the place that the others gave: see standIn. When all that are fused
// miss some, there is no such place, and the one with the greatest share leads alone.
func Fuse(rankings []routing.Ranking, repos []routing.Repo, w Weights) Fused {
	out := Fused{Coverage: coverage(rankings, repos, w)}
	oneOfPartial(out.Coverage, rankings, repos, w)
	lead(out.Coverage, rankings, w)
	now := caseOf(rankings, out.Coverage, w)
	columns := make([]column, len(rankings))
	for i, r := range rankings {
		share := 0.0
		if out.Coverage[i].Fused {
			share = now.Rankers[r.Ranker]
		}
		columns[i] = newColumn(r, share, now.Doubt[r.Ranker])
	}
	places := standIn(out.Coverage, columns, repos, emptyOnes(rankings))
	for _, repo := range repos {
		s := score(repo.Name, columns)
		if p, ok := places[repo.Name]; ok {
			s = stand(s, p)
		}
		out.Scored = append(out.Scored, s)
	}
	Sort(out.Scored)
	return out
}

// codeRanker is the one whose absence is a case of its own.
const codeRanker = "code"

// caseOf chooses the shares. Those without code hold only rankers that it lists:
// when none of them is fused either, the others stand.
func caseOf(rankings []routing.Ranking, rows []routing.Coverage, w Weights) Case {
	usual := Case{Rankers: w.Rankers}
	if w.WithoutCode == nil {
		return usual
	}
	some := false
	for i, r := range rankings {
		if r.Ranker == codeRanker && rows[i].Fused && len(r.Hits) > 0 {
			return usual
		}
		some = some || rows[i].Fused && w.WithoutCode.Rankers[r.Ranker] > 0
	}
	if !some {
		return usual
	}
	return *w.WithoutCode
}

// Sort orders scored repositories: best first, ties by name, unseen ones last.
func Sort(scored []Scored) {
	slices.SortFunc(scored, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), -compareBool(a.Seen, b.Seen), strings.Compare(a.Repo, b.Repo))
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// column is one ranking, ready to be looked up by repository.
type column struct {
	ranker string
	weight float64
	can    map[string]bool
	value  map[string]float64
	rank   map[string]int
	hit    map[string]routing.Hit
}

func newColumn(r routing.Ranking, weight, doubt float64) column {
	c := column{
		ranker: r.Ranker, weight: weight, can: map[string]bool{}, value: map[string]float64{},
		rank: map[string]int{}, hit: map[string]routing.Hit{},
	}
	for _, name := range r.CanRank {
		c.can[name] = true
	}
	rank := 0
	for i, h := range r.Hits {
		if i == 0 || h.Score < r.Hits[i-1].Score { // ties share a rank: 1, 1, 3
			rank = i + 1
		}
		c.rank[h.Repo], c.hit[h.Repo] = rank, h
		if r.Comparable {
			c.value[h.Repo] = h.Score / (r.Hits[0].Score + doubt)
		} else {
			c.value[h.Repo] = 1 / float64(rank)
		}
	}
	return c
}

func score(repo string, columns []column) Scored {
	s := Scored{Repo: repo, Parts: []routing.Part{}}
	total := 0.0
	for _, c := range columns {
		if c.can[repo] {
			total += c.weight
		}
	}
	for _, c := range columns {
		if !c.can[repo] {
			continue
		}
		hit := c.hit[repo]
		p := routing.Part{Ranker: c.ranker, Rank: c.rank[repo], Score: c.value[repo], Points: hit.Points, Views: hit.Views}
		if hit.Divisor > 0 {
			p.OwnsRaw, p.Divisor, p.Total = hit.OwnsRaw, hit.Divisor, hit.Score
		}
		if total > 0 {
			p.Weight = c.weight / total
		}
		p.Contribution = p.Weight * p.Score
		s.Score += p.Contribution
		s.Parts = append(s.Parts, p)
	}
	s.Seen, s.total = total > 0, total
	return s
}

// coverage says for each ranking how many repositories it could rank, and
// whether it is fused.
func coverage(rankings []routing.Ranking, repos []routing.Repo, w Weights) []routing.Coverage {
	empty := emptyOnes(rankings)
	rows := make([]routing.Coverage, len(rankings))
	widest, most, whole := -1, 0, false
	for i, r := range rankings {
		rows[i] = row(r, len(repos))
		content, seen := 0, 0
		can := map[string]bool{}
		for _, name := range r.CanRank {
			can[name] = true
		}
		for _, repo := range repos {
			if !empty[repo.Name] {
				content++
				if can[repo.Name] {
					seen++
				}
			}
		}
		if w.Rankers[r.Ranker] == 0 || seen == 0 {
			continue
		}
		rows[i].Fused = float64(seen) >= w.needs(r.Ranker)*float64(content)
		whole = whole || rows[i].Fused
		if widest < 0 || seen > most ||
			seen == most && w.Rankers[r.Ranker] > w.Rankers[rankings[widest].Ranker] {
			widest, most = i, seen
		}
	}
	if !whole && widest >= 0 {
		rows[widest].Fused = true
	}
	return rows
}

// oneOfPartial leaves one of the fused rankers when all of them miss some
// repositories: what one says of a repository cannot be weighed against what only
// another one says of the next.
func oneOfPartial(rows []routing.Coverage, rankings []routing.Ranking, repos []routing.Repo, w Weights) {
	empty := emptyOnes(rankings)
	shares := caseOf(rankings, rows, w).Rankers
	first := -1
	for i, r := range rankings {
		switch {
		case !rows[i].Fused:
		case seesAll(r, repos, empty):
			return
		case first < 0 || shares[r.Ranker] > shares[rankings[first].Ranker]:
			first = i
		}
	}
	for i := range rows {
		rows[i].Fused = i == first
	}
}

// seesAll says that a ranker can rank every repository with content.
func seesAll(r routing.Ranking, repos []routing.Repo, empty map[string]bool) bool {
	can := map[string]bool{}
	for _, name := range r.CanRank {
		can[name] = true
	}
	return !slices.ContainsFunc(repos, func(r routing.Repo) bool { return !empty[r.Name] && !can[r.Name] })
}

// lead lets the widest ranker that found anything lead when those that are fused
// found nothing at all: an annotation is better than no answer.
func lead(rows []routing.Coverage, rankings []routing.Ranking, w Weights) {
	widest := -1
	for i, r := range rankings {
		switch {
		case len(r.Hits) == 0 || w.Rankers[r.Ranker] == 0:
		case rows[i].Fused:
			return
		case widest < 0 || rows[i].Can > rows[widest].Can:
			widest = i
		}
	}
	if widest >= 0 {
		for i := range rows {
			rows[i].Fused = i == widest
		}
	}
}

// emptyOnes are the repositories that some ranker found to have no content.
func emptyOnes(rankings []routing.Ranking) map[string]bool {
	empty := map[string]bool{}
	for _, r := range rankings {
		for _, m := range r.Missing {
			if m.Empty {
				empty[m.Repo] = true
			}
		}
	}
	return empty
}

func row(r routing.Ranking, of int) routing.Coverage {
	c := routing.Coverage{Ranker: r.Ranker, Can: len(r.CanRank), Of: of, Missing: []string{}, Why: []string{}}
	for _, m := range r.Missing {
		c.Missing = append(c.Missing, m.Repo)
		c.Why = append(c.Why, m.Why)
	}
	return c
}
