package githubtest

import (
	"encoding/base64"
	"io"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
)

// maxInline is the largest file that comes inside JSON.
const maxInline = 1 << 20

// getContents answers with a file, raw or inside JSON, or with the list of a folder.
func (s *Server) getContents(w http.ResponseWriter, r *http.Request, _ string) {
	rp := s.lookup(w, r)
	if rp == nil {
		return
	}
	if s.denied["contents"] {
		refuse(w, http.StatusForbidden, "Resource not accessible by integration")
		return
	}
	sha, ok := s.resolve(rp, r.URL.Query().Get("ref"))
	if !ok {
		refuse(w, http.StatusNotFound, "No commit found for the ref "+r.URL.Query().Get("ref"))
		return
	}
	name := strings.Trim(r.PathValue("path"), "/")
	text, ok := rp.commits[sha].files[name]
	if !ok {
		s.listFolder(w, rp, sha, name)
		return
	}
	if unchanged(w, r, blob(text)) {
		return
	}
	if strings.Contains(r.Header.Get("Accept"), "raw") {
		w.Header().Set("Content-Type", "application/vnd.github.raw+json; charset=utf-8")
		_, _ = io.WriteString(w, text) // into memory
		return
	}
	out := entryJSON(name, text)
	out["encoding"], out["content"] = "none", ""
	if len(text) <= maxInline {
		out["encoding"], out["content"] = "base64", base64.StdEncoding.EncodeToString([]byte(text))
	}
	answer(w, http.StatusOK, out)
}

func (s *Server) listFolder(w http.ResponseWriter, rp *repo, sha, folder string) {
	list := []any{}
	files := rp.commits[sha].files
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if dir := path.Dir(name); dir == folder || dir == "." && folder == "" {
			list = append(list, entryJSON(name, files[name]))
		}
	}
	if len(list) == 0 {
		refuse(w, http.StatusNotFound, "Not Found")
		return
	}
	answer(w, http.StatusOK, list)
}

func entryJSON(name, text string) map[string]any {
	return map[string]any{"type": "file", "name": path.Base(name), "path": name, "size": len(text), "sha": blob(text)}
}

// getCommit serves what lies below commits: a commit itself, as JSON or only its
// sha, and the checks and statuses of one. Refs hold slashes, so the mux cannot
// tell them apart.
func (s *Server) getCommit(w http.ResponseWriter, r *http.Request, login string) {
	rp := s.lookup(w, r)
	if rp == nil {
		return
	}
	ref := r.PathValue("ref")
	for suffix, serve := range map[string]func(http.ResponseWriter, *http.Request, *repo, string, string){
		"/check-runs": s.listChecks, "/statuses": s.listStatuses,
	} {
		if of, ok := strings.CutSuffix(ref, suffix); ok {
			serve(w, r, rp, of, login)
			return
		}
	}
	sha, ok := s.resolve(rp, ref)
	switch {
	case len(rp.commits) == 0:
		refuse(w, http.StatusConflict, "Git Repository is empty.")
	case !ok:
		refuse(w, http.StatusUnprocessableEntity, "No commit found for SHA: "+ref)
	case unchanged(w, r, sha):
	case strings.Contains(r.Header.Get("Accept"), "github.sha"):
		w.Header().Set("Content-Type", "application/vnd.github.sha; charset=utf-8")
		_, _ = io.WriteString(w, sha) // into memory
	default:
		answer(w, http.StatusOK, map[string]any{"sha": sha})
	}
}

// unchanged sends the tag of an answer, and 304 when the caller has it already.
func unchanged(w http.ResponseWriter, r *http.Request, tag string) bool {
	tag = strconv.Quote(tag)
	w.Header().Set("ETag", tag)
	if strings.TrimPrefix(r.Header.Get("If-None-Match"), "W/") != tag {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// listPullFiles lists what a pull request changes since it began.
func (s *Server) listPullFiles(w http.ResponseWriter, r *http.Request, _ string) {
	rp := s.lookup(w, r)
	if rp == nil {
		return
	}
	number, _ := strconv.Atoi(r.PathValue("number"))
	p := rp.pulls[number]
	if p == nil {
		refuse(w, http.StatusNotFound, "Not Found")
		return
	}
	if s.denied["pull_requests"] {
		refuse(w, http.StatusForbidden, "Resource not accessible by integration")
		return
	}
	before, after := rp.filesAt(p.from), rp.filesAt(p.sha)
	names := maps.Clone(before)
	if names == nil {
		names = map[string]string{}
	}
	maps.Copy(names, after)
	list := []any{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, had := before[name]
		is, has := after[name]
		status := "modified"
		switch {
		case was == is && had == has:
			continue
		case !had:
			status = "added"
		case !has:
			status = "removed"
		}
		list = append(list, map[string]any{"filename": name, "status": status, "sha": blob(is)})
	}
	s.answerPage(w, r, list)
}
