package githubtest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

const (
	maxAnnotations = 50 // of one request
	maxSummary     = 65_535
	maxDescription = 140
)

// CheckRun is a check run as the server holds it.
type CheckRun struct {
	ID                               int64
	HeadSHA, Name, ExternalID        string
	Status, Conclusion               string
	Title, Summary, Text, DetailsURL string
	Annotations                      []Annotation
	Writes                           int   // how often it was written
	AppID                            int64 // whose it is; 0 = ours
}

// Annotation is a remark on lines of a file.
type Annotation struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Level     string `json:"annotation_level"`
	Message   string `json:"message"`
	Title     string `json:"title,omitempty"`
}

// Status is a commit status as the server holds it, newest last.
type Status struct {
	SHA, State, Context, Description, Creator string
}

// Deny takes a permission from the App and the token: "checks", "statuses",
// "contents" or "pull_requests".
func (s *Server) Deny(permission string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.denied[permission] = true
}

// CheckRuns returns the check runs of a repository, oldest first.
func (s *Server) CheckRuns(repo string) []CheckRun {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.repo(repo)
	if err != nil {
		return nil
	}
	var out []CheckRun
	for _, c := range r.checks {
		cp := *c
		cp.Annotations = slices.Clone(c.Annotations)
		out = append(out, cp)
	}
	return out
}

// AddCheckRun adds a check run as another App would.
func (s *Server) AddCheckRun(repo string, c CheckRun) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.repo(repo)
	if err == nil {
		c.ID = s.id()
		r.checks = append(r.checks, &c)
	}
	return err
}

// Statuses returns the commit statuses of a repository, oldest first.
func (s *Server) Statuses(repo string) []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.repo(repo)
	if err != nil {
		return nil
	}
	return slices.Clone(r.statuses)
}

// checkBody is what a write to a check run may hold.
type checkBody struct {
	Name, Status, Conclusion *string
	HeadSHA                  string  `json:"head_sha"`
	ExternalID               *string `json:"external_id"`
	DetailsURL               *string `json:"details_url"`
	Output                   *struct {
		Title       string       `json:"title"`
		Summary     string       `json:"summary"`
		Text        string       `json:"text"`
		Annotations []Annotation `json:"annotations"`
	}
}

func (s *Server) createCheck(w http.ResponseWriter, r *http.Request, login string) {
	rp := s.lookup(w, r)
	if rp == nil {
		return
	}
	in, ok := s.readCheck(w, r, login)
	if !ok {
		return
	}
	if in.Name == nil || *in.Name == "" || rp.commits[in.HeadSHA] == nil {
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed: name and a known head_sha are required")
		return
	}
	c := &CheckRun{ID: s.id(), HeadSHA: in.HeadSHA, Name: *in.Name, Status: "queued"}
	c.take(in)
	rp.checks = append(rp.checks, c)
	answer(w, http.StatusCreated, s.checkJSON(rp, c))
}

func (s *Server) updateCheck(w http.ResponseWriter, r *http.Request, login string) {
	rp, c := s.lookupCheck(w, r)
	if c == nil {
		return
	}
	if in, ok := s.readCheck(w, r, login); ok {
		c.take(in)
		answer(w, http.StatusOK, s.checkJSON(rp, c))
	}
}

// take brings a check run up to date: annotations are added, never taken away.
func (c *CheckRun) take(in checkBody) {
	for to, from := range map[*string]*string{
		&c.Status: in.Status, &c.Conclusion: in.Conclusion, &c.ExternalID: in.ExternalID, &c.DetailsURL: in.DetailsURL,
	} {
		if from != nil {
			*to = *from
		}
	}
	if in.Conclusion != nil {
		c.Status = "completed"
	}
	if o := in.Output; o != nil {
		c.Title, c.Summary, c.Text = o.Title, o.Summary, o.Text
		c.Annotations = append(c.Annotations, o.Annotations...)
	}
	c.Writes++
}

func (s *Server) readCheck(w http.ResponseWriter, r *http.Request, login string) (in checkBody, ok bool) {
	switch err := json.NewDecoder(r.Body).Decode(&in); {
	case login != s.opts.AppSlug+"[bot]":
		refuse(w, http.StatusForbidden, "You must authenticate via a GitHub App.")
	case s.denied["checks"]:
		refuse(w, http.StatusForbidden, "Resource not accessible by integration")
	case err != nil:
		refuse(w, http.StatusBadRequest, "Problems parsing JSON")
	case in.Status != nil && *in.Status == "completed" && in.Conclusion == nil:
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed: conclusion is required")
	case in.Output != nil && (in.Output.Title == "" || in.Output.Summary == ""):
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed: output needs title and summary")
	case in.Output != nil && (len(in.Output.Summary) > maxSummary || len(in.Output.Text) > maxSummary):
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed: output is too long")
	case in.Output != nil && len(in.Output.Annotations) > maxAnnotations:
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed: no more than 50 annotations")
	case in.Output != nil && slices.ContainsFunc(in.Output.Annotations, badAnnotation):
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed: an annotation lacks path, lines, level or message")
	default:
		return in, true
	}
	return in, false
}

