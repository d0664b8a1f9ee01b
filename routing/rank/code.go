package rank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/index"
)

// The views of one code search, each in [0,1] after division by the best
// repository's value.
const (
	ViewBest     = "best"     // the best chunk
	ViewTop      = "top"      // the best chunks, each worth half of the one before
	ViewDocument = "document" // the repository as one document (CORI)
	ViewVote     = "vote"     // its share of the best hundred chunks of all
)

// Code ranks by code search: the ticket as one query over the chunks of every
// repository. Statistics are shared across repositories, so scores compare.
type Code struct {
	queries *Queries
	set     *index.Set
	missing map[string]routing.Missing
	weights []ViewWeight
}

// ViewWeight is the share of one view in the code score.
type ViewWeight struct {
	View   string  `json:"view"`
	Weight float64 `json:"weight"`
}

// NewCode returns the ranker over one set of segments; missing says why
// repositories have none.
func NewCode(q *Queries, set *index.Set, missing []routing.Missing, weights []ViewWeight) *Code {
	c := &Code{queries: q, set: set, missing: map[string]routing.Missing{}, weights: weights}
	for _, m := range missing {
		c.missing[m.Repo] = m
	}
	return c
}

// Name implements routing.Ranker.
func (*Code) Name() string { return "code" }

// Rank implements routing.Ranker. It can rank every repository with a segment.
func (c *Code) Rank(ctx context.Context, t routing.Ticket, repos []routing.Repo) (routing.Ranking, error) {
	r := routing.Ranking{Ranker: c.Name(), Version: index.Version, Comparable: true}
	wanted := map[string]bool{}
	for _, repo := range repos {
		if c.set != nil && c.set.Segment(repo.Name) != nil {
			r.CanRank = append(r.CanRank, repo.Name)
			wanted[repo.Name] = true
			continue
		}
		m, ok := c.missing[repo.Name]
		if !ok {
			m = routing.Missing{Repo: repo.Name, Why: "no code index of it was built"}
		}
		r.Missing = append(r.Missing, m)
	}
	if len(r.CanRank) == 0 {
		r.Abstained = "no repository has a code index"
		return r, nil
	}
	terms := c.queries.Of(t)
	query := make([]index.QueryTerm, len(terms))
	for i, term := range terms {
		query[i] = term.QueryTerm
	}
	found, err := c.set.Search(ctx, query)
	if err != nil {
		return routing.Ranking{}, err
	}
	found.Repos = slices.DeleteFunc(found.Repos, func(h index.RepoHits) bool { return !wanted[h.Segment.Identity().Repo] })
	r.Hits = c.hits(found, terms)
	r.Keywords = c.keywords(found, terms)
	r.Strength = c.strength(found)
	return r, nil
}

// hits turns the search's answer into scored repositories.
func (c *Code) hits(found index.Result, terms []Term) []routing.Hit {
	views := map[string][]float64{
		ViewBest:     best(found),
		ViewTop:      decayed(found),
		ViewDocument: document(found),
		ViewVote:     vote(found),
	}
	total := 0.0
	for _, w := range c.weights {
		normalise(views[w.View])
		total += w.Weight
	}
	var hits []routing.Hit
	at := map[string]index.RepoHits{}
	for i, repo := range found.Repos {
		if len(repo.Top) == 0 {
			continue
		}
		hit := routing.Hit{Repo: repo.Segment.Identity().Repo}
		for _, w := range c.weights {
			v := views[w.View][i]
			hit.Views = append(hit.Views, routing.View{Name: w.View, Score: v})
			hit.Score += w.Weight * v / total
		}
		if hit.Score > 0 {
			hits = append(hits, hit)
			at[hit.Repo] = repo
		}
	}
	sortHits(hits)
	for i := range hits[:min(len(hits), explained)] {
		c.explain(&hits[i], at[hits[i].Repo], found.Terms, terms)
	}
	return hits
}

// strength is the best chunk's score as a share of what a chunk that held every
// word of the ticket, over and over, would score.
func (c *Code) strength(found index.Result) float64 {
	top, all := 0.0, 0.0
	for _, h := range found.Repos {
		if len(h.Top) > 0 {
			top = max(top, h.Top[0].Score)
		}
	}
	for _, t := range found.Terms {
		idf := t.IDF
		if t.Chunks == 0 {
			idf = c.set.MaxIDF()
		}
		all += idf * t.Weight * index.Saturated
	}
	if all == 0 {
		return 0
	}
	return top / all
}

// normalise divides by the greatest value, so that the best is 1.
func normalise(values []float64) {
	if top := slices.Max(values); top > 0 {
		for i := range values {
			values[i] /= top
		}
	}
}

func best(found index.Result) []float64 {
	return each(found, func(h index.RepoHits) float64 {
		if len(h.Top) == 0 {
			return 0
		}
		return h.Top[0].Score
	})
}

