package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/adapters/jira/jiratest"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing"
)

func TestGitHubIssueToComment(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.start(t)
	n := w.opened(t, a, "No berth at the quay", "Allocation of a berth for our longest ferry fails.")
	w.untilDone(t)
	comments := w.github.Comments("acme/helpdesk", n)
	if len(comments) != 1 || !strings.Contains(comments[0].Body, "Likely repositories") || !strings.Contains(comments[0].Body, "berths") {
		t.Fatalf("comments are %+v", comments)
	}
	status, body := get(t, "http://"+a.AdminAddr()+"/api/v1/decisions?ticket=acme%2Fhelpdesk%23"+fmt.Sprint(n))
	var d routing.Decision
	if err := json.Unmarshal([]byte(body), &d); err != nil || status != http.StatusOK {
		t.Fatalf("decision: %d %s, %v", status, body, err)
	}
	if d.Candidates[0].Repo != "berths" || d.AsOf.Program != "test" || d.AsOf.Config == "" {
		t.Errorf("decision is %+v", d)
	}

	was, err := w.github.EditIssue("acme/helpdesk", n, "Refund of a fare", "The payment of a passenger is never returned; refund fails.")
	if err != nil {
		t.Fatal(err)
	}
	edited, err := w.github.Edited("acme/helpdesk", n, was)
	if err != nil {
		t.Fatal(err)
	}
	w.deliver(t, a, edited)
	w.untilDone(t)
	comments = w.github.Comments("acme/helpdesk", n)
	if len(comments) != 1 || len(comments[0].History) != 1 || !strings.Contains(comments[0].Body, "tickets") {
		t.Errorf("after the edit comments are %+v", comments)
	}
}

func TestJiraIssueToComment(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.start(t)
	key := w.jira.CreateIssue("OPS", jiratest.Issue{Summary: "No berth at the quay", Description: "Allocation of a berth fails."})
	d, err := w.jira.Created(key)
	if err != nil {
		t.Fatal(err)
	}
	req, err := d.Request(t.Context(), "http://"+a.Addr()+"/webhooks/jira/acme")
	if err != nil {
		t.Fatal(err)
	}
	if status, body := call(t, req); status != http.StatusAccepted {
		t.Fatalf("the delivery was answered with %d %s", status, body)
	}
	w.untilDone(t)
	comments := w.jira.Comments(key)
	if len(comments) != 1 || !strings.Contains(comments[0].Body, "Likely repositories") {
		t.Errorf("comments are %+v", comments)
	}
}

func TestSameDeliveryFiveTimes(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.start(t)
	n, err := w.github.OpenIssue("acme/helpdesk", githubtest.Issue{Title: "No berth at the quay", Body: "for our ferry"})
	if err != nil {
		t.Fatal(err)
	}
	d, err := w.github.Issue("opened", "acme/helpdesk", n)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			if status := w.deliver(t, a, d); status != http.StatusAccepted {
				t.Errorf("answered with %d", status)
			}
		})
	}
	wg.Wait()
	if list := w.untilDone(t); len(list) != 1 {
		t.Errorf("%d deliveries were kept", len(list))
	}
	if comments := w.github.Comments("acme/helpdesk", n); len(comments) != 1 {
		t.Errorf("comments are %+v", comments)
	}
}

func TestWhatIsRefusedAndKept(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.start(t)
	junk := w.github.Sign("issues", []byte(`{"action":`))
	forged := githubtest.SignWith("wrong", "issues", "forged", []byte(`{}`))
	large := w.github.Sign("issues", make([]byte, 100_001))
	for _, c := range []struct {
		name   string
		d      githubtest.Delivery
		status int
	}{{"junk", junk, 202}, {"forged", forged, 401}, {"too large", large, 413}} {
		if got := w.deliver(t, a, c.d); got != c.status {
			t.Errorf("%s was answered with %d, want %d", c.name, got, c.status)
		}
	}
	list := w.untilDone(t)
	if len(list) != 1 || list[0].Status != store.StatusFailed || !strings.Contains(list[0].Reason, "JSON") {
		t.Errorf("deliveries are %+v", list)
	}
	for path, want := range map[string]int{
		"/": 200, "/metrics": 200, "/healthz": 200, "/readyz": 200, "/nothing": 404, "/webhooks/github": 405,
		"/api/v1/decisions?ticket=x": 404,
	} {
		if status, body := get(t, "http://"+a.Addr()+path); status != want {
			t.Errorf("GET %s answers %d %s, want %d", path, status, body, want)
		}
	}
}

