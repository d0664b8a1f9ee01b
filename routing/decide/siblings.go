package decide

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/fuse"
	"github.com/pointsman/pointsman/routing/registry"
)

// placed is a scored repository at its rank.
type placed struct {
	fuse.Scored
	rank   int
	key    float64 // what it is ordered by: its score, or that of the best it is tied with
	tied   bool    // it shares its rank because the text cannot tell
	reason string  // what broke a tie in its favour, or why it is tied
}

// place cuts the shortlist: ranks shared on equal scores, sibling groups held
// together when the text cannot tell their members apart.
func place(in Input, scored []fuse.Scored) ([]placed, []routing.Ambiguity, error) {
	kept := scored[:min(len(scored), max(1, in.Keep))]
	var places []placed
	var ambiguities []routing.Ambiguity
	taken := map[string]bool{}
	for _, group := range registry.Groups(in.Repos) {
		blocks, err := settle(in, plausible(in, scored, kept, group))
		if err != nil {
			return nil, nil, err
		}
		for _, block := range blocks {
			for _, p := range block {
				taken[p.Repo] = true
			}
			if block[0].tied {
				ambiguities = append(ambiguities, ambiguity(in, group, block))
			}
			places = append(places, block...)
		}
	}
	if in.Tail {
		kept = scored
	}
	for _, s := range kept {
		if !taken[s.Repo] {
			places = append(places, placed{Scored: s, key: s.Score})
		}
	}
	rank(places)
	return places, ambiguities, nil
}

// plausible returns the members of a group that a reader would consider: those
// in the kept list whose score is within w.Plausible of the best of all, and
// those beyond the cut that only an equal score or the name put there.
func plausible(in Input, scored, kept []fuse.Scored, group []string) []fuse.Scored {
	least := in.Weights.Plausible * scored[0].Score
	var members []fuse.Scored
	for i, s := range scored {
		if !slices.Contains(group, s.Repo) || s.Score < least {
			continue
		}
		if i < len(kept) || len(members) > 0 && s.Score >= members[0].Score-in.Weights.TieBand {
			members = append(members, s)
		}
	}
	return members
}

// settle finds what holds the plausible members of one group together. A tell
// rule that names one of them outright comes first. Of the rest, members that the
// evidence they do not share separates by the tie band are ranked like any
// others, in no block; members that it does not separate are tied.
func settle(in Input, members []fuse.Scored) ([][]placed, error) {
	if len(members) < 2 {
		return nil, nil
	}
	if favoured, by := told(in, members); favoured != "" {
		rest := slices.DeleteFunc(slices.Clone(members), func(m fuse.Scored) bool { return m.Repo == favoured })
		blocks, err := settle(in, rest)
		i := slices.IndexFunc(members, func(m fuse.Scored) bool { return m.Repo == favoured })
		return append([][]placed{{lift(members[i], best(members), by)}}, blocks...), err
	}
	apart, err := in.Separate(namesOf(members))
	if err != nil {
		return nil, err
	}
	rest := slices.Clone(members)
	slices.SortStableFunc(rest, func(a, b fuse.Scored) int { return cmp.Compare(apart[b.Repo], apart[a.Repo]) })
	var blocks [][]placed
	for len(rest) > 0 {
		n := 1
		for n < len(rest) && apart[rest[0].Repo]-apart[rest[n].Repo] < in.Weights.TieBand {
			n++
		}
		if n > 1 {
			blocks = append(blocks, tie(rest[:n]))
		}
		rest = rest[n:]
	}
	return blocks, nil
}

// tie holds together members that their own evidence cannot separate: at one
// rank, in order of name.
func tie(members []fuse.Scored) []placed {
	members = slices.Clone(members)
	slices.SortFunc(members, func(a, b fuse.Scored) int { return strings.Compare(a.Repo, b.Repo) })
	places := make([]placed, len(members))
	for i, m := range members {
		places[i] = placed{Scored: m, key: best(members), tied: true, reason: sameWords(members)}
	}
	return places
}

func best(members []fuse.Scored) float64 {
	top := 0.0
	for _, m := range members {
		top = max(top, m.Score)
	}
	return top
}

func sameWords(members []fuse.Scored) string {
	return "the text cannot tell " + listOf(members) + " apart: what it matches stands in each of them"
}

// tellMargin keeps a favoured sibling just above the rest of its group.
const tellMargin = 1e-3

// lift puts the member that a tell rule names at the head of its group, by a
// part with a name.
func lift(m fuse.Scored, top float64, by string) placed {
	gain := top - m.Score + tellMargin
	m.Parts = append(slices.Clone(m.Parts), routing.Part{Ranker: "tell", Rank: 1, Score: 1, Weight: gain, Contribution: gain})
	m.Score += gain
	return placed{Scored: m, key: m.Score, reason: by}
}

// rank orders the places and numbers them: 1, 1, 3.
func rank(places []placed) {
	slices.SortStableFunc(places, func(a, b placed) int {
		if same(a.key, b.key) {
			return strings.Compare(a.Repo, b.Repo)
		}
		return cmp.Compare(b.key, a.key)
	})
	for i := range places {
		places[i].rank = i + 1
		if i > 0 && same(places[i].key, places[i-1].key) {
			places[i].rank = places[i-1].rank
		}
	}
}

// same compares scores beyond the noise of adding floats in another order.
func same(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// ambiguity words a tie: who, why the text cannot tell, and what would.
func ambiguity(in Input, group []string, tie []placed) routing.Ambiguity {
	names := make([]string, len(tie))
	for i, p := range tie {
		names[i] = p.Repo
	}
	return routing.Ambiguity{
		Group:  strings.Join(group, "+"),
		Repos:  names,
		Reason: tie[0].reason,
		Ask:    question(in.Repos, names),
	}
}

// question is what would tell the members apart: the asks of the rules between
// them, or a plain one.
func question(repos []routing.Repo, names []string) string {
	var asks []string
	for _, r := range repos {
		if !slices.Contains(names, r.Name) {
			continue
		}
		for _, s := range r.Siblings {
			for _, t := range s.Tell {
				if sibling(repos, s.Repo, names) && t.Ask != "" && !slices.Contains(asks, t.Ask) {
					asks = append(asks, t.Ask)
				}
			}
		}
	}
	if len(asks) > 0 {
		return strings.Join(asks, " ")
	}
	return fmt.Sprintf("Which of them was in use: %s?", strings.Join(names, " or "))
}

func namesOf(members []fuse.Scored) []string {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.Repo
	}
	return names
}

func listOf(members []fuse.Scored) string {
	names := namesOf(members)
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
