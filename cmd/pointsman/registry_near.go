package main

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
	"github.com/pointsman/pointsman/routing/text"
)

const (
	maxNear   = 3 // entries that are named as the nearest
	maxShared = 6 // words that are named as shared
)

// commonWords stand in every description and tell none from another.
const commonWords = `about all also and another any are both but can each for from has have how into its
	more most not only other our out over own provides says some such than that the their them then there
	these they this those through use used user users uses using was were what when where which who will
	with within you your`

// neighbour is an entry that reads like another one.
type neighbour struct {
	repo   routing.Repo
	like   float64  // the part of the words' weight that is shared, 0 to 1
	shared []string // the weightiest shared words
}

// vocabulary weighs the words of all entries: a word that few use says more.
type vocabulary struct {
	common map[string]bool              // stems that say nothing
	words  map[string]map[string]string // entry to stem to a word as written
	weight map[string]float64
}

func newVocabulary(repos []routing.Repo) *vocabulary {
	split, stem := &text.Splitter{}, text.NewStemmer()
	v := &vocabulary{common: map[string]bool{}, words: map[string]map[string]string{}, weight: map[string]float64{}}
	for w := range strings.FieldsSeq(commonWords) {
		v.common[stem.Stem([]byte(w))] = true
	}
	used := map[string]int{}
	for _, r := range repos {
		words := map[string]string{}
		split.Split([]byte(r.Description+" "+strings.Join(r.Owns, " ")), func(term []byte) {
			if s := stem.Stem(term); len(term) > 2 && !v.common[s] && words[s] == "" {
				words[s] = string(term)
			}
		})
		for s := range words {
			used[s]++
		}
		v.words[r.Name] = words
	}
	for s, n := range used {
		v.weight[s] = math.Log(float64(len(repos)+1) / float64(n+1))
	}
	return v
}

// near returns the entries that read most like one, and the weightiest words that
// only it has.
func (v *vocabulary) near(entry routing.Repo, repos []routing.Repo) (list []neighbour, own []string) {
	mine := v.words[entry.Name]
	total, elsewhere := 0.0, map[string]bool{}
	for s := range mine {
		total += v.weight[s]
	}
	for _, r := range repos {
		if r.Name == entry.Name {
			continue
		}
		n := neighbour{repo: r}
		var stems []string
		for s := range mine {
			if v.words[r.Name][s] != "" {
				n.like += v.weight[s]
				elsewhere[s] = true
				stems = append(stems, s)
			}
		}
		if n.shared = v.heaviest(stems, mine); n.like > 0 && total > 0 {
			n.like /= total
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(b.like, a.like), strings.Compare(a.repo.Name, b.repo.Name))
	})
	var only []string
	for s := range mine {
		if !elsewhere[s] {
			only = append(only, s)
		}
	}
	return list[:min(len(list), maxNear)], v.heaviest(only, mine)
}

func (v *vocabulary) heaviest(stems []string, written map[string]string) []string {
	slices.SortFunc(stems, func(a, b string) int {
		return cmp.Or(cmp.Compare(v.weight[b], v.weight[a]), strings.Compare(a, b))
	})
	var out []string
	for _, s := range stems[:min(len(stems), maxShared)] {
		if v.weight[s] > 0 {
			out = append(out, written[s])
		}
	}
	return out
}

// tellApart says which entries this one must be told from, and by which words it
// can be now.
func tellApart(hint func(format string, args ...any), entry routing.Repo, reg registry.Registry) {
	list, own := newVocabulary(reg.Repos).near(entry, reg.Repos)
	for _, s := range entry.Siblings {
		hint("")
		hint("It must be told from its sibling %s.", s.Repo)
	}
	if len(list) > 0 {
		hint("")
		hint("It reads most like these:")
		for _, n := range list {
			hint("  %s: %.0f %% of what it says, as %s", n.repo.Name, 100*n.like, strings.Join(n.shared, ", "))
			hint("      %s", clip(n.repo.Description, 90))
		}
	}
	switch {
	case len(own) > 0:
		hint("")
		hint("Only this entry says: %s.", strings.Join(own, ", "))
	case entry.Description != "":
		hint("")
		hint("It says nothing that another entry does not say too.")
	}
}
