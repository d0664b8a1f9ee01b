package rank

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pointsman/pointsman/routing/text"
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
	begins grams            // hashes of its words, and of the stop words left out
}

// splitWords tokenises s; words in drop are left out.
func splitWords(s string, drop map[string]bool) *wordList {
	w := &wordList{raw: s, at: map[string][]int{}, begins: newGrams(0)}
	for word := range drop {
		h, _ := firstHash(word)
		w.begins.add(h)
	}
	for start, end := nextWord(s, 0); start >= 0; start, end = nextWord(s, end) {
		word := strings.ToLower(s[start:end])
		if !drop[word] {
			if h, ok := firstHash(word); ok {
				w.begins.add(h)
			}
			w.at[word] = append(w.at[word], len(w.tokens))
			w.tokens = append(w.tokens, wordToken{word, start, end})
		}
	}
	return w
}

// wordsOf lists the words of a short text, in lower case.
func wordsOf(s string) []string {
	var out []string
	for start, end := nextWord(s, 0); start >= 0; start, end = nextWord(s, end) {
		out = append(out, strings.ToLower(s[start:end]))
	}
	return out
}

// nextWord returns where the first word of s at or after from stands, or -1. Scripts
// without spaces part words of the others, as in a name among Chinese ones.
func nextWord(s string, from int) (start, end int) {
	start = -1
	spaceless := false // of the word at hand
	for i := from; i < len(s); {
		r, n := rune(s[i]), 1
		wide := false
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
			wide = text.IsWide(r)
		}
		switch word := isWordRune(r); {
		case word && start < 0:
			start, spaceless = i, wide
		case start >= 0 && (!word || wide != spaceless && !unicode.IsMark(r)):
			return start, i
		}
		i += n
	}
	return start, len(s)
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r)
}

// firstHash hashes the first word of s in lower case; ok is false when that is not
// plain ASCII.
func firstHash(s string) (h uint32, ok bool) {
	h = 2166136261 // FNV-1a
	n := 0
	for i := range len(s) {
		c := s[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			c |= 0x20
		case c >= '0' && c <= '9':
		case c >= utf8.RuneSelf:
			return 0, false
		case n == 0:
			continue
		default:
			return h, true
		}
		h = (h ^ uint32(c)) * 16777619
		n++
	}
	return h, true
}

// mayBegin tells whether the first word of s can stand in the text. Most names of
// a registry stand in no ticket, so that this is the path that must be quick: it
// may say yes in error, never no.
func (w *wordList) mayBegin(s string) bool {
	h, ok := firstHash(s)
	return !ok || w.begins.has(h)
}

// lookUp returns the positions of a word, whatever its case.
func (w *wordList) lookUp(word string) []int {
	var buf [maxTableWord]byte
	if len(word) > len(buf) {
		return w.at[strings.ToLower(word)]
	}
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return w.at[strings.ToLower(word)]
		}
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		buf[i] = c
	}
	return w.at[string(buf[:len(word)])]
}

// inRow returns the position at which the words of phrase first stand in a row,
// or -1. Words of phrase in drop are passed over.
func (w *wordList) inRow(phrase string, drop map[string]bool) int {
	if !w.mayBegin(phrase) {
		return -1
	}
	start, end := nextKept(phrase, 0, drop)
	if start < 0 {
		return -1
	}
	for _, i := range w.lookUp(phrase[start:end]) {
		if w.standsAt(i, phrase, drop) > 0 {
			return i
		}
	}
	return -1
}

// nextKept is nextWord without the words in drop.
func nextKept(s string, from int, drop map[string]bool) (start, end int) {
	start, end = nextWord(s, from)
	for start >= 0 && len(drop) > 0 && drop[strings.ToLower(s[start:end])] {
		start, end = nextWord(s, end)
	}
	return start, end
}

// standsAt returns how many words the phrase has when they stand in a row from
// position i on, else 0.
func (w *wordList) standsAt(i int, phrase string, drop map[string]bool) int {
	n := 0
	for start, end := nextKept(phrase, 0, drop); start >= 0; start, end = nextKept(phrase, end, drop) {
		if i+n >= len(w.tokens) || !sameWord(w.tokens[i+n].text, phrase[start:end]) {
			return 0
		}
		n++
	}
	return n
}

// sameWord compares a word in lower case with one in any.
func sameWord(lower, word string) bool { return lower == word || lower == strings.ToLower(word) }

// named tells whether the words of phrase stand in a row and are not part of a
// longer name.
func (w *wordList) named(phrase, joiners string) bool {
	if !w.mayBegin(phrase) {
		return false
	}
	start, end := nextWord(phrase, 0)
	if start < 0 {
		return false
	}
	for _, i := range w.lookUp(phrase[start:end]) {
		if n := w.standsAt(i, phrase, nil); n > 0 && !w.joined(w.tokens[i].start, w.tokens[i+n-1].end, joiners) {
			return true
		}
	}
	return false
}

// spelling says how exactly a name must be written to count.
type spelling struct {
	sameCase bool   // upper and lower case as given
	joiners  string // characters that would make it part of a longer name
}

// verbatim tells whether name stands in the text as it is spelt, its punctuation
// included, and not as part of a longer name.
func (w *wordList) verbatim(name string, how spelling) bool {
	if !w.mayBegin(name) {
		return false
	}
	lead, end := nextWord(name, 0)
	if lead < 0 {
		return false
	}
	places := w.lookUp(name[lead:end])
	if len(places) == 0 {
		return false
	}
	trail := len(name)
	for start, end := nextWord(name, 0); start >= 0; start, end = nextWord(name, end) {
		trail = len(name) - end
	}
	for _, i := range places {
		n := w.standsAt(i, name, nil)
		if n == 0 {
			continue
		}
		start, end := w.tokens[i].start-lead, w.tokens[i+n-1].end+trail
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
func (w *wordList) joined(start, end int, joiners string) bool {
	first, _ := utf8.DecodeRuneInString(w.raw[start:])
	before, n := utf8.DecodeLastRuneInString(w.raw[:start])
	if n > 0 {
		farther, _ := utf8.DecodeLastRuneInString(w.raw[:start-n])
		if goesOn(before, first) || strings.ContainsRune(joiners, before) && goesOn(farther, first) {
			return true
		}
	}
	last, _ := utf8.DecodeLastRuneInString(w.raw[:end])
	after, n := utf8.DecodeRuneInString(w.raw[end:])
	if n == 0 {
		return false
	}
	farther, _ := utf8.DecodeRuneInString(w.raw[end+n:])
	return goesOn(after, last) || strings.ContainsRune(joiners, after) && unicode.IsLetter(farther) && goesOn(farther, last)
}

// goesOn tells whether a character next to the edge of a name makes it longer: no
// Chinese one does that of a Latin name.
func goesOn(next, edge rune) bool {
	return isWordRune(next) && (text.IsWide(next) == text.IsWide(edge) || unicode.IsMark(next))
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

// Named returns the names that a text says as they are spelt, whatever their case,
// and not as part of a longer name.
func Named(text string, names []string) []string {
	var out []string
	w := splitWords(text, nil)
	for _, name := range names {
		if w.verbatim(name, spelling{joiners: nameJoiners}) {
			out = append(out, name)
		}
	}
	return out
}

// nameJoiners make a name part of a longer one.
const nameJoiners = "-_."
