package jira_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/adaptertest"
	"github.com/pointsman/pointsman/adapters/jira"
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
func exercise(t *testing.T, rt *recorder) {
	t.Helper()
	for _, internal := range []bool{false, true} {
		b := setup(t, jira.Cloud, jira.Options{Transport: rt})
		b.SetPageSize(2)
		for range 5 {
			if _, err := b.AddComment(b.key, "mari", "me too"); err != nil {
				t.Fatal(err)
			}
		}
		r := b.reply("")
		r.Target.Internal = internal
		for _, text := range []string{"one", "one", "two"} {
			r.Body = text + "\n\n" + marker
			said, err := b.client.Speak(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			r.CommentID = said.CommentID
		}
		// An id that the list does not hold is asked for, a second comment is deleted.
		if _, err := b.AddComment(b.key, b.BotName(), r.Body); err != nil {
			t.Fatal(err)
		}
		r.CommentID = "7"
		if _, err := b.client.Speak(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRequestsConform holds every request against Jira's own description.
func TestRequestsConform(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromFile(adaptertest.Real(t, "jira", "cloud-platform-v2.openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	var rt recorder
	exercise(t, &rt)
	seen := map[string]int{}
	for _, req := range rt.sent {
		req.URL, err = url.Parse("https://your-domain.atlassian.net" + req.URL.RequestURI())
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
			Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
		}
		if err := openapi3filter.ValidateRequest(t.Context(), in); err != nil {
			t.Errorf("%s %s: %v", req.Method, req.URL, err)
		}
	}
	const issue = "/rest/api/2/issue/{issueIdOrKey}/comment"
	for _, w := range []string{"GET /rest/api/2/myself", "GET " + issue, "POST " + issue, "GET " + issue + "/{id}", "PUT " + issue + "/{id}", "DELETE " + issue + "/{id}"} {
		if seen[w] == 0 {
			t.Errorf("%s was never sent: the test does not cover it", w)
		}
		delete(seen, w)
	}
	if len(seen) > 0 {
		t.Errorf("calls that nobody expected: %v", seen)
	}
}

// TestSamples parses every sample of both dialects: a ticket, or a reason.
func TestSamples(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(adaptertest.Real(t, "jira", "webhooks"), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 28 {
		t.Errorf("%d samples, want 28", len(files))
	}
	got, want := map[string]string{}, map[string]string{}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "webhook-"), ".json")
		ev, err := parse(t, body)
		switch {
		case err != nil:
			got[name] = err.Error()
		case ev.Ignore != "":
			got[name] = ev.Ignore
		default:
			got[name] = "ticket " + ev.Ticket.Ref.Key
		}
		want[name] = "updated, but summary and description read as before"
	}
	const comment = "a comment, not a ticket: the route follows the ticket's own text"
	for name, outcome := range map[string]string{
		"issue-created": "ticket TES-41", "issue-created-no-relevant-fields": "ticket TES-41",
		"issue-created-no-description-nor-relevant-fields": "ticket TES-41", "cloud-issue-created-many-fields": "ticket KT-22",
		"issue-updated-renamed":              "ticket TES-41",
		"cloud-comment-created-mention-user": comment,
		"cloud-comment-deleted":              comment,
		"server-comment-deleted":             comment,
	} {
		want[name] = outcome
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcomes differ (-want +got):\n%s", diff)
	}
}
