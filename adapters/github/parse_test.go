package github_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/adaptertest"
	"github.com/pointsman/pointsman/adapters/github"
	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing"
)

func parse(t *testing.T, kind string, body []byte) (bot.Event, error) {
	t.Helper()
	c, err := github.New(github.Options{WebhookSecret: webhookSecret})
	if err != nil {
		t.Fatal(err)
	}
	ev, err := c.Parse(bot.Delivery{Source: "github", Kind: kind, Body: body})
	adaptertest.CheckEvent(t, ev, err)
	return ev, err
}

func TestParseOpened(t *testing.T) {
	t.Parallel()
	opened := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	s, err := githubtest.New(githubtest.Options{AppID: 7, Now: func() time.Time { return opened }})
	if err != nil {
		t.Fatal(err)
	}
	s.AddRepo(githubtest.Repo{FullName: repoName, Visibility: "private"})
	n, err := s.OpenIssue(repoName, githubtest.Issue{
		Title: " Child\nfare \u202ewrong", Body: "It **charges** `adults_twice`.\r\n\r\n<!-- write here -->", Labels: []string{"bug", "fares"}, Author: "mari",
	})
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Issue("opened", repoName, n)
	if err != nil {
		t.Fatal(err)
	}
	got, err := parse(t, "issues", d.Body)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(got.Ticket.Version, "2026-03-04T05:06:07Z-") {
		t.Errorf("version is %q", got.Ticket.Version)
	}
	got.Ticket.Version = ""
	want := bot.Event{
		Ticket: routing.Ticket{
			Ref:       routing.Ref{System: "github", Key: "ferry/helpdesk#1", URL: "/ferry/helpdesk/issues/1"},
			FiledIn:   "ferry/helpdesk",
			Title:     "Child fare wrong",
			Body:      "It charges adults_twice.",
			Labels:    []string{"bug", "fares"},
			Status:    "open",
			Reporter:  "mari",
			CreatedAt: opened,
			Audience:  routing.Audience{Level: "private"},
		},
		Target: bot.Target{System: "github", Installation: got.Target.Installation, Repo: "ferry/helpdesk", Number: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("event differs (-want +got):\n%s", diff)
	}
	if got.Target.Installation == 0 {
		t.Error("no installation")
	}
}

func issuesEvent(action, extra string) []byte {
	return fmt.Appendf(nil, `{"action":%q,"issue":{"number":3,"title":"now","body":"text","updated_at":"2026-01-01T00:00:00Z"},
		"repository":{"full_name":"ferry/helpdesk"},"sender":{"type":"User"}%s}`, action, extra)
}

func TestParseIgnores(t *testing.T) {
	t.Parallel()
	const there = `"new_issue":{"number":9,"title":"now"},"new_repository":{"full_name":"ferry/attic","archived":true}`
	for _, tt := range []struct {
		name, kind string
		body       []byte
		want       string // part of the reason; "" = a ticket
	}{
		{"opened", "issues", issuesEvent("opened", ""), ""},
		{"reopened", "issues", issuesEvent("reopened", ""), ""},
		{"closed", "issues", issuesEvent("closed", ""), `"closed"`},
		{"unheard of", "issues", issuesEvent("typed\u202e", ""), `"typed"`},
		{"edited title", "issues", issuesEvent("edited", `,"changes":{"title":{"from":"before"}}`), ""},
		{"edited body", "issues", issuesEvent("edited", `,"changes":{"body":{"from":""}}`), ""},
		{"edited to the same", "issues", issuesEvent("edited", `,"changes":{"title":{"from":"now"},"body":{"from":"text"}}`), "as before"},
		{"edited nothing", "issues", issuesEvent("edited", `,"changes":{}`), "as before"},
		{"edited, but it does not say what", "issues", issuesEvent("edited", ""), ""},
		{"edited, and nobody knows what", "issues", issuesEvent("edited", `,"changes":null`), ""},
		{"bot", "issues", issuesEvent("opened", `,"sender":{"type":"Bot"}`), "bot"},
		{"pull request", "issues", issuesEvent("opened", `,"issue":{"number":3,"pull_request":{}}`), "pull request"},
		{"no pull request", "issues", issuesEvent("opened", `,"issue":{"number":3,"pull_request":null}`), ""},
		{"archived", "issues", issuesEvent("opened", `,"repository":{"full_name":"ferry/attic","archived":true}`), "archived"},
		{"transferred to nowhere", "issues", issuesEvent("transferred", ""), "does not name"},
		{"transferred to an archive", "issues", issuesEvent("transferred", `,"changes":{`+there+`}`), "archived"},
		{"comment", "issue_comment", issuesEvent("created", ""), "comment"},
		{"ping", "ping", []byte(`{"zen":"x"}`), "asks"},
		{"star", "star", []byte(`{"ref":"x"}`), "star"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ev, err := parse(t, tt.kind, tt.body)
			if err != nil {
				t.Fatal(err)
			}
			if (tt.want == "") != (ev.Ignore == "") || !strings.Contains(ev.Ignore, tt.want) {
				t.Errorf("ignored because %q, want %q", ev.Ignore, tt.want)
			}
		})
	}
}

