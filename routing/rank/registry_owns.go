package rank

import (
	"slices"
	"sort"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

const (
	// maxPartialWords bounds how many different words of a ticket are tried as
	// parts of keywords.
	maxPartialWords = 3000
	// minInside is the least width of a keyword that counts when it stands inside
	// a ticket's word: people choose short keywords (zip, csv), tickets are full of
	// short words that mean nothing.
	minInside = 3
)

// ownsMatch is what a ticket says about one keyword.
type ownsMatch struct {
	exact bool
	token string // the ticket's word, or the expansion
	from  string // the ticket's word that was expanded, or ""
}

// keywordTable holds every keyword of the registry once, in lower case, with
// what the ticket says about it. A thousand entries share many keywords, and
// looking for all of them at once is what keeps partial matches cheap.
type keywordTable struct {
	match map[string]ownsMatch
	held  map[string]int // entries that hold the keyword
}

// keyword is the form under which a keyword is looked up.
func keyword(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// matchKeywords meets the ticket with the keywords of all entries. minPartial is
// the least width of a word that may match a part.
func matchKeywords(repos []routing.Repo, v ticketView, drop map[string]bool, minPartial int) keywordTable {
	t := keywordTable{match: map[string]ownsMatch{}, held: map[string]int{}}
	var order []string
	for _, r := range repos {
		mine := map[string]bool{}
		for _, k := range r.Owns {
			if k = keyword(k); k == "" || mine[k] {
				continue
			}
			mine[k] = true
			if t.held[k]++; t.held[k] == 1 {
				order = append(order, k)
			}
		}
	}
	also := map[string]string{}
	for _, e := range v.also {
		also[e.word] = e.from
	}
	words := make([][]string, len(order))
	for i, k := range order {
		words[i] = wordsOf(k)
		if m, ok := exactMatch(k, words[i], v, also, drop); ok {
			t.match[k] = m
		}
	}
	t.partials(order, words, v, also, minPartial)
	return t
}

// exactMatch finds a keyword word for word: in the ticket, or among the expansions.
func exactMatch(k string, words []string, v ticketView, also map[string]string, drop map[string]bool) (ownsMatch, bool) {
	if slices.ContainsFunc(words, func(w string) bool { return drop[w] }) {
		words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return drop[w] })
	}
	if v.own.inRow(words) >= 0 {
		return ownsMatch{exact: true, token: k}, true
	}
	if len(words) == 1 {
		if from, ok := also[words[0]]; ok {
			return ownsMatch{exact: true, token: words[0], from: from}, true
		}
	}
	return ownsMatch{}, false
}

// partials finds the keywords that hold a word of the ticket, or stand in one.
// A word of the ticket can only stand inside one word of a keyword, so that each
// different word of all keywords is looked at once; they are laid end to end and
// searched as one text.
func (t keywordTable) partials(order []string, wordsIn [][]string, v ticketView, also map[string]string, minPartial int) {
	tokens := partialWords(v, minPartial)
	words, holders := vocabulary(order, wordsIn)
	var text strings.Builder
	starts := make([]int, 0, len(words))
	for _, w := range words {
		starts = append(starts, text.Len())
		text.WriteString(w)
		text.WriteByte('\n')
	}
	joined := text.String()
	known := gramsOf(joined, minPartial)
	for _, token := range tokens {
		if !known.mayHold(token) {
			continue
		}
		for at := 0; ; {
			next := strings.Index(joined[at:], token)
			if next < 0 {
				break
			}
			i := sort.SearchInts(starts, at+next+1) - 1 // the word that this place is in
			for _, k := range holders[words[i]] {
				t.partial(k, token, also[token])
			}
			at = starts[i] + len(words[i])
		}
	}
	ticket := strings.Join(tokens, "\n")
	for _, k := range order {
		if _, done := t.match[k]; done || strings.IndexByte(k, ' ') >= 0 || width(k) < min(minPartial, minInside) {
			continue
		}
		if at := strings.Index(ticket, k); at >= 0 {
			token := ticket[strings.LastIndexByte(ticket[:at], '\n')+1:]
			token, _, _ = strings.Cut(token, "\n")
			t.partial(k, token, also[token])
		}
	}
}

// vocabulary lists the different words of keywords, and the keywords of each.
func vocabulary(order []string, wordsIn [][]string) (words []string, holders map[string][]string) {
	holders = map[string][]string{}
	for i, k := range order {
		for _, w := range wordsIn[i] {
			if holders[w] == nil {
				words = append(words, w)
			}
			holders[w] = append(holders[w], k)
		}
	}
	return words, holders
}

func (t keywordTable) partial(k, token, from string) {
	if _, done := t.match[k]; !done {
		t.match[k] = ownsMatch{token: token, from: from}
	}
}

// partialWords lists the different words of the ticket, then the expansions, that
// are long enough to match a part.
func partialWords(v ticketView, minPartial int) []string {
	var out []string
	seen := map[string]bool{}
	add := func(w string) {
		if !seen[w] && len(out) < maxPartialWords && width(w) >= minPartial {
			out = append(out, w)
		}
		seen[w] = true
	}
	for _, tok := range v.own.tokens {
		add(tok.text)
	}
	for _, e := range v.also {
		add(e.word)
	}
	return out
}

// grams is the set of byte sequences of one length in a text, to pass over the
// words that cannot be in it.
type grams struct {
	n   int
	set map[string]bool
}

func gramsOf(s string, n int) grams {
	g := grams{n: n}
	if n < 3 { // too short to tell words apart
		return g
	}
	g.set = make(map[string]bool, len(s))
	for i := 0; i+n <= len(s); i++ {
		g.set[s[i:i+n]] = true
	}
	return g
}

func (g grams) mayHold(word string) bool {
	if g.set == nil {
		return true
	}
	for i := 0; i+g.n <= len(word); i++ {
		if !g.set[word[i:i+g.n]] {
			return false
		}
	}
	return true
}
