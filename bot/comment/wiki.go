package comment

import "strings"

// wiki is Jira's markup. It has no span that is left alone, so every character
// that could open something is escaped, and what cannot be escaped on every
// version of Jira is replaced by what reads alike.
type wiki struct{}

// code implements writer.
func (w wiki) code(s string, maxRunes int) string {
	s = w.prose(s, maxRunes)
	if s == "" {
		s = `\?`
	}
	return "{{" + s + "}}"
}

// prose implements writer.
func (wiki) prose(s string, maxRunes int) string {
	s = line(s, maxRunes)
	var b strings.Builder
	for i, r := range s {
		switch {
		case strings.ContainsRune("[]!*_-+^~?#|()", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '{': // an unescaped pair could close our {{code}}
			b.WriteString(`\(`)
		case r == '}':
			b.WriteString(`\)`)
		case r == '\\': // two of them would be a line break
			b.WriteByte('/')
		case r == '@' && !alone(s, i): // an address would become a link
			b.WriteString(`\(at\)`)
		case r == ':' && opensAddress(s[:i], s[i+1:]):
			b.WriteString(": ")
		case r == '.' && endsInWWW(s[:i]):
			b.WriteString(". ")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// alone says that the character at i stands between blanks.
func alone(s string, i int) bool {
	return i > 0 && s[i-1] == ' ' && i+1 < len(s) && s[i+1] == ' '
}

// opensAddress says that a colon makes a web or mail address of what stands
// before it: a blank behind it does not.
func opensAddress(before, after string) bool {
	if strings.HasPrefix(after, "//") || strings.HasPrefix(after, `\\`) {
		return true
	}
	return strings.HasSuffix(strings.ToLower(before), "mailto")
}

func endsInWWW(before string) bool {
	return strings.HasSuffix(strings.ToLower(before), "www")
}
