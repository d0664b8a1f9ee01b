package registry

import (
	"fmt"
	"strings"
	"unicode"
)

// visible is a string without the characters that nobody sees. They would turn
// the text around them about, or act on a terminal that shows it.
func (c *checker) visible(n node, path *where) string {
	if plainASCII(n.text) || !strings.ContainsFunc(n.text, unseen) {
		return n.text
	}
	c.warn(n.start, path, "write the text without it", "it holds a character that nobody sees (%s), which is left out", unseenIn(n.text))
	return strings.Map(func(r rune) rune {
		if unseen(r) {
			return -1
		}
		return r
	}, n.text)
}

// unseen tells control characters, bidirectional marks and other format
// characters. Line ends and tabs are white space, and the two joiners are part of
// how some scripts and emoji are written.
func unseen(r rune) bool {
	switch r {
	case '\n', '\r', '\t', '\u200c', '\u200d':
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf)
}

// noName tells what may not stand in a name: names are compared and shown beside
// one another, so that not even the joiners and line separators pass.
func noName(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }

// unseenIn names the first such character.
func unseenIn(s string) string {
	return fmt.Sprintf("U+%04X", []rune(s[strings.IndexFunc(s, unseen):])[0])
}

// plainASCII tells at little cost what nearly every text of a registry is.
func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
