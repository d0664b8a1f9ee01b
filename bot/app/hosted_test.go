package app

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing"
)

// ask routes a ticket about refunds and returns the decision.
func ask(t *testing.T, a *App) routing.Decision {
	t.Helper()
	until(t, "the index", func() bool { return a.Ready() == nil })
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+a.AdminAddr()+"/api/v1/route",
		strings.NewReader(`{"title":"Refund of a passenger's fare fails","body":"the payment is never returned","key":"K-1"}`))
	if err != nil {
		t.Fatal(err)
	}
	status, body := call(t, req)
	var d routing.Decision
	if err := json.Unmarshal([]byte(body), &d); err != nil || status != http.StatusOK {
		t.Fatalf("route: %d %s, %v", status, body, err)
	}
	return d
}

// answered checks by which registry, and for which repository, a ticket is answered.
func answered(t *testing.T, a *App, registry, repo string) {
	t.Helper()
	d := ask(t, a)
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(registry))); d.AsOf.Registry != want {
		t.Errorf("answered by registry %s, want %s", d.AsOf.Registry, want)
	}
	if len(d.Candidates) == 0 || d.Candidates[0].Repo != repo {
		t.Errorf("candidates are %+v, want %s first", d.Candidates, repo)
	}
}

func brokenIs(t *testing.T, a *App, value string) {
	t.Helper()
	if _, body := get(t, "http://"+a.AdminAddr()+"/metrics"); !strings.Contains(body, "\npointsman_registry_broken "+value+"\n") {
		t.Errorf("metrics do not say that it is %s", value)
	}
}

func stop(t *testing.T, a *App) {
	t.Helper()
	if err := a.Stop(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
}

func TestHostedRegistryFollowsPushes(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, true)
	a := w.start(t)
	answered(t, a, organisation, "tickets")
	sales := strings.ReplaceAll(organisation, `"name": "tickets"`, `"name": "sales"`)
	w.github.LagHeads(2) // the push is told of before every replica knows
	if d := w.took(t, a, w.push(t, "main", map[string]string{regFile: sales})); d.Status != store.StatusDone || !strings.Contains(d.Reason, "2 repositories") {
		t.Errorf("the push became %s: %s", d.Status, d.Reason)
	}
	answered(t, a, sales, "sales")
	brokenIs(t, a, "0")

	if d := w.took(t, a, w.push(t, "main", map[string]string{"README.md": "x"})); !strings.Contains(d.Reason, "as before") {
		t.Errorf("a push of another file became %s: %s", d.Status, d.Reason)
	}
	if d := w.took(t, a, w.push(t, "dev", map[string]string{regFile: "{"})); d.Status != store.StatusIgnored {
		t.Errorf("a push to another branch became %s: %s", d.Status, d.Reason)
	}
	// The repository is renamed: pushes to it are known by its id.
	if err := w.github.RenameRepo(regRepo, "acme/meta"); err != nil {
		t.Fatal(err)
	}
	p, err := w.github.PushFiles("acme/meta", "main", map[string]string{regFile: organisation})
	if err != nil {
		t.Fatal(err)
	}
	d, err := w.github.Pushed("acme/meta", p)
	if err != nil {
		t.Fatal(err)
	}
	if d := w.took(t, a, d); d.Status != store.StatusDone {
		t.Errorf("a push under the new name became %s: %s", d.Status, d.Reason)
	}
	answered(t, a, organisation, "tickets")
}

// What was good answers while what is newest is broken, also after a restart.
func TestHostedRegistryKeepsTheLastGood(t *testing.T) {
	t.Parallel()
	for _, app := range []bool{false, true} {
		w := hostedWorld(t, app)
		a := w.start(t)
		answered(t, a, organisation, "tickets")
		d := w.took(t, a, w.push(t, "main", map[string]string{regFile: broken()}))
		if d.Status != store.StatusDone || !strings.Contains(d.Reason, "cannot be used; the last good one answers") || !strings.Contains(d.Reason, "registry.json:3:") {
			t.Errorf("the push became %s: %s", d.Status, d.Reason)
		}
		answered(t, a, organisation, "tickets")
		brokenIs(t, a, "1")
		if status, _ := get(t, "http://"+a.Addr()+"/readyz"); status != http.StatusOK {
			t.Errorf("with a broken registry readyz answers %d", status)
		}
		stop(t, a)
		a = w.start(t)
		answered(t, a, organisation, "tickets")
		brokenIs(t, a, "1")
		if d := w.took(t, a, w.push(t, "main", map[string]string{regFile: ""})); !strings.Contains(d.Reason, "cannot be used") {
			t.Errorf("the removal became %s: %s", d.Status, d.Reason)
		}
		answered(t, a, organisation, "tickets")
		w.took(t, a, w.push(t, "main", map[string]string{regFile: organisation + "\n"}))
		answered(t, a, organisation+"\n", "tickets")
		brokenIs(t, a, "0")
		if info, err := os.Stat(savedFile(w.cfg.DataDir)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("what is kept: %v, %v", info, err)
		}
	}
}