func TestParseTransferred(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		to   string
		want int64
	}{{"ferry/fares", 5}, {"Ferry/fares", 5}, {"other/fares", 0}} {
		body := issuesEvent("transferred", fmt.Sprintf(
			`,"installation":{"id":5},"changes":{"new_issue":{"number":9,"title":"now"},"new_repository":{"full_name":%q,"private":true}}`, tt.to))
		ev, err := parse(t, "issues", body)
		if err != nil {
			t.Fatal(err)
		}
		want := bot.Target{System: "github", Installation: tt.want, Repo: tt.to, Number: 9}
		if ev.Target != want || ev.Ticket.Ref.Key != tt.to+"#9" || ev.Ticket.Audience.Level != "private" {
			t.Errorf("to %s: %+v", tt.to, ev)
		}
	}
}

// GitHub's default content type for webhooks wraps the JSON into a form.
func TestParseForm(t *testing.T) {
	t.Parallel()
	form := url.Values{"payload": {string(issuesEvent("opened", ""))}}.Encode()
	if ev, err := parse(t, "issues", []byte(form)); err != nil || ev.Ticket.Ref.Key != "ferry/helpdesk#3" {
		t.Errorf("%+v, %v", ev, err)
	}
	if _, err := parse(t, "issues", []byte("payload=%zz")); err == nil {
		t.Error("a broken form went through")
	}
}

func TestParseAudience(t *testing.T) {
	t.Parallel()
	for repo, want := range map[string]string{
		`"private":false`: "public", `"private":true`: "private",
		`"private":false,"visibility":"public"`: "public", `"private":true,"visibility":"private"`: "private",
		`"private":true,"visibility":"internal"`: "internal",
		`"private":true,"visibility":"public"`:   "private", `"private":false,"visibility":"private"`: "private",
	} {
		ev, err := parse(t, "issues", issuesEvent("opened", `,"repository":{"full_name":"a/b",`+repo+`}`))
		if err != nil || ev.Ticket.Audience.Level != want {
			t.Errorf("%s: %q (%v), want %q", repo, ev.Ticket.Audience.Level, err, want)
		}
	}
}

func TestVersionFollowsText(t *testing.T) {
	t.Parallel()
	version := func(issue string) string {
		ev, err := parse(t, "issues", issuesEvent("opened", `,"issue":`+issue))
		if err != nil {
			t.Fatal(err)
		}
		return ev.Ticket.Version
	}
	one := version(`{"number":1,"title":"a","body":"b","updated_at":"2026-01-01T00:00:00Z"}`)
	if same := version(`{"number":1,"title":"a","body":"b","updated_at":"2026-01-01T00:00:00Z","state":"closed"}`); same != one {
		t.Errorf("versions differ: %s, %s", one, same)
	}
	for _, issue := range []string{
		`{"number":1,"title":"a","body":"c","updated_at":"2026-01-01T00:00:00Z"}`,
		`{"number":1,"title":"c","body":"b","updated_at":"2026-01-01T00:00:00Z"}`,
		`{"number":1,"title":"ab","body":"","updated_at":"2026-01-01T00:00:00Z"}`,
	} {
		if v := version(issue); v == one {
			t.Errorf("%s has the version of another text", issue)
		}
	}
}

