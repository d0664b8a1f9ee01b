package jira_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/adapters/jira"
	"github.com/pointsman/pointsman/adapters/jira/jiratest"
	"github.com/pointsman/pointsman/bot"
)

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	good := jira.Options{Tenant: "ferry", URL: "https://ferry.example", WebhookSecret: "s", Token: "t0ken"}
	for _, tt := range []struct {
		name string
		edit func(*jira.Options)
		want string // part of the error
	}{
		{"no tenant", func(o *jira.Options) { o.Tenant = "" }, "tenant"},
		{"no webhook secret", func(o *jira.Options) { o.WebhookSecret = "" }, "webhookSecret"},
		{"unheard-of flavour", func(o *jira.Options) { o.Flavour = "server" }, "datacenter"},
		{"no address", func(o *jira.Options) { o.URL = "" }, "url"},
		{"broken address", func(o *jira.Options) { o.URL = "https://u:t0ken@[::1" }, "url"},
		{"password in the address", func(o *jira.Options) { o.URL = "https://u:t0ken@ferry.example" }, "token"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := good
			tt.edit(&o)
			_, err := jira.New(o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want one that names %q", err, tt.want)
			}
			if strings.Contains(err.Error(), "t0ken") {
				t.Errorf("the error shows a secret: %v", err)
			}
		})
	}
	if _, err := jira.New(good); err != nil {
		t.Error(err)
	}
}

// In shadow mode a bot needs no credentials.
func TestWithoutCredentials(t *testing.T) {
	t.Parallel()
	c, err := jira.New(jira.Options{Tenant: "ferry", URL: "https://ferry.example", WebhookSecret: "s"})
	if err != nil {
		t.Fatal(err)
	}
	_, spoke := c.Speak(t.Context(), bot.Reply{Target: bot.Target{Key: "A-1"}, Marker: "m", Body: "m"})
	for _, err := range []error{c.CanSpeak(), c.Check(t.Context()), spoke} {
		if bot.CodeOf(err) != bot.CodeUnauthorized {
			t.Errorf("%v, want code %s", err, bot.CodeUnauthorized)
		}
	}
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ flavour, user, want string }{
		{jira.Cloud, user, "Basic "}, {jira.Cloud, "", "Bearer "}, {jira.DataCenter, "", "Bearer "}, {jira.DataCenter, user, "Bearer "},
	} {
		var got string
		rt := roundTripper(func(r *http.Request) (*http.Response, error) {
			got = r.Header.Get("Authorization")
			return nil, http.ErrHandlerTimeout
		})
		c, err := jira.New(jira.Options{Tenant: "ferry", URL: "https://ferry.example", WebhookSecret: "s", Flavour: tt.flavour, User: tt.user, Token: token, Transport: rt})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Check(t.Context()); bot.CodeOf(err) != bot.CodeUnavailable {
			t.Error(err)
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s, user %q: %.7s..., want %s", tt.flavour, tt.user, got, tt.want)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A service desk's customers read comments unless they are marked internal.
func TestServiceDeskCommentsAreInternal(t *testing.T) {
	t.Parallel()
	b := setup(t, jira.Cloud, jira.Options{})
	for _, desk := range []bool{false, true} {
		key := b.CreateIssue("DESK", jiratest.Issue{Summary: "s", ServiceDesk: desk})
		d, err := b.Created(key)
		if err != nil {
			t.Fatal(err)
		}
		ev, err := b.client.Parse(bot.Delivery{Tenant: "ferry", Body: d.Body})
		if err != nil {
			t.Fatal(err)
		}
		r := b.reply("one")
		r.Target = ev.Target
		for _, text := range []string{"one", "two"} {
			r.Body = text + marker
			if _, err := b.client.Speak(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		if cs := b.Comments(key); len(cs) != 1 || cs[0].Internal != desk {
			t.Errorf("service desk %v: %+v", desk, cs)
		}
	}
}

// Jira sends browsers to its login page, also those that are programs.
func TestLoginPage(t *testing.T) {
	t.Parallel()
	b := setup(t, jira.Cloud, jira.Options{})
	b.FailWrites(1, http.StatusFound, http.Header{"Location": {"/login.jsp"}}, "")
	if _, err := b.client.Speak(t.Context(), b.reply("one")); bot.CodeOf(err) != bot.CodeUnauthorized {
		t.Errorf("%v, want code %s", err, bot.CodeUnauthorized)
	}
	b.Fail(1, http.StatusOK, nil, "<html>log in</html>")
	if _, err := b.client.Speak(t.Context(), b.reply("one")); bot.CodeOf(err) != bot.CodeUnavailable {
		t.Errorf("%v, want code %s", err, bot.CodeUnavailable)
	}
}

// An answer that cannot be read, after the comment was accepted, must not lead to
// a second comment.
func TestAcceptedButUnreadable(t *testing.T) {
	t.Parallel()
	b := setup(t, jira.Cloud, jira.Options{Transport: &garbling{}})
	if _, err := b.client.Speak(t.Context(), b.reply("one")); bot.CodeOf(err) != bot.CodeUnavailable {
		t.Errorf("%v, want code %s", err, bot.CodeUnavailable)
	}
	if said, err := b.client.Speak(t.Context(), b.reply("one")); err != nil || !said.Unchanged {
		t.Errorf("%+v, %v", said, err)
	}
	if got := b.bodies(); len(got) != 1 {
		t.Errorf("comments are %q, want one", got)
	}
}
