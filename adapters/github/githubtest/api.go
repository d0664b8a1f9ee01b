package githubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const maxComment = 65_536

func (s *Server) routes() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /app", s.app(s.getApp))
	m.HandleFunc("POST /app/installations/{id}/access_tokens", s.app(s.postToken))
	m.HandleFunc("GET /repos/{owner}/{repo}/installation", s.app(s.getInstallation))
	m.HandleFunc("GET /app/installations", s.app(s.listInstallations))
	m.HandleFunc("GET /user", s.user(s.getUser))
	m.HandleFunc("GET /orgs/{owner}/repos", s.user(s.ownerRepos(false)))
	m.HandleFunc("GET /users/{owner}/repos", s.user(s.ownerRepos(true)))
	m.HandleFunc("GET /repos/{owner}/{repo}/branches", s.user(s.listBranches))
	m.HandleFunc("GET /repos/{owner}/{repo}/contents/{path...}", s.user(s.getContents))
	m.HandleFunc("GET /repos/{owner}/{repo}/commits/{ref...}", s.user(s.getCommit))
	m.HandleFunc("GET /repos/{owner}/{repo}/pulls/{number}/files", s.user(s.listPullFiles))
	m.HandleFunc("POST /repos/{owner}/{repo}/check-runs", s.user(s.createCheck))
	m.HandleFunc("PATCH /repos/{owner}/{repo}/check-runs/{id}", s.user(s.updateCheck))
	m.HandleFunc("GET /repos/{owner}/{repo}/check-runs/{id}/annotations", s.user(s.getCheckAnnotations))
	m.HandleFunc("POST /repos/{owner}/{repo}/statuses/{sha}", s.user(s.createStatus))
	m.HandleFunc("GET /repos/{owner}/{repo}", s.user(s.getRepo))
	m.HandleFunc("GET /repos/{owner}/{repo}/issues", s.user(s.listIssues))
	m.HandleFunc("GET /repos/{owner}/{repo}/issues/{number}", s.user(s.getIssue))
	m.HandleFunc("GET /repos/{owner}/{repo}/issues/{a}/{b}", s.user(s.comments))
	m.HandleFunc("POST /repos/{owner}/{repo}/issues/{number}/comments", s.user(s.createComment))
	m.HandleFunc("PATCH /repos/{owner}/{repo}/issues/comments/{id}", s.user(s.editComment))
	m.HandleFunc("DELETE /repos/{owner}/{repo}/issues/comments/{id}", s.user(s.deleteComment))
	m.HandleFunc("GET /repositories/{id}", s.byID)
	m.HandleFunc("GET /repositories/{id}/{rest...}", s.byID)
	m.HandleFunc("POST /repositories/{id}/{rest...}", s.byID)
	m.HandleFunc("PATCH /repositories/{id}/{rest...}", s.byID)
	m.HandleFunc("DELETE /repositories/{id}/{rest...}", s.byID)
	m.HandleFunc("GET /{$}", s.index)
	m.HandleFunc("/", s.page) // people's pages; anything else is not found
	return m
}

// handler serves a call of the account that login names, with the lock held.
type handler func(w http.ResponseWriter, r *http.Request, login string)

func (s *Server) getApp(w http.ResponseWriter, _ *http.Request, _ string) {
	answer(w, http.StatusOK, map[string]any{"id": s.opts.AppID, "slug": s.opts.AppSlug, "name": s.opts.AppSlug})
}

func (s *Server) postToken(w http.ResponseWriter, r *http.Request, _ string) {
	id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
	for _, rp := range s.repos {
		if rp.installation == id {
			token := fmt.Sprintf("ghs_githubtest%d", s.id())
			s.tokens[token] = id
			answer(w, http.StatusCreated, map[string]any{
				"token": token, "expires_at": s.now().Add(time.Hour).UTC().Format(time.RFC3339),
				"permissions": map[string]string{"issues": "write", "metadata": "read"},
			})
			return
		}
	}
	refuse(w, http.StatusNotFound, "Not Found")
}

func (s *Server) getInstallation(w http.ResponseWriter, r *http.Request, _ string) {
	if rp := s.lookup(w, r); rp != nil {
		answer(w, http.StatusOK, map[string]any{"id": rp.installation, "app_id": s.opts.AppID})
	}
}

func (s *Server) getUser(w http.ResponseWriter, _ *http.Request, login string) {
	if strings.HasSuffix(login, "[bot]") {
		refuse(w, http.StatusForbidden, "Resource not accessible by integration")
		return
	}
	answer(w, http.StatusOK, account(login, "User"))
}

func (s *Server) getRepo(w http.ResponseWriter, r *http.Request, _ string) {
	if rp := s.lookup(w, r); rp != nil {
		answer(w, http.StatusOK, s.repoJSON(rp))
	}
}

func (s *Server) getIssue(w http.ResponseWriter, r *http.Request, _ string) {
	if rp, i := s.lookupIssue(w, r); i != nil {
		answer(w, http.StatusOK, s.issueJSON(rp, i))
	}
}

// comments tells ".../issues/comments/ID" from ".../issues/NUMBER/comments", which
// the mux cannot.
func (s *Server) comments(w http.ResponseWriter, r *http.Request, login string) {
	a, b := r.PathValue("a"), r.PathValue("b")
	switch {
	case a == "comments":
		r.SetPathValue("id", b)
		s.getComment(w, r, login)
	case b == "comments":
		r.SetPathValue("number", a)
		s.listComments(w, r, login)
	default:
		refuse(w, http.StatusNotFound, "Not Found")
	}
}

