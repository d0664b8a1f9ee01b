package githubtest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/adapters/github/githubtest"
)

func get(t *testing.T, h http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
	return rec
}

func TestPage(t *testing.T) {
	t.Parallel()
	s, err := githubtest.New(githubtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.AddRepo(githubtest.Repo{FullName: "ferry/helpdesk"})
	n, err := s.OpenIssue("ferry/helpdesk", githubtest.Issue{Title: "<b>Fare</b>", Body: "It **charges** <script>alert(1)</script>"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.AddComment("ferry/helpdesk", n, "pointsman-bot",
		"**Likely repositories**\n\n<details>\n<summary>More</summary>\n\n- `fare-engine`\n\n</details>\n\n<details open onload=x>\n\n<!-- pointsman:v1 -->")
	if err != nil {
		t.Fatal(err)
	}
	body := get(t, s, "/ferry/helpdesk/issues/1").Body.String()
	for _, want := range []string{
		"&lt;b&gt;Fare&lt;/b&gt;", "<strong>charges</strong>", "<strong>Likely repositories</strong>",
		"<details>\n<summary>More</summary>", "<code>fare-engine</code>", "</details>",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing from:\n%s", want, body)
		}
	}
	for _, bad := range []string{"<script", "onload", "pointsman:v1"} {
		if strings.Contains(body, bad) {
			t.Errorf("%q stands in:\n%s", bad, body)
		}
	}
	if list := get(t, s, "/").Body.String(); !strings.Contains(list, `<a href="/ferry/helpdesk/issues/1">`) {
		t.Errorf("the list does not lead to the issue:\n%s", list)
	}
	for _, path := range []string{"/ferry/helpdesk/issues/2", "/ferry/none/issues/1", "/x"} {
		if code := get(t, s, path).Code; code != http.StatusNotFound {
			t.Errorf("%s: status %d", path, code)
		}
	}
}

func TestCallsNeedCredentials(t *testing.T) {
	t.Parallel()
	s, err := githubtest.New(githubtest.Options{AppID: 7})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/app", "/user", "/repos/a/b", "/repos/a/b/installation", "/repos/a/b/issues/1/comments"} {
		if code := get(t, s, path).Code; code != http.StatusUnauthorized {
			t.Errorf("%s: status %d", path, code)
		}
	}
}
