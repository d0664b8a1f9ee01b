package jira_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/jira"
	"github.com/pointsman/pointsman/adapters/jira/jiratest"
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
			if p.Err != nil {
				what = " (" + string(bot.CodeOf(p.Err)) + ")"
			} else if p.Event.Ticket.Ref.Key != p.Key {
				t.Errorf("entry %s holds ticket %s", p.Key, p.Event.Ticket.Ref.Key)
			}
			keys = append(keys, p.Key+what)
		}
	}
	return keys, pages
}

// archive is a client of a site with a past: an issue a day since 1 March 2026.
func archive(t *testing.T, flavour string, issues ...jiratest.Issue) (*jiratest.Server, *jira.Client) {
	t.Helper()
	day := time.Date(2026, 2, 28, 9, 0, 0, 0, time.UTC)
	s := jiratest.New(jiratest.Options{
		DataCenter: flavour == jira.DataCenter, User: user, Token: token, Now: func() time.Time { return day },
	})
	url, err := s.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for i, iss := range issues {
		day = time.Date(2026, 3, 1+i, 9, 0, 0, 0, time.UTC)
		s.CreateIssue("HELP", iss)
		s.CreateIssue("OTHER", iss)
	}
	c, err := jira.New(jira.Options{Tenant: "ferry", Flavour: flavour, URL: url, User: user, Token: token, WebhookSecret: webhookSecret})
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

func TestPastPages(t *testing.T) {
	t.Parallel()
	for _, flavour := range []string{jira.Cloud, jira.DataCenter} {
		s, c := archive(t, flavour, jiratest.Issue{Summary: "one"}, jiratest.Issue{Summary: "two"},
			jiratest.Issue{Garbled: true}, jiratest.Issue{Summary: "four"}, jiratest.Issue{Summary: "five"})
		s.SetPageSize(2)
		got, pages := keysOf(t, c.Past("HELP", time.Time{}))
		if d := cmp.Diff([]string{"HELP-5", "HELP-4", "HELP-3 (invalid)", "HELP-2", "HELP-1"}, got); d != "" || pages != 3 {
			t.Errorf("%s: %d pages (-want +got):\n%s", flavour, pages, d)
		}
		got, _ = keysOf(t, c.Past("HELP", time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)))
		if d := cmp.Diff([]string{"HELP-5"}, got); d != "" {
			t.Errorf("%s, since 4 March at ten (-want +got):\n%s", flavour, d)
		}
		for _, r := range s.Requests() {
			if r.Method != http.MethodGet {
				t.Errorf("%s: listing sent %s %s", flavour, r.Method, r.Path)
			}
		}
	}
}

// A ticket from a listing is the ticket that a webhook of it would bring.
func TestPastIsWhatTheWebhookSays(t *testing.T) {
	t.Parallel()
	for _, flavour := range []string{jira.Cloud, jira.DataCenter} {
		s, c := archive(t, flavour, jiratest.Issue{
			Summary: "Tide\ttable", Description: "It is *late* at [the quay|https://quay.example].", Environment: "harbour",
			Labels: []string{"tides"}, Components: []string{"clock"}, Security: "staff", ServiceDesk: true, Reporter: "mari",
		})
		page, more, err := c.Past("HELP", time.Time{})(t.Context())
		if err != nil || more || len(page) != 1 {
			t.Fatalf("%s: page %+v, more %v, error %v", flavour, page, more, err)
		}
		d, err := s.Created("HELP-1")
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.Parse(bot.Delivery{Source: "jira", Tenant: "ferry", Body: d.Body})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, page[0].Event); d != "" {
			t.Errorf("%s: ticket (-webhook +listing):\n%s", flavour, d)
		}
	}
}

func TestPastLimited(t *testing.T) {
	t.Parallel()
	for _, flavour := range []string{jira.Cloud, jira.DataCenter} {
		s, c := archive(t, flavour, jiratest.Issue{Summary: "one"}, jiratest.Issue{Summary: "two"}, jiratest.Issue{Summary: "three"})
		s.SetPageSize(2)
		next := c.Past("HELP", time.Time{})
		if page, more, err := next(t.Context()); err != nil || !more || len(page) != 2 {
			t.Fatalf("%s: first page %+v, more %v, error %v", flavour, page, more, err)
		}
		s.Fail(1, http.StatusTooManyRequests, http.Header{"Retry-After": {"90"}}, "{}")
		if _, _, err := next(t.Context()); bot.CodeOf(err) != bot.CodeLimited {
			t.Errorf("%s: limited: %v", flavour, err)
		}
		page, more, err := next(t.Context())
		if err != nil || more || len(page) != 1 || page[0].Key != "HELP-1" {
			t.Errorf("%s: last page %+v, more %v, error %v", flavour, page, more, err)
		}
	}
}

func TestPastRefuses(t *testing.T) {
	t.Parallel()
	for _, flavour := range []string{jira.Cloud, jira.DataCenter} {
		_, c := archive(t, flavour)
		for project, want := range map[string]string{
			`X" OR project = "Y`: "is not a project key", "": "is not a project key", "NONE": "does not exist for the field 'project'",
		} {
			_, _, err := c.Past(project, time.Time{})(t.Context())
			if bot.CodeOf(err) != bot.CodeInvalid || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %q: %v, want %q", flavour, project, err, want)
			}
		}
	}
	// A site that sends us round in circles is not followed for ever.
	circle, err := jira.New(jira.Options{
		Tenant: "ferry", URL: "https://jira.ferry.example", WebhookSecret: "s", Token: token, User: user,
		Transport: roundTripper(func(*http.Request) (*http.Response, error) {
			body := `{"issues":[{"key":"HELP-1"}],"nextPageToken":"again"}`
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}, nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	next := circle.Past("HELP", time.Time{})
	if _, more, err := next(t.Context()); err != nil || !more {
		t.Errorf("first page: more %v, %v", more, err)
	}
	if _, _, err := next(t.Context()); bot.CodeOf(err) != bot.CodeUnavailable {
		t.Errorf("in circles: %v", err)
	}
}

func FuzzPastEntry(f *testing.F) {
	f.Add(`{"key":"HELP-1","fields":{"summary":"x","description":{"type":"doc"}}}`)
	f.Add(`{"key":"HELP-1","fields":[]}`)
	f.Add(`{"key":"../1"}`)
	f.Fuzz(func(t *testing.T, entry string) {
		p := jira.PastEntry(entry)
		if p.Key == "" || (p.Err != nil && bot.CodeOf(p.Err) != bot.CodeInvalid) {
			t.Errorf("%q gives %+v", entry, p)
		}
	})
}
