package jira_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/adaptertest"
	"github.com/pointsman/pointsman/adapters/jira"
	"github.com/pointsman/pointsman/adapters/jira/jiratest"
	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing"
)

// garbling spoils the body of every answer to a POST.
type garbling struct{}

// RoundTrip implements http.RoundTripper.
func (garbling) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err == nil && req.Method == http.MethodPost {
		_ = resp.Body.Close()
		resp.Body = io.NopCloser(strings.NewReader(`{"id":{"type":"doc"}}`))
	}
	return resp, err
}

func newClient(tb testing.TB) *jira.Client {
	tb.Helper()
	c, err := jira.New(jira.Options{Tenant: "ferry", URL: "https://ferry.example/jira", User: user, WebhookSecret: webhookSecret})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func parse(t *testing.T, body []byte) (bot.Event, error) {
	t.Helper()
	ev, err := newClient(t).Parse(bot.Delivery{Source: "jira", Tenant: "ferry", Body: body})
	adaptertest.CheckEvent(t, ev, err)
	return ev, err
}

func TestParseCreated(t *testing.T) {
	t.Parallel()
	created := time.Date(2026, 3, 4, 5, 6, 7, 8e6, time.UTC)
	for _, dc := range []bool{false, true} {
		s := jiratest.New(jiratest.Options{DataCenter: dc, Now: func() time.Time { return created }})
		key := s.CreateIssue("HELP", jiratest.Issue{
			Summary: " Child\nfare \u202ewrong", Description: "It *charges* {{adults}} twice.", Environment: "iOS 17",
			Labels: []string{"bug"}, Components: []string{"fares"}, Security: "Staff", Reporter: "mari",
		})
		d, err := s.Created(key)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parse(t, d.Body)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(got.Ticket.Version, "2026-03-04T05:06:07.008+0000-") {
			t.Errorf("version is %q", got.Ticket.Version)
		}
		got.Ticket.Version = ""
		if !got.Ticket.CreatedAt.Equal(created) {
			t.Errorf("created at %v, want %v", got.Ticket.CreatedAt, created)
		}
		got.Ticket.CreatedAt = created
		want := bot.Event{
			Ticket: routing.Ticket{
				Ref:         routing.Ref{System: "jira", Tenant: "ferry", Key: "HELP-1", URL: "https://ferry.example/jira/browse/HELP-1"},
				FiledIn:     "HELP",
				Title:       "Child fare wrong",
				Body:        "It charges adults twice.",
				Labels:      []string{"bug"},
				Components:  []string{"fares"},
				Environment: "iOS 17",
				Status:      "To Do",
				Reporter:    "mari",
				CreatedAt:   created,
				Audience:    routing.Audience{Level: "private"},
			},
			Target: bot.Target{System: "jira", Tenant: "ferry", Key: "HELP-1"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("event differs (-want +got):\n%s", diff)
		}
	}
}

func jiraEvent(kind, extra string) []byte {
	return fmt.Appendf(nil, `{"webhookEvent":%q,"user":{"accountId":"a"},"issue":{"key":"HELP-3","fields":{"summary":"now","description":"text"}}%s}`, kind, extra)
}

func TestParseIgnores(t *testing.T) {
	t.Parallel()
	const edited = `,"changelog":{"items":[{"field":"summary","fromString":"before","toString":"now"}]}`
	for _, tt := range []struct {
		name string
		body []byte
		want string // part of the reason; "" = a ticket
	}{
		{"created", jiraEvent("jira:issue_created", ""), ""},
		{"created by an app", jiraEvent("jira:issue_created", `,"user":{"accountType":"app"}`), "created by an app"},
		{"created by an app for a person", []byte(`{"webhookEvent":"jira:issue_created","user":{"accountType":"atlassian"},
			"issue":{"key":"HELP-3","fields":{"summary":"now","creator":{"accountType":"app"},"reporter":{"accountType":"atlassian"}}}}`), "created by an app"},
		{"created by a customer", jiraEvent("jira:issue_created", `,"user":{"accountType":"customer"}`), ""},
		{"summary edited", jiraEvent("jira:issue_updated", edited), ""},
		{"description edited", jiraEvent("jira:issue_updated", `,"changelog":{"items":[{"field":"description","fromString":null,"toString":"x"}]}`), ""},
		{"edited to the same", jiraEvent("jira:issue_updated", `,"changelog":{"items":[{"field":"summary","fromString":"x","toString":"x"}]}`), "as before"},
		{"status changed", jiraEvent("jira:issue_updated", `,"changelog":{"items":[{"field":"status","fromString":"a","toString":"b"}]}`), "as before"},
		{"no changelog", jiraEvent("jira:issue_updated", ""), "as before"},
		{"edited by an app", jiraEvent("jira:issue_updated", edited+`,"user":{"accountType":"app"}`), "app"},
		{"by ourselves", jiraEvent("jira:issue_created", `,"user":{"emailAddress":"Bot@ferry.example"}`), "ourselves"},
		{"deleted", jiraEvent("jira:issue_deleted", ""), "jira:issue_deleted"},
		{"comment", []byte(`{"webhookEvent":"comment_created"}`), "comment"},
		{"sprint", []byte(`{"webhookEvent":"sprint_started"}`), "sprint_started"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ev, err := parse(t, tt.body)
			if err != nil {
				t.Fatal(err)
			}
			if (tt.want == "") != (ev.Ignore == "") || !strings.Contains(ev.Ignore, tt.want) {
				t.Errorf("ignored because %q, want %q", ev.Ignore, tt.want)
			}
		})
	}
}

func TestParseDescriptions(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`null`:                     "",
		`""`:                       "",
		`"a *b*\r\n\r\nc"`:         "a b\nc",
		`"nul \u0000 \u202e here"`: "nul   here",
		`{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"one"},{"type":"hardBreak"},{"type":"text","text":"two"}]},{"type":"codeBlock","content":[{"type":"text","text":"three"}]}]}`: "one\ntwo\nthree",
	} {
		ev, err := parse(t, jiraEvent("jira:issue_created", `,"issue":{"key":"A-1","fields":{"description":`+in+`}}`))
		if err != nil || ev.Ticket.Body != want {
			t.Errorf("%s: %q (%v), want %q", in, ev.Ticket.Body, err, want)
		}
	}
}

