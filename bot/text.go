package bot

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text from outside safe to keep, compare and show. Line ends become
// "\n"; NUL and other control characters, bidirectional marks and other invisible
// format characters are dropped; invalid UTF-8 becomes U+FFFD. The two joiners
// that scripts and emoji need stay. The result is never longer than maxRunes.
func Clean(s string, maxRunes int) string {
	var b strings.Builder
	b.Grow(min(len(s), 4*maxRunes))
	n := 0
	for i := 0; i < len(s) && n < maxRunes; {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if r == '\r' {
			if i < len(s) && s[i] == '\n' {
				continue
			}
			r = '\n'
		}
		if !keep(r) {
			continue
		}
		b.WriteRune(r) // an invalid byte was decoded as U+FFFD
		n++
	}
	return b.String()
}

// CleanLine is Clean for text that must stay on one line: white space of any
// kind becomes single blanks.
func CleanLine(s string, maxRunes int) string {
	return strings.Join(strings.Fields(Clean(s, maxRunes)), " ")
}

func keep(r rune) bool {
	const zwnj, zwj = '\u200c', '\u200d'
	switch r {
	case '\n', '\t', zwnj, zwj:
		return true
	}
	return !unicode.In(r, unicode.Cc, unicode.Cf)
}
