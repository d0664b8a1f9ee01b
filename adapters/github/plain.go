package github

import (
	"html"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/pointsman/pointsman/bot"
)

// plain turns an issue's Markdown into the text a person reads: code, link texts
// and addresses stay; markup, HTML tags and comments go, and so does what an issue
// form left unfilled.
func plain(markdown string) string {
	src := []byte(tame(markdown))
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList))
	w := writer{src: src}
	w.blocks(md.Parser().Parse(text.NewReader(src)))
	return strings.TrimSpace(bot.Clean(w.out.String(), maxBody)) // entities may have brought control characters back
}

// writer collects the text of a document. heading holds a title back until
// something stands under it, so that empty sections of a form vanish.
type writer struct {
	src     []byte
	out     strings.Builder
	heading string
	level   int
}

func (w *writer) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n)
	}
}

func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		w.title(n)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.line(w.lines(n))
	case *ast.HTMLBlock:
		body := w.lines(n)
		if n.HasClosure() {
			body += string(n.ClosureLine.Value(w.src))
		}
		w.line(html.UnescapeString(stripTags(body)))
	case *ast.Paragraph, *ast.TextBlock:
		w.paragraph(n)
	case *extast.Table:
		w.blocks(n)
	case *extast.TableHeader, *extast.TableRow:
		var cells []string
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, w.inline(c))
		}
		w.line(strings.Join(cells, " "))
	default:
		w.blocks(n)
	}
}

// title keeps a heading for later. One that nothing followed is forgotten, unless
// the new one stands below it.
func (w *writer) title(n *ast.Heading) {
	t := w.inline(n)
	if w.heading != "" && n.Level > w.level {
		t = w.heading + "\n" + t
	}
	w.heading, w.level = t, n.Level
}

func (w *writer) paragraph(n ast.Node) {
	t := strings.TrimSpace(w.inline(n))
	if isTemplate(n, t) {
		return
	}
	w.line(t)
}

// isTemplate finds what a form wrote, not a person: the filler of an empty field,
// and a ticked box that declares something ("I have searched ...").
func isTemplate(n ast.Node, t string) bool {
	if strings.EqualFold(t, "no response") {
		return true
	}
	if _, box := n.FirstChild().(*extast.TaskCheckBox); !box {
		return false
	}
	return strings.HasPrefix(t, "I ") || strings.HasPrefix(t, "I'") || strings.HasPrefix(t, "I’")
}

func (w *writer) line(t string) {
	if t = strings.TrimRightFunc(t, unicode.IsSpace); t == "" {
		return
	}
	if w.heading != "" {
		w.out.WriteString(w.heading + "\n")
		w.heading = ""
	}
	w.out.WriteString(t + "\n")
}

func (w *writer) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		b.Write(seg.Value(w.src))
	}
	return b.String()
}

// inline is the text of a node's children, addresses of links behind their texts.
func (w *writer) inline(parent ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(parent, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the visitor never fails
		if !entering {
			if l, ok := n.(*ast.Link); ok {
				b.WriteString(" " + string(l.Destination) + " ")
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(resolved(n, w.src))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte('\n')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.URL(w.src))
		case *ast.RawHTML:
			var raw strings.Builder
			for i := range n.Segments.Len() {
				seg := n.Segments.At(i)
				raw.Write(seg.Value(w.src))
			}
			b.WriteString(stripTags(raw.String()))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// resolved is a text node's value with escapes and entities undone; code stands as it is.
func resolved(n *ast.Text, src []byte) []byte {
	v := n.Segment.Value(src)
	if n.IsRaw() {
		return v
	}
	return []byte(html.UnescapeString(string(util.UnescapePunctuations(v))))
}

// stripTags removes comments whole and tags without what stands between them. A
// "<" that opens no tag stays: "a < b" is text.
func stripTags(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i:]
		if rest, ok := strings.CutPrefix(s, "<!--"); ok {
			_, s, _ = strings.Cut(rest, "-->") // one that never closes hides the rest, as on the page
			continue
		}
		end := strings.IndexByte(s, '>')
		if end < 0 || !opensTag(s) {
			b.WriteByte('<')
			s = s[1:]
			continue
		}
		b.WriteByte(' ')
		s = s[end+1:]
	}
}

func opensTag(s string) bool {
	if len(s) < 2 {
		return false
	}
	c := s[1]
	return c == '/' || c == '!' || c == '?' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
}
