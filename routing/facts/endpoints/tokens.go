package endpoints

import "strings"

// tokKind tells what a token is.
type tokKind byte

const (
	kWord    tokKind = iota + 1
	kText            // a string whose value is known
	kSpliced         // a string with expressions in it, raw
	kSymbol          // :name of Ruby
	kWords           // %w[a b] of Ruby: the names, parted by blanks
	kNumber
	kMark   // punctuation
	kLine   // the end of a line, where the language cares
	kOpaque // a string too long to be a path, a regular expression
)

// maxText is the length in bytes above which a string is no path.
const maxText = 400

// tok is one word, string or mark of a source file.
type tok struct {
	kind tokKind
	text string
	line int // from 1
	col  int // bytes before it on its line
	mate int // of an opening bracket: the index of its closing one, or the number of tokens; of a closing one: that of the last it closed
	near bool
}

// is tells whether the token is this mark.
func (t tok) is(m string) bool { return t.kind == kMark && t.text == m }

// says tells whether the token is one of these words.
func (t tok) says(all ...string) bool {
	if t.kind != kWord {
		return false
	}
	for _, w := range all {
		if t.text == w {
			return true
		}
	}
	return false
}

// source is a file as tokens.
type source struct {
	lang string
	path string
	toks []tok
}

// at returns the token at i; the empty one beyond the ends.
func (s *source) at(i int) tok {
	if i < 0 || i >= len(s.toks) {
		return tok{}
	}
	return s.toks[i]
}

// tokenise cuts a file into tokens, in one pass. lang is "java", "kotlin",
// "csharp", "python" or "ruby".
func tokenise(lang, path string, data []byte) *source {
	l := &lexer{lang: lang, s: strings.TrimPrefix(string(data), "\ufeff"), line: 1}
	for l.i < len(l.s) {
		l.next()
	}
	pair(l.out)
	return &source{lang: lang, path: path, toks: l.out}
}

// pair finds the mate of every opening bracket. What closes nothing is passed
// over; what is not closed ends where the bracket around it does.
func pair(toks []tok) {
	var open []int
	var depth [128]int
	for i := range toks {
		t := &toks[i]
		if t.kind != kMark {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			t.mate = len(toks)
			open = append(open, i)
			depth[t.text[0]]++
		case ")", "]", "}":
			want := opener(t.text[0])
			if depth[want] == 0 {
				continue
			}
			for {
				last := open[len(open)-1]
				open = open[:len(open)-1]
				depth[toks[last].text[0]]--
				toks[last].mate = i
				t.mate = last
				if toks[last].text[0] == want {
					break
				}
			}
		}
	}
}

func opener(shut byte) byte {
	switch shut {
	case ')':
		return '('
	case ']':
		return '['
	}
	return '{'
}

// lexer is the state of tokenise.
type lexer struct {
	lang  string
	s     string
	i     int
	line  int
	start int // offset of the line's first byte
	depth int
	here  string // the word that ends a here-document of Ruby, read from the next line on
	never string // closing characters of which there are no more
	out   []tok
}

func (l *lexer) add(k tokKind, text string, from int) {
	near := from > 0 && from <= len(l.s) && !blankByte(l.s[from-1])
	if (k == text2kind(k)) && len(text) > maxText {
		k, text = kOpaque, ""
	}
	l.out = append(l.out, tok{kind: k, text: text, line: l.line, col: from - l.start, near: near})
}

// text2kind returns k when it is a string, 0 otherwise.
func text2kind(k tokKind) tokKind {
	if k == kText || k == kSpliced || k == kWords {
		return k
	}
	return 0
}

func blankByte(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// next reads one token, or what stands between tokens.
func (l *lexer) next() {
	c := l.s[l.i]
	switch {
	case c == '\n':
		l.newline()
	case blankByte(c) || c == '\f' || c == '\\' && (l.lang == "python" || l.lang == "ruby"):
		if c == '\\' && l.i+1 < len(l.s) && l.s[l.i+1] == '\n' { // the line goes on
			l.i++
			l.count(l.s[l.i : l.i+1])
		}
		l.i++
	case l.comment(), l.quoted():
	case isName(c) || c == '$' && (l.lang == "java" || l.lang == "kotlin"):
		l.name()
	case l.lang == "ruby" && l.ruby(c):
	default:
		l.punctuation()
	}
}

// count keeps the line number over a piece that was read.
func (l *lexer) count(piece string) {
	if n := strings.Count(piece, "\n"); n > 0 {
		l.line += n
		l.start = l.i + strings.LastIndexByte(piece, '\n') + 1
	}
}

func (l *lexer) newline() {
	if l.lang == "ruby" || l.lang == "python" && l.depth == 0 {
		l.add(kLine, "", l.i)
	}
	l.count("\n")
	l.i++
	if l.here == "" {
		return
	}
	for l.i < len(l.s) { // the here-document
		row, _, more := strings.Cut(l.s[l.i:], "\n")
		n := len(row)
		if more {
			n++
		}
		l.count(l.s[l.i : l.i+n])
		l.i += n
		if strings.TrimSpace(row) == l.here {
			break
		}
	}
	l.here = ""
}

// comment passes over a comment at the present place.
func (l *lexer) comment() bool {
	rest := l.s[l.i:]
	n := 0
	switch {
	case l.lang == "ruby" && l.i == l.start && strings.HasPrefix(rest, "=begin"):
		n = upTo(rest, "\n=end", len("\n=end"))
	case l.lang == "ruby" && l.i == l.start && strings.HasPrefix(rest, "__END__"):
		n = len(rest)
	case l.lang == "python" || l.lang == "ruby":
		if rest[0] == '#' {
			n = upTo(rest, "\n", 0)
		}
	case strings.HasPrefix(rest, "//"), l.lang == "csharp" && rest[0] == '#' && l.first():
		n = upTo(rest, "\n", 0)
	case strings.HasPrefix(rest, "/*"):
		n = upTo(rest[2:], "*/", 2) + 2
	}
	l.count(rest[:n])
	l.i += n
	return n > 0
}

// first tells whether nothing but blanks stands before the place on its line.
func (l *lexer) first() bool { return strings.TrimSpace(l.s[l.start:l.i]) == "" }

// upTo returns the offset of mark in s plus extra, or all of s.
func upTo(s, mark string, extra int) int {
	if n := strings.Index(s, mark); n >= 0 {
		return n + extra
	}
	return len(s)
}

func (l *lexer) name() {
	from := l.i
	for l.i < len(l.s) && (isName(l.s[l.i]) || l.s[l.i] == '$' && l.lang != "ruby") {
		l.i++
	}
	k := kWord
	if c := l.s[from]; c >= '0' && c <= '9' {
		k = kNumber
	}
	if l.lang == "ruby" && l.i+1 < len(l.s) && (l.s[l.i] == '?' || l.s[l.i] == '!') && l.s[l.i+1] != '=' && l.s[l.i+1] != ':' {
		l.i++
	}
	l.add(k, l.s[from:l.i], from)
}

func (l *lexer) punctuation() {
	n := 1
	for _, two := range []string{"=>", "::", "->", "==", "!=", "<=", ">="} {
		if strings.HasPrefix(l.s[l.i:], two) {
			n = 2
		}
	}
	m := l.s[l.i : l.i+n]
	l.add(kMark, m, l.i)
	switch m {
	case "(", "[", "{":
		l.depth++
	case ")", "]", "}":
		l.depth = max(0, l.depth-1)
	}
	l.i += n
}
