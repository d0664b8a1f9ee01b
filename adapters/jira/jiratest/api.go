package jiratest

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"
)

const (
	maxComment = 32_767
	timeLayout = "2006-01-02T15:04:05.000-0700"
)

func (s *Server) routes() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /rest/api/2/myself", s.guard(s.myself))
	m.HandleFunc("GET /rest/api/2/search/jql", s.guard(s.searchCloud))
	m.HandleFunc("GET /rest/api/2/search", s.guard(s.searchDataCenter))
	m.HandleFunc("GET /rest/api/2/project/{project}/components", s.guard(s.listComponents))
	m.HandleFunc("GET /rest/api/2/issue/{key}/comment", s.guard(s.listComments))
	m.HandleFunc("POST /rest/api/2/issue/{key}/comment", s.guard(s.createComment))
	m.HandleFunc("GET /rest/api/2/issue/{key}/comment/{id}", s.guard(s.getComment))
	m.HandleFunc("PUT /rest/api/2/issue/{key}/comment/{id}", s.guard(s.editComment))
	m.HandleFunc("DELETE /rest/api/2/issue/{key}/comment/{id}", s.guard(s.deleteComment))
	m.HandleFunc("GET /browse/{key}", s.page)
	m.HandleFunc("GET /{$}", s.index)
	return m
}

// guard checks the credentials and takes the lock.
func (s *Server) guard(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		user, pass, basic := r.BasicAuth()
		genuine := basic && user == s.opts.User && pass == s.opts.Token.Reveal()
		if s.opts.DataCenter {
			genuine = r.Header.Get("Authorization") == "Bearer "+s.opts.Token.Reveal()
		}
		if !genuine {
			w.Header().Set("WWW-Authenticate", `OAuth realm="jiratest"`)
			refuse(w, http.StatusUnauthorized, "You are not authenticated.")
			return
		}
		h(w, r)
	}
}

func (s *Server) myself(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, s.account(s.opts.BotName))
}

func (s *Server) listComments(w http.ResponseWriter, r *http.Request) {
	i := s.lookup(w, r)
	if i == nil {
		return
	}
	q := r.URL.Query()
	from, _ := strconv.Atoi(q.Get("startAt"))
	size, _ := strconv.Atoi(q.Get("maxResults"))
	if size <= 0 {
		size = 50
	}
	size = min(size, s.pageSize)
	all := i.comments
	if s.lagging {
		all = i.shown
	}
	from = min(max(from, 0), len(all))
	to := min(from+size, len(all))
	list := make([]any, 0, size)
	for _, c := range all[from:to] {
		list = append(list, s.commentJSON(i, c))
	}
	answer(w, http.StatusOK, map[string]any{"startAt": from, "maxResults": size, "total": len(all), "comments": list})
}

func (s *Server) createComment(w http.ResponseWriter, r *http.Request) {
	i := s.lookup(w, r)
	if i == nil {
		return
	}
	if in, ok := readBody(w, r); ok {
		c := s.addComment(i, s.opts.BotName, in.Body)
		for _, p := range in.Properties {
			c.Internal = c.Internal || (p.Key == "sd.public.comment" && p.Value["internal"] == true)
		}
		answer(w, http.StatusCreated, s.commentJSON(i, c))
	}
}

func (s *Server) getComment(w http.ResponseWriter, r *http.Request) {
	if i, c := s.lookupComment(w, r); c != nil {
		answer(w, http.StatusOK, s.commentJSON(i, c))
	}
}

func (s *Server) editComment(w http.ResponseWriter, r *http.Request) {
	i, c := s.lookupComment(w, r)
	if c == nil {
		return
	}
	if c.Author != s.opts.BotName {
		refuse(w, http.StatusBadRequest, "You do not have the permission to edit this comment.")
		return
	}
	if in, ok := readBody(w, r); ok {
		c.History = append(c.History, c.Body)
		c.Body, c.Updated = in.Body, s.now().UTC().Truncate(time.Millisecond)
		answer(w, http.StatusOK, s.commentJSON(i, c))
	}
}

func (s *Server) deleteComment(w http.ResponseWriter, r *http.Request) {
	i, c := s.lookupComment(w, r)
	if c == nil {
		return
	}
	if c.Author != s.opts.BotName {
		refuse(w, http.StatusBadRequest, "You do not have the permission to delete this comment.")
		return
	}
	i.remove(c.ID)
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) lookup(w http.ResponseWriter, r *http.Request) *issue {
	i, err := s.issue(r.PathValue("key"))
	if err != nil {
		refuse(w, http.StatusNotFound, "Issue does not exist or you do not have permission to see it.")
		return nil
	}
	return i
}

func (s *Server) lookupComment(w http.ResponseWriter, r *http.Request) (*issue, *Comment) {
	i := s.lookup(w, r)
	if i == nil {
		return nil, nil
	}
	for _, c := range i.comments {
		if c.ID == r.PathValue("id") {
			return i, c
		}
	}
	refuse(w, http.StatusNotFound, "Can not find a comment for the id: "+r.PathValue("id")+".")
	return nil, nil
}

type commentIn struct {
	Body       string `json:"body"`
	Properties []struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	} `json:"properties"`
}

func readBody(w http.ResponseWriter, r *http.Request) (commentIn, bool) {
	var in commentIn
	switch err := json.NewDecoder(r.Body).Decode(&in); {
	case err != nil:
		refuse(w, http.StatusBadRequest, "Unexpected character in the body.")
	case in.Body == "":
		refuse(w, http.StatusBadRequest, "Comment body can not be empty!")
	case utf8.RuneCountInString(in.Body) > maxComment:
		refuse(w, http.StatusBadRequest, "The entered text is too long. It exceeds the allowed limit of 32,767 characters.")
	default:
		return in, true
	}
	return in, false
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json;charset=UTF-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // into memory
}

func refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, map[string]any{"errorMessages": []string{message}, "errors": map[string]string{}})
}
