package jira_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/adaptertest"
	"github.com/pointsman/pointsman/adapters/jira"
	"github.com/pointsman/pointsman/adapters/jira/jiratest"
)

// TestListingsConform holds the searches against Jira's own descriptions. The
// description of version 2 at hand is older than the search by token, which takes
// the same parameters in both versions: there, the one of version 3 is the judge.
func TestListingsConform(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ flavour, file, from, to, want string }{
		{jira.Cloud, "cloud-platform-v3.openapi.json", "/rest/api/2/search/jql", "/rest/api/3/search/jql", "GET /rest/api/3/search/jql"},
		{jira.DataCenter, "cloud-platform-v2.openapi.json", "", "", "GET /rest/api/2/search"},
	} {
		doc, err := openapi3.NewLoader().LoadFromFile(adaptertest.Real(t, "jira", tt.file))
		if err != nil {
			t.Fatal(err)
		}
		router, err := gorillamux.NewRouter(doc)
		if err != nil {
			t.Fatal(err)
		}
		var rt recorder
		b := setup(t, tt.flavour, jira.Options{Transport: &rt})
		b.SetPageSize(2)
		for range 5 {
			b.CreateIssue("HELP", jiratest.Issue{Summary: "Another"})
		}
		keysOf(t, b.client.Past("HELP", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)))
		seen := map[string]int{}
		for _, req := range rt.sent {
			if req.Header.Get("Authorization") == "" {
				t.Errorf("%s %s: without credentials", req.Method, req.URL)
			}
			uri := strings.Replace(req.URL.RequestURI(), tt.from, tt.to, 1)
			if req.URL, err = url.Parse("https://your-domain.atlassian.net" + uri); err != nil {
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
			for name := range req.URL.Query() {
				if route.Operation.Parameters.GetByInAndName("query", name) == nil {
					t.Errorf("%s knows no parameter %q", route.Path, name)
				}
			}
		}
		if d := cmp.Diff(map[string]int{tt.want: 3}, seen); d != "" {
			t.Errorf("%s: calls (-want +got):\n%s", tt.flavour, d)
		}
	}
}
