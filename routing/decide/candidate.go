package decide

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pointsman/pointsman/routing"
)

// candidate words one place of the shortlist.
func candidate(in Input, p placed) routing.Candidate {
	c := routing.Candidate{
		Rank: p.rank, Repo: p.Repo, Score: p.Score, Parts: p.Parts,
		Reasons: []string{}, Notes: []string{}, Evidence: []routing.Evidence{},
	}
	if !p.tied && p.reason != "" {
		c.Reasons = append(c.Reasons, p.reason)
	}
	for _, part := range p.Parts {
		if part.Ranker == "filedIn" {
			c.Reasons = append(c.Reasons, fmt.Sprintf("tickets filed in %s usually belong here", in.Ticket.FiledIn))
		}
	}
	for _, r := range byWeight(in.Rankings, p) {
		if r.Abstained != "" {
			continue // it had no opinion on anyone: that is coverage, not news of this one
		}
		if i := slices.IndexFunc(r.Hits, func(h routing.Hit) bool { return h.Repo == p.Repo }); i >= 0 {
			c.Reasons = append(c.Reasons, r.Hits[i].Reasons...)
			c.Evidence = append(c.Evidence, r.Hits[i].Evidence...)
			continue
		}
		if i := slices.IndexFunc(r.Missing, func(m routing.Missing) bool { return m.Repo == p.Repo }); i >= 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("not seen by %s: %s", rankerWords(r.Ranker), r.Missing[i].Why))
			continue
		}
		c.Notes = append(c.Notes, rankerWords(r.Ranker)+" found nothing for it")
	}
	if p.tied {
		c.Notes = append(c.Notes, p.reason)
	}
	return c
}

// nameable is the number of points from which a row of the points table names its
// repository, so that it is the first thing a reader wants to hear.
const nameable = 2.0

// byWeight orders rankings by what they add to a candidate, a row of the registry
// that names it before all.
func byWeight(rankings []routing.Ranking, p placed) []routing.Ranking {
	weight := func(r routing.Ranking) float64 {
		i := slices.IndexFunc(p.Parts, func(part routing.Part) bool { return part.Ranker == r.Ranker })
		if i < 0 {
			return 0
		}
		if slices.ContainsFunc(p.Parts[i].Points, func(row routing.Point) bool { return row.Points >= nameable }) {
			return math.MaxFloat64
		}
		return p.Parts[i].Contribution
	}
	sorted := slices.Clone(rankings)
	slices.SortStableFunc(sorted, func(a, b routing.Ranking) int { return cmp.Compare(weight(b), weight(a)) })
	return sorted
}

// rankerWords names a ranker in a person's words.
func rankerWords(ranker string) string {
	switch ranker {
	case "code":
		return "code search"
	case "description":
		return "the description"
	case "registry":
		return "the registry's routing fields"
	}
	return ranker
}
