package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// BM25 constants (Robertson and Zaragoza, "The Probabilistic Relevance
// Framework: BM25 and Beyond", 2009), at their usual values.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// Saturated is the limit of BM25's term factor: what a chunk that repeats a term
// without end scores for it, as a multiple of weight and IDF.
const Saturated = bm25K1 + 1

// Set is a group of segments that answer a query together. It is immutable and
// safe for concurrent use; a reader holds one Set through a whole query.
type Set struct {
	segments []*Segment // by repository name
	chunks   int
	tokens   int64
}

// NewSet groups segments, at most one for a repository.
func NewSet(segments []*Segment) *Set {
	s := &Set{segments: slices.Clone(segments)}
	slices.SortFunc(s.segments, func(a, b *Segment) int {
		return cmp.Compare(a.header.Identity.Repo, b.header.Identity.Repo)
	})
	for _, seg := range s.segments {
		s.chunks += seg.header.Chunks
		s.tokens += seg.header.Tokens
	}
	return s
}

// Segments lists the segments by repository name.
func (s *Set) Segments() []*Segment { return s.segments }

// Segment returns the segment of a repository, or nil.
func (s *Set) Segment(repo string) *Segment {
	i, ok := slices.BinarySearchFunc(s.segments, repo, func(seg *Segment, name string) int {
		return cmp.Compare(seg.header.Identity.Repo, name)
	})
	if !ok {
		return nil
	}
	return s.segments[i]
}

// Chunks is the number of windows in all segments.
func (s *Set) Chunks() int { return s.chunks }

// QueryTerm is one stem to look for, and how much it matters in the query.
type QueryTerm struct {
	Stem   string
	Weight float64
}

// Result is the answer to one query, and the statistics behind it.
type Result struct {
	Terms []TermStat // in the order of the query
	Repos []RepoHits // in the order of the set's segments
}

// TermStat says how common a term is.
type TermStat struct {
	Stem   string
	Weight float64
	Chunks int     // that hold it, in all repositories
	Repos  int     // that hold it
	IDF    float64 // of chunks: ln(1 + (N - n + 0.5) / (n + 0.5))
}

// RepoHits is what one repository has for a query.
type RepoHits struct {
	Segment *Segment
	Chunks  []int      // by query term: chunks of this repository that hold it
	Top     []ChunkHit // the best chunks, best first, at most Depth
}

// ChunkHit is one window with its BM25 score.
type ChunkHit struct {
	Path        string
	StartLine   int
	EndLine     int
	Score       float64
	Fingerprint uint64
	number      int
}

// Depth is how many chunks of each repository a search returns at most.
const Depth = 100

// Search scores every chunk of every segment by BM25 with shared statistics.
// The only error is that of ctx.
func (s *Set) Search(ctx context.Context, terms []QueryTerm) (Result, error) {
	res, rows := s.stats(terms)
	mean := float64(s.tokens) / float64(max(1, s.chunks))
	for r, seg := range s.segments {
		if err := ctx.Err(); err != nil {
			return Result{}, fmt.Errorf("searching the code index: %w", err)
		}
		res.Repos[r].Top = seg.top(rows[r], res.Terms, mean)
	}
	return res, nil
}

// Stats counts where the terms of a query stand without scoring chunks: the
// Result has no Top.
func (s *Set) Stats(terms []QueryTerm) Result {
	res, _ := s.stats(terms)
	return res
}

// stats also returns, by segment and term, the term's row or -1.
func (s *Set) stats(terms []QueryTerm) (Result, [][]int) {
	res := Result{Terms: make([]TermStat, len(terms)), Repos: make([]RepoHits, len(s.segments))}
	rows := make([][]int, len(s.segments))
	for i, q := range terms {
		res.Terms[i] = TermStat{Stem: q.Stem, Weight: q.Weight}
	}
	for r, seg := range s.segments {
		rows[r] = make([]int, len(terms))
		counts := make([]int, len(terms))
		for i, q := range terms {
			row := seg.find(q.Stem)
			rows[r][i] = row
			if row >= 0 {
				counts[i] = seg.df(row)
				res.Terms[i].Chunks += counts[i]
				res.Terms[i].Repos++
			}
		}
		res.Repos[r] = RepoHits{Segment: seg, Chunks: counts}
	}
	for i := range res.Terms {
		n := float64(res.Terms[i].Chunks)
		res.Terms[i].IDF = math.Log(1 + (float64(s.chunks)-n+0.5)/(n+0.5))
	}
	return res, rows
}

// MaxIDF is the IDF of a term that no chunk holds: the weight of a word never seen.
func (s *Set) MaxIDF() float64 { return math.Log(1 + (float64(s.chunks)+0.5)/0.5) }

// top scores the segment's chunks and returns the best.
func (s *Segment) top(rows []int, terms []TermStat, mean float64) []ChunkHit {
	scores := make([]float64, s.header.Chunks)
	var touched []int
	for i, row := range rows {
		if row < 0 {
			continue
		}
		gain := terms[i].IDF * terms[i].Weight * Saturated
		s.each(row, func(c, tf int) {
			if scores[c] == 0 {
				touched = append(touched, c)
			}
			norm := bm25K1 * (1 - bm25B + bm25B*float64(s.chunk(c).length)/mean)
			scores[c] += gain * float64(tf) / (float64(tf) + norm)
		})
	}
	slices.SortFunc(touched, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	touched = touched[:min(len(touched), Depth)]
	hits := make([]ChunkHit, len(touched))
	for i, n := range touched {
		c := s.chunk(n)
		hits[i] = ChunkHit{
			Path: s.header.Files[c.file], StartLine: c.start, EndLine: c.end,
			Score: scores[n], Fingerprint: c.fingerprint, number: n,
		}
	}
	return hits
}

// Matched returns the positions of the query terms that a chunk holds.
func (s *Segment) Matched(h ChunkHit, terms []TermStat) []int {
	var at []int
	for i, t := range terms {
		row := s.find(t.Stem)
		if row < 0 {
			continue
		}
		s.each(row, func(c, _ int) {
			if c == h.number {
				at = append(at, i)
			}
		})
	}
	return at
}

// Unshared returns, for each of the segments, by query term, the number of its
// chunks that hold the term and do not stand word for word in every one of the
// other segments. It is what siblings do not have in common.
func Unshared(segments []*Segment, terms []QueryTerm) [][]int {
	prints := make([]map[uint64]bool, len(segments))
	for i, seg := range segments {
		prints[i] = make(map[uint64]bool, seg.header.Chunks)
		for c := range seg.header.Chunks {
			prints[i][seg.chunk(c).fingerprint] = true
		}
	}
	everywhere := func(fingerprint uint64) bool {
		for _, p := range prints {
			if !p[fingerprint] {
				return false
			}
		}
		return true
	}
	counts := make([][]int, len(segments))
	for i, seg := range segments {
		counts[i] = make([]int, len(terms))
		for j, t := range terms {
			row := seg.find(t.Stem)
			if row < 0 {
				continue
			}
			seg.each(row, func(c, _ int) {
				if !everywhere(seg.chunk(c).fingerprint) {
					counts[i][j]++
				}
			})
		}
	}
	return counts
}
