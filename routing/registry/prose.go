package registry

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxReadme is how much of a README is looked at, bytes.
	maxReadme = 64 << 10
	// maxDescription bounds a drafted description, characters; enoughProse is
	// where no further paragraph is added.
	maxDescription = 400
	enoughProse    = 160
	// minProse is enough to leave the sections that follow alone.
	minProse = 40
	// A paragraph of fewer words (or characters, for scripts without spaces) is a
	// label, not prose.
	minWords = 5
	minRunes = 20
)

// markup holds the patterns that turn one line of markup into plain words.
type markup struct {
	comment, image, badge, link, refLink, adocLink, autolink, tag, refDefinition, emphasis *regexp.Regexp
	skip, aside                                                                            *regexp.Regexp
}

func newMarkup() *markup {
	return &markup{
		comment:       regexp.MustCompile(`(?s)<!--.*?(-->|$)|<(script|style|pre|table|svg)[ >].*?(</(script|style|pre|table|svg)>|$)`),
		image:         regexp.MustCompile(`!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])?|image::?[^\[\s]*\[[^\]]*\]`),
		badge:         regexp.MustCompile(`\[\s*\](\([^)]*\)|\[[^\]]*\])|\|[\w .-]+\|`),
		link:          regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`),
		refLink:       regexp.MustCompile(`\[([^\]]+)\]\[[^\]]*\]`),
		adocLink:      regexp.MustCompile("(?:https?://|link:|xref:)[^\\s\\[\\]]+\\[([^\\]]*)\\]|`([^`<]+) <[^>`]+>`__?"),
		autolink:      regexp.MustCompile(`<(https?://[^>\s]+|[^>\s]+@[^>\s]+)>`),
		tag:           regexp.MustCompile(`</?[A-Za-z][^>]*>`),
		refDefinition: regexp.MustCompile(`^\s*\[[^\]]+\]:\s`),
		emphasis:      regexp.MustCompile("\\*\\*|__|``?|(?:^|\\s)[*_](\\S[^*_]*)[*_]"),
		skip: regexp.MustCompile(`(?i)\b(licen[cs]ed?|copyright|all rights reserved|build status|table of contents|` +
			`see the notice file|without warrant|permission is hereby|pull requests?|mailing lists?|javadocs?|` +
			`more information (can be|is)|documentation (can be|is available))\b|^\s*(©|\(c\))`),
		aside: regexp.MustCompile(`(?i)^\W*(licen[cs]e|licensing|copyright|contribut|credits|acknowledg|authors|` +
			`table of contents|contents|install|build|download|getting started|quick ?start|changelog|requirements|prerequisites|badges|` +
			`where can|making|submitting|reporting|support|community|release|news|documentation|issues)`),
	}
}

// Prose returns what a README says first, as plain text of at most 400
// characters, or "" when it says nothing in sentences.
func Prose(readme []byte) string { return firstProse(string(readme)) }

// firstProse returns the first real paragraphs of a README as plain text: no
// headings, badges, HTML, code, tables, lists, licence talk. It returns "" when
// there is none.
func firstProse(readme string) string {
	if len(readme) > maxReadme {
		readme = readme[:maxReadme]
	}
	readme = strings.ToValidUTF8(strings.TrimPrefix(readme, "\ufeff"), "")
	m := newMarkup()
	readme = m.comment.ReplaceAllString(strings.ReplaceAll(readme, "\r\n", "\n"), "\n")
	out, section := "", 0
	for _, p := range m.paragraphs(readme) {
		if out != "" && p.section != section && utf8.RuneCountInString(out) >= minProse {
			break // what a README says first, it says in one place
		}
		text := m.plain(p.text)
		if !isProse(text) || m.skip.MatchString(text) {
			continue
		}
		out, section = strings.TrimSpace(out+" "+text), p.section
		if utf8.RuneCountInString(out) >= enoughProse {
			break
		}
	}
	return shorten(out, maxDescription)
}

// paragraph is a block of running text and the number of the section it is in.
type paragraph struct {
	text    string
	section int
}