func TestParseHugeAndHostile(t *testing.T) {
	t.Parallel()
	for name, unit := range map[string]string{
		"words": "wrong fare ", "quotes": ">", "quotes apart": "> ", "brackets": "[", "links": "[a](", "pictures": "![", "stars": "*", "starred": "*a", "under": "_a ",
		"backticks": "`", "backticks growing": "`a``b", "tags": "<a ", "comments": "<!--", "lists": "- ", "numbers": "1. ", "nested": "\n  - a", "deeper": "\n> - ",
		"entities": "&#0;&#x202e;", "nul": "\x00", "bidi": "\u202e", "japanese": "料金が違う", "tables": "|a|b|\n|-|-|\n", "tildes": "~~a", "escapes": `\`, "definitions": "[a]: b\n", "headings": "# a\n",
		"tabs": "\t", "line ends": "\n", "rules": "---\n", "fences": "```\n", "details": "<details>\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw, err := json.Marshal(map[string]any{"number": 1, "title": strings.Repeat(unit, 200), "body": strings.Repeat(unit, 200_000/len(unit))})
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			ev, err := parse(t, "issues", issuesEvent("opened", `,"issue":`+string(raw)))
			if err != nil || ev.Ignore != "" {
				t.Errorf("ignored because %q, error %v", ev.Ignore, err)
			}
			// A second without the race detector; the bound catches what grows with the square.
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range adaptertest.Junk() {
		if len(s) < 1<<12 {
			f.Add("issues", []byte(s))
		}
	}
	f.Add("issues", issuesEvent("opened", ""))
	f.Add("issues", issuesEvent("edited", `,"changes":{"title":{"from":"x"}}`))
	f.Add("push", []byte(`{}`))
	c, err := github.New(github.Options{WebhookSecret: webhookSecret})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		ev, err := c.Parse(bot.Delivery{Kind: kind, Body: body})
		adaptertest.CheckEvent(t, ev, err)
	})
}

func FuzzVerify(f *testing.F) {
	d := githubtest.SignWith(webhookSecret, "issues", "1", []byte("{}"))
	f.Add(d.Header.Get("X-Hub-Signature-256"), "issues", "1", d.Body)
	f.Add("sha256=zz", "", "", []byte{})
	c, err := github.New(github.Options{WebhookSecret: webhookSecret})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, sig, event, id string, body []byte) {
		h := d.Header.Clone()
		h.Set("X-Hub-Signature-256", sig)
		h.Set("X-GitHub-Event", event)
		h.Set("X-GitHub-Delivery", id)
		genuine := githubtest.SignWith(webhookSecret, "", "", body).Header.Get("X-Hub-Signature-256")
		if _, _, err := c.Verify(h, body); err == nil && !strings.EqualFold(sig, genuine) {
			t.Errorf("accepted %q for %q", sig, body)
		}
	})
}

// keys lists the paths of a JSON object's fields.
func keys(t *testing.T, body []byte) map[string]bool {
	t.Helper()
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	var walk func(prefix string, v any)
	walk = func(prefix string, v any) {
		if m, ok := v.(map[string]any); ok {
			for k, inner := range m {
				out[prefix+k] = true
				walk(prefix+k+".", inner)
			}
		}
	}
	walk("", v)
	return out
}

// The account that the token belongs to is known once GitHub was asked.
func TestParseIgnoresOurselves(t *testing.T) {
	t.Parallel()
	b := setup(t, how{})
	n, err := b.OpenIssue(repoName, githubtest.Issue{Title: "ours", Author: strings.ToUpper(b.BotLogin())})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.client.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	for number, want := range map[int]bool{n: true, b.number: false} {
		d, err := b.Issue("opened", repoName, number)
		if err != nil {
			t.Fatal(err)
		}
		ev, err := b.client.Parse(bot.Delivery{Kind: "issues", Body: d.Body})
		if err != nil || strings.Contains(ev.Ignore, "the account that we write as") != want {
			t.Errorf("#%d: ignored because %q, %v", number, ev.Ignore, err)
		}
	}
	page, _, err := b.client.Past(repoName, time.Time{})(t.Context())
	if err != nil || len(page) != 2 || page[0].Event.Ignore == "" || page[1].Event.Ignore != "" {
		t.Errorf("past is %+v, %v", page, err)
	}
}
