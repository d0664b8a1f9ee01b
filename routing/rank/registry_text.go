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
	start := -1
	flush := func(end int) {
		if start < 0 {
			return
		}
		word := strings.ToLower(s[start:end])
		if !drop[word] {
			w.at[word] = append(w.at[word], len(w.tokens))
			w.tokens = append(w.tokens, wordToken{word, start, end})
		}
		start = -1
	}
	for i, r := range s {
		if isWordRune(r) {
			if start < 0 {
				start = i
			}
			continue
		}
		flush(i)
	}
	flush(len(s))
	return w
}

func isWordRune(r rune) bool {
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
	parts := splitWords(name, nil)
	if len(parts.tokens) == 0 {
		return false
	}
	first, last := parts.tokens[0], parts.tokens[len(parts.tokens)-1]
	lead, trail := first.start, len(name)-last.end
	phrase := parts.words()
	for _, i := range w.at[first.text] {
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

// words lists the tokens' texts.
func (w wordList) words() []string {
	out := make([]string, len(w.tokens))
	for i, t := range w.tokens {
		out[i] = t.text
	}
	return out
}

// width is the length of a word for the minimum of partial matches: characters,
// and those of scripts without spaces say about twice as much.
func width(word string) int {
	n := 0
	for _, r := range word {
		n++
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
			n++
		}
	}
	return n
}
