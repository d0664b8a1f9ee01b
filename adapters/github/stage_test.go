package github_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pointsman/pointsman/adapters/adaptertest"
	"github.com/pointsman/pointsman/adapters/github"
	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/bot"
)

const (
	webhookSecret = "a-webhook-secret"
	marker        = "<!-- pointsman:v1 ticket=0123456789abcdef -->"
	oldMarker     = "<!-- pointsman:v1 ticket=fedcba9876543210 -->"
	repoName      = "ferry/helpdesk"
)

// bench is a client with the GitHub it speaks to.
type bench struct {
	*githubtest.Server
	client *github.Client
	number int
}

type how struct {
	app     bool
	timeout time.Duration
	rt      http.RoundTripper
	prefix  string           // behind the server's address
	now     func() time.Time // of the server; nil = the real time
}

func setup(t *testing.T, h how) *bench {
	t.Helper()
	o := githubtest.Options{WebhookSecret: webhookSecret, Token: "ghp_atokenthatnobodymaysee", Now: h.now}
	if h.app {
		o.AppID = 77
	}
	s, err := githubtest.New(o)
	if err != nil {
		t.Fatal(err)
	}
	url, err := s.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.AddRepo(githubtest.Repo{FullName: repoName})
	n, err := s.OpenIssue(repoName, githubtest.Issue{Title: "Child fare is wrong", Body: "It charges adults twice."})
	if err != nil {
		t.Fatal(err)
	}
	co := github.Options{
		WebhookSecret: webhookSecret, APIURL: url + h.prefix, Timeout: h.timeout, Transport: h.rt,
		AppID: o.AppID, PrivateKey: s.PrivateKey(),
	}
	if !h.app {
		co.Token = o.Token
	}
	c, err := github.New(co)
	if err != nil {
		t.Fatal(err)
	}
	return &bench{Server: s, client: c, number: n}
}

func (b *bench) target() bot.Target {
	return bot.Target{System: "github", Repo: repoName, Number: b.number}
}

func (b *bench) reply(text string) bot.Reply {
	return bot.Reply{Target: b.target(), Marker: marker, Body: text + "\n\n" + marker}
}

func (b *bench) bodies() []string {
	var out []string
	for _, c := range b.Comments(repoName, b.number) {
		out = append(out, c.Body)
	}
	return out
}

func stage(t *testing.T, app bool, timeout time.Duration) *adaptertest.Stage {
	t.Helper()
	now := time.Now().Truncate(time.Second)
	b := setup(t, how{app: app, timeout: timeout})
	b.client = at(t, b, app, timeout, now)
	secrets := []string{webhookSecret, "ghp_atokenthatnobodymaysee", "ghs_"}
	if key := b.PrivateKey().Reveal(); key != "" {
		secrets = append(secrets, strings.Split(key, "\n")[1], "eyJ") // every JWT begins so
	}
	return &adaptertest.Stage{
		Speaker:   b.client,
		Now:       func() time.Time { return now },
		Secrets:   secrets,
		Reply:     bot.Reply{Target: b.target(), Marker: marker},
		OldMarker: oldMarker,
		Limit:     65_536,
		Bodies:    b.bodies,
		Say: func(author, body string) string {
			if author == "" {
				author = b.BotLogin()
			}
			id, err := b.AddComment(repoName, b.number, author, body)
			if err != nil {
				t.Error(err)
			}
			return strconv.FormatInt(id, 10)
		},
		Delete: func(id string) {
			n, _ := strconv.ParseInt(id, 10, 64)
			b.DeleteComment(n)
		},
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
}

// at makes the client again, with a clock that stands still.
func at(t *testing.T, b *bench, app bool, timeout time.Duration, now time.Time) *github.Client {
	t.Helper()
	o := github.Options{WebhookSecret: webhookSecret, APIURL: b.URL(), Timeout: timeout, Now: func() time.Time { return now }}
	if app {
		o.AppID, o.PrivateKey = 77, b.PrivateKey()
	} else {
		o.Token = "ghp_atokenthatnobodymaysee"
	}
	c, err := github.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func said(status int) string {
	b, _ := json.Marshal(map[string]string{"message": "the host says " + http.StatusText(status)})
	return string(b)
}

func TestSpeakerWithToken(t *testing.T) {
	t.Parallel()
	adaptertest.Speakers(t, func(t *testing.T, timeout time.Duration) *adaptertest.Stage {
		t.Helper()
		return stage(t, false, timeout)
	})
}

func TestSpeakerWithApp(t *testing.T) {
	t.Parallel()
	adaptertest.Speakers(t, func(t *testing.T, timeout time.Duration) *adaptertest.Stage {
		t.Helper()
		return stage(t, true, timeout)
	})
}

func TestVerifier(t *testing.T) {
	t.Parallel()
	b := setup(t, how{})
	adaptertest.Verifiers(t, adaptertest.Signing{
		Verifier: b.client,
		Sign: func(body []byte) http.Header {
			return githubtest.SignWith(webhookSecret, "issues", "id-1", body).Header
		},
		Forge:     func(body []byte) http.Header { return githubtest.SignWith("another", "issues", "id-1", body).Header },
		Signature: "X-Hub-Signature-256",
		Required:  []string{"X-GitHub-Delivery", "X-GitHub-Event"},
	})
}

// GitHub documents this pair of secret and signature.
func TestVerifierKnowsTheDocumentedExample(t *testing.T) {
	t.Parallel()
	c, err := github.New(github.Options{WebhookSecret: "It's a Secret to Everybody"})
	if err != nil {
		t.Fatal(err)
	}
	h := http.Header{}
	h.Set("X-GitHub-Delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958")
	h.Set("X-GitHub-Event", "issues")
	h.Set("X-Hub-Signature-256", "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17")
	id, kind, err := c.Verify(h, []byte("Hello, World!"))
	if err != nil || id != "72d3162e-cc78-11e3-81ab-4c9367dc0958" || kind != "issues" {
		t.Errorf("id %q, kind %q, error %v", id, kind, err)
	}
}

func TestParserOnJunk(t *testing.T) {
	t.Parallel()
	adaptertest.Parsers(t, setup(t, how{}).client, "issues", "issue_comment", "ping", "push")
}
