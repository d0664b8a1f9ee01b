package jiratest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/adapters/jira/jiratest"
)

func get(t *testing.T, h http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
	return rec
}

func TestPage(t *testing.T) {
	t.Parallel()
	s := jiratest.New(jiratest.Options{})
	key := s.CreateIssue("HELP", jiratest.Issue{Summary: "<b>Fare</b>", Description: "h2. Steps\n* *open*\n{noformat}\n<i>*x*\n{noformat}", ServiceDesk: true})
	if _, err := s.AddComment(key, "pointsman", "*Likely repositories*\n* *1.* {{fare\\-engine}} <script>\n** see [here|https://x.example] [no|javascript:alert(1)]\n{anchor:pointsman-1}"); err != nil {
		t.Fatal(err)
	}
	page := get(t, s, "/browse/"+key)
	body := page.Body.String()
	for _, want := range []string{
		"&lt;b&gt;Fare&lt;/b&gt;", "<h3>Steps</h3>", "<li><b>open</b>", "<pre><code>&lt;i&gt;*x*", "<b>Likely repositories</b>",
		"<code>fare-engine</code> &lt;script&gt;", `<a href="https://x.example">here</a>`, "[no|javascript:alert(1)]",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing from:\n%s", want, body)
		}
	}
	for _, bad := range []string{"<script", "{anchor", `\-`} {
		if strings.Contains(body, bad) {
			t.Errorf("%q stands in:\n%s", bad, body)
		}
	}
	if list := get(t, s, "/").Body.String(); !strings.Contains(list, `<a href="/browse/`+key+`">`) {
		t.Errorf("the list does not lead to the issue:\n%s", list)
	}
	if code := get(t, s, "/browse/NONE-1").Code; code != http.StatusNotFound {
		t.Errorf("status %d", code)
	}
}

func TestCallsNeedCredentials(t *testing.T) {
	t.Parallel()
	for _, dc := range []bool{false, true} {
		s := jiratest.New(jiratest.Options{DataCenter: dc})
		for _, path := range []string{"/rest/api/2/myself", "/rest/api/2/issue/A-1/comment"} {
			if code := get(t, s, path).Code; code != http.StatusUnauthorized {
				t.Errorf("%s: status %d", path, code)
			}
		}
	}
}

func FuzzWiki(f *testing.F) {
	f.Add("h1. a\n* *b* _c_ {{d}} [e|https://f] {anchor:g} \\* {noformat}\n{code}")
	f.Fuzz(func(t *testing.T, s string) {
		html := string(jiratest.Wiki(s))
		if strings.Contains(html, "<script") || strings.Contains(html, "<img") || strings.Contains(html, "javascript:\"") {
			t.Errorf("Wiki(%q) = %q", s, html)
		}
	})
}
