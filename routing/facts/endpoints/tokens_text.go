package endpoints

import "strings"

// quoted reads a string at the present place, with the letters before its quote.
func (l *lexer) quoted() bool {
	head, raw, splice := l.prefix()
	at := l.i + head
	if at >= len(l.s) || l.s[at] != '"' && l.s[at] != '\'' {
		return false
	}
	q := l.s[at : at+1]
	long := l.lang != "ruby" && strings.HasPrefix(l.s[at:], strings.Repeat(q, 3)) && (q == `"` || l.lang == "python")
	if long {
		q = strings.Repeat(q, 3)
		raw = raw || l.lang == "kotlin" || l.lang == "csharp"
	}
	body := l.s[at+len(q):]
	n, shut := l.end(body, q, raw, long)
	value, from := body[:n], l.i
	k := kText
	switch {
	case l.lang == "kotlin" && strings.Contains(value, "$"), l.lang == "ruby" && q == `"` && strings.Contains(value, "#{"), splice:
		k = kSpliced
	}
	if !raw && strings.Contains(value, `\`) {
		value = unescape(value)
	}
	l.add(k, value, from)
	whole := l.s[from : at+len(q)+n+shut]
	l.count(whole)
	l.i = from + len(whole)
	return true
}

// prefix measures what may stand before a quote: r, b, f of Python, $ and @ of C#.
func (l *lexer) prefix() (n int, raw, splice bool) {
	letters := map[string]string{"python": "rRbBuUfF", "csharp": "$@"}[l.lang]
	for n < 3 && l.i+n < len(l.s) && strings.IndexByte(letters, l.s[l.i+n]) >= 0 {
		switch l.s[l.i+n] {
		case 'r', 'R', '@':
			raw = true
		case 'f', 'F', '$':
			splice = true
		}
		n++
	}
	return n, raw, splice
}

// end measures the body of a string and its closing quote. A string of one line
// that nothing closes ends with its line.
func (l *lexer) end(body, q string, raw, long bool) (n, shut int) {
	doubled := l.lang == "csharp" && raw && !long
	for i := 0; i < len(body); i++ {
		switch {
		case body[i] == '\\' && (!raw || l.lang == "python"):
			i++
		case body[i] == '\n' && !long && !doubled && l.lang != "ruby":
			return i, 0
		case body[i] == q[0] && strings.HasPrefix(body[i:], q):
			if doubled && i+1 < len(body) && body[i+1] == '"' {
				i++
				continue
			}
			return i, len(q)
		}
	}
	return len(body), 0
}

// unescape undoes the escapes that occur in paths; others stay as they are.
func unescape(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\'`, `'`, `\/`, `/`, `\$`, `$`).Replace(s)
}

// ruby reads what only Ruby has: symbols, lists of words, regular expressions,
// here-documents, variables with a sign.
func (l *lexer) ruby(c byte) bool {
	rest := l.s[l.i:]
	switch {
	case c == ':' && len(rest) > 1 && (isName(rest[1]) || rest[1] == '"') && (l.i == 0 || l.s[l.i-1] != ':'):
		return l.sigil(rest)
	case (c == '@' || c == '$') && len(rest) > 1:
		l.i++
		return true
	case c == '%' && len(rest) > 2:
		return l.percent(rest)
	case c == '<' && (strings.HasPrefix(rest, "<<~") || strings.HasPrefix(rest, "<<-")):
		name := strings.TrimLeft(rest[3:], `'"`)
		if n := nameLen(name); n > 0 {
			l.here = name[:n]
			l.add(kOpaque, "", l.i)
			l.i += len(rest) - len(name) + n
			if l.i < len(l.s) && (l.s[l.i] == '"' || l.s[l.i] == '\'') {
				l.i++
			}
			return true
		}
	case c == '/' && !l.value():
		for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
			switch rest[i] {
			case '\\':
				i++
			case '/':
				l.add(kOpaque, "", l.i)
				l.i += i + 1
				return true
			}
		}
	}
	return false
}

// value tells whether the last token ends a value, so that a slash divides it.
func (l *lexer) value() bool {
	if len(l.out) == 0 {
		return false
	}
	t := l.out[len(l.out)-1]
	if t.kind == kWord { // "get /x/" opens an expression, "a / b" divides
		return l.i+1 < len(l.s) && blankByte(l.s[l.i+1])
	}
	return t.kind != kLine && t.kind != kMark || t.is(")") || t.is("]") || t.is("}")
}

func (l *lexer) sigil(rest string) bool {
	from := l.i
	if rest[1] == '"' {
		n := strings.IndexByte(rest[2:], '"')
		if n < 0 {
			return false
		}
		l.add(kSymbol, rest[2:2+n], from)
		l.i += n + 3
		return true
	}
	n := 1 + nameLen(rest[1:])
	if n < len(rest) && (rest[n] == '?' || rest[n] == '!') {
		n++
	}
	l.add(kSymbol, rest[1:n], from)
	l.i += n
	return true
}

// percent reads %w[], %i[], %q() and their like.
func (l *lexer) percent(rest string) bool {
	n := 1
	letter := byte('q')
	if strings.IndexByte("wWiIqQrs", rest[1]) >= 0 {
		letter, n = rest[1], 2
	}
	shut := map[byte]string{'[': "]", '(': ")", '{': "}", '<': ">", '|': "|", '!': "!"}[rest[n]]
	if shut == "" || letter == 'q' && n == 1 && l.value() {
		return false
	}
	if strings.Contains(l.never, shut) {
		return false
	}
	end := strings.Index(rest[n+1:], shut)
	if end < 0 {
		l.never += shut
		return false
	}
	from, value := l.i, rest[n+1:n+1+end]
	k := kWords
	switch letter {
	case 'q', 'Q', 's':
		k = kText
	case 'r':
		k, value = kOpaque, ""
	}
	if k == kWords && len(value) > maxText { // long lists are still lists
		value = value[:maxText]
	}
	l.add(k, value, from)
	whole := rest[:n+1+end+1]
	l.count(whole)
	l.i += len(whole)
	return true
}
