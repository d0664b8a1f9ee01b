package jira_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/pointsman/pointsman/adapters/adaptertest"
	"github.com/pointsman/pointsman/adapters/jira"
	"github.com/pointsman/pointsman/adapters/jira/jiratest"
	"github.com/pointsman/pointsman/bot"
)

const (
	webhookSecret = "a-webhook-secret"
	token         = "atokenthatnobodymaysee"
	user          = "bot@ferry.example"
	marker        = "{anchor:pointsman-0123456789abcdef}"
	oldMarker     = "{anchor:pointsman-fedcba9876543210}"
)

// bench is a client with the Jira it speaks to.
type bench struct {
	*jiratest.Server
	client *jira.Client
	key    string
}

func setup(t *testing.T, flavour string, o jira.Options) *bench {
	t.Helper()
	s := jiratest.New(jiratest.Options{DataCenter: flavour == jira.DataCenter, User: user, Token: token, WebhookSecret: webhookSecret})
	url, err := s.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	o.Tenant, o.Flavour, o.Token, o.WebhookSecret, o.URL = "ferry", flavour, token, webhookSecret, url
	if flavour == jira.Cloud {
		o.User = user
	}
	c, err := jira.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &bench{Server: s, client: c, key: s.CreateIssue("HELP", jiratest.Issue{Summary: "Child fare is wrong"})}
}

func (b *bench) target() bot.Target {
	return bot.Target{System: "jira", Tenant: "ferry", Key: b.key}
}

func (b *bench) reply(text string) bot.Reply {
	return bot.Reply{Target: b.target(), Marker: marker, Body: text + "\n\n" + marker}
}

func (b *bench) bodies() []string {
	var out []string
	for _, c := range b.Comments(b.key) {
		out = append(out, c.Body)
	}
	return out
}

func speakers(t *testing.T, flavour string) {
	t.Helper()
	adaptertest.Speakers(t, func(t *testing.T, timeout time.Duration) *adaptertest.Stage {
		t.Helper()
		now := time.Now().Truncate(time.Second)
		b := setup(t, flavour, jira.Options{Timeout: timeout, Now: func() time.Time { return now }})
		return &adaptertest.Stage{
			Speaker:   b.client,
			Now:       func() time.Time { return now },
			Secrets:   []string{webhookSecret, token, base64.StdEncoding.EncodeToString([]byte(user + ":" + token))},
			Reply:     bot.Reply{Target: b.target(), Marker: marker},
			OldMarker: oldMarker,
			Limit:     32_767,
			Bodies:    b.bodies,
			Say: func(author, body string) string {
				if author == "" {
					author = b.BotName()
				}
				id, err := b.AddComment(b.key, author, body)
				if err != nil {
					t.Error(err)
				}
				return id
			},
			Delete:      func(id string) { b.DeleteComment(b.key, id) },
			Calls:       func() int { return len(b.Requests()) },
			Fail:        func(n, status int, h http.Header) { b.Fail(n, status, h, said(status)) },
			FailWrites:  func(n, status int, h http.Header) { b.FailWrites(n, status, h, said(status)) },
			Drop:        b.Drop,
			Hold:        b.Hold,
			Late:        b.Late,
			Land:        b.Land,
			Lag:         b.Lag,
			SetPageSize: b.SetPageSize,
		}
	})
}

func said(status int) string {
	b, _ := json.Marshal(map[string]any{"errorMessages": []string{"the host says " + http.StatusText(status)}})
	return string(b)
}

func TestSpeakerOnCloud(t *testing.T) {
	t.Parallel()
	speakers(t, jira.Cloud)
}

func TestSpeakerOnDataCenter(t *testing.T) {
	t.Parallel()
	speakers(t, jira.DataCenter)
}

func TestVerifier(t *testing.T) {
	t.Parallel()
	adaptertest.Verifiers(t, adaptertest.Signing{
		Verifier:  setup(t, jira.Cloud, jira.Options{}).client,
		Sign:      func(body []byte) http.Header { return jiratest.SignWith(webhookSecret, "id-1", body).Header },
		Forge:     func(body []byte) http.Header { return jiratest.SignWith("another", "id-1", body).Header },
		Signature: "X-Hub-Signature",
	})
	// Old servers send no identifier: the body's hash serves.
	adaptertest.Verifiers(t, adaptertest.Signing{
		Verifier:  setup(t, jira.DataCenter, jira.Options{}).client,
		Sign:      func(body []byte) http.Header { return jiratest.SignWith(webhookSecret, "", body).Header },
		Forge:     func(body []byte) http.Header { return jiratest.SignWith("another", "", body).Header },
		Signature: "X-Hub-Signature",
	})
}

// Atlassian documents this pair of secret and signature.
func TestVerifierKnowsTheDocumentedExample(t *testing.T) {
	t.Parallel()
	c, err := jira.New(jira.Options{Tenant: "ferry", URL: "https://ferry.example", WebhookSecret: "It's a Secret to Everybody"})
	if err != nil {
		t.Fatal(err)
	}
	h := http.Header{}
	h.Set("X-Atlassian-Webhook-Identifier", "one")
	h.Set("X-Hub-Signature", "sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9")
	id, kind, err := c.Verify(h, []byte("Hello World!"))
	if err != nil || id != "one" || kind != "jira:unknown" {
		t.Errorf("id %q, kind %q, error %v", id, kind, err)
	}
}

func TestParserOnJunk(t *testing.T) {
	t.Parallel()
	adaptertest.Parsers(t, setup(t, jira.Cloud, jira.Options{}).client, "jira:issue_created", "jira:issue_updated")
}