func TestShadow(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.cfg.Mode = config.ModeShadow
	a := w.start(t)
	n := w.opened(t, a, "No berth at the quay", "for our ferry")
	w.untilDone(t)
	if comments := w.github.Comments("acme/helpdesk", n); len(comments) != 0 {
		t.Errorf("comments are %+v", comments)
	}
	if calls := w.github.Requests(); len(calls) != 0 {
		t.Errorf("GitHub was called: %+v", calls)
	}
}

func TestAdminApart(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.cfg.AdminListen, w.cfg.AdminToken = "127.0.0.1:0", "open sesame"
	a := w.start(t)
	if a.Addr() == a.AdminAddr() {
		t.Fatalf("both are at %s", a.Addr())
	}
	for _, path := range []string{"/", "/metrics", "/api/v1/decisions?ticket=x"} {
		if status, _ := get(t, "http://"+a.Addr()+path); status != http.StatusNotFound {
			t.Errorf("%s is served with the webhooks: %d", path, status)
		}
		if status, _ := get(t, "http://"+a.AdminAddr()+path); status != http.StatusUnauthorized {
			t.Errorf("%s is served without the token: %d", path, status)
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+a.AdminAddr()+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer open sesame")
	until(t, "the index", func() bool { return a.Ready() == nil })
	if status, body := call(t, req); status != http.StatusOK || !strings.Contains(body, "pointsman_repositories") {
		t.Errorf("metrics answer %d %s", status, body)
	}
}

// TestAdminApartWithoutToken: it is for this machine, as on the one address.
func TestAdminApartWithoutToken(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.cfg.AdminListen = "127.0.0.1:0"
	a := w.start(t)
	for _, c := range []struct {
		host, header string
		want         int
	}{
		{"", "", http.StatusOK},
		{"evil.example.com", "", http.StatusForbidden}, // its name points here by now
		{"", "X-Forwarded-For", http.StatusForbidden},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+a.AdminAddr()+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = c.host
		if c.header != "" {
			req.Header.Set(c.header, "10.0.0.1")
		}
		if status, body := call(t, req); status != c.want {
			t.Errorf("host %q, header %q: %d %s; want %d", c.host, c.header, status, body, c.want)
		}
	}
}

func TestRegistryIsReadAgain(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.start(t)
	until(t, "the index", func() bool { return a.Ready() == nil })
	ask := func() (names []string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+a.Addr()+"/api/v1/route",
			strings.NewReader(`{"title":"Refund of a passenger's fare fails","body":"the payment is never returned","key":"K-1"}`))
		if err != nil {
			t.Fatal(err)
		}
		status, body := call(t, req)
		var d routing.Decision
		if err := json.Unmarshal([]byte(body), &d); err != nil || status != http.StatusOK || d.Ticket.Key != "K-1" {
			t.Fatalf("route: %d %s, %v", status, body, err)
		}
		for _, c := range d.Candidates {
			names = append(names, c.Repo)
		}
		return names
	}
	if got := ask(); got[0] != "tickets" {
		t.Errorf("at first candidates are %v", got)
	}
	w.write(t, "registry.json", strings.ReplaceAll(organisation, `"name": "tickets"`, `"name": "sales"`))
	if got := ask(); got[0] != "sales" {
		t.Errorf("after the change candidates are %v", got)
	}
	w.write(t, "registry.json", `{"version": 1, "repos": [`)
	if got := ask(); got[0] != "sales" {
		t.Errorf("with a broken registry candidates are %v", got)
	}
	if a.Ready() != nil {
		t.Errorf("with a broken registry it is not ready: %v", a.Ready())
	}
}

func TestStartRefuses(t *testing.T) {
	t.Parallel()
	occupied, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := occupied.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, c := range []struct {
		name  string
		spoil func(*testing.T, *world)
		want  string
	}{
		{"occupied port", func(_ *testing.T, w *world) { w.cfg.Listen = occupied.Addr().String() }, "listen: "},
		{"occupied admin port", func(_ *testing.T, w *world) { w.cfg.AdminListen = occupied.Addr().String() }, "adminListen: "},
		{"open admin", func(_ *testing.T, w *world) { w.cfg.AdminListen = "0.0.0.0:0" }, "set adminToken too"},
		{"broken registry", func(t *testing.T, w *world) { t.Helper(); w.write(t, "registry.json", "{") }, "registry.json:1"},
		{"data folder is a file", func(_ *testing.T, w *world) { w.cfg.DataDir = filepath.Join(w.dir, "registry.json") }, "dataDir: "},
		{"key that is none", func(_ *testing.T, w *world) {
			w.cfg.GitHub.Token, w.cfg.GitHub.AppID = "", 1
			w.cfg.GitHub.PrivateKey = "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n"
		}, "rivate"},
		{"no weights", func(_ *testing.T, w *world) { w.cfg.Routing.WeightsFile = filepath.Join(w.dir, "none.json") }, "routing.weightsFile: "},
		{"broken weights", func(_ *testing.T, w *world) { w.cfg.Routing.WeightsFile = w.cfg.Registry.File }, "routing.weightsFile: "},
		{"damaged database", func(t *testing.T, w *world) {
			t.Helper()
			if err := os.MkdirAll(w.cfg.DataDir, 0o700); err != nil {
				t.Fatal(err)
			}
			w.write(t, "data/"+store.FileName, strings.Repeat("damaged ", 1000))
		}, "restore it from a backup"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			c.spoil(t, w)
			a, err := New(w.cfg, Options{})
			if err == nil {
				err = a.Start(t.Context())
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error is %v, want one line with %q", err, c.want)
			}
		})
	}
}

