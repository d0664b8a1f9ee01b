package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/mirror"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/index"
)

// TestFolderErrors: a server's operator has a dataDir, and no flag of a command line.
func TestFolderErrors(t *testing.T) {
	t.Parallel()
	full := &os.PathError{Op: "open", Path: "/srv/data/lock", Err: syscall.ENOSPC}
	for _, c := range []struct {
		err   error
		wants []string
	}{
		{folderErr(os.ErrPermission), []string{"dataDir: ", "may write to"}},
		{folderErr(fmt.Errorf("taking it: %w", full)), []string{"dataDir: ", "free some space", "/srv/data/lock"}},
		{indexErr(fmt.Errorf("refreshing: %w", &mirror.CacheError{Dir: "/srv/data/index", Err: syscall.EROFS})), []string{"dataDir: ", "/srv/data/index", "may write to"}},
		{indexErr(&mirror.CacheError{Dir: "/srv/data/index", Err: syscall.ENOSPC}), []string{"dataDir: ", "free some space"}},
		{indexErr(errors.New("something else")), []string{"something else"}},
	} {
		for _, want := range c.wants {
			if !strings.Contains(c.err.Error(), want) {
				t.Errorf("%q does not say %q", c.err, want)
			}
		}
		if strings.Contains(c.err.Error(), "--") {
			t.Errorf("%q advises a flag", c.err)
		}
	}
	if indexErr(nil) != nil {
		t.Error("no error became one")
	}
}

func TestStartWithUnusableIndexFolder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	if err := os.MkdirAll(w.cfg.DataDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.cfg.DataDir, "index"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := New(w.cfg, Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "dataDir: ") || strings.Contains(err.Error(), "--cache") {
		t.Errorf("error is %v", err)
	}
}

func TestProbe(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	dir := filepath.Join(t.TempDir(), "data")
	p := &probe{dir: dir, now: func() time.Time { return now }}
	if err := p.check(); err == nil || !strings.Contains(err.Error(), "dataDir") {
		t.Errorf("without a folder: %v", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := p.check(); err == nil {
		t.Error("the disk is tried at every call")
	}
	now = now.Add(probeEvery)
	if err := p.check(); err != nil {
		t.Errorf("with a folder: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}

// sad is a receiver that fails as long as it is told to.
type sad struct{ err error }

func (s *sad) Receive(context.Context, bot.Delivery) (bool, error) { return s.err == nil, s.err }

func TestWatched(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	inner := &sad{err: errors.New("the disk is full")}
	w := &watched{Receiver: inner, now: func() time.Time { return now }}
	if err := w.check(); err != nil {
		t.Errorf("at first: %v", err)
	}
	if _, err := w.Receive(t.Context(), bot.Delivery{}); !errors.Is(err, inner.err) {
		t.Errorf("the error became %v", err)
	}
	if w.check() == nil {
		t.Error("after a failure it is ready")
	}
	now = now.Add(sore)
	if err := w.check(); err != nil {
		t.Errorf("long after: %v", err)
	}
	_, _ = w.Receive(t.Context(), bot.Delivery{})
	inner.err = nil
	if fresh, err := w.Receive(t.Context(), bot.Delivery{}); !fresh || err != nil || w.check() != nil {
		t.Errorf("after a success: %v, %v, %v", fresh, err, w.check())
	}
}

// TestNotReadyWithoutDisk: what cannot save deliveries must not be sent any.
func TestNotReadyWithoutDisk(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.start(t)
	until(t, "readiness", func() bool { status, _ := get(t, "http://"+a.Addr()+"/readyz"); return status == http.StatusOK })
	away := w.cfg.DataDir + ".away"
	if err := os.Rename(w.cfg.DataDir, away); err != nil {
		t.Fatal(err)
	}
	until(t, "the probe", func() bool {
		status, body := get(t, "http://"+a.Addr()+"/readyz")
		return status == http.StatusServiceUnavailable && strings.Contains(body, "dataDir")
	})
	if err := os.Rename(away, w.cfg.DataDir); err != nil {
		t.Fatal(err)
	}
}

// TestRegistryBecomesAPipe: nobody waits for a writer, the last good one answers.
func TestRegistryBecomesAPipe(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.start(t)
	until(t, "the index", func() bool { return a.Ready() == nil })
	for _, replace := range []func() error{
		func() error { return syscall.Mkfifo(w.cfg.Registry.File, 0o600) },
		func() error { return os.Symlink("/dev/zero", w.cfg.Registry.File) },
		func() error { return os.Mkdir(w.cfg.Registry.File, 0o700) },
	} {
		if err := errors.Join(os.Remove(w.cfg.Registry.File), replace()); err != nil {
			t.Fatal(err)
		}
		d, err := a.router.Route(t.Context(), routing.Ticket{Title: "No berth at the quay", Body: "for our ferry"})
		if err != nil || len(d.Candidates) == 0 {
			t.Errorf("candidates are %v, %v", d.Candidates, err)
		}
	}
	if a.router.sick == "" {
		t.Error("nobody was told of the registry")
	}
}

// missKeeper covers nothing, for reasons that change.
type missKeeper struct{ missing []routing.Missing }

func (k *missKeeper) Refresh(context.Context, []routing.Repo, func(mirror.Progress)) (*index.Set, []routing.Missing, error) {
	return index.NewSet(nil), k.missing, nil
}

// TestNotCoveredIsSaidOnce: each repository with each reason, also when others come
// and go at the same time.
func TestNotCoveredIsSaidOnce(t *testing.T) {
	t.Parallel()
	w := setup(t)
	var log bytes.Buffer
	a, err := New(w.cfg, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	k := &missKeeper{}
	a.router.keeper = k
	for i, c := range []struct {
		missing []routing.Missing
		said    int
	}{
		{[]routing.Missing{{Repo: "berths", Why: "no clone"}}, 1},
		{[]routing.Missing{{Repo: "berths", Why: "no clone"}}, 0},
		{[]routing.Missing{{Repo: "tickets", Why: "no clone"}}, 1},
		{[]routing.Missing{{Repo: "tickets", Why: "no commits"}}, 1},
		{[]routing.Missing{{Repo: "tickets", Why: "no commits"}, {Repo: "berths", Why: "no clone"}}, 1},
		{nil, 0},
	} {
		log.Reset()
		k.missing = c.missing
		if _, err := a.router.refresh(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(log.String(), "is not covered"); got != c.said {
			t.Errorf("step %d: said %d times, want %d:\n%s", i, got, c.said, &log)
		}
	}
}