func (s *Server) listComments(w http.ResponseWriter, r *http.Request, _ string) {
	_, i := s.lookupIssue(w, r)
	if i == nil {
		return
	}
	size, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
	if size <= 0 {
		size = 30
	}
	size = min(size, s.pageSize)
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	page = max(page, 1)
	all := i.comments
	if s.lagging {
		all = i.shown
	}
	from := min((page-1)*size, len(all))
	to := min(from+size, len(all))
	if to < len(all) {
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?page=%d&per_page=%d>; rel="next"`, s.url, r.URL.Path, page+1, size))
	}
	list := make([]any, 0, size)
	for _, c := range all[from:to] {
		list = append(list, commentJSON(c))
	}
	answer(w, http.StatusOK, list)
}

func (s *Server) createComment(w http.ResponseWriter, r *http.Request, login string) {
	rp, i := s.lookupIssue(w, r)
	if i == nil || !writable(w, rp, i) {
		return
	}
	if body, ok := readBody(w, r); ok {
		answer(w, http.StatusCreated, commentJSON(s.addComment(rp, i, login, body)))
	}
}

func (s *Server) getComment(w http.ResponseWriter, r *http.Request, _ string) {
	if _, _, c := s.lookupComment(w, r); c != nil {
		answer(w, http.StatusOK, commentJSON(c))
	}
}

func (s *Server) editComment(w http.ResponseWriter, r *http.Request, login string) {
	rp, i, c := s.lookupComment(w, r)
	if c == nil || !writable(w, rp, i) {
		return
	}
	if c.Author != login {
		refuse(w, http.StatusForbidden, "Must have admin rights to Repository.")
		return
	}
	if body, ok := readBody(w, r); ok {
		c.History = append(c.History, c.Body)
		c.Body, c.UpdatedAt = body, s.now().UTC().Truncate(time.Second)
		answer(w, http.StatusOK, commentJSON(c))
	}
}

func (s *Server) deleteComment(w http.ResponseWriter, r *http.Request, login string) {
	_, _, c := s.lookupComment(w, r)
	if c == nil {
		return
	}
	if c.Author != login {
		refuse(w, http.StatusForbidden, "Must have admin rights to Repository.")
		return
	}
	s.remove(c.ID)
	w.WriteHeader(http.StatusNoContent)
}

// lookup finds the repository of the path. One that was renamed is answered with a
// redirect to its number: 301 for reads, 307 for writes, as GitHub does.
func (s *Server) lookup(w http.ResponseWriter, r *http.Request) *repo {
	full := strings.ToLower(r.PathValue("owner") + "/" + r.PathValue("repo"))
	if rp, ok := s.repos[full]; ok {
		return rp
	}
	for _, rp := range s.repos {
		for _, old := range rp.was {
			if old == full {
				rest := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/"), "/", 4)
				u := strings.TrimSuffix(fmt.Sprintf("/repositories/%d/%s", rp.id, strings.Join(rest[3:], "/")), "/")
				if r.URL.RawQuery != "" {
					u += "?" + r.URL.RawQuery
				}
				status := http.StatusTemporaryRedirect
				if r.Method == http.MethodGet {
					status = http.StatusMovedPermanently
				}
				w.Header().Set("Location", u)
				refuse(w, status, "Moved Permanently")
				return nil
			}
		}
	}
	refuse(w, http.StatusNotFound, "Not Found")
	return nil
}

// byID serves what lookup redirects to.
func (s *Server) byID(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	name := ""
	for _, rp := range s.repos {
		if strconv.FormatInt(rp.id, 10) == r.PathValue("id") {
			name = rp.FullName
		}
	}
	s.mu.Unlock()
	r.URL.Path = strings.TrimSuffix("/repos/"+name+"/"+r.PathValue("rest"), "/")
	s.mux.ServeHTTP(w, r)
}

func (s *Server) lookupIssue(w http.ResponseWriter, r *http.Request) (*repo, *issue) {
	rp := s.lookup(w, r)
	if rp == nil {
		return nil, nil
	}
	n, _ := strconv.Atoi(r.PathValue("number"))
	_, i, err := s.issue(rp.FullName, n)
	switch {
	case err != nil:
		refuse(w, http.StatusNotFound, "Not Found")
		return nil, nil
	case i.state == "transferred":
		refuse(w, http.StatusGone, "This issue was deleted")
		return nil, nil
	}
	return rp, i
}

func (s *Server) lookupComment(w http.ResponseWriter, r *http.Request) (*repo, *issue, *Comment) {
	rp := s.lookup(w, r)
	if rp == nil {
		return nil, nil, nil
	}
	for _, i := range rp.issues {
		for _, c := range i.comments {
			if strconv.FormatInt(c.ID, 10) == r.PathValue("id") {
				return rp, i, c
			}
		}
	}
	refuse(w, http.StatusNotFound, "Not Found")
	return nil, nil, nil
}

func writable(w http.ResponseWriter, rp *repo, i *issue) bool {
	switch {
	case rp.Archived:
		refuse(w, http.StatusForbidden, "Repository was archived so is read-only.")
	case i.locked:
		refuse(w, http.StatusForbidden, "Unable to create comment because issue is locked.")
	default:
		return true
	}
	return false
}

func readBody(w http.ResponseWriter, r *http.Request) (string, bool) {
	var in struct {
		Body string `json:"body"`
	}
	switch err := json.NewDecoder(r.Body).Decode(&in); {
	case err != nil:
		refuse(w, http.StatusBadRequest, "Problems parsing JSON")
	case in.Body == "":
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed: body cannot be blank")
	case utf8.RuneCountInString(in.Body) > maxComment:
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed: body is too long (maximum is 65536 characters)")
	default:
		return in.Body, true
	}
	return "", false
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // into memory
}

func refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, map[string]string{"message": message, "documentation_url": "https://docs.github.com/rest"})
}
