package githubtest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// SetUser makes an owner a person: its repositories are listed under users.
func (s *Server) SetUser(login string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.people[strings.ToLower(login)] = true
}

// RepoID is a repository's id, which it keeps under every name; 0 = there is none.
func (s *Server) RepoID(full string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.repo(full)
	if err != nil {
		return 0
	}
	return r.id
}

// listInstallations says where the App is: one installation for each owner.
func (s *Server) listInstallations(w http.ResponseWriter, r *http.Request, _ string) {
	seen, list := map[int64]bool{}, []any{}
	for _, rp := range s.sorted() {
		if owner, _, _ := strings.Cut(rp.FullName, "/"); !seen[rp.installation] {
			seen[rp.installation] = true
			list = append(list, map[string]any{"id": rp.installation, "app_id": s.opts.AppID, "account": account(owner, "Organization")})
		}
	}
	s.answerPage(w, r, list)
}

// ownerRepos lists the repositories of an organisation, or of a person: whichever
// the owner is, and only what the account sees.
func (s *Server) ownerRepos(person bool) handler {
	return func(w http.ResponseWriter, r *http.Request, login string) {
		owner := strings.ToLower(r.PathValue("owner"))
		found, list := false, []any{}
		for _, rp := range s.sorted() {
			if !strings.HasPrefix(strings.ToLower(rp.FullName), owner+"/") {
				continue
			}
			found = true
			if rp.Visibility == "public" || !person || login != "" {
				list = append(list, s.repoJSON(rp))
			}
		}
		if !found || s.people[owner] != person {
			refuse(w, http.StatusNotFound, "Not Found")
			return
		}
		s.answerPage(w, r, list)
	}
}

// listBranches lists the branches of a repository, none for an empty one.
func (s *Server) listBranches(w http.ResponseWriter, r *http.Request, _ string) {
	rp := s.lookup(w, r)
	if rp == nil {
		return
	}
	list := []any{}
	for _, name := range rp.branchNames() {
		list = append(list, map[string]any{"name": name, "protected": false, "commit": map[string]any{"sha": rp.head(name)}})
	}
	s.answerPage(w, r, list)
}

func (s *Server) sorted() []*repo {
	list := make([]*repo, 0, len(s.repos))
	for _, rp := range s.repos {
		list = append(list, rp)
	}
	slices.SortFunc(list, func(a, b *repo) int { return cmp.Compare(a.id, b.id) })
	return list
}

// answerPage answers with the part of a list that was asked for, and says in Link
// where the next one is.
func (s *Server) answerPage(w http.ResponseWriter, r *http.Request, list []any) {
	answer(w, http.StatusOK, s.part(w, r, list))
}

func (s *Server) part(w http.ResponseWriter, r *http.Request, list []any) []any {
	q := r.URL.Query()
	size, _ := strconv.Atoi(cmp.Or(q.Get("per_page"), "30"))
	size = min(max(size, 1), s.pageSize)
	number, _ := strconv.Atoi(cmp.Or(q.Get("page"), "1"))
	number = max(number, 1)
	from := min((number-1)*size, len(list))
	to := min(from+size, len(list))
	if to < len(list) {
		q.Set("page", strconv.Itoa(number+1))
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?%s>; rel="next"`, s.url, r.URL.Path, q.Encode()))
	}
	return list[from:to]
}
