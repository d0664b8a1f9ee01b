package comment

import (
	"strings"
	"unicode"
)

// wiki is Jira's markup. It has no span that is left alone, so every character
// that opens something where it stands is escaped, and what cannot be escaped on
// every version of Jira is replaced by what reads alike.
type wiki struct{}

// code implements writer.
func (w wiki) code(s string, maxRunes int) string {
	s = w.prose(s, maxRunes)
	if s == "" {
		s = `\?`
	}
	return "{{" + s + "}}"
}

// prose implements writer.
func (wiki) prose(s string, maxRunes int) string {
	runes := []rune(line(s, maxRunes))
	var b strings.Builder
	for i, r := range runes {
		switch {
		case r == '{': // an unescaped pair could close our {{code}}
			b.WriteString(`\(`)
		case r == '}':
			b.WriteString(`\)`)
		case r == '\\': // two of them would be a line break
			b.WriteByte('/')
		case r == '@' && !alone(runes, i): // an address would become a link
			b.WriteString("(at)")
		case r == ':' && opensAddress(runes, i):
			b.WriteString(": ")
		case r == '.' && endsIn(runes[:i], "www"):
			b.WriteString(". ")
		case acts(runes, i):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// acts says that the character at i would be markup where it stands. Escaping more
// than that would litter the text for those who read its source.
func acts(s []rune, i int) bool {
	prev, next := at(s, i-1), at(s, i+1)
	switch s[i] {
	case '[', ']', '|', '~', '^', '+', '*':
		return true
	case '-':
		inName := unicode.IsLetter(prev) && unicode.IsLetter(next)
		return !inName && !between(s, i)
	case '_': // within a name it is part of it
		return !unicode.IsLetter(prev) || !unicode.IsLetter(next)
	case '!': // a picture
		return next != ' '
	case '?': // a citation
		return prev == '?' || next == '?'
	case '(': // (x), (on) and the like are drawn as signs
		for n := i + 2; n <= i+8; n++ {
			if at(s, n) == ')' {
				return true
			}
		}
	case ')': // :)
		return prev == ':' || prev == ';'
	}
	return false
}

// between says that the hyphen at i stands between two plain numbers, as in 10-42.
// In PROJ-7 and A1-7 it does not: those would be references.
func between(s []rune, i int) bool {
	start := i
	for start > 0 && s[start-1] >= '0' && s[start-1] <= '9' {
		start--
	}
	before, next := at(s, start-1), at(s, i+1)
	return start < i && next >= '0' && next <= '9' && !unicode.IsLetter(before) && before != '_'
}

// at is the character at i, 0 beyond the ends.
func at(s []rune, i int) rune {
	if i < 0 || i >= len(s) {
		return 0
	}
	return s[i]
}

// alone says that the character at i stands between blanks.
func alone(s []rune, i int) bool { return at(s, i-1) == ' ' && at(s, i+1) == ' ' }

// opensAddress says that the colon at i makes a web or mail address: a blank
// behind it does not.
func opensAddress(s []rune, i int) bool {
	slash := func(r rune) bool { return r == '/' || r == '\\' }
	return slash(at(s, i+1)) && slash(at(s, i+2)) || endsIn(s[:i], "mailto")
}

func endsIn(s []rune, word string) bool {
	return len(s) >= len(word) && strings.EqualFold(string(s[len(s)-len(word):]), word)
}