func badAnnotation(a Annotation) bool {
	return a.Path == "" || a.StartLine < 1 || a.EndLine < a.StartLine || a.Message == "" || len(a.Message) > 64<<10 ||
		!slices.Contains([]string{"notice", "warning", "failure"}, a.Level)
}

func (s *Server) getCheckAnnotations(w http.ResponseWriter, r *http.Request, _ string) {
	_, c := s.lookupCheck(w, r)
	if c == nil {
		return
	}
	list := []any{}
	for _, a := range c.Annotations {
		list = append(list, a)
	}
	s.answerPage(w, r, list)
}

func (s *Server) listChecks(w http.ResponseWriter, r *http.Request, rp *repo, ref, _ string) {
	if s.denied["checks"] {
		refuse(w, http.StatusForbidden, "Resource not accessible by integration")
		return
	}
	sha, _ := s.resolve(rp, ref)
	q, list := r.URL.Query(), []any{}
	for _, c := range slices.Backward(rp.checks) {
		if c.HeadSHA == sha && (q.Get("check_name") == "" || q.Get("check_name") == c.Name) {
			list = append(list, s.checkJSON(rp, c))
		}
	}
	total := len(list)
	answer(w, http.StatusOK, map[string]any{"total_count": total, "check_runs": s.part(w, r, list)})
}

func (s *Server) lookupCheck(w http.ResponseWriter, r *http.Request) (*repo, *CheckRun) {
	rp := s.lookup(w, r)
	if rp == nil {
		return nil, nil
	}
	for _, c := range rp.checks {
		if strconv.FormatInt(c.ID, 10) == r.PathValue("id") {
			return rp, c
		}
	}
	refuse(w, http.StatusNotFound, "Not Found")
	return nil, nil
}

func (s *Server) checkJSON(rp *repo, c *CheckRun) map[string]any {
	out := map[string]any{
		"id": c.ID, "head_sha": c.HeadSHA, "name": c.Name, "external_id": c.ExternalID, "status": c.Status, "conclusion": nil,
		"html_url": s.url + "/" + rp.FullName + "/runs/" + strconv.FormatInt(c.ID, 10),
		"app":      map[string]any{"id": cmp.Or(c.AppID, s.opts.AppID), "slug": s.opts.AppSlug},
		"output": map[string]any{
			"title": c.Title, "summary": c.Summary, "text": c.Text, "annotations_count": len(c.Annotations),
		},
		"started_at": s.now().UTC().Format(time.RFC3339),
	}
	if c.Conclusion != "" {
		out["conclusion"] = c.Conclusion
	}
	return out
}

func (s *Server) createStatus(w http.ResponseWriter, r *http.Request, login string) {
	rp := s.lookup(w, r)
	if rp == nil {
		return
	}
	var in struct{ State, Context, Description string }
	switch err := json.NewDecoder(r.Body).Decode(&in); {
	case s.denied["statuses"]:
		refuse(w, http.StatusForbidden, "Resource not accessible by personal access token")
	case err != nil:
		refuse(w, http.StatusBadRequest, "Problems parsing JSON")
	case !slices.Contains([]string{"error", "failure", "pending", "success"}, in.State), utf8.RuneCountInString(in.Description) > maxDescription,
		rp.commits[r.PathValue("sha")] == nil:
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed")
	default:
		st := Status{SHA: r.PathValue("sha"), State: in.State, Context: in.Context, Description: in.Description, Creator: login}
		rp.statuses = append(rp.statuses, st)
		answer(w, http.StatusCreated, statusJSON(st))
	}
}

func (s *Server) listStatuses(w http.ResponseWriter, r *http.Request, rp *repo, ref, _ string) {
	sha, _ := s.resolve(rp, ref)
	list := []any{}
	for _, st := range slices.Backward(rp.statuses) {
		if st.SHA == sha {
			list = append(list, statusJSON(st))
		}
	}
	s.answerPage(w, r, list)
}

func statusJSON(st Status) map[string]any {
	return map[string]any{"state": st.State, "context": st.Context, "description": st.Description, "creator": accountOf(st.Creator)}
}