// An event may never come.
func TestHostedRegistryIsAskedFor(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, true)
	w.reread = 20 * time.Millisecond
	a := w.start(t)
	answered(t, a, organisation, "tickets")
	sales := strings.ReplaceAll(organisation, `"name": "tickets"`, `"name": "sales"`)
	w.push(t, "main", map[string]string{regFile: sales})
	until(t, "the change to be seen", func() bool { return ask(t, a).Candidates[0].Repo == "sales" })
	n := 0
	for _, r := range w.github.Requests() {
		if strings.HasSuffix(r.Path, "/contents/"+regFile) {
			n++
		}
	}
	if n != 2 {
		t.Errorf("the file was read %d times, want 2", n)
	}
	w.github.Fail(1000, http.StatusServiceUnavailable, nil, "{}")
	until(t, "the outage to show", func() bool {
		_, body := get(t, "http://"+a.AdminAddr()+"/metrics")
		return strings.Contains(body, "\npointsman_registry_broken 1\n")
	})
	answered(t, a, sales, "sales")
}

func TestHostedRegistryWaitsForItsHost(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, true)
	w.github.Fail(3, http.StatusServiceUnavailable, nil, `{"message":"down"}`)
	w.push(t, "main", map[string]string{regFile: "{"})
	a := w.start(t)
	until(t, "the reason to show", func() bool {
		err := a.Ready()
		return err != nil && strings.Contains(err.Error(), "there is no registry yet") && strings.Contains(err.Error(), "registry.json:1")
	})
	if d := w.took(t, a, w.push(t, "main", map[string]string{regFile: organisation})); d.Status != store.StatusDone {
		t.Errorf("the push became %s: %s", d.Status, d.Reason)
	}
	answered(t, a, organisation, "tickets")
}

// What was kept of another place, or can no longer be trusted, is not taken up.
func TestHostedRegistryRestores(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, false)
	h, _ := w.bare(t)
	if err := h.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(h.file)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		spoil func(*hosted)
		text  string
		ok    bool
	}{
		"as it was":      {func(*hosted) {}, string(kept), true},
		"another branch": {func(h *hosted) { h.branch = "dev" }, string(kept), false},
		"another repo":   {func(h *hosted) { h.repo = "acme/other" }, string(kept), false},
		"another path":   {func(h *hosted) { h.path = "r.json" }, string(kept), false},
		"cut short":      {func(*hosted) {}, string(kept[:len(kept)/2]), false},
		"changed":        {func(*hosted) {}, strings.Replace(string(kept), `"hash":"sha256:`, `"hash":"sha256:0`, 1), false},
	} {
		if err := os.WriteFile(h.file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		again, _ := w.bare(t)
		c.spoil(again)
		again.restore()
		if _, ok := again.current(); ok != c.ok {
			t.Errorf("%s: taken up %v, want %v", name, ok, c.ok)
		}
	}
}

// A push that is taken back at once must not be waited for without end.
func TestHostedRegistryTakenBack(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, false)
	h, _ := w.bare(t)
	first, err := w.github.PushFiles(regRepo, "main", map[string]string{"x": "1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.github.ForcePush(regRepo, "main", first.Before); err != nil {
		t.Fatal(err)
	}
	p := bot.Push{Target: bot.Target{Repo: regRepo}, Branch: "main", Before: first.Before, After: first.After}
	if _, err := h.Reread(t.Context(), p, h.now()); bot.CodeOf(err) != bot.CodeLimited {
		t.Errorf("at once: %v", err)
	}
	if outcome, err := h.Reread(t.Context(), p, h.now().Add(-lagging)); err != nil || outcome == "" {
		t.Errorf("later: %q, %v", outcome, err)
	}
	w.github.Fail(1, http.StatusServiceUnavailable, nil, "{}")
	if _, err := h.Reread(t.Context(), p, h.now()); bot.CodeOf(err) != bot.CodeUnavailable {
		t.Errorf("while github is down: %v", err)
	}
}
