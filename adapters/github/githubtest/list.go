package githubtest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// listIssues answers with issues and pull requests alike, open ones unless told
// otherwise, and says in Link where the next page is.
func (s *Server) listIssues(w http.ResponseWriter, r *http.Request, _ string) {
	rp := s.lookup(w, r)
	if rp == nil {
		return
	}
	q := r.URL.Query()
	since, err := time.Parse(time.RFC3339, cmp.Or(q.Get("since"), "1970-01-01T00:00:00Z"))
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed: since")
		return
	}
	state := cmp.Or(q.Get("state"), "open")
	var list []*issue
	for _, i := range rp.issues {
		if i.state != "transferred" && (state == "all" || i.state == state) && !i.updatedAt.Before(since) {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b *issue) int {
		return cmp.Or(b.createdAt.Compare(a.createdAt), cmp.Compare(b.number, a.number))
	})
	if q.Get("direction") == "asc" {
		slices.Reverse(list)
	}
	size, _ := strconv.Atoi(cmp.Or(q.Get("per_page"), "30"))
	size = min(max(size, 1), s.pageSize)
	page, _ := strconv.Atoi(cmp.Or(q.Get("page"), "1"))
	from := min((max(page, 1)-1)*size, len(list))
	to := min(from+size, len(list))
	if to < len(list) {
		q.Set("page", strconv.Itoa(max(page, 1)+1))
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?%s>; rel="next", <%s%s?page=99>; rel="last"`, s.url, r.URL.Path, q.Encode(), s.url, r.URL.Path))
	}
	out := make([]any, 0, size)
	for _, i := range list[from:to] {
		out = append(out, s.issueJSON(rp, i))
	}
	answer(w, http.StatusOK, out)
}
