package jiratest

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
)

//go:embed page.html
var pageHTML string

// view is what the page shows: one issue, or the list of all.
type view struct {
	Key, Title, Author string
	Facts              []string
	Body               template.HTML
	Comments           []viewComment
	Issues             []viewIssue
}

type viewComment struct {
	ID, Author string
	Edits      int
	Internal   bool
	Body       template.HTML
}

type viewIssue struct{ Key, Title string }

// page shows an issue to a person.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	i, err := s.issue(r.PathValue("key"))
	if err != nil {
		s.mu.Unlock()
		http.NotFound(w, r)
		return
	}
	v := view{Key: i.key, Title: i.Summary, Author: i.Reporter, Body: Wiki(i.Description)}
	v.Facts = append(append(v.Facts, i.Components...), i.Labels...)
	if i.Environment != "" {
		v.Facts = append(v.Facts, i.Environment)
	}
	for _, c := range i.comments {
		v.Comments = append(v.Comments, viewComment{ID: c.ID, Author: c.Author, Edits: len(c.History), Internal: c.Internal, Body: Wiki(c.Body)})
	}
	s.mu.Unlock()
	show(w, v)
}

// index lists all issues.
func (s *Server) index(w http.ResponseWriter, _ *http.Request) {
	v := view{Title: "Issues"}
	s.mu.Lock()
	for _, key := range s.order {
		v.Issues = append(v.Issues, viewIssue{Key: key, Title: s.issues[key].Summary})
	}
	s.mu.Unlock()
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
