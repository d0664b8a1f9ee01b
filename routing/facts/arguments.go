package facts

import (
	"strings"
)

// maxCall bounds how far a call's arguments are followed, in bytes.
const maxCall = 4 << 10

// group returns what stands between the bracket at open and the one that closes
// it, and where that is; ok is false when nothing closes it in reach.
func group(text []byte, open int) (inner string, end int, ok bool) {
	return groupWithin(text, open, maxCall)
}

// groupWithin is group with a reach of its own, in bytes.
func groupWithin(text []byte, open, reach int) (inner string, end int, ok bool) {
	depth := 0
	limit := min(len(text), open+reach)
	for i := open; i < limit; i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return string(text[open+1 : i]), i, true
			}
		case '"', '\'', '`':
			i = quoteEnd(text[:limit], i)
		}
	}
	return "", 0, false
}

// quoteEnd returns the place of the quote that closes the one at at, or of the
// end of its line.
func quoteEnd(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == text[at]:
			return i
		case text[i] == '\n' && text[at] != '`':
			return i
		}
	}
	return len(text)
}

// split divides at commas (or semicolons) outside of brackets and quotes.
func split(s string) []string {
	var parts []string
	depth, start := 0, 0
	text := []byte(s)
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '"', '\'', '`':
			i = quoteEnd(text, i)
		case ',':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	if last := strings.TrimSpace(s[start:]); last != "" {
		parts = append(parts, last)
	}
	return parts
}

// named tells a keyword argument from a positional one: "topics = x", "topic: x".
func named(arg string) (name, value string, ok bool) {
	end := 0
	quoted := ""
	if arg != "" && (arg[0] == '"' || arg[0] == '\'') {
		quoted, end = arg[:1], 1
	}
	for end < len(arg) && (isWordByte(arg[end]) || arg[end] == '.' || arg[end] == '@') {
		end++
	}
	name = strings.Trim(arg[:end], `"':`)
	rest := arg[end:]
	if quoted != "" {
		if rest, ok = strings.CutPrefix(rest, quoted); !ok {
			return "", "", false
		}
	}
	rest = strings.TrimSpace(rest)
	switch {
	case name == "" || rest == "":
		return "", "", false
	case strings.HasPrefix(rest, "=>"):
		return name, strings.TrimSpace(rest[2:]), true
	case rest[0] == '=' && !strings.HasPrefix(rest, "=="):
		return name, strings.TrimSpace(rest[1:]), true
	case rest[0] == ':' && !strings.HasPrefix(rest, "::") && !strings.HasPrefix(rest, ":="):
		return name, strings.TrimSpace(rest[1:]), true
	}
	return "", "", false
}

// keyed returns the values that an argument list gives to the names, divided by
// "|", however deep in braces they stand.
func keyed(inner, names string, depth int) []string {
	var out []string
	for _, arg := range split(inner) {
		if name, value, ok := named(arg); ok {
			for want := range strings.SplitSeq(names, "|") {
				if name == want {
					out = append(out, value)
				}
			}
			arg = value
		} else if isName(arg) && strings.Contains("|"+names+"|", "|"+arg+"|") {
			out = append(out, arg) // { topic }: a variable of that name
		}
		if open := strings.IndexAny(arg, "{(["); open >= 0 && depth > 0 {
			if nested, _, ok := group([]byte(arg), open); ok {
				out = append(out, keyed(nested, names, depth-1)...)
			}
		}
	}
	return out
}

// term is one value of an argument: text as it stands, or a name to look up.
type term struct {
	text string
	ref  bool
}

// terms reads a value: a literal, a name, or a list of them. What is computed
// gives nothing.
func terms(value string) []term {
	value = strings.TrimLeft(strings.TrimSpace(value), "&*")
	for _, or := range []string{"||", "??", " or "} {
		if i := strings.LastIndex(value, or); i >= 0 && !strings.ContainsAny(value[:i], `"'`) {
			value = strings.TrimSpace(value[i+len(or):])
		}
	}
	for _, ending := range []string{".to_s", ".freeze", ".value", ".clone()", ".to_string()", ".String()", ".toString()", ".name()", "!!", "!"} {
		value = strings.TrimSuffix(value, ending)
	}
	if text, ok := literal(value); ok {
		return []term{{text: text}}
	}
	if isName(value) {
		return []term{{text: value, ref: true}}
	}
	open := strings.IndexAny(value, "[({")
	if open < 0 {
		return nil
	}
	if head := value[:open]; !isList(head) {
		return nil
	} else if strings.HasSuffix(head, "[]string") || value[open] == '[' && strings.HasPrefix(value[open:], "[]") {
		if open = strings.IndexByte(value, '{'); open < 0 {
			return nil
		}
	}
	inner, end, ok := group([]byte(value), open)
	if !ok || end != len(value)-1 {
		return nil
	}
	var out []term
	for _, part := range split(inner) {
		out = append(out, terms(part)...)
	}
	return out
}

// isList knows what makes a list, or wraps one value, in the languages' words.
func isList(head string) bool {
	head = strings.TrimSpace(head)
	switch head {
	case "", "[]string", "new", "new String", "new string", "Arrays.asList", "List.of", "Set.of", "Collections.singletonList",
		"Collections.singleton", "listOf", "setOf", "arrayOf", "new List<string>", "new List<string>()", "aws.String", "Array.of", "set", "list",
		"vec!", "String::from", "[]", "pulumi.String", "stringPtr", "to.Ptr", "new String[]":
		return true
	}
	return false
}

// literal is the text in quotes that a value is made of, unless parts of it are
// computed.
func literal(value string) (string, bool) {
	if len(value) > 1 && value[0] == ':' && isName(value[1:]) {
		return value[1:], true // a Ruby symbol
	}
	value = strings.TrimPrefix(strings.TrimPrefix(value, "@"), "r")
	if len(value) > 2 && (value[0] == 'b' || value[0] == 'u') && (value[1] == '"' || value[1] == '\'') {
		value = value[1:]
	}
	if len(value) < 2 || !strings.ContainsRune("\"'`", rune(value[0])) || quoteEnd([]byte(value), 0) != len(value)-1 {
		return "", false
	}
	text := value[1 : len(value)-1]
	if value[0] == '`' && strings.Contains(text, "${") || strings.Contains(text, "#{") && !strings.Contains(text, "${") {
		return "", false
	}
	return text, text != ""
}

// isName tells a name, dotted or not, from an expression.
func isName(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := range len(s) {
		if !isWordByte(s[i]) && s[i] != '.' && s[i] != ':' {
			return false
		}
	}
	return true
}

// lastPart is "ORDERS" of "Topics.ORDERS".
func lastPart(name string) string {
	return name[strings.LastIndexAny(name, ".:")+1:]
}
