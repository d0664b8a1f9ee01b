package jiratest

import (
	"html/template"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Wiki renders the part of Jira's wiki markup that comments use: headings, lists,
// bold, italics, monospaced text, anchors, noformat blocks, links, and backslash
// escapes. Everything else is shown as it stands.
func Wiki(src string) template.HTML {
	r := &renderer{}
	for line := range strings.SplitSeq(strings.ReplaceAll(src, "\r\n", "\n"), "\n") {
		r.line(line)
	}
	r.list(0)
	if r.pre {
		r.b.WriteString("</code></pre>\n")
	}
	return template.HTML(r.b.String()) // every text went through escape
}

type renderer struct {
	b     strings.Builder
	depth int  // of the open list
	pre   bool // inside {noformat} or {code}
}

func (r *renderer) line(line string) {
	t := strings.TrimSpace(line)
	verbatim := t == "{noformat}" || t == "{code}"
	switch {
	case verbatim && r.pre:
		r.pre = false
		r.b.WriteString("</code></pre>\n")
	case verbatim:
		r.list(0)
		r.pre = true
		r.b.WriteString("<pre><code>")
	case r.pre:
		r.b.WriteString(template.HTMLEscapeString(line) + "\n")
	case t == "":
		r.list(0)
	default:
		r.text(t)
	}
}

func (r *renderer) text(t string) {
	if len(t) > 4 && t[0] == 'h' && t[1] >= '1' && t[1] <= '6' && t[2:4] == ". " {
		r.list(0)
		r.b.WriteString("<h3>" + Inline(t[4:]) + "</h3>\n")
		return
	}
	stars := len(t) - len(strings.TrimLeft(t, "*"))
	if stars > 0 && strings.HasPrefix(t[stars:], " ") {
		r.list(stars)
		r.b.WriteString("<li>" + Inline(t[stars+1:]) + "\n")
		return
	}
	r.list(0)
	r.b.WriteString("<p>" + Inline(t) + "</p>\n")
}

func (r *renderer) list(depth int) {
	for ; r.depth < depth; r.depth++ {
		r.b.WriteString("<ul>")
	}
	for ; r.depth > depth; r.depth-- {
		r.b.WriteString("</ul>\n")
	}
}

// Inline renders the markup within one line.
func Inline(s string) string {
	var b strings.Builder
	prev := ' '
	for s != "" {
		html, length := span(s, prev)
		b.WriteString(html)
		prev, _ = utf8.DecodeLastRuneInString(s[:length])
		s = s[length:]
	}
	return b.String()
}

func span(s string, prev rune) (html string, length int) {
	switch {
	case s[0] == '\\' && len(s) > 1 && s[1] < utf8.RuneSelf && unicode.In(rune(s[1]), unicode.P, unicode.S):
		return template.HTMLEscapeString(s[1:2]), 2
	case strings.HasPrefix(s, "{anchor:"):
		if end := strings.IndexByte(s, '}'); end > 0 {
			return "", end + 1
		}
	case strings.HasPrefix(s, "{{"):
		if end := strings.Index(s, "}}"); end > 2 {
			return "<code>" + Inline(s[2:end]) + "</code>", end + 2
		}
	case s[0] == '[':
		if html, length, ok := link(s); ok {
			return html, length
		}
	case (s[0] == '*' || s[0] == '_') && !wordy(prev):
		if end := closingMark(s); end > 0 {
			tag := map[byte]string{'*': "b", '_': "i"}[s[0]]
			return "<" + tag + ">" + Inline(s[1:end]) + "</" + tag + ">", end + 1
		}
	}
	_, size := utf8.DecodeRuneInString(s)
	return template.HTMLEscapeString(s[:size]), size
}

// closingMark finds the unescaped mark that ends what s opens, at a word's end.
func closingMark(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == s[0] && i > 1 && s[i-1] != ' ':
			if next, _ := utf8.DecodeRuneInString(s[i+1:]); i+1 == len(s) || !wordy(next) {
				return i
			}
		}
	}
	return -1
}

// link renders [text|address] and [address], web addresses only.
func link(s string) (html string, length int, ok bool) {
	end := strings.IndexByte(s, ']')
	if end < 0 {
		return "", 0, false
	}
	text, address, found := strings.Cut(s[1:end], "|")
	if !found {
		address = text
	}
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") {
		return "", 0, false
	}
	return `<a href="` + template.HTMLEscapeString(address) + `">` + template.HTMLEscapeString(text) + "</a>", end + 1, true
}

func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
