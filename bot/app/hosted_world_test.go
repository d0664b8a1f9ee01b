package app

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pointsman/pointsman/adapters/github"
	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/console"
	"github.com/pointsman/pointsman/bot/store"
)

const (
	regRepo = "acme/.github"
	regFile = config.DefaultRegistryPath
)

// hostedWorld is a world whose registry is in a repository, read as an App or with a token.
func hostedWorld(t *testing.T, app bool) *world {
	t.Helper()
	w := setup(t)
	account := "token: githubtest-token"
	if app {
		s, err := githubtest.New(githubtest.Options{WebhookSecret: "gs", AppID: 7})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		w.github = s
		s.AddRepo(githubtest.Repo{FullName: "acme/helpdesk"})
		w.write(t, "key.pem", s.PrivateKey().Reveal())
		account = "appID: 7, privateKeyFile: key.pem"
	}
	w.github.AddRepo(githubtest.Repo{FullName: regRepo})
	w.push(t, "main", map[string]string{regFile: organisation})
	w.write(t, "hosted.yml", fmt.Sprintf(`
listen: 127.0.0.1:0
mode: live
registry: {repo: %s, roots: [.]}
github: {%s, webhookSecret: gs, apiURL: %q}
`, regRepo, account, w.github.URL()+"/"))
	var err error
	if w.cfg, err = config.Load(filepath.Join(w.dir, "hosted.yml"), nil); err != nil {
		t.Fatal(err)
	}
	return w
}

// push changes files of the registry's repository and returns the event.
func (w *world) push(t *testing.T, branch string, files map[string]string) githubtest.Delivery {
	t.Helper()
	p, err := w.github.PushFiles(regRepo, branch, files)
	if err != nil {
		t.Fatal(err)
	}
	d, err := w.github.Pushed(regRepo, p)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// took delivers an event and returns what became of it.
func (w *world) took(t *testing.T, a *App, d githubtest.Delivery) store.Delivery {
	t.Helper()
	if status := w.deliver(t, a, d); status != http.StatusAccepted {
		t.Fatalf("the delivery was answered with %d", status)
	}
	id := d.Header.Get("X-GitHub-Delivery")
	for _, got := range w.untilDone(t) {
		if got.ID == id {
			return got
		}
	}
	t.Fatalf("delivery %s was not kept", id)
	return store.Delivery{}
}

// pull opens a pull request and returns its number, its head and the event.
func (w *world) pull(t *testing.T, fork bool, files map[string]string) (number int, head string, d githubtest.Delivery) {
	t.Helper()
	number, head, err := w.github.OpenPull(regRepo, "main", fork, files)
	if err != nil {
		t.Fatal(err)
	}
	if d, err = w.github.PullEvent("opened", regRepo, number); err != nil {
		t.Fatal(err)
	}
	return number, head, d
}

// broken is a registry with three entries, the second of which has a wrong type in
// its fourth line.
func broken() string {
	return strings.Replace(organisation, `"path": "tickets"`, `"owns": 7`, 1)
}

// doors records which hosts are dialled, and lets nobody through but one.
type doors struct {
	mu    sync.Mutex
	open  string
	tried []string
	sent  []string // hosts that were sent credentials
}

// RoundTrip implements http.RoundTripper.
func (d *doors) RoundTrip(r *http.Request) (*http.Response, error) {
	d.mu.Lock()
	if r.URL.Host != d.open {
		d.tried = append(d.tried, r.URL.Host)
		if r.Header.Get("Authorization") != "" {
			d.sent = append(d.sent, r.URL.Host)
		}
	}
	d.mu.Unlock()
	if r.URL.Host != d.open {
		return nil, fmt.Errorf("dialling %s is not allowed here", r.URL.Host)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// bare is the registry of a world without the service around it, read through doors.
func (w *world) bare(t *testing.T) (*hosted, *doors) {
	t.Helper()
	d := &doors{open: strings.TrimPrefix(w.github.URL(), "http://")}
	g := w.cfg.GitHub
	c, err := github.New(github.Options{
		AppID: g.AppID, PrivateKey: g.PrivateKey, Token: g.Token, WebhookSecret: g.WebhookSecret, APIURL: g.APIURL, Transport: d,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(w.cfg.DataDir, 0o700); err != nil {
		t.Fatal(err)
	}
	h := newHosted(w.cfg, c, console.NewMetrics(), slog.New(slog.NewTextHandler(t.Output(), nil)))
	h.now = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	return h, d
}

// newParser is the adapter of a world, to understand its events.
func newParser(t *testing.T, w *world) bot.Parser {
	t.Helper()
	h, err := newHosts(w.cfg)
	if err != nil {
		t.Fatal(err)
	}
	return h.github
}

func delivery(h http.Header, body []byte) bot.Delivery {
	return bot.Delivery{Source: "github", ID: h.Get("X-GitHub-Delivery"), Kind: h.Get("X-GitHub-Event"), Body: body}
}
