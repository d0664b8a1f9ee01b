package jira

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain turns wiki markup into the text a person reads: code, link texts and
// addresses stay; markup, macros and pictures go.
func plain(wiki string) string {
	var out []string
	verbatim := "" // the macro that keeps its text as it is, while it is open
	for line := range strings.SplitSeq(wiki, "\n") {
		line, verbatim = plainLine(line, verbatim)
		if line = strings.TrimRightFunc(line, unicode.IsSpace); line != "" {
			out = append(out, line)
		}
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// plainLine converts one line, inside or outside a {code} or {noformat} block.
func plainLine(line, verbatim string) (text, still string) {
	var b strings.Builder
	if verbatim == "" {
		line = stripPrefix(line)
	}
	for line != "" {
		if verbatim != "" {
			before, after, closed := strings.Cut(line, "{"+verbatim+"}")
			b.WriteString(before)
			if !closed {
				return b.String(), verbatim
			}
			verbatim, line = "", after
			continue
		}
		at, name, length := findVerbatim(line)
		if at < 0 {
			b.WriteString(inline(line))
			break
		}
		b.WriteString(inline(line[:at]))
		verbatim, line = name, line[at+length:]
	}
	return b.String(), verbatim
}

// stripPrefix drops what makes a line a heading, quote, list item or rule.
func stripPrefix(line string) string {
	t := strings.TrimLeft(line, " \t")
	if len(t) > 3 && t[0] == 'h' && t[1] >= '1' && t[1] <= '6' && t[2] == '.' && t[3] == ' ' {
		return t[4:]
	}
	if rest, ok := strings.CutPrefix(t, "bq. "); ok {
		return rest
	}
	if len(t) >= 4 && strings.Trim(t, "-") == "" {
		return ""
	}
	if marks := t[:len(t)-len(strings.TrimLeft(t, "*#-"))]; marks != "" && strings.HasPrefix(t[len(marks):], " ") {
		return t[len(marks)+1:]
	}
	return line
}

// maxSpan bounds how far a construct may reach. Nobody writes longer ones, and a
// line of 100,000 opening brackets must not be searched as often.
const maxSpan = 2_000

// findVerbatim finds the first {code...} or {noformat...} that opens on a line.
func findVerbatim(line string) (at int, name string, length int) {
	for i := 0; i < len(line); i++ {
		next := strings.IndexByte(line[i:], '{')
		if next < 0 {
			break
		}
		i += next
		end := closing(line[i:], '}')
		if end < 0 {
			continue
		}
		name, _, _ := strings.Cut(line[i+1:i+end], ":")
		if name == "code" || name == "noformat" {
			return i, name, end + 1
		}
	}
	return -1, "", 0
}

// closing is the index of the byte that closes what s opens, -1 if it is not near.
func closing(s string, c byte) int {
	return strings.IndexByte(s[:min(len(s), maxSpan)], c)
}

// inline converts the markup within a line.
func inline(s string) string {
	var b strings.Builder
	for s != "" {
		i := strings.IndexAny(s, `\{[!|*_?`)
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		prev := lastRune(b.String())
		text, length := construct(s[i:], prev)
		b.WriteString(text)
		s = s[i+length:]
	}
	return b.String()
}

// construct reads what a special character opens: the text it stands for, and how
// many bytes it took, at least one.
func construct(s string, prev rune) (text string, length int) {
	switch s[0] {
	case '\\':
		return escape(s)
	case '{':
		return macro(s)
	case '[':
		return link(s)
	case '!':
		return picture(s)
	case '|':
		return " ", 1
	case '?':
		if strings.HasPrefix(s, "??") {
			return "", 2
		}
	default: // * and _ at the edge of a word
		next, _ := utf8.DecodeRuneInString(s[1:])
		if wordy(prev) != wordy(next) {
			return "", 1
		}
	}
	return s[:1], 1
}

func escape(s string) (string, int) {
	if strings.HasPrefix(s, `\\`) {
		return "\n", 2
	}
	if len(s) > 1 && strings.IndexByte("{}[]!|*_?-+^~#\\", s[1]) >= 0 {
		return s[1:2], 2
	}
	return s[:1], 1
}

// macro drops the macros that only dress text, and keeps {{code}} and any brace
// that is none of them, such as the {id} of an address.
func macro(s string) (string, int) {
	if strings.HasPrefix(s, "{{") {
		if end := strings.Index(s[:min(len(s), maxSpan)], "}}"); end > 0 {
			return s[2:end], end + 2
		}
		return "{{", 2
	}
	end := closing(s, '}')
	if end < 0 {
		return s[:1], 1
	}
	name, _, _ := strings.Cut(s[1:end], ":")
	switch name {
	case "color", "quote", "panel", "anchor", "toc", "info", "note", "tip", "warning", "expand":
		return "", end + 1
	}
	return s[:1], 1
}

// link reads [text|address], [address], [~user] and [^attachment].
func link(s string) (string, int) {
	end := closing(s, ']')
	if end < 0 {
		return s[:1], 1
	}
	in := s[1:end]
	if text, address, ok := strings.Cut(in, "|"); ok {
		address, _, _ = strings.Cut(address, "|") // [text|address|smart-link]
		if text == address {
			return address, end + 1
		}
		return text + " " + address, end + 1
	}
	switch {
	case strings.HasPrefix(in, "~accountid:"):
		return "", end + 1 // an opaque id says nothing
	case strings.HasPrefix(in, "~"), strings.HasPrefix(in, "^"):
		return in[1:], end + 1
	case strings.Contains(in, "://"), strings.HasPrefix(in, "mailto:"):
		return in, end + 1
	}
	return s[:1], 1
}

// picture drops !screenshot.png|width=300!, and leaves an exclamation alone.
func picture(s string) (string, int) {
	end := closing(s[1:], '!')
	if end <= 0 {
		return s[:1], 1
	}
	name, _, _ := strings.Cut(s[1:1+end], "|")
	if dot := strings.LastIndexByte(name, '.'); dot <= 0 || dot == len(name)-1 || strings.HasPrefix(name, " ") {
		return s[:1], 1
	}
	return "", end + 2
}

func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
