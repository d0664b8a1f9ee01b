package endpoints

import (
	"encoding/json"
	"strconv"
	"strings"
)

// flow reads JSON, and the braces of YAML, which are nearly the same.
type flow struct {
	text   []byte
	at     int
	line   int
	failed bool
}

// blank passes spaces, and comments of YAML.
func (f *flow) blank() {
	for f.at < len(f.text) {
		switch c := f.text[f.at]; {
		case c == '\n':
			f.line++
		case c == '#' && f.at > 0 && strings.IndexByte(" \t\n", f.text[f.at-1]) >= 0:
			for f.at+1 < len(f.text) && f.text[f.at+1] != '\n' {
				f.at++
			}
		case c != ' ' && c != '\t' && c != '\r':
			return
		}
		f.at++
	}
}

// peek passes spaces and returns the byte behind them, 0 at the end.
func (f *flow) peek() byte {
	if f.blank(); f.at < len(f.text) {
		return f.text[f.at]
	}
	return 0
}

// value reads one value into n, at its depth; n is nil below what is kept.
func (f *flow) value(n *node, depth int) {
	switch f.peek() {
	case '{', '[':
		if depth > maxNesting {
			f.failed = true
			return
		}
		f.collection(n, depth)
	case '"', '\'':
		if value := f.quoted(); n != nil {
			n.value = value
		}
	default:
		if value := f.plain(); n != nil {
			n.value = value
		}
	}
}

func (f *flow) collection(n *node, depth int) {
	list := f.text[f.at] == '['
	f.at++
	for index := 0; !f.failed; index++ {
		switch f.peek() {
		case 0:
			f.failed = true
			return
		case '}', ']':
			f.at++
			return
		case ',', ':':
			f.at++
			continue
		}
		var kid *node
		if n != nil && depth < maxOutline {
			kid = &node{key: strconv.Itoa(index), line: f.line}
			n.kids = append(n.kids, kid)
		}
		if list {
			f.value(kid, depth+1)
			continue
		}
		start := f.at
		key := f.scalar()
		if kid != nil {
			kid.key = key
		}
		if f.peek() == ':' {
			f.at++
			if c := f.peek(); c != ',' && c != '}' && c != ']' {
				f.value(kid, depth+1)
			}
		}
		f.failed = f.failed || f.at == start
	}
}

func (f *flow) scalar() string {
	if c := f.text[f.at]; c == '"' || c == '\'' {
		return f.quoted()
	}
	return f.plain()
}

// plain reads text without quotes, to the mark that ends it.
func (f *flow) plain() string {
	start := f.at
	for ; f.at < len(f.text); f.at++ {
		c := f.text[f.at]
		if c == ',' || c == '}' || c == ']' || c == '{' && f.at == start || c == '\n' ||
			c == ':' && (f.at+1 == len(f.text) || strings.IndexByte(" \t\r\n,}]\"", f.text[f.at+1]) >= 0) {
			break
		}
	}
	return strings.TrimSpace(string(f.text[start:f.at]))
}

// quoted reads text in quotes, over lines if need be.
func (f *flow) quoted() string {
	q, start := f.text[f.at], f.at
	escaped := false
	for f.at++; f.at < len(f.text); f.at++ {
		switch c := f.text[f.at]; {
		case c == '\n':
			f.line++
		case c == '\\' && q == '"':
			escaped = true
			f.at++
		case c == q && q == '\'' && f.at+1 < len(f.text) && f.text[f.at+1] == q:
			escaped = true
			f.at++
		case c == q:
			f.at++
			return unquote(f.text[start:f.at], escaped)
		}
	}
	f.at = min(f.at, len(f.text))
	f.failed = true
	return ""
}

func unquote(s []byte, escaped bool) string {
	inner := string(s[1 : len(s)-1])
	if !escaped {
		return inner
	}
	if s[0] == '\'' {
		return strings.ReplaceAll(inner, "''", "'")
	}
	var out string
	if json.Unmarshal(s, &out) != nil {
		return inner
	}
	return out
}
