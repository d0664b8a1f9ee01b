package facts

import (
	"bytes"
	"strings"
)

const (
	maxOwners = 100 // braces inside one another
	maxHead   = 200 // bytes before a brace that may say what it opens
)

// owners follows the enumerations, classes and objects that a place of a text lies
// in, by braces or, where the language has none, by how far lines are indented.
type owners struct {
	indented bool
	names    []string
	depths   []int // of indentation
	lost     int   // braces beyond maxOwners
}

// pass takes note of one byte outside of quotes.
func (o *owners) pass(text []byte, at int) {
	if o.indented {
		if at == 0 || text[at-1] == '\n' {
			o.line(text[at:min(len(text), at+maxHead)])
		}
		return
	}
	switch text[at] {
	case '{':
		if len(o.names) == maxOwners {
			o.lost++
			return
		}
		name := headName(text[max(0, at-maxHead):at])
		if name == "companion" && len(o.names) > 0 {
			name = o.name()
		}
		o.names = append(o.names, name)
	case '}':
		if o.lost > 0 {
			o.lost--
		} else if n := len(o.names); n > 0 {
			o.names = o.names[:n-1]
		}
	}
}

// line looks at the beginning of a line of a language without braces.
func (o *owners) line(text []byte) {
	text, _, _ = bytes.Cut(text, []byte{'\n'})
	trimmed := bytes.TrimLeft(text, " \t")
	if len(bytes.TrimSpace(trimmed)) == 0 {
		return
	}
	depth := len(text) - len(trimmed)
	for n := len(o.depths); n > 0 && o.depths[n-1] >= depth; n-- {
		o.depths, o.names = o.depths[:n-1], o.names[:n-1]
	}
	words := strings.Fields(string(trimmed))
	if len(words) > 1 && (words[0] == "class" || words[0] == "module") && len(o.names) < maxOwners {
		o.names, o.depths = append(o.names, leadingName(words[1])), append(o.depths, depth)
	}
}

// name is the innermost owner.
func (o *owners) name() string {
	if len(o.names) == 0 || o.lost > 0 {
		return ""
	}
	return o.names[len(o.names)-1]
}

// headName is what the words before a brace name: X of "enum X", of "const X =", of
// "X:", "companion" of Kotlin's "companion object", "" for all other code.
func headName(head []byte) string {
	head = head[bytes.LastIndexAny(head, ";{}")+1:]
	text := strings.TrimSpace(string(head))
	for _, wrapper := range []string{"Object.freeze(", "freeze("} {
		text = strings.TrimSpace(strings.TrimSuffix(text, wrapper))
	}
	if before, ok := strings.CutSuffix(text, ":"); ok {
		words := strings.FieldsFunc(before, func(r rune) bool { return strings.ContainsRune(" \t\n,", r) })
		if len(words) > 0 && isName(words[len(words)-1]) {
			return words[len(words)-1]
		}
		return ""
	}
	assigned := strings.HasSuffix(text, "=")
	words := strings.Fields(text)
	for i := len(words) - 2; i >= 0; i-- {
		switch words[i] {
		case "enum", "class", "object", "interface", "record", "struct", "module", "trait":
			return leadingName(words[i+1])
		case "const", "let", "var", "val", "static", "readonly", "final":
			if assigned {
				return leadingName(words[i+1])
			}
		}
	}
	if len(words) > 1 && words[len(words)-1] == "object" && words[len(words)-2] == "companion" {
		return "companion"
	}
	return ""
}

// leadingName is the name that a word begins with: X of "X:", "X<T>", "X(Enum):".
func leadingName(word string) string { return word[:wordEnd([]byte(word), 0)] }

// isReference tells a name that other files may bind from a variable of a function.
func isReference(ref string) bool {
	last := lastPart(ref)
	if isShared(last) {
		return true
	}
	owner := lastPart(strings.TrimRight(strings.TrimSuffix(ref, last), ".:"))
	return len(last) > 1 && len(owner) > 2 && owner[0] >= 'A' && owner[0] <= 'Z'
}
