package endpoints

import (
	"bytes"
	"strings"
)

// syntax is what the lexer has to know of a language to tell code from comments
// and from text in quotes.
type syntax struct {
	line       string   // what opens a comment to the end of the line
	open, shut string   // what opens and closes a comment of many lines
	quotes     string   // what opens and closes text that ends with its line
	long       []string // what opens and closes text of many lines, longest first
	verbatim   bool     // @"..." holds backslashes as they are and doubled quotes
	hashes     bool     // a # after a letter is no comment
}

func syntaxOf(lang string) syntax {
	slashes := syntax{line: "//", open: "/*", shut: "*/", quotes: `"'`}
	switch lang {
	case "java", "kotlin":
		slashes.long = []string{`"""`}
		return slashes
	case "csharp":
		slashes.long = []string{`"""`}
		slashes.verbatim = true
		return slashes
	case "js", "go":
		slashes.long = []string{"`"}
		return slashes
	case "python":
		return syntax{line: "#", quotes: `"'`, long: []string{`"""`, `'''`}}
	case "graphql":
		return syntax{line: "#", quotes: `"`, long: []string{`"""`}}
	case "ruby":
		return syntax{line: "#", open: "\n=begin", shut: "\n=end", quotes: `"'`, hashes: true}
	}
	return slashes
}

// blank returns a copy of text in which every comment is blank. Offsets and lines
// stay: a byte is where it was. lang is "js", "go", "java", "kotlin", "csharp",
// "python", "ruby", "graphql" or "proto".
func blank(lang string, text []byte) []byte {
	return wipe(syntaxOf(lang), text, false)
}

// bare is blank with the text between quotes blank as well: what is left is code.
// The quotes themselves stay.
func bare(lang string, text []byte) []byte {
	return wipe(syntaxOf(lang), text, true)
}

func wipe(s syntax, text []byte, quoted bool) []byte {
	out := bytes.Clone(text)
	for i := 0; i < len(text); {
		n, head, tail := s.token(text, i)
		if n == 0 {
			i++
			continue
		}
		if head == 0 || quoted { // head 0: a comment
			for j := i + head; j < i+n-tail; j++ {
				if out[j] != '\n' && out[j] != '\r' {
					out[j] = ' '
				}
			}
		}
		i += n
	}
	return out
}

// token returns the length of the comment or the quoted text at i, and how many
// bytes of its head and tail are quotes (0 for a comment). n is 0 for code.
func (s syntax) token(text []byte, i int) (n, head, tail int) {
	rest := text[i:]
	switch {
	case has(rest, s.line) && (!s.hashes || i == 0 || !isName(text[i-1])):
		if n = bytes.IndexByte(rest, '\n'); n < 0 {
			n = len(rest)
		}
		return n, 0, 0
	case s.open != "" && has(rest, s.open):
		if n = bytes.Index(rest[len(s.open):], []byte(s.shut)); n < 0 {
			return len(rest), 0, 0
		}
		return len(s.open) + n + len(s.shut), 0, 0
	case s.verbatim && has(rest, `@"`):
		return verbatim(rest)
	}
	for _, q := range s.long {
		if has(rest, q) {
			return quoted(rest, q, true)
		}
	}
	if strings.IndexByte(s.quotes, rest[0]) >= 0 {
		return quoted(rest, string(rest[:1]), false)
	}
	return 0, 0, 0
}

func has(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix
}

// quoted measures text in quotes q, which a backslash escapes.
func quoted(rest []byte, q string, long bool) (n, head, tail int) {
	for i := len(q); i < len(rest); i++ {
		switch {
		case rest[i] == '\\':
			i++
		case rest[i] == '\n' && !long:
			return i, len(q), 0 // nothing closed it: an apostrophe, more likely
		case has(rest[i:], q):
			return i + len(q), len(q), len(q)
		}
	}
	return len(rest), len(q), 0
}

// verbatim measures @"..." of C#, where a doubled quote is a quote.
func verbatim(rest []byte) (n, head, tail int) {
	for i := 2; i < len(rest); i++ {
		if rest[i] != '"' {
			continue
		}
		if i+1 < len(rest) && rest[i+1] == '"' {
			i++
			continue
		}
		return i + 1, 2, 1
	}
	return len(rest), 2, 0
}