// paragraphs splits a README into blocks of running text and leaves out blocks
// of another kind.
func (m *markup) paragraphs(readme string) []paragraph {
	var out []paragraph
	var block []string
	aside, listed, fence, section := false, false, "", 0
	lines := strings.Split(withoutFrontMatter(readme), "\n")
	asciiDoc := strings.HasPrefix(strings.TrimSpace(readme), "= ")
	flush := func() {
		if len(block) > 0 && !aside {
			out = append(out, paragraph{strings.Join(block, " "), section})
		}
		block = nil
	}
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		if fence != "" {
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		}
		next := ""
		if i+1 < len(lines) {
			next = strings.TrimSpace(lines[i+1])
		}
		switch {
		case fenceOf(trimmed, asciiDoc) != "":
			flush()
			fence = fenceOf(trimmed, asciiDoc)
		case isHeading(trimmed, next):
			flush()
			section++
			aside, listed = m.aside.MatchString(strings.TrimLeft(trimmed, "#= ")), false
		case trimmed == "" || isRule(trimmed):
			flush()
		case listed && strings.HasPrefix(line, " "): // still the list
		case m.refDefinition.MatchString(line) || isNotProse(line, trimmed, len(block) > 0):
			flush()
			listed = true
		default:
			listed = false
			block = append(block, strings.TrimSpace(strings.TrimPrefix(trimmed, ">")))
		}
	}
	flush()
	return out
}

// withoutFrontMatter drops a YAML block at the top.
func withoutFrontMatter(s string) string {
	if rest, ok := strings.CutPrefix(s, "---\n"); ok {
		if _, after, ok := strings.Cut(rest, "\n---\n"); ok {
			return after
		}
	}
	return s
}

// fenceOf returns what closes a block of code that line opens, or "".
func fenceOf(line string, asciiDoc bool) string {
	for _, f := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, f) {
			return f
		}
	}
	if asciiDoc && (line == "----" || line == "....") {
		return line
	}
	return ""
}

// isHeading tells a heading: marked, or underlined by the next line.
func isHeading(line, next string) bool {
	marks := strings.TrimLeft(line, "#")
	if len(marks) < len(line) && (marks == "" || marks[0] == ' ') {
		return true
	}
	marks = strings.TrimLeft(line, "=")
	if len(marks) < len(line) && strings.HasPrefix(marks, " ") {
		return true
	}
	return line != "" && !isRule(line) && len(next) >= 3 && isRule(next)
}

// isRule tells a line drawn with one punctuation character.
func isRule(line string) bool {
	return len(line) >= 2 && strings.ContainsRune("=-~^*_+#\"'`.", rune(line[0])) && strings.Trim(line, line[:1]) == ""
}

// isNotProse tells lists, tables, directives, attributes and indented code.
func isNotProse(line, trimmed string, inside bool) bool {
	if !inside && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")) {
		return true
	}
	for _, mark := range []string{"- ", "* ", "+ ", "|", ".. ", "//", "[[", "include::", "ifdef::", "endif::", "ifndef::", "$ "} {
		if strings.HasPrefix(trimmed, mark) {
			return true
		}
	}
	if number, _, ok := strings.Cut(trimmed, ". "); ok && len(number) < 4 && strings.Trim(number, "0123456789") == "" {
		return true
	}
	return strings.HasPrefix(trimmed, ":") && strings.Contains(trimmed[1:], ":") // an attribute
}

// plain turns markup into the words that a reader sees.
func (m *markup) plain(s string) string {
	s = m.image.ReplaceAllString(s, "")
	s = m.badge.ReplaceAllString(s, " ")
	s = m.adocLink.ReplaceAllString(s, "$1$2")
	s = m.link.ReplaceAllString(s, "$1")
	s = m.refLink.ReplaceAllString(s, "$1")
	s = m.autolink.ReplaceAllString(s, "$1")
	s = m.tag.ReplaceAllString(s, " ")
	s = m.emphasis.ReplaceAllString(s, " $1")
	s = html.UnescapeString(s)
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	for _, mark := range []string{" .", " ,", " ;", " :"} {
		s = strings.ReplaceAll(s, mark, mark[1:])
	}
	return s
}

// isProse tells a sentence from a label, an address or a row of symbols.
func isProse(s string) bool {
	runes, letters, wide := 0, 0, 0
	for _, r := range s {
		runes++
		if unicode.IsLetter(r) {
			letters++
		}
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			wide++
		}
	}
	if letters*10 < runes*6 {
		return false
	}
	if wide*2 > letters {
		return runes >= minRunes/2
	}
	words := 0
	for w := range strings.FieldsSeq(s) {
		if !strings.Contains(w, "://") {
			words++
		}
	}
	return words >= minWords && runes >= minRunes
}

// shorten cuts text to at most limit characters: after a sentence if one ends in
// the second half, else between words.
func shorten(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	runes := []rune(s)[:limit-1]
	for i := len(runes) - 1; i > limit/2; i-- {
		if strings.ContainsRune(".!?。", runes[i-1]) && (runes[i] == ' ' || runes[i-1] == '。') {
			return string(runes[:i])
		}
	}
	for i := len(runes) - 1; i > limit/2; i-- {
		if runes[i] == ' ' {
			return strings.TrimRight(string(runes[:i]), " ,;:") + "…"
		}
	}
	return string(runes) + "…"
}
