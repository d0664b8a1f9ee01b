package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/console"
	"github.com/pointsman/pointsman/bot/mirror"
	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/index"
)

// slowKeeper is a keeper that waits for a sign and fails when it is told to.
type slowKeeper struct {
	mu      sync.Mutex
	fail    error
	release chan struct{} // closed: refreshes may end
}

func (k *slowKeeper) Refresh(ctx context.Context, repos []routing.Repo, progress func(mirror.Progress)) (*index.Set, []routing.Missing, error) {
	if progress != nil {
		progress(mirror.Progress{Done: 1, Total: len(repos)})
	}
	select {
	case <-k.release:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return index.NewSet(nil), nil, k.fail
}

func (k *slowKeeper) set(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.fail = err
}

func TestDeliveriesWaitForTheFirstIndex(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a, err := New(w.cfg, Options{})
	if err != nil {
		t.Fatal(err)
	}
	slow := &slowKeeper{release: make(chan struct{})}
	a.router.keeper = slow
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	n := w.opened(t, a, "No berth at the quay", "for our ferry")
	junk := w.github.Sign("issues", []byte(`{`))
	w.deliver(t, a, junk)
	s, err := store.OpenReadOnly(t.Context(), w.cfg.DataDir)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the junk to be known as junk", func() bool {
		failed, err := s.Deliveries(t.Context(), store.StatusFailed, 1)
		return err == nil && len(failed) == 1
	})
	until(t, "the index to begin", func() bool { return strings.Contains(a.Ready().Error(), "1 of 2 repositories") })
	if status, body := get(t, "http://"+a.Addr()+"/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "1 of 2 repositories") {
		t.Errorf("before the index readyz answers %d %s", status, body)
	}
	if _, err := a.router.Route(t.Context(), routing.Ticket{Title: "x"}); bot.CodeOf(err) != bot.CodeUnavailable {
		t.Errorf("before the index routing gives %v", err)
	}
	if open, err := s.Deliveries(t.Context(), store.StatusReceived, 10); err != nil || len(open) != 1 {
		t.Errorf("%d deliveries wait, %v; want 1", len(open), err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	close(slow.release)
	w.untilDone(t)
	if comments := w.github.Comments("acme/helpdesk", n); len(comments) != 1 {
		t.Errorf("comments are %+v", comments)
	}
}

func TestRouterKeepsTheLastGoodState(t *testing.T) {
	t.Parallel()
	w := setup(t)
	k := &slowKeeper{release: make(chan struct{})}
	close(k.release)
	r, err := newRouter(w.cfg, k, nil, console.NewMetrics(), slog.New(slog.DiscardHandler), "test")
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	k.set(full)
	ended, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := r.build(ended); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("building with a full disk ends with %v", err)
	}
	if err := r.readyErr(); !errors.Is(err, full) {
		t.Errorf("the reason is %v", err)
	}
	k.set(nil)
	if err := r.build(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.set(full)
	ticket := routing.Ticket{Title: "Refund of a passenger's fare", Body: "the payment is never returned"}
	d, err := r.Route(t.Context(), ticket)
	if err != nil || len(d.Candidates) == 0 || d.Candidates[0].Repo != "tickets" {
		t.Errorf("with a full disk the decision is %+v, %v", d, err)
	}
	cancel()
	if _, err := r.Route(ended, ticket); bot.CodeOf(err) != bot.CodeUnavailable {
		t.Errorf("with an ended context routing gives %v", err)
	}
}
