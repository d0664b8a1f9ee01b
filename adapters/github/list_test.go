package github_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/github"
	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/bot"
)

// keysOf reads a listing to its end.
func keysOf(t *testing.T, next bot.Pages) (keys []string, pages int) {
	t.Helper()
	for more := true; more; pages++ {
		var page []bot.Past
		var err error
		if page, more, err = next(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, p := range page {
			what := ""
			switch {
			case p.Err != nil:
				what = " (" + string(bot.CodeOf(p.Err)) + ")"
			case p.Event.Ignore != "":
				what = " (" + p.Event.Ignore + ")"
			case p.Event.Ticket.Ref.Key != p.Key:
				t.Errorf("entry %s holds ticket %s", p.Key, p.Event.Ticket.Ref.Key)
			}
			keys = append(keys, strings.TrimPrefix(p.Key, repoName)+what)
		}
	}
	return keys, pages
}

// archive is a bench with a past: an issue a day since 1 March 2026.
func archive(t *testing.T, h how, issues ...githubtest.Issue) *bench {
	t.Helper()
	day := time.Date(2026, 2, 28, 9, 0, 0, 0, time.UTC)
	h.now = func() time.Time { return day }
	b := setup(t, h) // opens issue 1
	for i, iss := range issues {
		day = time.Date(2026, 3, 1+i, 9, 0, 0, 0, time.UTC)
		if _, err := b.OpenIssue(repoName, iss); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func TestPastPages(t *testing.T) {
	t.Parallel()
	for _, app := range []bool{false, true} {
		b := archive(t, how{app: app},
			githubtest.Issue{Title: "two"}, githubtest.Issue{Title: "three", Pull: true}, githubtest.Issue{Title: "four", AuthorType: "Bot"},
			githubtest.Issue{Title: "five", Garbled: true}, githubtest.Issue{Title: "six"})
		b.SetPageSize(2)
		got, pages := keysOf(t, b.client.Past(repoName, time.Time{}))
		want := []string{"#6", "#5 (invalid)", "#4 (opened by a bot)", "#3 (a pull request, not an issue)", "#2", "#1"}
		if d := cmp.Diff(want, got); d != "" || pages != 3 {
			t.Errorf("app %v: %d pages (-want +got):\n%s", app, pages, d)
		}
		for _, r := range b.Requests() {
			if r.Method != http.MethodGet && !strings.HasSuffix(r.Path, "/access_tokens") {
				t.Errorf("listing sent %s %s", r.Method, r.Path)
			}
		}
	}
}

func TestPastSince(t *testing.T) {
	t.Parallel()
	b := archive(t, how{}, githubtest.Issue{Title: "two"}, githubtest.Issue{Title: "three"}, githubtest.Issue{Title: "four"})
	// An old issue that was changed lately is still an old one.
	if _, err := b.EditIssue(repoName, 2, "two", "and a half"); err != nil {
		t.Fatal(err)
	}
	got, _ := keysOf(t, b.client.Past(repoName, time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)))
	if d := cmp.Diff([]string{"#4", "#3"}, got); d != "" {
		t.Errorf("since 2 March (-want +got):\n%s", d)
	}
}

// A ticket from a listing is the ticket that a webhook of it would bring.
func TestPastIsWhatTheWebhookSays(t *testing.T) {
	t.Parallel()
	b := setup(t, how{})
	b.AddRepo(githubtest.Repo{FullName: "ferry/quay", Visibility: "private"})
	n, err := b.OpenIssue("ferry/quay", githubtest.Issue{
		Title: "Tide\ntable", Body: "It is **late**.\n\n<!-- form -->", Labels: []string{"tides"}, Author: "mari",
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.RenameRepo("ferry/quay", "ferry/harbour"); err != nil {
		t.Fatal(err)
	}
	page, more, err := b.client.Past("ferry/quay", time.Time{})(t.Context())
	if err != nil || more || len(page) != 1 {
		t.Fatalf("page %+v, more %v, error %v", page, more, err)
	}
	d, err := b.Issue("opened", "ferry/harbour", n)
	if err != nil {
		t.Fatal(err)
	}
	want, err := b.client.Parse(bot.Delivery{Kind: "issues", Body: d.Body})
	if err != nil {
		t.Fatal(err)
	}
	got := page[0].Event
	want.Target.Installation = 0 // only a webhook names it
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("ticket (-webhook +listing):\n%s", d)
	}
	if got.Ticket.Ref.Key != fmt.Sprintf("ferry/harbour#%d", n) || got.Ticket.Audience.Level != "private" {
		t.Errorf("ticket is %+v", got.Ticket)
	}
}

// A limit between two pages costs a wait, not the listing.
func TestPastLimited(t *testing.T) {
	t.Parallel()
	b := archive(t, how{}, githubtest.Issue{Title: "two"}, githubtest.Issue{Title: "three"})
	b.SetPageSize(2)
	next := b.client.Past(repoName, time.Time{})
	if page, more, err := next(t.Context()); err != nil || !more || len(page) != 2 {
		t.Fatalf("first page %+v, more %v, error %v", page, more, err)
	}
	b.Fail(1, http.StatusServiceUnavailable, nil, "{}")
	if _, _, err := next(t.Context()); bot.CodeOf(err) != bot.CodeUnavailable {
		t.Errorf("while it was down: %v", err)
	}
	b.Fail(1, http.StatusForbidden, http.Header{"Retry-After": {"0"}}, `{"message":"You have exceeded a secondary rate limit."}`)
	_, _, err := next(t.Context())
	var e *bot.Error
	if bot.CodeOf(err) != bot.CodeLimited || !asError(err, &e) || e.Until.IsZero() {
		t.Fatalf("limited: %v", err)
	}
	page, more, err := next(t.Context())
	if err != nil || more || len(page) != 1 || page[0].Key != repoName+"#1" {
		t.Errorf("last page %+v, more %v, error %v", page, more, err)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestPastRefuses(t *testing.T) {
	t.Parallel()
	b := setup(t, how{})
	silent, err := github.New(github.Options{WebhookSecret: "s", APIURL: b.URL()})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		client *github.Client
		repo   string
		want   bot.Code
	}{
		{b.client, "ferry", bot.CodeInvalid},
		{b.client, "ferry/../../user", bot.CodeInvalid},
		{b.client, "ferry/none", bot.CodeNotFound},
		{silent, repoName, bot.CodeUnauthorized},
	} {
		if _, _, err := c.client.Past(c.repo, time.Time{})(t.Context()); bot.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want code %s", c.repo, err, c.want)
		}
	}
	// A host that sends us round in circles, or elsewhere, is not followed for ever.
	n := 0
	b = setup(t, how{rt: roundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err == nil && strings.HasSuffix(r.URL.Path, "/issues") {
			n++
			resp.Header.Set("Link", `<https://elsewhere.example`+r.URL.RequestURI()+`>; rel="next"`)
		}
		return resp, err
	})})
	if _, _, err := b.client.Past(repoName, time.Time{})(t.Context()); bot.CodeOf(err) != bot.CodeUnavailable || n != 1 {
		t.Errorf("in circles: %v after %d calls", err, n)
	}
}

// The first look at a public repository needs no account.
func TestPastWithoutCredentials(t *testing.T) {
	t.Parallel()
	b := setup(t, how{})
	c, err := github.New(github.Options{WebhookSecret: "s", APIURL: b.URL(), Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Authorization") != "" {
			t.Error("credentials came from nowhere")
		}
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer ghp_atokenthatnobodymaysee") // the fake knows nothing public
		return http.DefaultTransport.RoundTrip(r)
	})})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := keysOf(t, c.Past(repoName, time.Time{})); len(got) != 1 {
		t.Errorf("listed %v", got)
	}
}

