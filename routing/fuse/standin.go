package fuse

import (
	"cmp"
	"slices"

	"github.com/pointsman/pointsman/routing"
)

// StandIn is the name of the part by which a repository keeps its place among
// those that a fused ranker saw while it could not see this one.
const StandIn = "standIn"

// place is what stands in for the rankers that could not see a repository.
type place struct {
	rank   int     // the repository's rank among all with the rankers that see all
	value  float64 // what the unseeing rankers gave to the repository of that rank, by weight
	weight float64 // of the unseeing rankers
}

// standIn finds, for each repository with content that a fused ranker could not
// see, the value to put in that ranker's place: what the ranker gave to the
// repository at the same rank. So whoever is third for those that see all is
// third for those that do not, and is neither helped nor pushed out of sight by
// scores of another kind. Without a ranker that sees all there is no such rank,
// and the formula of Fuse stands.
func standIn(rows []routing.Coverage, columns []column, repos []routing.Repo, empty map[string]bool) map[string]place {
	var whole, partial []column
	for i, c := range columns {
		switch {
		case !rows[i].Fused:
		case slices.ContainsFunc(repos, func(r routing.Repo) bool { return !empty[r.Name] && !c.can[r.Name] }):
			partial = append(partial, c)
		default:
			whole = append(whole, c)
		}
	}
	if len(whole) == 0 || len(partial) == 0 {
		return nil
	}
	rank := map[string]int{}
	var base []Scored
	for _, r := range repos {
		base = append(base, score(r.Name, whole))
	}
	Sort(base)
	for i, s := range base {
		rank[s.Repo] = i + 1
		if i > 0 && s.Score == base[i-1].Score {
			rank[s.Repo] = rank[base[i-1].Repo]
		}
	}
	places := map[string]place{}
	for _, c := range partial {
		values := c.values()
		for _, r := range repos {
			if empty[r.Name] || c.can[r.Name] {
				continue
			}
			p := places[r.Name]
			p.rank = rank[r.Name]
			p.weight += c.weight
			if p.rank <= len(values) && score(r.Name, whole).Score > 0 {
				p.value += c.weight * values[p.rank-1]
			}
			places[r.Name] = p
		}
	}
	return places
}

// values are what a ranker gave, best first.
func (c column) values() []float64 {
	values := make([]float64, 0, len(c.value))
	for _, v := range c.value {
		values = append(values, v)
	}
	slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(b, a) })
	return values
}

// stand adds the part of a stand-in and makes room for its weight.
func stand(s Scored, p place) Scored {
	if s.total == 0 || p.weight == 0 {
		return s
	}
	// score normalised the weights of the rankers that see the repository to 1;
	// p.weight is in the unit of the weights file.
	scale := s.total / (s.total + p.weight)
	s.Score = 0
	for i := range s.Parts {
		s.Parts[i].Weight *= scale
		s.Parts[i].Contribution = s.Parts[i].Weight * s.Parts[i].Score
		s.Score += s.Parts[i].Contribution
	}
	part := routing.Part{Ranker: StandIn, Rank: p.rank, Score: p.value / p.weight, Weight: 1 - scale}
	part.Contribution = part.Weight * part.Score
	s.Parts = append(s.Parts, part)
	s.Score += part.Contribution
	return s
}