func TestUpdatedFromFake(t *testing.T) {
	t.Parallel()
	b := setup(t, jira.Cloud, jira.Options{})
	was, err := b.EditIssue(b.key, "Adult fare is wrong", "x")
	if err != nil {
		t.Fatal(err)
	}
	d, err := b.Updated(b.key, was)
	if err != nil {
		t.Fatal(err)
	}
	if ev, err := parse(t, d.Body); err != nil || ev.Ignore != "" || ev.Ticket.Title != "Adult fare is wrong" {
		t.Errorf("%+v, %v", ev, err)
	}
}

func TestParseHugeAndHostile(t *testing.T) {
	t.Parallel()
	for name, unit := range map[string]string{
		"words": "wrong fare ", "macros": "{", "codes": "{code}", "open code": "{code:", "links": "[", "pairs": "[a|b", "pictures": "!", "named": "!a.png",
		"monospaced": "{{", "stars": "*", "starred": "*a ", "escapes": `\`, "cites": "??", "bars": "|", "lists": "* a\n", "nul": "\x00", "bidi": "\u202e", "japanese": "料金が違う", "line ends": "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw, err := json.Marshal(strings.Repeat(unit, 200_000/len(unit)))
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			ev, err := parse(t, jiraEvent("jira:issue_created", `,"issue":{"key":"A-1","fields":{"description":`+string(raw)+`}}`))
			if err != nil || ev.Ignore != "" {
				t.Errorf("ignored because %q, error %v", ev.Ignore, err)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range adaptertest.Junk() {
		if len(s) < 1<<12 {
			f.Add([]byte(s))
		}
	}
	f.Add(jiraEvent("jira:issue_created", ""))
	f.Add(jiraEvent("jira:issue_updated", `,"changelog":{"items":[{"field":"summary","toString":"x"}]}`))
	c := newClient(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		ev, err := c.Parse(bot.Delivery{Tenant: "ferry", Body: body})
		adaptertest.CheckEvent(t, ev, err)
	})
}

func FuzzVerify(f *testing.F) {
	d := jiratest.SignWith(webhookSecret, "1", []byte("{}"))
	f.Add(d.Header.Get("X-Hub-Signature"), "1", d.Body)
	f.Add("sha256=zz", "", []byte{})
	c := newClient(f)
	f.Fuzz(func(t *testing.T, sig, id string, body []byte) {
		h := http.Header{}
		h.Set("X-Hub-Signature", sig)
		h.Set("X-Atlassian-Webhook-Identifier", id)
		genuine := jiratest.SignWith(webhookSecret, "", body).Header.Get("X-Hub-Signature")
		if _, _, err := c.Verify(h, body); err == nil && !strings.EqualFold(sig, genuine) {
			t.Errorf("accepted %q for %q", sig, body)
		}
	})
}

// The account that the token belongs to is known once the site was asked.
func TestParseIgnoresOurselves(t *testing.T) {
	t.Parallel()
	for _, flavour := range []string{jira.Cloud, jira.DataCenter} {
		b := setup(t, flavour, jira.Options{})
		key := b.CreateIssue("HELP", jiratest.Issue{Summary: "s", Reporter: b.BotName()})
		ours, err := b.Created(key)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := b.Created(b.key)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.client.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		if ev, err := b.client.Parse(bot.Delivery{Tenant: "ferry", Body: ours.Body}); err != nil || !strings.Contains(ev.Ignore, "ourselves") {
			t.Errorf("%s: ours: ignored because %q, %v", flavour, ev.Ignore, err)
		}
		if ev, err := b.client.Parse(bot.Delivery{Tenant: "ferry", Body: theirs.Body}); err != nil || ev.Ignore != "" {
			t.Errorf("%s: theirs: ignored because %q, %v", flavour, ev.Ignore, err)
		}
		page, _, err := b.client.Past("HELP", time.Time{})(t.Context())
		if err != nil || len(page) != 2 || page[0].Key != key || !strings.Contains(page[0].Event.Ignore, "ourselves") || page[1].Event.Ignore != "" {
			t.Errorf("%s: past is %+v, %v", flavour, page, err)
		}
	}
}
