package endpoints

import (
	"strings"
)

// join puts a prefix before a path, with one slash between them.
func join(prefix, path string) string {
	prefix, path = strings.TrimRight(prefix, "/"), strings.TrimLeft(path, "/")
	switch {
	case path == "":
		return prefix
	case prefix == "":
		return "/" + path
	}
	return prefix + "/" + path
}

// normalise brings a route of any framework into one form: a leading slash, no
// trailing one, no doubled ones, parameters as {name}, regular expressions and
// queries left out. It knows :id, :id?, :id(\d+), {id:[0-9]+}, {id?}, {*rest},
// <id>, <int:id>, (?P<id>...), *rest, ${id} and #{id}.
func normalise(path string) string {
	path = strings.TrimSpace(path)
	if i := strings.IndexAny(path, " \t\r\n"); i >= 0 && !strings.ContainsAny(path[:i], "{<(") {
		path = path[:i]
	}
	path = strings.TrimSuffix(strings.TrimPrefix(path, "^"), "$")
	var out strings.Builder
	out.WriteByte('/')
	last := byte('/')
	put := func(s string) {
		for i := range len(s) {
			if s[i] == '/' && last == '/' {
				continue
			}
			out.WriteByte(s[i])
			last = s[i]
		}
	}
	for i := 0; i < len(path); {
		text, n := segment(path[i:], last)
		if n == 0 { // the query begins
			break
		}
		put(text)
		i += n
	}
	clean := out.String()
	if len(clean) > 1 {
		clean = strings.TrimRight(clean, "/")
	}
	if clean == "" {
		return "/"
	}
	return clean
}

// segment reads one piece of a path and returns it in the common form with the
// number of bytes it took; last is the byte written before it.
func segment(s string, last byte) (text string, n int) {
	switch c := s[0]; {
	case (c == '$' || c == '#') && len(s) > 1 && s[1] == '{':
		n = closing(s[1:], '{', '}') + 1
		return "{" + lastName(s[2:n]) + "}", n
	case c == '{':
		n = closing(s, '{', '}')
		name, _, _ := strings.Cut(strings.Trim(s[1:n], "*{}?"), ":")
		return "{" + paramName(name) + "}", n
	case c == '<':
		n = closing(s, '<', '>')
		name := strings.TrimRight(s[1:n], ">")
		if i := strings.LastIndexByte(name, ':'); i >= 0 {
			name = name[i+1:]
		}
		return "{" + paramName(name) + "}", n
	case c == '(':
		n = closing(s, '(', ')')
		if rest, ok := strings.CutPrefix(s[1:n], "?P<"); ok {
			name, _, _ := strings.Cut(rest, ">")
			return "{" + paramName(name) + "}", n
		}
		return "", n
	case c == ':' && len(s) > 1 && isName(s[1]):
		n = 1 + nameLen(s[1:])
		name := s[1:n]
		if n < len(s) && s[n] == '(' {
			n += closing(s[n:], '(', ')')
		}
		if n < len(s) && s[n] == '{' { // :id{[0-9]+} of hono
			n += closing(s[n:], '{', '}')
		}
		if n < len(s) && strings.IndexByte("?*+", s[n]) >= 0 {
			n++
		}
		return "{" + name + "}", n
	case c == '*' && last == '/' && len(s) > 1 && isName(s[1]):
		n = 1 + nameLen(s[1:])
		return "{" + s[1:n] + "}", n
	case c == '?':
		if len(s) == 1 || s[1] == '/' || s[1] == '$' {
			return "", 1 // an optional letter or slash of a regular expression
		}
		return "", 0
	case c == '\\' && len(s) > 1:
		return s[1:2], 2
	}
	return s[:1], 1
}

// closing returns the number of bytes up to and with the bracket that closes the
// one s begins with; all of s when nothing closes it.
func closing(s string, open, shut byte) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// lastName returns the last name of an expression: "id" of "req.params.id".
func lastName(expr string) string {
	end := len(expr)
	for end > 0 && !isName(expr[end-1]) {
		end--
	}
	start := end
	for start > 0 && isName(expr[start-1]) {
		start--
	}
	return paramName(expr[start:end])
}

// paramName keeps the letters of a parameter's name; what has none is "param".
func paramName(name string) string {
	name = strings.TrimSpace(name)
	if n := nameLen(name); n > 0 {
		return name[:n]
	}
	return "param"
}

func nameLen(s string) int {
	for i := range len(s) {
		if !isName(s[i]) {
			return i
		}
	}
	return len(s)
}

func isName(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// upper returns the HTTP method a word means, "" when it is none.
func httpMethod(word string) string {
	switch word := strings.ToUpper(word); word {
	case "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT":
		return word
	}
	return ""
}

// lineAt counts the line of an offset, from 1. Keep a lines for many of them.
type lines []int

// newLines notes where each line of text begins.
func newLines(text []byte) lines {
	all := lines{0}
	for i, c := range text {
		if c == '\n' {
			all = append(all, i+1)
		}
	}
	return all
}

// at returns the line of an offset, from 1.
func (l lines) at(offset int) int {
	low, high := 0, len(l)
	for high-low > 1 {
		mid := (low + high) / 2
		if l[mid] <= offset {
			low = mid
		} else {
			high = mid
		}
	}
	return low + 1
}