func TestOneProcessPerDataFolder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	first := w.start(t)
	second, err := New(w.cfg, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "in use by another pointsman") {
		t.Errorf("the second start gives %v", err)
	}
	address := filepath.Join(w.cfg.DataDir, "address")
	got, err := os.ReadFile(address)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(first.Addr()+"\n", string(got)); d != "" {
		t.Errorf("address (-want +got):\n%s", d)
	}
	if err := first.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := first.Stop(t.Context()); err != nil {
		t.Errorf("stopping twice: %v", err)
	}
	if _, err := os.Stat(address); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the address is still there: %v", err)
	}
	w.start(t)
}

func TestStopHandsBackAndStartFinishes(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.cfg.ShutdownTimeout = 50 * time.Millisecond
	hold := make(chan struct{})
	w.github.Hold(hold)
	defer close(hold)
	first := w.start(t)
	n := w.opened(t, first, "No berth at the quay", "for our ferry")
	s, err := store.OpenReadOnly(t.Context(), w.cfg.DataDir)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the intent to speak", func() bool {
		_, found, err := s.Reply(t.Context(), 1, store.ChannelComment)
		return found && err == nil
	})
	if err := errors.Join(s.Close(), first.Stop(t.Context())); err != nil {
		t.Fatal(err)
	}
	if comments := w.github.Comments("acme/helpdesk", n); len(comments) != 0 {
		t.Errorf("comments are %+v", comments)
	}
	w.github.Hold(nil)
	w.start(t)
	w.untilDone(t)
	if comments := w.github.Comments("acme/helpdesk", n); len(comments) != 1 {
		t.Errorf("comments are %+v", comments)
	}
}

func TestTransferredIssueKeepsItsOneComment(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.github.AddRepo(githubtest.Repo{FullName: "acme/harbour"})
	a := w.start(t)
	n := w.opened(t, a, "No berth at the quay", "Allocation of a berth for our longest ferry fails.")
	w.untilDone(t)
	moved, err := w.github.TransferIssue("acme/helpdesk", n, "acme/harbour")
	if err != nil {
		t.Fatal(err)
	}
	left, arrived, err := w.github.Transferred("acme/helpdesk", n, "acme/harbour", moved)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, d := range []githubtest.Delivery{left, arrived} {
		wg.Go(func() {
			if status := w.deliver(t, a, d); status != http.StatusAccepted {
				t.Errorf("answered with %d", status)
			}
		})
	}
	wg.Wait()
	for _, d := range w.untilDone(t) {
		if d.Status != store.StatusDone {
			t.Errorf("delivery %s became %s: %s", d.ID, d.Status, d.Reason)
		}
	}
	if comments := w.github.Comments("acme/harbour", moved); len(comments) != 1 {
		t.Errorf("%d comments: %+v", len(comments), comments)
	}
}
