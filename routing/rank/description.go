package rank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/text"
)

// Description ranks by prose: the ticket against one short text per repository
// saying what it is and who uses it. Both are prose by people, so the two meet
// in one language, which code and tickets do not.
//
// The score is BM25F (Robertson, Zaragoza and Taylor, "Simple BM25 extension to
// multiple weighted fields", 2004) over the fields name, description and owns.
type Description struct {
	queries *Queries
}

// The weights of the fields, and BM25's constants for texts of some 30 words.
// docs/benchmarks.md says what else was tried.
const (
	nameField        = 2.0
	descriptionField = 1.0
	ownsField        = 1.5 // chosen one by one to tell this repository from others
	proseK1          = 2.2
	proseB           = 0.4
	proseIDF         = 1.3 // power of the idf: among 30 words a rare one says more than its share
	proseTitle       = 8.0 // times that a word of the title counts: descriptions are as short as titles
)

// NewDescription returns the ranker.
func NewDescription(q *Queries) *Description { return &Description{queries: q} }

// Name implements routing.Ranker.
func (*Description) Name() string { return "description" }

// Rank implements routing.Ranker. It can rank every entry with a description.
func (d *Description) Rank(ctx context.Context, t routing.Ticket, repos []routing.Repo) (routing.Ranking, error) {
	if err := ctx.Err(); err != nil {
		return routing.Ranking{}, fmt.Errorf("ranking by description: %w", err)
	}
	r := routing.Ranking{Ranker: d.Name(), Version: "2", Comparable: true}
	var docs []proseDoc
	stemmer := text.NewStemmer()
	generated := 0
	for _, repo := range repos {
		if strings.TrimSpace(repo.Description) == "" {
			r.Missing = append(r.Missing, routing.Missing{Repo: repo.Name, Why: "no description in its entry"})
			continue
		}
		if repo.DescriptionSource == "generated" {
			generated++
		}
		r.CanRank = append(r.CanRank, repo.Name)
		docs = append(docs, newProseDoc(repo, stemmer))
	}
	if len(docs) == 0 {
		r.Abstained = "no repository has a description"
		return r, nil
	}
	if generated > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d descriptions are drafts from READMEs; a sentence written by hand routes better", generated, len(docs)))
	}
	r.Hits = d.queries.scoreProse(d.queries.weigh(t, proseTitle), docs)
	return r, nil
}

// proseDoc is one repository's prose as weighted term counts.
type proseDoc struct {
	repo   routing.Repo
	tf     map[string]float64
	length float64
}

func newProseDoc(repo routing.Repo, stemmer *text.Stemmer) proseDoc {
	doc := proseDoc{repo: repo, tf: map[string]float64{}}
	var splitter text.Splitter
	add := func(s string, weight float64) {
		splitter.Split([]byte(s), func(word []byte) {
			doc.tf[stemmer.Stem(word)] += weight
			doc.length += weight
		})
	}
	add(repo.Name, nameField)
	for _, alias := range repo.Aliases {
		add(alias, nameField)
	}
	add(repo.Description, descriptionField)
	for _, phrase := range repo.Owns {
		add(phrase, ownsField)
	}
	return doc
}

// scoreProse returns the documents that share a term with the query, best first.
func (q *Queries) scoreProse(terms []Term, docs []proseDoc) []routing.Hit {
	var mean float64
	df := map[string]int{}
	for _, doc := range docs {
		mean += doc.length / float64(len(docs))
		for stem := range doc.tf {
			df[stem]++
		}
	}
	var hits []routing.Hit
	for _, doc := range docs {
		norm := proseK1 * (1 - proseB + proseB*doc.length/mean)
		var matched []weighted
		score := 0.0
		for _, term := range terms {
			tf := doc.tf[term.Stem]
			if tf == 0 {
				continue
			}
			n := float64(df[term.Stem])
			idf := math.Log(1 + (float64(len(docs))-n+0.5)/(n+0.5))
			gain := term.Weight * math.Pow(idf, proseIDF) * tf * (proseK1 + 1) / (tf + norm)
			score += gain
			matched = append(matched, weighted{term.Word, gain})
		}
		if score > 0 {
			hits = append(hits, routing.Hit{Repo: doc.repo.Name, Score: score, Reasons: q.proseReasons(doc.repo, matched)})
		}
	}
	sortHits(hits)
	return hits
}

// weighted is a word of the ticket and what it added to a score.
type weighted struct {
	word string
	gain float64
}

// telling returns the words that added most, at most n, for a person to read: of
// a compound and its parts only the one that added more, of equals the compound,
// and vague words only where there is nothing better.
func (q *Queries) telling(matched []weighted, n int) []string {
	slices.SortStableFunc(matched, func(a, b weighted) int {
		return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(len(b.word), len(a.word)))
	})
	var words, rest []string
	for _, m := range matched {
		lower := strings.ToLower(m.word)
		covered := slices.ContainsFunc(words, func(w string) bool {
			w = strings.ToLower(w)
			return strings.Contains(w, lower) || strings.Contains(lower, w)
		})
		switch {
		case covered:
		case q.vague[lower]:
			rest = append(rest, m.word)
		default:
			words = append(words, m.word)
		}
		if len(words) == n {
			break
		}
	}
	if len(words) == 0 {
		return rest[:min(n, len(rest))]
	}
	return words
}

func (q *Queries) proseReasons(repo routing.Repo, matched []weighted) []string {
	what := "its description matches "
	if repo.DescriptionSource == "generated" {
		what = "its README matches "
	}
	return []string{what + list(q.telling(matched, 4))}
}

// list writes words as a person would: a, b and c.
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