// decayed sums the best chunks with weights 1, 1/2, 1/4, ...
func decayed(found index.Result) []float64 {
	return each(found, func(h index.RepoHits) float64 {
		sum, weight := 0.0, 1.0
		for _, hit := range h.Top[:min(len(h.Top), 8)] {
			sum += weight * hit.Score
			weight /= 2
		}
		return sum
	})
}

// document is CORI (Callan, Lu and Croft, "Searching distributed collections
// with inference networks", 1995): each repository one document, whose term
// frequencies are the numbers of its chunks that hold the term.
func document(found index.Result) []float64 {
	mean := meanChunks(found)
	return each(found, func(h index.RepoHits) float64 {
		sum := 0.0
		for i, t := range found.Terms {
			sum += t.Weight * belief(h.Chunks[i], h.Segment, mean) * inverseRepos(t, len(found.Repos))
		}
		return sum
	})
}

func meanChunks(found index.Result) float64 {
	sum := 0.0
	for _, h := range found.Repos {
		sum += float64(h.Segment.Chunks())
	}
	return sum / float64(max(1, len(found.Repos)))
}

// belief is CORI's T: how much a repository speaks of a term that df of its
// chunks hold, in [0,1). mean is the mean number of chunks of a repository.
func belief(df int, seg *index.Segment, mean float64) float64 {
	return float64(df) / (float64(df) + 50 + 150*float64(seg.Chunks())/mean)
}

// inverseRepos is CORI's I: how rare a term is among n repositories, in [0,1].
func inverseRepos(t index.TermStat, n int) float64 {
	if t.Repos == 0 {
		return 0
	}
	return math.Log((float64(n)+0.5)/float64(t.Repos)) / math.Log(float64(n)+1)
}

// vote is each repository's share of the best chunks of all repositories.
func vote(found index.Result) []float64 {
	type ballot struct {
		repo  int
		score float64
	}
	var all []ballot
	for i, h := range found.Repos {
		for _, hit := range h.Top {
			all = append(all, ballot{i, hit.Score})
		}
	}
	slices.SortStableFunc(all, func(a, b ballot) int { return cmp.Compare(b.score, a.score) })
	shares := make([]float64, len(found.Repos))
	for _, b := range all[:min(len(all), index.Depth)] {
		shares[b.repo] += b.score
	}
	return shares
}

func each(found index.Result, value func(index.RepoHits) float64) []float64 {
	values := make([]float64, len(found.Repos))
	for i, h := range found.Repos {
		values[i] = value(h)
	}
	return values
}

// How many of the best repositories show where they matched, and how many places
// each: enough for any shortlist that people read.
const (
	explained    = 20
	evidenceKept = 3
)

// explain adds the places a hit stands on, and why.
func (c *Code) explain(hit *routing.Hit, repo index.RepoHits, stats []index.TermStat, terms []Term) {
	id := repo.Segment.Identity()
	for _, top := range repo.Top[:min(len(repo.Top), evidenceKept)] {
		words := c.matchedWords(repo.Segment, top, stats, terms)
		hit.Evidence = append(hit.Evidence, routing.Evidence{
			Repo: id.Repo, Branch: id.Branch, Commit: id.Commit, Generation: repo.Segment.Generation(),
			Path: top.Path, StartLine: top.StartLine, EndLine: top.EndLine,
			Freshness: routing.FreshCurrent, IndexVersion: index.Version,
			Failures: failuresAt(repo.Segment, top.Path), Why: "matches " + list(words),
		})
	}
	if len(hit.Evidence) > 0 {
		first := hit.Evidence[0]
		hit.Reasons = append(hit.Reasons, fmt.Sprintf("its code %s (%s:%d-%d)", first.Why, first.Path, first.StartLine, first.EndLine))
	}
}

func (c *Code) matchedWords(seg *index.Segment, top index.ChunkHit, stats []index.TermStat, terms []Term) []string {
	var matched []weighted
	for _, i := range seg.Matched(top, stats) {
		matched = append(matched, weighted{terms[i].Word, stats[i].IDF * stats[i].Weight})
	}
	return c.queries.telling(matched, 5)
}

// failuresAt lists what could not be read of a file that is shown as evidence.
func failuresAt(seg *index.Segment, path string) []string {
	failures := []string{}
	for _, f := range seg.Failures() {
		if f.Path == path {
			failures = append(failures, f.Why)
		}
	}
	return failures
}

// keywordsKept is how many words of a ticket a decision names.
const keywordsKept = 12

// keywords returns the words of the ticket that weigh most in the search.
func (c *Code) keywords(found index.Result, terms []Term) []string {
	var all []weighted
	for i, s := range found.Terms {
		if s.Chunks > 0 {
			all = append(all, weighted{terms[i].Word, s.IDF * s.Weight})
		}
	}
	return c.queries.telling(all, keywordsKept)
}
