package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pointsman/pointsman/adapters/github/githubtest"
)

func isPost(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/comments")
}

// TestKilledBetweenDeliveryAndComment kills the server at every moment that
// matters, starts it again, and wants exactly one comment.
func TestKilledBetweenDeliveryAndComment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		// moment picks the call of the bot at which it is killed; nil = right after 202.
		moment func(r *http.Request, done bool) bool
	}{
		{"after 202", nil},
		{"while it looks for its comment", func(r *http.Request, done bool) bool {
			return r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/comments") && !done
		}},
		{"before the comment is taken", func(r *http.Request, done bool) bool { return isPost(r) && !done }},
		{"after the comment was taken, before it was marked", func(r *http.Request, done bool) bool { return isPost(r) && done }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			reached, release := make(chan struct{}, 100), make(chan struct{})
			killed := make(chan struct{})
			s := newSite(t, func(r *http.Request, done bool) <-chan struct{} {
				select {
				case <-killed:
					return nil // the second process is not held
				default:
				}
				if c.moment == nil || !c.moment(r, done) {
					return nil
				}
				reached <- struct{}{}
				return release
			})
			n, d := s.open(t)
			first := s.start(t)
			if status := first.deliver(t, d); status != http.StatusAccepted {
				t.Fatalf("the delivery was answered with %d", status)
			}
			if c.moment != nil {
				select {
				case <-reached:
				case <-time.After(30 * time.Second):
					t.Fatalf("the moment never came; the server said:\n%s", first.log)
				}
			}
			first.kill(t)
			close(killed)
			second := s.start(t)
			close(release) // the host goes on with what the dead process had asked for
			s.settled(t)
			if got := s.statuses(t); len(got) != 1 || got[0] != "done" {
				t.Errorf("deliveries are %v", got)
			}
			if comments := s.github.Comments(helpdesk, n); len(comments) != 1 {
				t.Errorf("%d comments: %+v", len(comments), comments)
			}
			second.terminate(t)
		})
	}
}

// TestKilledAgainAndAgain sends several issues and kills the server at whatever
// moment it happens to be, several times.
func TestKilledAgainAndAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	var numbers []int
	for range 3 {
		p := s.start(t)
		var fresh []int
		for range 5 {
			n, d := s.open(t)
			fresh = append(fresh, n)
			if status := p.deliver(t, d); status != http.StatusAccepted {
				t.Fatalf("the delivery was answered with %d", status)
			}
		}
		// Some have been answered by now, some are under way.
		eventually(t, "a few comments", func() bool {
			have := 0
			for _, n := range fresh {
				have += len(s.github.Comments(helpdesk, n))
			}
			return have >= 2
		})
		p.kill(t)
		numbers = append(numbers, fresh...)
	}
	last := s.start(t)
	s.settled(t)
	for _, n := range numbers {
		if comments := s.github.Comments(helpdesk, n); len(comments) != 1 {
			t.Errorf("issue %d has %d comments", n, len(comments))
		}
	}
	last.terminate(t)
}

func TestServeBadConfig(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.yml")
	if err := os.WriteFile(bad, []byte("listn: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"serve", "--config", bad}, `bad.yml:1: unknown key "listn"`},
		{[]string{"serve", "--config", filepath.Join(dir, "none.yml")}, "name it with --config"},
		{[]string{"serve", "extra"}, `there is no use for "extra"`},
		{[]string{"serve", "--bogus"}, "unknown flag"},
		{[]string{"deliveries", "list", "--config", bad}, `unknown key "listn"`},
		{[]string{"deliveries", "list", "--status", "odd"}, "want received, done, ignored or failed"},
		{[]string{"deliveries", "show"}, "want one ID"},
		{[]string{"deliveries", "show", "x"}, "is not an ID"},
		{[]string{"deliveries", "bogus"}, `there is no use for "bogus"`},
	} {
		var out, errOut bytes.Buffer
		code := run(c.args, nil, &out, &errOut)
		if code != exitUsage || !strings.Contains(errOut.String(), c.want) || strings.Count(errOut.String(), "\n") != 1 {
			t.Errorf("%v: exit code %d, %q; want %d and one line with %q", c.args, code, &errOut, exitUsage, c.want)
		}
	}
}

func TestDeliveriesCommands(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	p := s.start(t)
	junk := githubtest.SignWith("gs", "issues", "junk-1", []byte("{\x1b[31m\xff"))
	ping := githubtest.SignWith("gs", "ping", "ping-1", []byte(`{"zen":"x"}`))
	for _, d := range []githubtest.Delivery{junk, ping} {
		if status := p.deliver(t, d); status != http.StatusAccepted {
			t.Fatalf("the delivery was answered with %d", status)
		}
	}
	s.settled(t)
	command := func(args ...string) string {
		var out, errOut bytes.Buffer
		if code := run(append(args, "--config", s.config), nil, &out, &errOut); code != exitDone {
			t.Fatalf("%v: exit code %d, %s", args, code, &errOut)
		}
		return out.String()
	}
	list := command("deliveries", "list")
	for _, want := range []string{"ID", "junk-1", "failed", "ping-1", "ignored"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list does not hold %q:\n%s", want, list)
		}
	}
	failed := command("deliveries", "list", "--status", "failed")
	if !strings.Contains(failed, "junk-1") || strings.Contains(failed, "ping-1") {
		t.Errorf("the failed ones are:\n%s", failed)
	}
	show := command("deliveries", "show", "1")
	if !strings.Contains(show, "junk-1") || !strings.Contains(show, "[31m") || strings.Contains(show, "\x1b") {
		t.Errorf("the delivery is shown as %q", show)
	}
	asJSON := command("deliveries", "show", "1", "--json")
	var got struct {
		ID         int64
		Status     string
		BodyBase64 []byte
	}
	if err := json.Unmarshal([]byte(asJSON), &got); err != nil || got.ID != 1 || got.Status != "failed" || !bytes.Equal(got.BodyBase64, junk.Body) {
		t.Errorf("as JSON it is %s, %v", asJSON, err)
	}
	p.terminate(t)
	if _, err := os.Stat(filepath.Join(s.data, "address")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after a clean stop the address is still there: %v", err)
	}
}

func TestServeStopsWithItsContext(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	root := newRootCommand()
	root.SetArgs([]string{"serve", "--config", s.config})
	root.SetErr(io.Discard)
	ended := make(chan error, 1)
	go func() { ended <- root.ExecuteContext(ctx) }()
	eventually(t, "the server's address", func() bool {
		_, err := os.Stat(filepath.Join(s.data, "address"))
		return err == nil
	})
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
}
