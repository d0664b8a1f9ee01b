package lint

import (
	"cmp"
	"slices"

	"github.com/pointsman/pointsman/routing/text"
)

// vocabulary numbers the words with a topic of all descriptions and their stems,
// in the order in which they are met.
type vocabulary struct {
	stop    map[string]bool
	number  map[string]int // of a word; -1 of one without a topic
	words   []string
	seen    []int // by word: the last text that held it, from 1
	stem    []int // by word
	stems   map[string]int
	spelled []string // by stem
	count   []int    // by stem: the texts that hold it
	last    []int    // by stem: whatever counts keeps here the last text that held it, from 0
	texts   int
	stemmer *text.Stemmer
	lower   []byte // the text at hand
}

func newVocabulary(stop map[string]bool) *vocabulary {
	return &vocabulary{stop: stop, number: make(map[string]int, 1<<12), stems: map[string]int{}, stemmer: text.NewStemmer()}
}

// read returns the words of a text that say something, each once.
func (v *vocabulary) read(s string) []int {
	v.texts++
	out := make([]int, 0, len(s)/8+1)
	v.lower = eachWord(s, v.lower, func(word []byte) {
		w, ok := v.number[string(word)] // no copy of one that is known
		if !ok {
			w = v.add(string(word))
		}
		if w >= 0 && v.seen[w] != v.texts {
			v.seen[w] = v.texts
			out = append(out, w)
		}
	})
	return out
}

func (v *vocabulary) add(word string) int {
	w := -1
	if !v.stop[word] {
		w = len(v.words)
		v.words, v.seen = append(v.words, word), append(v.seen, 0)
		spelled := v.stemmer.Stem([]byte(word))
		stem, ok := v.stems[spelled]
		if !ok {
			stem = len(v.spelled)
			v.stems[spelled] = stem
			v.spelled, v.count, v.last = append(v.spelled, spelled), append(v.count, 0), append(v.last, -1)
		}
		v.stem = append(v.stem, stem)
	}
	v.number[word] = w
	return w
}

// byRarity numbers the stems anew, the rarest first.
func (v *vocabulary) byRarity() []int {
	order := make([]int, len(v.spelled))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(v.count[a], v.count[b]), cmp.Compare(v.spelled[a], v.spelled[b]))
	})
	number := make([]int, len(order))
	for i, stem := range order {
		number[stem] = i
	}
	return number
}
