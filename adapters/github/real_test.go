package github_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/adaptertest"
	"github.com/pointsman/pointsman/adapters/github/githubtest"
)

// recorder keeps a copy of every request that leaves the client.
type recorder struct {
	mu   sync.Mutex
	sent []*http.Request
}

// RoundTrip implements http.RoundTripper.
func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	cp := req.Clone(context.Background())
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		cp.Body = io.NopCloser(bytes.NewReader(body))
	}
	r.mu.Lock()
	r.sent = append(r.sent, cp)
	r.mu.Unlock()
	return http.DefaultTransport.RoundTrip(req)
}

// exercise makes every call that the adapter can make.
func exercise(t *testing.T, app bool, rt *recorder) {
	t.Helper()
	b := setup(t, how{app: app, rt: rt})
	b.SetPageSize(2)
	for range 5 {
		if _, err := b.OpenIssue(repoName, githubtest.Issue{Title: "Another"}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.AddComment(repoName, b.number, "mari", "me too"); err != nil {
			t.Fatal(err)
		}
	}
	r := b.reply("one")
	for _, text := range []string{"one", "one", "two"} {
		r.Body = text + "\n\n" + marker
		said, err := b.client.Speak(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		r.CommentID = said.CommentID
	}
	for next, more := b.client.Past(repoName, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)), true; more; {
		var err error
		if _, more, err = next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	fleet(t, b)
	if list, err := b.client.Organisation(t.Context(), "fleet"); err != nil || len(list) != 4 {
		t.Fatalf("%d repositories, %v", len(list), err)
	}
	// An id that the list does not hold is asked for, a second comment is deleted.
	if _, err := b.AddComment(repoName, b.number, b.BotLogin(), r.Body); err != nil {
		t.Fatal(err)
	}
	r.CommentID = "7"
	if _, err := b.client.Speak(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	// A redirect that is not followed makes it ask for the repository.
	r.Body = "three\n\n" + marker
	b.FailWrites(1, http.StatusMovedPermanently, http.Header{"Location": {"/"}}, "{}")
	if _, err := b.client.Speak(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

// exerciseCode reads a registry and concludes on a pull request.
func exerciseCode(t *testing.T, app bool, rt *recorder) {
	t.Helper()
	b, k := checked(t, how{app: app, rt: rt}, 60)
	if _, err := b.PushFiles(repoName, "rel/1", map[string]string{"a folder/a.json": "{}"}); err != nil {
		t.Fatal(err)
	}
	var tag string
	for range 2 {
		_, newTag, _, err := b.client.Head(t.Context(), repoName, "rel/1", tag)
		if err != nil {
			t.Fatal(err)
		}
		tag = newTag
	}
	commit, _, _, err := b.client.Head(t.Context(), repoName, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.client.File(t.Context(), repoName, commit, "a.json", 9); err != nil {
		t.Fatal(err)
	}
	if _, err := b.client.PullFiles(t.Context(), repoName, b.number+1); err != nil {
		t.Fatal(err)
	}
	if _, err := b.client.RepositoryNamed(t.Context(), repoName); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		conclude(t, b, k)
	}
}

// oneSegment writes a path as GitHub's description has it: what stands for a branch
// or a file is one segment there, while the host takes its slashes as they are.
func oneSegment(uri string) string {
	for _, at := range []string{"/contents/", "/commits/heads/"} {
		if head, tail, ok := strings.Cut(uri, at); ok {
			tail, query, _ := strings.Cut(tail, "?")
			if at == "/commits/heads/" {
				at, tail = "/commits/", "heads%2F"+tail
			}
			return head + at + strings.ReplaceAll(tail, "/", "%2F") + "?" + query
		}
	}
	return uri
}

// TestRequestsConform holds every request against GitHub's own description.
func TestRequestsConform(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromFile(adaptertest.Real(t, "github", "rest-openapi-subset.json"))
	if err != nil {
		t.Fatal(err)
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	var rt recorder
	exercise(t, false, &rt)
	exercise(t, true, &rt)
	exerciseCode(t, false, &rt)
	exerciseCode(t, true, &rt)
	seen := map[string]int{}
	for _, req := range rt.sent {
		req.URL, err = url.Parse("https://api.github.com" + oneSegment(req.URL.RequestURI()))
		if err != nil {
			t.Fatal(err)
		}
		req.Host = req.URL.Host
		route, params, err := router.FindRoute(req)
		if err != nil {
			t.Errorf("%s %s is not in the description: %v", req.Method, req.URL, err)
			continue
		}
		seen[req.Method+" "+route.Path]++
		in := &openapi3filter.RequestValidationInput{
			Request: req, PathParams: params, Route: route,
			Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, ExcludeReadOnlyValidations: true},
		}
		if err := openapi3filter.ValidateRequest(t.Context(), in); err != nil {
			t.Errorf("%s %s: %v", req.Method, req.URL, err)
		}
		if req.Header.Get("Authorization") == "" {
			t.Errorf("%s %s: without credentials", req.Method, req.URL)
		}
	}
	want := []string{
		"GET /app", "GET /user", "POST /app/installations/{installation_id}/access_tokens",
		"GET /repos/{owner}/{repo}", "GET /repos/{owner}/{repo}/issues", "GET /repos/{owner}/{repo}/installation",
		"GET /repos/{owner}/{repo}/issues/{issue_number}/comments", "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
		"GET /repos/{owner}/{repo}/issues/comments/{comment_id}", "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
		"DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}",
		"GET /repos/{owner}/{repo}/commits/{ref}", "GET /repos/{owner}/{repo}/contents/{path}", "GET /repos/{owner}/{repo}/pulls/{pull_number}/files",
		"GET /repos/{owner}/{repo}/commits/{ref}/check-runs", "POST /repos/{owner}/{repo}/check-runs", "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
		"GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
		"GET /repos/{owner}/{repo}/commits/{ref}/statuses", "POST /repos/{owner}/{repo}/statuses/{sha}",
		"GET /app/installations", "GET /orgs/{org}/repos", "GET /repos/{owner}/{repo}/branches",
	}
	for _, w := range want {
		if seen[w] == 0 {
			t.Errorf("%s was never sent: the test does not cover it", w)
		}
		delete(seen, w)
	}
	if len(seen) > 0 {
		t.Errorf("calls that nobody expected: %v", seen)
	}
}

// TestSamples parses every official example: a ticket, or a reason.
func TestSamples(t *testing.T) {
	t.Parallel()
	dir := adaptertest.Real(t, "github", "webhooks")
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		kind := filepath.Base(filepath.Dir(path))
		ev, err := parse(t, kind, body)
		outcome := ev.Ignore
		switch {
		case err != nil:
			outcome = err.Error()
		case ev.Push != nil:
			outcome = fmt.Sprintf("push to %s of %s", ev.Push.Branch, ev.Push.Target.Repo)
		case ev.Pull != nil:
			outcome = fmt.Sprintf("pull request %s#%d", ev.Pull.Target.Repo, ev.Pull.Target.Number)
		case outcome == "":
			outcome = "ticket " + ev.Ticket.Ref.Key
		}
		got[kind+"/"+strings.TrimSuffix(e.Name(), ".payload.json")] = outcome
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 71 {
		t.Errorf("%d samples, want 71", len(got))
	}
	want := map[string]string{}
	for name := range got {
		kind, _, _ := strings.Cut(name, "/")
		switch kind {
		case "issues", "pull_request":
		case "push":
			want[name] = "a push of a tag, not of a branch"
		case "ping":
			want[name] = "GitHub only asks whether somebody is here"
		case "issue_comment":
			want[name] = "a comment, not a ticket: the route follows the issue's own text"
		default:
			want[name] = kind + " events say nothing about a ticket's text"
		}
	}
	for name, outcome := range map[string]string{
		"opened": "ticket Codertocat/Hello-World#1", "opened.with-empty-body": "ticket Codertocat/Hello-World#1",
		"opened.with-organization": "ticket Codertocat/Hello-World#1", "opened.with-transfer": "ticket Codertocat/Hello-World#1",
		"reopened": "ticket Codertocat/Hello-World#1", "transferred": "ticket Codertocat/Hello-World#1",
		"edited": "edited, but title and body read as before", "edited.with-organization": "edited, but title and body read as before",
		"demilestoned": "a pull request, not an issue", "demilestoned.with-organization": "a pull request, not an issue",
		"milestoned": "a pull request, not an issue", "milestoned.with-organization": "a pull request, not an issue",
	} {
		want["issues/"+name] = outcome
	}
	want["push/with-new-branch"] = "push to master of Codertocat/Hello-World"
	want["push/with-no-username-committer"] = "push to master of Codertocat/Hello-World"
	for _, name := range strings.Fields("assigned assigned.with-installation assigned.with-organization deleted labeled labeled.with-organization " +
		"locked locked.with-organization pinned unassigned unassigned.with-organization unlabeled unlabeled.with-organization " +
		"unlocked unlocked.with-organization unpinned") {
		action, _, _ := strings.Cut(name, ".")
		want["issues/"+name] = `"` + action + `" does not change what the issue says`
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcomes differ (-want +got):\n%s", diff)
	}
}

// The fake's own deliveries must not be easier than the real ones.
func TestFakeDeliversLikeTheSamples(t *testing.T) {
	t.Parallel()
	b := setup(t, how{app: true})
	d, err := b.Issue("opened", repoName, b.number)
	if err != nil {
		t.Fatal(err)
	}
	if _, kind, err := b.client.Verify(d.Header, d.Body); err != nil || kind != "issues" {
		t.Fatalf("kind %q, %v", kind, err)
	}
	fake := keys(t, d.Body)
	raw, err := os.ReadFile(adaptertest.Real(t, "github", "webhooks", "issues", "assigned.with-installation.payload.json"))
	if err != nil {
		t.Fatal(err)
	}
	sample := keys(t, raw)
	for k := range fake {
		if !sample[k] {
			t.Errorf("the fake sends %q, which the sample has not", k)
		}
	}
}
