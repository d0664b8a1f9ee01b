package demo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readable lays a page's HTML out as plain text of at most width columns, the way a
// person would see it in a browser: no tags, no comments, folds closed.
func readable(page string, width int) (string, error) {
	nodes, err := html.ParseFragment(strings.NewReader(page), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return "", fmt.Errorf("reading a comment's page: %w", err)
	}
	l := layout{width: width}
	for _, n := range nodes {
		l.node(n, "")
	}
	l.flush("")
	return strings.TrimSpace(strings.Join(l.lines, "\n")), nil
}

// layout collects lines; inline text waits in run until its block ends.
type layout struct {
	width  int
	lines  []string
	run    strings.Builder
	bullet string // goes before the next line, once
}

func (l *layout) node(n *html.Node, indent string) {
	switch n.Type {
	case html.TextNode:
		l.run.WriteString(n.Data)
	case html.ElementNode:
		l.element(n, indent)
	default: // comments and the like are not for readers
	}
}

func (l *layout) children(n *html.Node, indent string) {
	for c := range n.ChildNodes() {
		l.node(c, indent)
	}
}

func (l *layout) element(n *html.Node, indent string) {
	switch n.DataAtom {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Div:
		l.block(n, indent, n.DataAtom != atom.Div)
	case atom.Details:
		l.fold(n, indent)
	case atom.Br:
		l.flush(indent)
	case atom.Hr:
		l.flush(indent)
		l.lines = append(l.lines, indent+strings.Repeat("-", max(0, l.width-len(indent))))
	case atom.Ul, atom.Ol:
		l.list(n, indent)
	case atom.Blockquote:
		l.flush(indent)
		l.children(n, indent+"> ")
		l.flush(indent + "> ")
	case atom.Pre:
		l.flush(indent)
		for line := range strings.SplitSeq(strings.Trim(textOf(n), "\n"), "\n") {
			l.lines = append(l.lines, indent+"    "+line)
		}
	case atom.Table:
		l.table(n, indent)
	case atom.Script, atom.Style:
	default:
		l.children(n, indent)
	}
}

// block is a paragraph of its own, with an empty line before it when it is a loose one.
func (l *layout) block(n *html.Node, indent string, loose bool) {
	if loose {
		l.gap(indent)
	}
	l.flush(indent)
	l.children(n, indent)
	l.flush(indent)
}

// gap ends what came before with one empty line, unless an item has just begun.
func (l *layout) gap(indent string) {
	l.flush(indent)
	if l.bullet == "" && len(l.lines) > 0 && l.lines[len(l.lines)-1] != "" {
		l.lines = append(l.lines, "")
	}
}

// fold shows only the line that a reader would click to see more.
func (l *layout) fold(n *html.Node, indent string) {
	for d := range n.Descendants() {
		if d.DataAtom == atom.Summary {
			l.gap(indent)
			l.run.WriteString("[+] " + textOf(d))
			l.flush(indent)
			return
		}
	}
}

func (l *layout) list(n *html.Node, indent string) {
	l.flush(indent)
	number, err := strconv.Atoi(attribute(n, "start"))
	if err != nil {
		number = 1
	}
	for item := range n.ChildNodes() {
		if item.DataAtom != atom.Li {
			continue
		}
		l.bullet = "- "
		if n.DataAtom == atom.Ol {
			l.bullet = strconv.Itoa(number) + ". "
			number++
		}
		inner := indent + strings.Repeat(" ", len(l.bullet))
		l.children(item, inner)
		l.flush(inner)
		l.bullet = ""
	}
}

// table aligns its columns; cells are never wrapped.
func (l *layout) table(n *html.Node, indent string) {
	l.flush(indent)
	var rows [][]string
	for d := range n.Descendants() {
		if d.DataAtom != atom.Tr {
			continue
		}
		var row []string
		for cell := range d.ChildNodes() {
			if cell.DataAtom == atom.Td || cell.DataAtom == atom.Th {
				row = append(row, strings.Join(strings.Fields(textOf(cell)), " "))
			}
		}
		rows = append(rows, row)
	}
	for _, line := range columns(rows) {
		l.lines = append(l.lines, indent+line)
	}
}

// flush ends the paragraph that is being collected and wraps it.
func (l *layout) flush(indent string) {
	words := strings.Fields(l.run.String())
	l.run.Reset()
	if len(words) == 0 {
		return
	}
	first := indent
	if l.bullet != "" {
		first = indent[:max(0, len(indent)-len(l.bullet))] + l.bullet
		l.bullet = ""
	}
	for _, line := range wrap(words, l.width-len(indent)) {
		l.lines = append(l.lines, first+line)
		first = indent
	}
}

// wrap fills lines of at most width columns; a longer word stands alone.
func wrap(words []string, width int) []string {
	var lines []string
	line, used := "", 0
	for _, w := range words {
		n := utf8.RuneCountInString(w)
		switch {
		case line == "":
			line, used = w, n
		case used+1+n <= width:
			line, used = line+" "+w, used+1+n
		default:
			lines = append(lines, line)
			line, used = w, n
		}
	}
	return append(lines, line)
}

// columns pads the cells of each column to one width, two spaces apart.
func columns(rows [][]string) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var lines []string
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func attribute(n *html.Node, key string) string {
	i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
	if i < 0 {
		return ""
	}
	return n.Attr[i].Val
}
