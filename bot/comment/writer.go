package comment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// writer turns outside text into a system's markup. Both methods take any string
// and return text that opens no construct but its own, on one line; neither is
// ever put at the start of a line.
type writer interface {
	code(s string, maxRunes int) string  // a name or place, as it stands
	prose(s string, maxRunes int) string // words
}

// line makes text one line of visible characters: white space becomes single
// blanks, control and format characters go (NUL, bidirectional marks, zero-width),
// and what is too long ends in an ellipsis.
func line(s string, maxRunes int) string {
	var b strings.Builder
	n, gap := 0, false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			gap = b.Len() > 0
			continue
		case !unicode.IsGraphic(r):
			continue
		}
		if n+2 > maxRunes {
			b.WriteRune('…')
			break
		}
		if gap {
			b.WriteByte(' ')
			n++
			gap = false
		}
		b.WriteRune(r) // an invalid byte arrives as U+FFFD
		n++
	}
	return b.String()
}

// shortHex returns the first n digits of a hash, or "" if it is none: a prefix
// such as "sha256:" is left out.
func shortHex(s string, n int) string {
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		s = s[i+1:]
	}
	if len(s) < n || strings.Trim(s, "0123456789abcdef") != "" {
		return ""
	}
	return s[:n]
}

// refersTo finds what hosts turn into links to issues: letters, a hyphen, digits
// (GH-12, PROJ-7).
func refersTo(word string) bool {
	for i := 1; i+1 < len(word); i++ {
		if word[i] == '-' && isASCIIWord(word[i-1]) && word[i+1] >= '0' && word[i+1] <= '9' {
			return true
		}
	}
	return false
}

func isASCIIWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// looksLikeCommit finds a run of seven or more hex digits.
func looksLikeCommit(word string) bool {
	run := 0
	for _, r := range word {
		if r < utf8.RuneSelf && strings.ContainsRune("0123456789abcdefABCDEF", r) {
			if run++; run >= 7 {
				return true
			}
			continue
		}
		run = 0
	}
	return false
}
