package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/bot/app"
	"github.com/pointsman/pointsman/bot/config"
)

// processEnv makes the test binary behave as pointsman serve: see TestServeProcess.
const processEnv = "TEST_POINTSMAN_SERVE_CONFIG"

// TestServeProcess is no test: started with processEnv it is the real program.
func TestServeProcess(t *testing.T) { //nolint:paralleltest // it is a process of its own
	file := os.Getenv(processEnv)
	if file == "" {
		t.Skip("only for the tests that start a server of their own")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cfg, err := config.Load(file, nil)
	if err == nil {
		// The host of these tests is done with a call as soon as it is let go on.
		err = serve(ctx, cfg, app.Options{Log: slog.New(slog.NewTextHandler(os.Stderr, nil)), Grace: 3 * time.Second})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// site is a configured bot that is run as a process, and a GitHub that can be
// told to hold its answers.
type site struct {
	github *githubtest.Server
	config string
	data   string
	at     watch
}

// watch is asked about every call of the bot, before and after its effect; when it
// returns a channel the answer is held until that is closed.
type watch func(r *http.Request, done bool) <-chan struct{}

const helpdesk = "acme/helpdesk"

// newSite makes a site; at may be nil.
func newSite(t *testing.T, at watch) *site {
	t.Helper()
	dir := t.TempDir()
	s := &site{at: at, config: filepath.Join(dir, "pointsman.yml"), data: filepath.Join(dir, "data")}
	var err error
	if s.github, err = githubtest.New(githubtest.Options{WebhookSecret: "gs"}); err != nil {
		t.Fatal(err)
	}
	s.github.AddRepo(githubtest.Repo{FullName: helpdesk})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.wait(r, false)
		rec := httptest.NewRecorder()
		s.github.ServeHTTP(rec, r)
		s.wait(r, true)
		for k, v := range rec.Header() {
			w.Header()[k] = v
		}
		w.WriteHeader(rec.Code)
		_, _ = w.Write(rec.Body.Bytes()) // the bot may be dead by now
	}))
	t.Cleanup(front.Close)
	if _, err := gittest.Write(filepath.Join(dir, "berths"), false, map[string]string{
		"berths.go": "package berths\n\n// AllocateBerth finds a free quay berth for a ferry.\nfunc AllocateBerth() {}\n",
	}, "start"); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"registry.json": `{"version": 1, "repos": [{"name": "berths", "path": "berths", "description": "Allocates quay berths to ferries."}]}`,
		"pointsman.yml": fmt.Sprintf("listen: 127.0.0.1:0\nmode: live\nregistry: {file: registry.json}\n"+
			"github: {token: githubtest-token, webhookSecret: gs, apiURL: %q}\n", front.URL+"/"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *site) wait(r *http.Request, done bool) {
	if s.at == nil {
		return
	}
	if hold := s.at(r, done); hold != nil {
		<-hold
	}
}

// process is a running pointsman serve.
type process struct {
	cmd *exec.Cmd
	url string
	log *bytes.Buffer
}

func (s *site) start(t *testing.T) *process {
	t.Helper()
	p := &process{log: &bytes.Buffer{}}
	p.cmd = exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestServeProcess$")
	p.cmd.Env = append(os.Environ(), processEnv+"="+s.config)
	p.cmd.Stderr = p.log
	address := filepath.Join(s.data, "address")
	if err := os.Remove(address); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("process %d said:\n%s", p.cmd.Process.Pid, p.log)
		}
	})
	eventually(t, "the server's address", func() bool {
		data, err := os.ReadFile(address)
		p.url = "http://" + strings.TrimSpace(string(data))
		return err == nil
	})
	return p
}

func (p *process) kill(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait() // it says that it was killed
}

// terminate stops the process as an operator does, and wants exit code 0.
func (p *process) terminate(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v\n%s", err, p.log)
	}
}

func (p *process) deliver(t *testing.T, d githubtest.Delivery) (status int) {
	t.Helper()
	req, err := d.Request(t.Context(), p.url+"/webhooks/github")
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode
}

func (s *site) open(t *testing.T) (number int, d githubtest.Delivery) {
	t.Helper()
	number, err := s.github.OpenIssue(helpdesk, githubtest.Issue{Title: "No berth at the quay", Body: "Our ferry finds no free berth."})
	if err != nil {
		t.Fatal(err)
	}
	if d, err = s.github.Issue("opened", helpdesk, number); err != nil {
		t.Fatal(err)
	}
	return number, d
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	late := time.After(60 * time.Second)
	for !ok() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// statuses asks the command line for the status of every delivery, newest first.
func (s *site) statuses(t *testing.T) (list []string) {
	t.Helper()
	var out, errOut bytes.Buffer
	if code := run([]string{"deliveries", "list", "--config", s.config, "--json"}, nil, &out, &errOut); code != exitDone {
		t.Fatalf("deliveries list: exit code %d, %s", code, &errOut)
	}
	for dec := json.NewDecoder(&out); dec.More(); {
		var d struct{ Status string }
		if err := dec.Decode(&d); err != nil {
			t.Fatal(err)
		}
		list = append(list, d.Status)
	}
	return list
}

// settled waits until no delivery waits any more.
func (s *site) settled(t *testing.T) {
	t.Helper()
	eventually(t, "all deliveries to be finished", func() bool { return !slices.Contains(s.statuses(t), "received") })
}
