package eval

import (
	"encoding/json"
	"errors"

	"github.com/pointsman/pointsman/routing"
)

// Standing is one repository's rank in an answer: its rank, and how many share it.
// Its JSON form is [rank, share].
type Standing struct {
	Rank  int // from 1; 0 = not in the answer
	Share int // repositories at that rank, itself included
}

// MarshalJSON writes [rank, share].
func (s Standing) MarshalJSON() ([]byte, error) { return json.Marshal([2]int{s.Rank, s.Share}) }

// UnmarshalJSON reads [rank, share].
func (s *Standing) UnmarshalJSON(b []byte) error {
	var pair []int
	if err := json.Unmarshal(b, &pair); err != nil || len(pair) != 2 {
		return errors.New("want [rank, share], two whole numbers")
	}
	s.Rank, s.Share = pair[0], pair[1]
	return nil
}

// Credit is what a standing earns at a cut of k: 1 inside, 0 outside, and for a
// tie that straddles the cut the share of its members inside it.
func (s Standing) Credit(k int) float64 {
	if s.Rank == 0 || s.Rank > k {
		return 0
	}
	inside := min(s.Share, k-s.Rank+1)
	return float64(inside) / float64(s.Share)
}

// Reciprocal is the mean of 1/position over the places that a tie occupies.
func (s Standing) Reciprocal() float64 {
	if s.Rank == 0 {
		return 0
	}
	sum := 0.0
	for i := range s.Share {
		sum += 1 / float64(s.Rank+i)
	}
	return sum / float64(s.Share)
}

// Place is a repository at its rank. Its JSON form is [rank, repo].
type Place struct {
	Rank int
	Repo string
}

// MarshalJSON writes [rank, repo].
func (p Place) MarshalJSON() ([]byte, error) { return json.Marshal([2]any{p.Rank, p.Repo}) }

// UnmarshalJSON reads [rank, repo].
func (p *Place) UnmarshalJSON(b []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(b, &pair); err != nil || len(pair) != 2 {
		return errors.New("want [rank, repo]")
	}
	return errors.Join(json.Unmarshal(pair[0], &p.Rank), json.Unmarshal(pair[1], &p.Repo))
}

// standings looks repositories up in a list of places.
func standings(places []Place) func(string) Standing {
	share := map[int]int{}
	for _, p := range places {
		share[p.Rank]++
	}
	at := make(map[string]Standing, len(places))
	for _, p := range places {
		at[p.Repo] = Standing{Rank: p.Rank, Share: share[p.Rank]}
	}
	return func(repo string) Standing { return at[repo] }
}

// placesOfRanking ranks one ranker's hits, which come best first; equal scores
// share a rank.
func placesOfRanking(r routing.Ranking) []Place {
	places := make([]Place, len(r.Hits))
	for i, h := range r.Hits {
		places[i] = Place{Rank: i + 1, Repo: h.Repo}
		if i > 0 && h.Score == r.Hits[i-1].Score {
			places[i].Rank = places[i-1].Rank
		}
	}
	return places
}

// placesOfDecision are the decision's own ranks; a decision that names nothing
// has none.
func placesOfDecision(d routing.Decision) []Place {
	if d.Verdict == routing.VerdictNone {
		return []Place{}
	}
	places := make([]Place, len(d.Candidates))
	for i, c := range d.Candidates {
		places[i] = Place{Rank: c.Rank, Repo: c.Repo}
	}
	return places
}

// firsts are the repositories at rank 1.
func firsts(places []Place) []string {
	names := []string{}
	for _, p := range places {
		if p.Rank == 1 {
			names = append(names, p.Repo)
		}
	}
	return names
}
