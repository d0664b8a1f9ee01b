package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/adapters/jira/jiratest"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/store"
)

const organisation = `{"version": 1, "repos": [
	{"name": "berths", "path": "berths", "description": "Allocates quay berths to ferries by length and tide."},
	{"name": "tickets", "path": "tickets", "description": "Sells passenger tickets and refunds payments."}
]}`

// world is an organisation, its two hosts, and the configuration of a bot for them.
type world struct {
	dir    string
	github *githubtest.Server
	jira   *jiratest.Server
	cfg    config.Config
	grace  time.Duration
	reread time.Duration
}

func setup(t *testing.T) *world {
	t.Helper()
	w := &world{dir: t.TempDir(), grace: time.Second}
	for name, text := range map[string]string{
		"berths":  "package berths\n\n// AllocateBerth finds a free quay berth for a ferry.\nfunc AllocateBerth(length int) error { return nil }\n",
		"tickets": "package tickets\n\n// RefundPayment returns the fare of a passenger.\nfunc RefundPayment(fare int) error { return nil }\n",
	} {
		if _, err := gittest.Write(filepath.Join(w.dir, name), false, map[string]string{name + ".go": text}, "start"); err != nil {
			t.Fatal(err)
		}
	}
	w.write(t, "registry.json", organisation)
	var err error
	if w.github, err = githubtest.New(githubtest.Options{WebhookSecret: "gs"}); err != nil {
		t.Fatal(err)
	}
	w.jira = jiratest.New(jiratest.Options{WebhookSecret: "js"})
	for _, s := range []interface {
		Start(context.Context) (string, error)
		Close() error
	}{w.github, w.jira} {
		if _, err := s.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	w.github.AddRepo(githubtest.Repo{FullName: "acme/helpdesk"})
	w.write(t, "pointsman.yml", fmt.Sprintf(`
listen: 127.0.0.1:0
mode: live
maxBodyBytes: 100000
registry: {file: registry.json}
github: {token: githubtest-token, webhookSecret: gs, apiURL: %q}
jira: [{tenant: acme, url: %q, user: bot@example.org, token: jiratest-token, webhookSecret: js}]
`, w.github.URL()+"/", w.jira.URL()))
	if w.cfg, err = config.Load(filepath.Join(w.dir, "pointsman.yml"), nil); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (w *world) start(t *testing.T) *App {
	t.Helper()
	a, err := New(w.cfg, Options{Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Program: "test", Grace: w.grace, Reread: w.reread})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return a
}

// call makes a request and returns status and body.
func call(t *testing.T, req *http.Request) (int, string) {
	t.Helper()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	body, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		t.Error(err)
	}
	return resp.StatusCode, string(body)
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return call(t, req)
}

func (w *world) deliver(t *testing.T, a *App, d githubtest.Delivery) int {
	t.Helper()
	req, err := d.Request(t.Context(), "http://"+a.Addr()+"/webhooks/github")
	if err != nil {
		t.Fatal(err)
	}
	status, _ := call(t, req)
	return status
}

// opened opens an issue and tells the bot of it.
func (w *world) opened(t *testing.T, a *App, title, body string) (number int) {
	t.Helper()
	n, err := w.github.OpenIssue("acme/helpdesk", githubtest.Issue{Title: title, Body: body})
	if err != nil {
		t.Fatal(err)
	}
	d, err := w.github.Issue("opened", "acme/helpdesk", n)
	if err != nil {
		t.Fatal(err)
	}
	if status := w.deliver(t, a, d); status != http.StatusAccepted {
		t.Fatalf("the delivery was answered with %d", status)
	}
	return n
}

// until waits for ok, which is asked again and again.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	late := time.After(30 * time.Second)
	for !ok() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func (w *world) untilDone(t *testing.T) []store.Delivery {
	t.Helper()
	return w.untilAll(t, "all deliveries to be finished", func(list []store.Delivery) bool {
		return !slices.ContainsFunc(list, func(d store.Delivery) bool { return d.Status == store.StatusReceived })
	})
}

// untilAll waits until ok likes the deliveries, and returns them, newest first.
func (w *world) untilAll(t *testing.T, what string, ok func([]store.Delivery) bool) (list []store.Delivery) {
	t.Helper()
	s, err := store.OpenReadOnly(t.Context(), w.cfg.DataDir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	until(t, what, func() bool {
		list, err = s.Deliveries(t.Context(), "", 100)
		return err == nil && ok(list)
	})
	return list
}
