package text

import (
	"unicode"
	"unicode/utf8"
)

// Limits on one term, in bytes: longer runs are hashes, keys and base64, which
// nobody searches by.
const (
	minTerm = 2
	maxTerm = 40
)

// Splitter cuts text into terms. It keeps scratch space between calls, so one
// Splitter serves one goroutine.
type Splitter struct {
	run   []byte // the current run of letters and digits, lower case
	cuts  []int  // where parts of the run begin, besides 0
	wide  []rune // the current run of CJK characters
	class charClass
}

type charClass uint8

const (
	classNone charClass = iota
	classLower
	classUpper
	classDigit
	classWide
)

// Split calls emit for every term of s, in order. A compound identifier gives
// its parts and then the whole: "HTTPServer" gives "http", "server",
// "httpserver". A term is lower case and valid only during the call.
func (p *Splitter) Split(s []byte, emit func(term []byte)) {
	p.reset()
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			p.ascii(c, next(s, i+1), emit)
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		p.rune(r, emit)
		i += n
	}
	p.flush(emit)
	p.flushWide(emit)
}

// next is the byte after position i-1, or 0 at the end.
func next(s []byte, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

func (p *Splitter) ascii(c, after byte, emit func([]byte)) {
	if len(p.wide) > 0 {
		p.flushWide(emit)
	}
	switch {
	case c >= 'a' && c <= 'z':
		p.grow(c, classLower)
	case c >= 'A' && c <= 'Z':
		// An acronym ends before its last capital when a small letter follows: HTTP|Server.
		if p.class == classUpper && after >= 'a' && after <= 'z' {
			p.cut()
		}
		p.grow(c+('a'-'A'), classUpper)
	case c >= '0' && c <= '9':
		p.grow(c, classDigit)
	case c == '_' && len(p.run) > 0:
		// snake_case is one compound: a cut, not an end.
		p.cut()
		p.class = classNone
	default:
		p.flush(emit)
	}
}

func (p *Splitter) rune(r rune, emit func([]byte)) {
	if IsWide(r) {
		p.flush(emit)
		p.wide = append(p.wide, r)
		return
	}
	if len(p.wide) > 0 {
		p.flushWide(emit)
	}
	switch {
	case unicode.IsUpper(r):
		p.growRune(unicode.ToLower(r), classUpper)
	case unicode.IsLetter(r), unicode.IsMark(r):
		p.growRune(unicode.ToLower(r), classLower)
	case unicode.IsDigit(r):
		p.growRune(r, classDigit)
	default:
		p.flush(emit)
	}
}

func (p *Splitter) grow(c byte, class charClass) {
	p.boundary(class)
	if len(p.run) <= maxTerm {
		p.run = append(p.run, c)
	}
}

func (p *Splitter) growRune(r rune, class charClass) {
	p.boundary(class)
	if len(p.run) <= maxTerm {
		p.run = utf8.AppendRune(p.run, r)
	}
}

// boundary cuts where a small letter or digit meets a capital, and where letters
// meet digits.
func (p *Splitter) boundary(class charClass) {
	switch {
	case p.class == classNone, p.class == class:
	case class == classUpper:
		p.cut()
	case class == classDigit, p.class == classDigit:
		p.cut()
	}
	p.class = class
}

func (p *Splitter) cut() {
	if n := len(p.run); n > 0 && (len(p.cuts) == 0 || p.cuts[len(p.cuts)-1] != n) {
		p.cuts = append(p.cuts, n)
	}
}

func (p *Splitter) flush(emit func([]byte)) {
	if len(p.run) > 0 {
		start := 0
		for _, c := range p.cuts {
			if c == len(p.run) { // a trailing underscore
				break
			}
			emitTerm(p.run[start:c], emit)
			start = c
		}
		emitTerm(p.run[start:], emit)
		if start > 0 { // a compound: the whole is a term too
			emitTerm(p.run, emit)
		}
	}
	p.reset()
}

func (p *Splitter) reset() {
	p.run, p.cuts, p.class = p.run[:0], p.cuts[:0], classNone
}

func emitTerm(t []byte, emit func([]byte)) {
	if len(t) >= minTerm && len(t) <= maxTerm {
		emit(t)
	}
}

// flushWide emits the bigrams of a CJK run; a lone character stands for itself.
func (p *Splitter) flushWide(emit func([]byte)) {
	var buf [2 * utf8.UTFMax]byte
	for i := range p.wide {
		b := utf8.AppendRune(buf[:0], p.wide[i])
		if i+1 < len(p.wide) {
			b = utf8.AppendRune(b, p.wide[i+1])
		} else if i > 0 {
			break
		}
		emit(b)
	}
	p.wide = p.wide[:0]
}

// IsWide tells characters of the scripts that part no words, or not all, by spaces:
// Chinese, Japanese and Korean ones.
func IsWide(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