func FuzzPastEntry(f *testing.F) {
	f.Add(`{"number":1,"title":"x","user":{"type":"User"}}`)
	f.Add(`{"number":-1,"title":7}`)
	f.Add(`[]`)
	f.Add(`"\u0000"`)
	f.Fuzz(func(t *testing.T, entry string) {
		p := github.PastEntry(repoName, entry)
		if p.Key == "" || (p.Err != nil && bot.CodeOf(p.Err) != bot.CodeInvalid) {
			t.Errorf("%q gives %+v", entry, p)
		}
	})
}

// GitHub pages by number or by a cursor, as it likes.
func TestNextQuery(t *testing.T) {
	t.Parallel()
	const page = "https://api.github.com/repositories/7/issues?"
	for _, c := range []struct{ link, want string }{
		{"", ""},
		{"<" + page + `state=all&page=2>; rel="next", <` + page + `state=all&page=9>; rel="last"`, "page=2&state=all"},
		{"<" + page + `page=1>; rel="prev", <` + page + `after=Y3Vy%3D&per_page=100>; rel="next"`, "after=Y3Vy%3D&per_page=100"},
		{"<" + page + `page=1>; rel="prev"`, ""},
		{`<https://elsewhere.example/?page=3#x>; rel="next"`, "page=3"},
		{`<:>; rel="next"`, ""},
		{`; rel="next"`, ""},
		{"<" + page + strings.Repeat("a", 3000) + `>; rel="next"`, ""},
	} {
		if got := github.NextQuery(c.link); got != c.want {
			t.Errorf("NextQuery(%.60s) = %q, want %q", c.link, got, c.want)
		}
	}
}

func FuzzNextQuery(f *testing.F) {
	f.Add(`<https://api.github.com/x?page=2>; rel="next"`)
	f.Add(`<>; rel="next", <?%zz>; rel="next"`)
	f.Fuzz(func(t *testing.T, link string) {
		if got := github.NextQuery(link); strings.ContainsAny(got, " \r\n<>/#") {
			t.Errorf("NextQuery(%q) = %q", link, got)
		}
	})
}
