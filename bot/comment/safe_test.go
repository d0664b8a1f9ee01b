package comment_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/pointsman/pointsman/bot/comment"
	"github.com/pointsman/pointsman/routing"
)

type fataler interface {
	Helper()
	Errorf(format string, args ...any)
}

// checkGitHub renders a comment as GitHub would and looks for anything that acts.
func checkGitHub(t fataler, d routing.Decision, o comment.Options) {
	t.Helper()
	body, marker := comment.Render(comment.GitHub, d, o)
	checkText(t, body, 60_000)
	// What GitHub links beyond Markdown, in text that is not code.
	refs := regexp.MustCompile(`@[\w-]|#\d|(?i:gh-\d)|[A-Za-z]\w*-\d|\b[0-9a-fA-F]{7,}\b|://|(?i:www\.\S)`)
	src := []byte(body)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(src))
	folds := 0
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link, *ast.AutoLink, *ast.Image, *ast.RawHTML, *ast.Heading, *ast.CodeBlock, *ast.FencedCodeBlock, *ast.Blockquote, *ast.ThematicBreak:
			t.Errorf("the text made a %s:\n%s", n.Kind(), body)
		case *ast.HTMLBlock:
			var b strings.Builder
			for i := range n.Lines().Len() {
				seg := n.Lines().At(i)
				b.Write(seg.Value(src))
			}
			switch got := strings.TrimSpace(b.String()); {
			case got == marker:
			case strings.HasPrefix(got, "<details>\n<summary>More reasons, coverage and warnings</summary>"), got == "</details>":
				folds++
			default:
				t.Errorf("HTML that is not ours: %q", got)
			}
		case *ast.CodeSpan:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if v := string(n.Segment.Value(src)); refs.MatchString(v) {
				t.Errorf("outside of code stands %q", v)
			}
		}
		return ast.WalkContinue, nil
	})
	if folds != 0 && folds != 2 {
		t.Errorf("%d halves of a fold", folds)
	}
	if !strings.HasSuffix(body, "\n\n"+marker+"\n") {
		t.Errorf("the marker does not stand at the end:\n%s", body)
	}
}

// checkJira reads a comment as Jira would: nothing but what the template opens may
// stand there unescaped.
func checkJira(t fataler, d routing.Decision, o comment.Options) {
	t.Helper()
	body, marker := comment.Render(comment.Jira, d, o)
	checkText(t, body, 30_000)
	rest := strings.Replace(body, marker, "", 1)
	plain := regexp.MustCompile(`\\[^a-zA-Z0-9\s]`).ReplaceAllString(rest, "·") // escapes are gone: what is left acts
	plain = regexp.MustCompile(`\{\{[^{}]*\}\}`).ReplaceAllString(plain, "")
	if m := regexp.MustCompile(`[{}\[\]|~^\\]|![^ ]|@\S|\S@|\?\?|[:;]\)|://|(?i:mailto:\S)|\bwww\.\S|[A-Za-z_]\d*-\d|--`).FindString(plain); m != "" {
		t.Errorf("%q stands unescaped in:\n%s", m, body)
	}
}

func checkText(t fataler, body string, limit int) {
	t.Helper()
	if !utf8.ValidString(body) || len(body) > limit {
		t.Errorf("%d bytes (limit %d), valid UTF-8: %v", len(body), limit, utf8.ValidString(body))
	}
	for _, r := range body {
		if r != '\n' && !unicode.IsGraphic(r) {
			t.Errorf("invisible character %U in the comment", r)
			return
		}
	}
	first, _, _ := strings.Cut(body, "\n")
	if !strings.Contains(first, "Likely repositories") {
		t.Errorf("first line is %q", first)
	}
}

func TestNothingActs(t *testing.T) {
	t.Parallel()
	for name, d := range cases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkGitHub(t, d, comment.Options{})
			checkJira(t, d, comment.Options{})
		})
	}
}

// TestAnyText is the promise for any text in any field.
func TestAnyText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		o := comment.Options{Show: rapid.IntRange(-1, 12).Draw(t, "show")}
		checkGitHub(t, d, o)
		checkJira(t, d, o)
	})
}

// draw fills every field of a decision with text that leans towards what acts.
func draw(t *rapid.T) routing.Decision {
	bits := rapid.SampledFrom([]string{
		"@a", "@a/b", "#1", "a/b#1", "GH-1", "P-1", "<b>", "</details>", "<!--", "-->", "`", "``", "```", "*", "**", "_", "~~", "[", "](", ")", "!", "|",
		"http://x.y", "www.x.y", "a@b.cd", "mailto:a@b.c", "\\", "\n", "\r\n\r\n", "    ", "# ", "> ", "- ", "1. ", "+ ", "---", "===", "&lt;", "&#64;a", "{code}", "{{", "}}", "[~a]", "$",
		commitA, "1234567", "deadbee", "\x00", "\u202e", "\u200b", "\ufeff", "\xff", "日本", "😀", ":a:", "a", "b c", "x.y", "www", ".", ":", "//", "mailto",
	})
	str := rapid.OneOf(
		rapid.Map(rapid.SliceOfN(bits, 0, 12), func(b []string) string { return strings.Join(b, "") }),
		rapid.String(),
		rapid.Map(rapid.IntRange(0, 5000), func(n int) string { return strings.Repeat("😀 `", n) }),
	)
	text := func() string { return str.Draw(t, "text") }
	texts := func() []string { return rapid.SliceOfN(str, 0, 6).Draw(t, "texts") }
	d := routing.Decision{
		Verdict:    rapid.SampledFrom([]routing.Verdict{routing.VerdictRoute, routing.VerdictAsk, routing.VerdictNone}).Draw(t, "verdict"),
		Ticket:     routing.TicketName{Key: text(), Title: text()},
		Spans:      texts(),
		Warnings:   texts(),
		Confidence: routing.Confidence{Ratio: rapid.Int().Draw(t, "ratio"), Calibrated: rapid.Bool().Draw(t, "calibrated"), Top1: rapid.Float64().Draw(t, "top1"), N: rapid.Int().Draw(t, "n")},
		AsOf:       routing.AsOf{Registry: text(), Program: text(), Generations: map[string]string{text(): text()}},
	}
	rank := 1
	for i := range rapid.IntRange(0, 14).Draw(t, "candidates") {
		if rapid.Bool().Draw(t, "apart") {
			rank = i + 1
		}
		c := routing.Candidate{Rank: rank, Repo: text(), Reasons: texts(), Notes: texts()}
		for range rapid.IntRange(0, 3).Draw(t, "evidence") {
			c.Evidence = append(c.Evidence, routing.Evidence{Path: text(), Why: text(), Commit: text(), StartLine: rapid.Int().Draw(t, "from"), EndLine: rapid.Int().Draw(t, "to")})
		}
		d.Candidates = append(d.Candidates, c)
		d.Ambiguities = append(d.Ambiguities, routing.Ambiguity{Repos: []string{c.Repo, text()}, Reason: text(), Ask: text()})
	}
	d.Coverage = []routing.Coverage{{Ranker: text(), Can: 1, Of: 2, Missing: texts(), Why: texts()}}
	return d
}
