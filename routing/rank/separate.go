package rank

import (
	"context"
	"fmt"
	"slices"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/index"
	"github.com/pointsman/pointsman/routing/text"
)

// hardRow is the number of points from which a row of the points table names
// its repository outright: an endpoint, a package, the name itself.
const hardRow = 2.0

// Separator measures what siblings do not share. Content that stands in all of
// them cancels out: chunks that are the same word for word, terms that each
// speaks of as much, points that each scores.
type Separator struct {
	Queries *Queries
	Set     *index.Set
	// Code and Description are the weights of the two kinds of evidence.
	Code, Description float64
}

// Apart returns for each member the share of the group's evidence, in [0,1] and
// a little beyond when the registry names one outright, that is its own. Only
// differences between members mean anything.
func (s Separator) Apart(ctx context.Context, t routing.Ticket, members []routing.Repo, rankings []routing.Ranking) (map[string]float64, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("comparing siblings: %w", err)
	}
	terms := withoutNames(s.Queries.Of(t), members)
	apart := make(map[string]float64, len(members))
	code, coded := s.code(terms, members)
	prose, described := prose(terms, members)
	// The shares are of both kinds together, also where one is missing: a stray word
	// of a description must not weigh more because there is no code to look at.
	total := s.Code + s.Description
	for i, m := range members {
		if coded {
			apart[m.Name] += s.Code * code[i] / total
		}
		if described {
			apart[m.Name] += s.Description * prose[i] / total
		}
	}
	for name, points := range named(members, rankings) {
		apart[name] += points
	}
	return apart, nil
}

// withoutNames leaves out the words of the members' own names: a README's title
// is no difference in kind, and a ticket that names one outright has a row of the
// registry for it.
func withoutNames(terms []Term, members []routing.Repo) []Term {
	var splitter text.Splitter
	stemmer := text.NewStemmer()
	names := map[string]bool{}
	for _, m := range members {
		for _, name := range append([]string{m.Name}, m.Aliases...) {
			splitter.Split([]byte(name), func(word []byte) { names[stemmer.Stem(word)] = true })
		}
	}
	return slices.DeleteFunc(terms, func(t Term) bool { return names[t.Stem] })
}

// much is how many times as much of a term one sibling must hold as another, by
// count and by share, before the term is a difference between them and not
// shared. By both, because sizes differ and must never order siblings.
const much = 3.0

// code compares what the members' own chunks say, in CORI's terms, as shares of
// what all their chunks say. A term of which the members hold about as much is
// shared and counts for nobody; those that hold about the most of it count alike.
// It needs an index of every member.
func (s Separator) code(terms []Term, members []routing.Repo) ([]float64, bool) {
	segments := make([]*index.Segment, len(members))
	if s.Set == nil {
		return nil, false
	}
	for i, m := range members {
		if segments[i] = s.Set.Segment(m.Name); segments[i] == nil {
			return nil, false
		}
	}
	query := make([]index.QueryTerm, len(terms))
	for i, t := range terms {
		query[i] = t.QueryTerm
	}
	found := s.Set.Stats(query)
	mean := meanChunks(found)
	full := map[*index.Segment][]int{}
	for _, h := range found.Repos {
		full[h.Segment] = h.Chunks
	}
	own := index.Unshared(segments, query)
	values, total := make([]float64, len(members)), 0.0
	for t, stat := range found.Terms {
		gain, most := stat.Weight*inverseRepos(stat, len(found.Repos)), 0.0
		for i, level := range levels(t, own, segments, mean) {
			values[i] += gain * level
		}
		for _, seg := range segments {
			most = max(most, belief(full[seg][t], seg, mean))
		}
		total += gain * most
	}
	if total > 0 {
		for i := range values {
			values[i] /= total
		}
	}
	return values, true
}

// levels are what each member's own chunks say of term t, beyond what all say:
// the same for every member that no other surpasses by much.
func levels(t int, own [][]int, segments []*index.Segment, mean float64) []float64 {
	values := make([]float64, len(segments))
	for i, seg := range segments {
		values[i] = belief(own[i][t], seg, mean)
	}
	surpassed := make([]bool, len(segments))
	for i := range segments {
		for j := range segments {
			if float64(own[j][t]) > much*float64(own[i][t]) && values[j] > much*values[i] {
				surpassed[i] = true
			}
		}
	}
	most := slices.Max(values)
	for i := range values {
		switch {
		case !slices.Contains(surpassed, true): // shared
			values[i] = 0
		case !surpassed[i]:
			values[i] = most
		}
	}
	return values
}

// prose compares which of the ticket's words the members' descriptions hold, as
// shares of all the ticket's words: one stray word must not break a tie.
func prose(terms []Term, members []routing.Repo) ([]float64, bool) {
	values, total := make([]float64, len(members)), 0.0
	stemmer := text.NewStemmer()
	docs := make([]proseDoc, len(members))
	for i, m := range members {
		if m.Description == "" {
			return nil, false
		}
		docs[i] = newProseDoc(m, stemmer)
	}
	for _, term := range terms {
		total += term.Weight
		for i, doc := range docs {
			if doc.tf[term.Stem] > 0 {
				values[i] += term.Weight
			}
		}
	}
	if total > 0 {
		for i := range values {
			values[i] /= total
		}
	}
	return values, true
}

// named returns the members that the registry's hard rows name and their
// siblings do not share: a row of 4 points is worth 0.5.
func named(members []routing.Repo, rankings []routing.Ranking) map[string]float64 {
	rows := map[string]map[routing.Point]bool{}
	count := map[routing.Point]int{}
	for _, r := range rankings {
		if r.Ranker != "registry" {
			continue
		}
		for _, h := range r.Hits {
			for _, m := range members {
				if m.Name != h.Repo {
					continue
				}
				rows[m.Name] = map[routing.Point]bool{}
				for _, p := range h.Points {
					if p.Points >= hardRow && p.Rule != RuleOwns && p.Rule != RulePartial && !rows[m.Name][p] {
						rows[m.Name][p] = true
						count[p]++
					}
				}
			}
		}
	}
	values := map[string]float64{}
	for name, points := range rows {
		for p := range points {
			if count[p] < len(members) {
				values[name] += p.Points / 8
			}
		}
	}
	return values
}
