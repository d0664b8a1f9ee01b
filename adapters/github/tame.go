package github

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxRun bounds how often a character that opens a construct may be repeated:
	// a line of 100,000 of them means nothing to a reader and much work to a parser.
	maxRun = 100

	// maxMarks bounds the signs of emphasis in a paragraph. For each the parser looks
	// back over all the others.
	maxMarks = 2_000
)

// tame shortens runs of markup that no person writes: the same signs over and
// over, lines that open list within list within list, and emphasis without end.
func tame(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	var t tamer
	for r, size := utf8.DecodeRuneInString(s); size > 0; {
		s = s[size:]
		var next rune
		next, size = utf8.DecodeRuneInString(s)
		if t.keep(r, next) {
			b.WriteRune(r)
		}
		r = next
	}
	return b.String()
}

// tamer is where tame stands.
type tamer struct {
	run, opened int  // signs in a row, brackets in a line
	lead        int  // length of what a line begins with before its first word; -1 after that
	marks       int  // signs of emphasis in a paragraph
	filled      bool // the line holds more than blanks
	last        rune
}

// keep says whether r stays, and takes note of it.
func (t *tamer) keep(r, next rune) bool {
	inWord := letter(t.last) && letter(next)
	t.last = r
	if r == '\n' {
		if !t.filled {
			t.marks = 0
		}
		t.run, t.opened, t.lead, t.filled = 0, 0, 0, false
		return true
	}
	blank := r == ' ' || r == '\t'
	t.filled = t.filled || !blank
	sign := strings.ContainsRune("[<>*_`~]()!#-+=|\\&", r)
	if t.lead >= 0 && (blank || sign || r == '.' || unicode.IsDigit(r)) {
		t.lead++
	} else {
		t.lead = -1
	}
	mark := r == '*' || r == '~' || r == '_' && !inWord // a_name is none
	switch {
	case mark:
		t.run, t.marks = t.run+1, t.marks+1
	case sign:
		t.run++
	case !blank:
		t.run = 0
	}
	if r == '[' || r == '<' || r == '>' {
		t.opened++
	}
	switch {
	case sign && (t.run > maxRun || t.opened > maxRun), t.lead > maxRun && (sign || r == '.'), mark && t.marks > maxMarks:
		return false
	}
	return true
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
