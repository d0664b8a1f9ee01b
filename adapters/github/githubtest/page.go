package githubtest

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"sort"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

//go:embed page.html
var pageHTML string

// view is what the page shows: one issue, or the list of all.
type view struct {
	Where, Title, Author string
	Body                 template.HTML
	Comments             []viewComment
	Issues               []viewIssue
}

type viewComment struct {
	ID     int64
	Author string
	Edits  int
	Body   template.HTML
}

type viewIssue struct{ Path, Name, Title string }

// page shows an issue to a person, at /OWNER/REPO/issues/NUMBER.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	p := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if r.Method != http.MethodGet || len(p) != 4 || p[2] != "issues" {
		refuse(w, http.StatusNotFound, "Not Found")
		return
	}
	s.mu.Lock()
	n, _ := strconv.Atoi(p[3])
	rp, i, err := s.issue(p[0]+"/"+p[1], n)
	if err != nil {
		s.mu.Unlock()
		http.NotFound(w, r)
		return
	}
	v := view{Where: rp.FullName + "#" + strconv.Itoa(n), Title: i.Title, Author: i.Author, Body: Markdown(i.Body)}
	for _, c := range i.comments {
		v.Comments = append(v.Comments, viewComment{ID: c.ID, Author: c.Author, Edits: len(c.History), Body: Markdown(c.Body)})
	}
	s.mu.Unlock()
	show(w, v)
}

// index lists all issues.
func (s *Server) index(w http.ResponseWriter, _ *http.Request) {
	v := view{Title: "Issues"}
	s.mu.Lock()
	for _, rp := range s.repos {
		for _, i := range rp.issues {
			n := strconv.FormatInt(i.number, 10)
			v.Issues = append(v.Issues, viewIssue{Path: "/" + rp.FullName + "/issues/" + n, Name: rp.FullName + "#" + n, Title: i.Title})
		}
	}
	s.mu.Unlock()
	sort.Slice(v.Issues, func(a, b int) bool { return v.Issues[a].Name < v.Issues[b].Name })
	show(w, v)
}

func show(w http.ResponseWriter, v view) {
	t, err := template.New("page").Parse(pageHTML)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var b bytes.Buffer
	if err := t.Execute(&b, v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	_, _ = w.Write(b.Bytes()) // into memory
}

// Markdown renders GitHub's dialect as a page would show it: no raw HTML but the
// folding that comments use.
func Markdown(src string) template.HTML {
	var b bytes.Buffer
	md := goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(folding{}, 1))),
	)
	if err := md.Convert([]byte(src), &b); err != nil {
		return template.HTML(template.HTMLEscapeString(src)) // escaped on the spot
	}
	return template.HTML(b.String()) // goldmark leaves raw HTML out unless told otherwise
}

// folding lets <details> and its summary through, and nothing else.
type folding struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (folding) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHTMLBlock, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var raw strings.Builder
		for i := range n.Lines().Len() {
			seg := n.Lines().At(i)
			raw.Write(seg.Value(src))
		}
		_, err := w.WriteString(fold(strings.TrimSpace(raw.String())))
		return ast.WalkContinue, err
	})
}

func fold(block string) string {
	if block == "</details>" {
		return "</details>\n"
	}
	rest, ok := strings.CutPrefix(block, "<details>\n<summary>")
	summary, end, closed := strings.Cut(rest, "</summary>")
	if !ok || !closed || end != "" || strings.ContainsAny(summary, "<>") {
		return ""
	}
	return "<details>\n<summary>" + summary + "</summary>\n"
}
