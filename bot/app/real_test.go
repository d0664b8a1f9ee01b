package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/adapters/jira/jiratest"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/store"
)

// samples lists the JSON files below a folder of real data beside the module.
func samples(t *testing.T, folder string) (files []string) {
	t.Helper()
	root := filepath.Join("..", "..", "..", "shared", "real", filepath.FromSlash(folder))
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(path, ".json") {
			files = append(files, path)
		}
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist) && os.Getenv("CI") == "true":
		t.Fatalf("the real data is not there: %v", err)
	case errors.Is(err, fs.ErrNotExist):
		t.Skipf("the real data is not there: %v", err)
	case err != nil:
		t.Fatal(err)
	case len(files) == 0:
		t.Fatalf("%s holds no sample", root)
	}
	return files
}

// TestRealWebhooks sends every official sample to a running bot: each is routed
// or ignored with a reason.
func TestRealWebhooks(t *testing.T) {
	t.Parallel()
	github, jira := samples(t, "github/webhooks"), samples(t, "jira/webhooks")
	w := setup(t)
	w.cfg.Mode = config.ModeShadow
	w.cfg.MaxBodyBytes = config.DefaultMaxBodyBytes
	a := w.start(t)
	names := map[string]string{}
	for i, file := range github {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("github-%d", i)
		names[id] = file
		if status := w.deliver(t, a, githubtest.SignWith("gs", filepath.Base(filepath.Dir(file)), id, body)); status != http.StatusAccepted {
			t.Errorf("%s was answered with %d", file, status)
		}
	}
	for i, file := range jira {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("jira-%d", i)
		names[id] = file
		req, err := jiratest.SignWith("js", id, body).Request(t.Context(), "http://"+a.Addr()+"/webhooks/jira/acme")
		if err != nil {
			t.Fatal(err)
		}
		if status, text := call(t, req); status != http.StatusAccepted {
			t.Errorf("%s was answered with %d %s", file, status, text)
		}
	}
	routed := 0
	for _, d := range w.untilDone(t) {
		switch {
		case d.Status == store.StatusDone:
			routed++
		case d.Status != store.StatusIgnored || d.Reason == "":
			t.Errorf("%s became %s, %q", names[d.ID], d.Status, d.Reason)
		}
	}
	if routed < 5 {
		t.Errorf("only %d of %d samples were routed", routed, len(names))
	}
}

// TestOddTexts: whatever a ticket says, it gets one comment that pings nobody.
func TestOddTexts(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.cfg.MaxBodyBytes = config.DefaultMaxBodyBytes
	a := w.start(t)
	issues := map[string]int{}
	for name, body := range map[string]string{
		"mentions":       "no berth @acme/berths-team @octocat please",
		"html":           `<img src=x onerror=alert(1)> berth <!-- </details>`,
		"closing marker": "berth --> <!-- pointsman:v1 ticket=0000000000000000 -->",
		"very long":      strings.Repeat("no berth at the quay for our ferry ", 200_000/35),
		"one long word":  strings.Repeat("berth", 40_000),
		"NUL":            "no \x00berth\x00 \x01 at the quay",
		"right to left":  "no berth \u202e at the \u2066quay\u2069",
		"Japanese":       "桟橋にバースが割り当てられません。フェリーが入港できない。",
		"empty":          "",
	} {
		issues[name] = w.opened(t, a, "Problem with @acme/all: "+name, body)
	}
	w.untilDone(t)
	for name, n := range issues {
		comments := w.github.Comments("acme/helpdesk", n)
		if len(comments) != 1 {
			t.Errorf("%s: %d comments", name, len(comments))
			continue
		}
		text := comments[0].Body
		first, _, _ := strings.Cut(text, "\n")
		if !strings.Contains(first, "Likely repositories") || utf8.RuneCountInString(text) > 65_536 ||
			strings.Contains(text, "@acme") || strings.Contains(text, "@octocat") || strings.Contains(text, "onerror") ||
			strings.ContainsAny(text, "\x00\u202e") || strings.Count(text, "<!-- pointsman:") != 1 {
			t.Errorf("%s: the comment is %q", name, text)
		}
	}
}

// TestWrongKey: credentials that the host refuses are one clear line in the log,
// and the delivery says so too; once they are mended the ticket gets its comment.
func TestWrongKey(t *testing.T) {
	t.Parallel()
	w := setup(t)
	right := w.cfg.GitHub.Token
	w.cfg.GitHub.Token = "stale"
	a := w.start(t)
	n := w.opened(t, a, "No berth at the quay", "for our ferry")
	list := w.untilAll(t, "the delivery to be put off", func(list []store.Delivery) bool {
		return len(list) == 1 && !list[0].RetryAt.IsZero()
	})
	if list[0].Status != store.StatusReceived || !strings.Contains(list[0].Reason, "github.token") || time.Until(list[0].RetryAt) > time.Minute {
		t.Errorf("deliveries are %+v", list)
	}
	text, err := json.Marshal(list)
	if err != nil || strings.Contains(string(text), "stale") {
		t.Errorf("the delivery shows the token: %s, %v", text, err)
	}
	if err := a.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.cfg.GitHub.Token = right
	w.start(t)
	w.untilDone(t)
	if comments := w.github.Comments("acme/helpdesk", n); len(comments) != 1 {
		t.Errorf("comments are %+v", comments)
	}
}
