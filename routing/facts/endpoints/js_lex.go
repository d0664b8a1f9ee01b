package endpoints

import "strings"

// jsLex cuts JavaScript or TypeScript into tokens, in one pass. Templates without
// expressions are texts, others are spliced and raw; regular expressions are opaque.
func jsLex(text string) []tok {
	l := &jsLexer{s: text, line: 1}
	for l.i < len(l.s) {
		l.next()
	}
	pair(l.out)
	return l.out
}

type jsLexer struct {
	s    string
	i    int
	line int
	out  []tok
}

func (l *jsLexer) add(k tokKind, text string, size int) {
	if k != kWord && k != kMark && len(text) > maxText {
		k, text = kOpaque, ""
	}
	l.out = append(l.out, tok{kind: k, text: text, line: l.line})
	l.skip(size)
}

func (l *jsLexer) skip(size int) {
	size = min(size, len(l.s)-l.i)
	l.line += strings.Count(l.s[l.i:l.i+size], "\n")
	l.i += size
}

func isWord(c byte) bool { return isName(c) || c == '$' }

func (l *jsLexer) next() {
	rest := l.s[l.i:]
	switch c := rest[0]; {
	case c == '\n' || blankByte(c):
		l.skip(1)
	case strings.HasPrefix(rest, "//"):
		l.skip(upTo(rest, "\n", 0))
	case strings.HasPrefix(rest, "/*"):
		l.skip(upTo(rest[2:], "*/", 2) + 2)
	case c == '"' || c == '\'':
		n, _, tail := quoted([]byte(rest[:min(len(rest), maxLine)]), rest[:1], false)
		l.add(kText, unescape(rest[1:max(1, n-tail)]), n)
	case c == '`':
		l.template(rest)
	case isWord(c) || c == '#' && len(rest) > 1 && isName(rest[1]):
		n := 1
		for n < len(rest) && isWord(rest[n]) {
			n++
		}
		k := kWord
		if c >= '0' && c <= '9' {
			k = kNumber
		}
		l.add(k, rest[:n], n)
	case c == '/' && l.opensRegexp():
		l.add(kOpaque, "", regexpLen(rest))
	default:
		l.mark(rest)
	}
}

func (l *jsLexer) mark(rest string) {
	if strings.HasPrefix(rest, "?.") && len(rest) > 2 && (rest[2] < '0' || rest[2] > '9') {
		if rest[2] == '(' || rest[2] == '[' {
			l.skip(2)
			return
		}
		l.add(kMark, ".", 2)
		return
	}
	for _, long := range []string{"===", "!==", "...", "=>", "==", "!=", "<=", ">=", "||", "??", "&&", "+="} {
		if strings.HasPrefix(rest, long) {
			l.add(kMark, long, len(long))
			return
		}
	}
	l.add(kMark, rest[:1], 1)
}

// template reads `...`, whose expressions may hold templates again.
func (l *jsLexer) template(rest string) {
	var braces []int // of every open expression: the braces open in it
	spliced := false
	for i := 1; i < len(rest); i++ {
		top := len(braces) - 1
		switch {
		case rest[i] == '\\':
			i++
		case top >= 0 && braces[top] >= 0 && rest[i] == '{':
			braces[top]++
		case top >= 0 && braces[top] >= 0 && rest[i] == '}':
			if braces[top]--; braces[top] < 0 {
				braces = braces[:top]
			}
		case rest[i] == '`' && top >= 0 && braces[top] >= 0:
			braces = append(braces, -1) // a template in an expression
		case rest[i] == '`' && top >= 0:
			braces = braces[:top]
		case rest[i] == '`':
			k := kText
			if spliced {
				k = kSpliced
			}
			l.add(k, rest[1:i], i+1)
			return
		case rest[i] == '$' && i+1 < len(rest) && rest[i+1] == '{' && (top < 0 || braces[top] < 0):
			braces = append(braces, 0)
			spliced = true
			i++
		}
	}
	l.add(kOpaque, "", len(rest))
}

// opensRegexp tells whether a slash opens a regular expression here.
func (l *jsLexer) opensRegexp() bool {
	if len(l.out) == 0 {
		return true
	}
	t := l.out[len(l.out)-1]
	switch t.kind {
	case kMark:
		return t.text != ")" && t.text != "]" && t.text != "}" && t.text != "<"
	case kWord:
		return t.says("return", "typeof", "case", "in", "of")
	default:
		return false
	}
}

// regexpLen measures a regular expression; one that its line does not end is a slash.
func regexpLen(rest string) int {
	class := false
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch rest[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if class {
				continue
			}
			for i++; i < len(rest) && isName(rest[i]); {
				i++
			}
			return i
		}
	}
	return 1
}
