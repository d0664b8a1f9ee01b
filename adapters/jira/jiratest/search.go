package jiratest

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// searchCloud pages by token and tells no total, as Jira Cloud does since 2025.
func (s *Server) searchCloud(w http.ResponseWriter, r *http.Request) {
	if s.opts.DataCenter {
		refuse(w, http.StatusNotFound, "null for uri: "+r.URL.Path)
		return
	}
	list, ok := s.find(w, r)
	if !ok {
		return
	}
	from := 0
	if token := r.URL.Query().Get("nextPageToken"); token != "" {
		var err error
		if from, err = strconv.Atoi(strings.TrimPrefix(token, "after-")); err != nil {
			refuse(w, http.StatusBadRequest, "The provided next page token is invalid or expired.")
			return
		}
	}
	page, to := s.cut(r, list, from)
	out := map[string]any{"issues": page, "isLast": to == len(list)}
	if to < len(list) {
		out["nextPageToken"] = "after-" + strconv.Itoa(to)
	}
	answer(w, http.StatusOK, out)
}

// searchDataCenter pages by offset. On Cloud the address is gone.
func (s *Server) searchDataCenter(w http.ResponseWriter, r *http.Request) {
	if !s.opts.DataCenter {
		refuse(w, http.StatusGone, "The requested API has been removed. Please migrate to the /rest/api/3/search/jql API.")
		return
	}
	list, ok := s.find(w, r)
	if !ok {
		return
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("startAt"))
	page, _ := s.cut(r, list, from)
	answer(w, http.StatusOK, map[string]any{"startAt": from, "maxResults": len(page), "total": len(list), "issues": page})
}

// find knows the one kind of query that is asked here: a project, perhaps since a
// day, the newest first.
func (s *Server) find(w http.ResponseWriter, r *http.Request) ([]*issue, bool) {
	q := regexp.MustCompile(`^project = "([^"]+)"(?: AND created >= "(\d{4}-\d\d-\d\d)")? ORDER BY created DESC$`).
		FindStringSubmatch(r.URL.Query().Get("jql"))
	if q == nil {
		refuse(w, http.StatusBadRequest, "Error in the JQL Query.")
		return nil, false
	}
	if s.numbers[q[1]] == 0 {
		refuse(w, http.StatusBadRequest, "The value '"+q[1]+"' does not exist for the field 'project'.")
		return nil, false
	}
	since, _ := time.Parse(time.DateOnly, cmp.Or(q[2], "1970-01-01")) // the expression saw to its form, a bad day is an early one
	var list []*issue
	for _, key := range s.order {
		if i := s.issues[key]; i.project == q[1] && !i.created.Before(since) {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b *issue) int { return cmp.Or(b.created.Compare(a.created), cmp.Compare(b.id, a.id)) })
	return list, true
}

// cut takes one page out of a list, with the fields that were asked for.
func (s *Server) cut(r *http.Request, list []*issue, from int) (page []any, to int) {
	size, _ := strconv.Atoi(cmp.Or(r.URL.Query().Get("maxResults"), "50"))
	size = min(max(size, 1), s.pageSize)
	from = min(max(from, 0), len(list))
	to = min(from+size, len(list))
	asked := strings.Split(r.URL.Query().Get("fields"), ",")
	page = []any{}
	for _, i := range list[from:to] {
		out := s.issueJSON(i)
		fields, _ := out["fields"].(map[string]any)
		for name := range fields {
			if !slices.Contains(asked, name) {
				delete(fields, name)
			}
		}
		page = append(page, out)
	}
	return page, to
}
