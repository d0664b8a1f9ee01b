package rank

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordToken is one word of a text, in lower case, and where it stands.
type wordToken struct {
	text       string
	start, end int
}

// wordList is a text split as the routing document says: at space and
// punctuation, in lower case. It remembers the text, for the names whose spelling
// matters.
type wordList struct {
	raw    string
	tokens []wordToken
	at     map[string][]int // positions in tokens
}

// splitWords tokenises s; words in drop are left out.
func splitWords(s string, drop map[string]bool) wordList {
	w := wordList{raw: s, at: map[string][]int{}}
	eachWord(s, func(start, end int) {
		word := strings.ToLower(s[start:end])
		if !drop[word] {
			w.at[word] = append(w.at[word], len(w.tokens))
			w.tokens = append(w.tokens, wordToken{word, start, end})
		}
	})
	return w
}

// wordsOf lists the words of a short text, in lower case.
func wordsOf(s string) []string {
	var out []string
	eachWord(s, func(start, end int) { out = append(out, strings.ToLower(s[start:end])) })
	return out
}

// eachWord calls visit with the place of every word of s.
func eachWord(s string, visit func(start, end int)) {
	start := -1
	for i, r := range s {
		switch {
		case isWordRune(r):
			if start < 0 {
				start = i
			}
		case start >= 0:
			visit(start, i)
			start = -1
		}
	}
	if start >= 0 {
		visit(start, len(s))
	}
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r)
}

// inRow returns the position at which the words of phrase first stand in a row,
// or -1.
func (w wordList) inRow(phrase []string) int {
	if len(phrase) == 0 {
		return -1
	}
	for _, i := range w.at[phrase[0]] {
		if w.standsAt(i, phrase) {
			return i
		}
	}
	return -1
}

// named tells whether the words of phrase stand in a row and are not part of a
// longer name.
func (w wordList) named(phrase []string, joiners string) bool {
	for _, i := range w.at[phrase[0]] {
		if w.standsAt(i, phrase) && !w.joined(w.tokens[i].start, w.tokens[i+len(phrase)-1].end, joiners) {
			return true
		}
	}
	return false
}

func (w wordList) standsAt(i int, phrase []string) bool {
	if i+len(phrase) > len(w.tokens) {
		return false
	}
	for j, word := range phrase {
		if w.tokens[i+j].text != word {
			return false
		}
	}
	return true
}

// spelling says how exactly a name must be written to count.
type spelling struct {
	sameCase bool   // upper and lower case as given
	joiners  string // characters that would make it part of a longer name
}

// verbatim tells whether name stands in the text as it is spelt, its punctuation
// included, and not as part of a longer name.
func (w wordList) verbatim(name string, how spelling) bool {
	phrase := wordsOf(name)
	if len(phrase) == 0 || len(w.at[phrase[0]]) == 0 {
		return false
	}
	lead := strings.IndexFunc(name, isWordRune)
	trail := len(name)
	eachWord(name, func(_, end int) { trail = len(name) - end })
	for _, i := range w.at[phrase[0]] {
		if !w.standsAt(i, phrase) {
			continue
		}
		start, end := w.tokens[i].start-lead, w.tokens[i+len(phrase)-1].end+trail
		if start < 0 || end > len(w.raw) {
			continue
		}
		got := w.raw[start:end]
		if got != name && (how.sameCase || !strings.EqualFold(got, name)) {
			continue
		}
		if !w.joined(start, end, how.joiners) {
			return true
		}
	}
	return false
}

// joined tells whether the characters around raw[start:end] make it part of a
// longer name: a letter or digit next to it, or one behind a joiner. What follows
// a joiner must be a letter: "name-2.1" still names "name".
func (w wordList) joined(start, end int, joiners string) bool {
	before, n := utf8.DecodeLastRuneInString(w.raw[:start])
	if n > 0 {
		farther, _ := utf8.DecodeLastRuneInString(w.raw[:start-n])
		if isWordRune(before) || strings.ContainsRune(joiners, before) && isWordRune(farther) {
			return true
		}
	}
	after, n := utf8.DecodeRuneInString(w.raw[end:])
	if n == 0 {
		return false
	}
	farther, _ := utf8.DecodeRuneInString(w.raw[end+n:])
	return isWordRune(after) || strings.ContainsRune(joiners, after) && unicode.IsLetter(farther)
}

// width is the length of a word for the minimum of partial matches: characters,
// and those of scripts without spaces say about twice as much.
func width(word string) int {
	n := 0
	for _, r := range word {
		n++
		if r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
			n++
		}
	}
	return n
}
