package rank

import (
	"strings"
)

const (
	// maxPartialWords bounds how many different words of a ticket are tried as
	// parts of keywords.
	maxPartialWords = 3000
	// maxGram bounds the bytes by whose beginning parts are looked for.
	maxGram = 4
)

// parts finds the words of a ticket that are a part of a keyword, and the keywords
// that are a part of a ticket's word. A registry has tens of thousands of keywords
// and a ticket hundreds of words, so that both are first looked up by the grams
// (runs of a few bytes) they begin with.
type parts struct {
	words  []expanded // the ticket's words, then the expansions, wide enough
	head   grams      // the beginnings of words
	byHead map[uint32][]int
	least  int   // width of a keyword that may stand inside a word
	inside grams // all grams of words
	joined string
}

// newParts prepares the words of at least minPartial characters. A keyword must
// have least characters to count inside one of them.
func newParts(words []expanded, minPartial, least int) *parts {
	p := &parts{head: newGrams(min(minPartial, maxGram)), inside: newGrams(min(least, maxGram)), byHead: map[uint32][]int{}, least: least}
	seen := map[string]bool{}
	var joined strings.Builder
	for _, w := range words {
		if seen[w.word] || len(p.words) == maxPartialWords || width(w.word) < minPartial || strings.IndexByte(w.word, ' ') >= 0 {
			continue
		}
		seen[w.word] = true
		g := p.head.at(w.word, 0)
		p.head.add(g)
		p.byHead[g] = append(p.byHead[g], len(p.words))
		for i := 0; i+p.inside.n <= len(w.word); i++ {
			p.inside.add(p.inside.at(w.word, i))
		}
		p.words = append(p.words, w)
		joined.WriteString(w.word)
		joined.WriteByte('\n')
	}
	p.joined = joined.String()
	return p
}

// of returns the first word of the ticket that is a part of a keyword in lower
// case, or has it as a part.
func (p *parts) of(keyword string) (expanded, bool) {
	first := -1
	for i := 0; i+p.head.n <= len(keyword); i++ {
		g := p.head.at(keyword, i)
		if !p.head.has(g) {
			continue
		}
		for _, w := range p.byHead[g] {
			if (first < 0 || w < first) && strings.HasPrefix(keyword[i:], p.words[w].word) {
				first = w
			}
		}
	}
	if first >= 0 {
		return p.words[first], true
	}
	if !p.mayHold(keyword) || width(keyword) < p.least {
		return expanded{}, false
	}
	at := strings.Index(p.joined, keyword)
	if at < 0 {
		return expanded{}, false
	}
	return p.words[strings.Count(p.joined[:at], "\n")], true
}

// mayHold tells whether a keyword of one word can stand inside a ticket's word:
// all its grams are there.
func (p *parts) mayHold(keyword string) bool {
	if len(keyword) < p.inside.n || strings.IndexByte(keyword, ' ') >= 0 {
		return false
	}
	for i := 0; i+p.inside.n <= len(keyword); i++ {
		if !p.inside.has(p.inside.at(keyword, i)) {
			return false
		}
	}
	return true
}

// grams is a set of byte runs of one length, by their hash: it may take one run
// for another, never miss one.
type grams struct {
	n   int
	set *[1 << 10]uint64
}

func newGrams(n int) grams { return grams{n: n, set: new([1 << 10]uint64)} }

// at is the run of n bytes at i, as a number.
func (g grams) at(s string, i int) uint32 {
	var v uint32
	for _, c := range []byte(s[i : i+g.n]) {
		v = v<<8 | uint32(c)
	}
	return v
}

func (g grams) slot(v uint32) uint32 { return v * 2654435761 >> 16 }

func (g grams) add(v uint32) { s := g.slot(v); g.set[s>>6] |= 1 << (s & 63) }

func (g grams) has(v uint32) bool { s := g.slot(v); return g.set[s>>6]&(1<<(s&63)) != 0 }
