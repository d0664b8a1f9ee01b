package comment

import (
	"strings"
	"unicode"
)

// markdown is GitHub's dialect. Inside a code span GitHub finds no mention, link,
// reference, HTML or emphasis; so whatever could be one goes into one, and the
// reader still sees it as it was written.
type markdown struct{}

// code implements writer.
func (markdown) code(s string, maxRunes int) string {
	return span(line(s, maxRunes))
}

func span(s string) string {
	if s == "" {
		return "`?`"
	}
	longest, run := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 {
		s = " " + s + " "
	}
	return fence + s + fence
}

// prose implements writer.
func (markdown) prose(s string, maxRunes int) string {
	words := strings.Fields(line(s, maxRunes))
	for i, w := range words {
		if !harmless(w) {
			words[i] = word(w)
		}
	}
	return strings.Join(words, " ")
}

// word is a code span of a word. One that stands between backticks already, perhaps
// with a full stop or comma behind it, does not show them twice.
func word(w string) string {
	bare := strings.TrimRight(w, ".,;:")
	if inner := strings.Trim(bare, "`"); len(bare) == len(inner)+2 && inner != "" && !strings.Contains(inner, "`") && strings.HasPrefix(bare, "`") {
		return span(inner) + w[len(bare):]
	}
	return span(w)
}

// harmless says that a word means nothing to Markdown or to GitHub.
func harmless(w string) bool {
	for _, r := range w {
		if !unicode.In(r, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune(".,;:'\"!?()/%+=-–—’‘“”„«»…·", r) {
			return false
		}
	}
	lower := strings.ToLower(w)
	return !strings.Contains(lower, "://") && !strings.Contains(lower, "www.") &&
		strings.Count(w, ":") < 2 && !refersTo(w) && !looksLikeCommit(w)
}

// Code is text from outside as a code span of GitHub's dialect, on one line. For what
// is said elsewhere than in a comment.
func Code(s string, maxRunes int) string { return markdown{}.code(s, maxRunes) }

// Prose is text from outside as words of GitHub's dialect, on one line, as Code is.
func Prose(s string, maxRunes int) string { return markdown{}.prose(s, maxRunes) }
