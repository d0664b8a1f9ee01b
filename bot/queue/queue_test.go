package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/store"
)

// house is a handler whose answers are scripted, and which tells what happened.
type house struct {
	mu      sync.Mutex
	answer  func(ctx context.Context, kind string, nth int) error
	speak   func(ctx context.Context, job Speak) error // instead of answer, if set
	calls   map[string]int
	given   []string
	delayed []string
	seen    chan string
}

func (h *house) do(ctx context.Context, kind string) error {
	h.mu.Lock()
	h.calls[kind]++
	n := h.calls[kind]
	h.mu.Unlock()
	return h.answer(ctx, kind, n)
}

func (h *house) Open(ctx context.Context, _ Open) error   { return h.do(ctx, KindOpen) }
func (h *house) Route(ctx context.Context, _ Route) error { return h.do(ctx, KindRoute) }

func (h *house) Reread(ctx context.Context, _ Reread) error { return h.do(ctx, KindReread) }
func (h *house) Review(ctx context.Context, _ Review) error { return h.do(ctx, KindReview) }

func (h *house) Speak(ctx context.Context, job Speak) error {
	if h.speak != nil {
		return h.speak(ctx, job)
	}
	return h.do(ctx, KindSpeak)
}

func (h *house) Failed(_ context.Context, delivery int64, cause error, again time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if again.IsZero() {
		h.given = append(h.given, fmt.Sprintf("%d: %v", delivery, cause))
		return nil
	}
	h.delayed = append(h.delayed, fmt.Sprintf("%d: %v; again in %s", delivery, cause, time.Until(again).Round(500*time.Millisecond)))
	return nil
}

type bench struct {
	store  *store.Store
	house  *house
	queue  *Queue
	insert *Inserter
}

// setup makes a store, a house that answers with answer, and a queue that is not
// started yet.
func setup(t *testing.T, answer func(ctx context.Context, kind string, nth int) error) *bench {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := Migrate(t.Context(), s.Writer()); err != nil {
		t.Fatal(err)
	}
	insert, err := NewInserter()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{store: s, insert: insert, house: &house{answer: answer, calls: map[string]int{}, seen: make(chan string, 100)}}
	b.fresh(t)
	return b
}

// fresh makes another queue on the same store, as a restart does.
func (b *bench) fresh(t *testing.T, hosts ...string) {
	t.Helper()
	q, err := New(b.store.Writer(), b.house, Options{
		Workers: 2, Hosts: hosts, StopTimeout: 50 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
		Observe: func(kind, result, code string) { b.house.seen <- kind + " " + result + " " + code },
	})
	if err != nil {
		t.Fatal(err)
	}
	b.queue = q
}

func (b *bench) start(t *testing.T, hosts ...string) {
	t.Helper()
	if len(hosts) > 0 {
		b.fresh(t, hosts...)
	}
	if err := b.queue.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	q := b.queue
	t.Cleanup(func() {
		if err := q.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

func (b *bench) add(t *testing.T, jobs ...Job) {
	t.Helper()
	err := b.store.Do(t.Context(), func(tx *store.Tx) error {
		for _, j := range jobs {
			if err := b.insert.Insert(t.Context(), tx.SQL(), j); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// await collects n observations, sorted.
func (b *bench) await(t *testing.T, n int) []string {
	t.Helper()
	var got []string
	for range n {
		select {
		case s := <-b.house.seen:
			got = append(got, s)
		case <-time.After(20 * time.Second):
			t.Fatalf("only saw %v", got)
		}
	}
	slices.Sort(got)
	return got
}

// states lists the jobs in the database.
func (b *bench) states(t *testing.T) []string {
	t.Helper()
	rows, err := b.store.Writer().QueryContext(t.Context(), `SELECT kind || ' ' || state || ' ' || attempt FROM river_job ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Error(err)
		}
	}()
	var list []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

func TestRouteWaitsForStartRouting(t *testing.T) {
	t.Parallel()
	b := setup(t, func(context.Context, string, int) error { return nil })
	b.add(t, Route{Delivery: 1}, Open{Delivery: 2}, Speak{Delivery: 3})
	b.start(t)
	if d := cmp.Diff([]string{"open done ok", "speak done ok"}, b.await(t, 2)); d != "" {
		t.Errorf("before routing (-want +got):\n%s", d)
	}
	if err := b.queue.StartRouting(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"route done ok"}, b.await(t, 1)); d != "" {
		t.Errorf("after (-want +got):\n%s", d)
	}
}

func TestErrorsDecide(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ context.Context, kind string, nth int) error {
		switch {
		case kind == KindOpen && nth == 1:
			return &bot.Error{Code: bot.CodeLimited, Message: "wait a second", Until: time.Now().Add(time.Second)}
		case kind == KindRoute && nth == 1:
			return bot.Errorf(bot.CodeUnavailable, "gone for a moment")
		case kind == KindSpeak:
			return bot.Errorf(bot.CodeForbidden, "the repository is archived")
		}
		return nil
	})
	b.add(t, Open{Delivery: 1}, Route{Delivery: 2}, Speak{Delivery: 3})
	b.start(t)
	if err := b.queue.StartRouting(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"open done ok", "open snooze limited", "route done ok", "route retry unavailable", "speak cancel forbidden",
	}
	if d := cmp.Diff(want, b.await(t, 5)); d != "" {
		t.Errorf("what happened (-want +got):\n%s", d)
	}
	if err := b.queue.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	// A snooze is not a failed attempt, a retry is.
	if d := cmp.Diff([]string{"open completed 1", "route completed 2", "speak cancelled 1"}, b.states(t)); d != "" {
		t.Errorf("jobs (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"3: the repository is archived"}, b.house.given); d != "" {
		t.Errorf("given up (-want +got):\n%s", d)
	}
	slices.Sort(b.house.delayed)
	delayed := []string{"1: wait a second; again in 1s", "2: gone for a moment; again in 1s"}
	if d := cmp.Diff(delayed, b.house.delayed); d != "" {
		t.Errorf("to be tried again (-want +got):\n%s", d)
	}
}

func TestPanicIsAnError(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ context.Context, _ string, nth int) error {
		if nth == 1 {
			_ = strings.Repeat("x", -nth)
		}
		return nil
	})
	b.add(t, Open{Delivery: 1})
	b.start(t)
	if d := cmp.Diff([]string{"open done ok", "open retry internal"}, b.await(t, 2)); d != "" {
		t.Errorf("what happened (-want +got):\n%s", d)
	}
}

func TestStopHandsBack(t *testing.T) {
	t.Parallel()
	running := make(chan struct{}, 10)
	b := setup(t, func(ctx context.Context, _ string, nth int) error {
		if nth > 2 {
			return nil
		}
		running <- struct{}{}
		<-ctx.Done()
		return bot.Errorf(bot.CodeUnavailable, "told to stop") // a cause that does not name the context
	})
	b.add(t, Open{Delivery: 1}, Open{Delivery: 2}, Open{Delivery: 3})
	b.start(t)
	<-running
	<-running
	if err := b.queue.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"open handed_back unavailable", "open handed_back unavailable"}, b.await(t, 2)); d != "" {
		t.Errorf("at the stop (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"open available 0", "open available 0", "open available 0"}, b.states(t)); d != "" {
		t.Errorf("jobs after the stop (-want +got):\n%s", d)
	}
	b.fresh(t)
	b.start(t)
	if d := cmp.Diff([]string{"open done ok", "open done ok", "open done ok"}, b.await(t, 3)); d != "" {
		t.Errorf("after the restart (-want +got):\n%s", d)
	}
}

func TestReclaim(t *testing.T) {
	t.Parallel()
	b := setup(t, func(context.Context, string, int) error { return nil })
	b.add(t, Open{Delivery: 1}, Open{Delivery: 2}, Open{Delivery: 3})
	for _, q := range []string{
		`UPDATE river_job SET state = 'running', attempt = 1, attempted_at = datetime('now', 'subsec') WHERE id = 1`,
		`UPDATE river_job SET state = 'retryable', attempt = 5, scheduled_at = datetime('now', '+8 minutes') WHERE id = 2`,
		`UPDATE river_job SET state = 'scheduled', scheduled_at = datetime('now', '+8 minutes') WHERE id = 3`,
		`INSERT INTO river_leader (elected_at, expires_at, leader_id) VALUES (datetime('now'), datetime('now', '+1 hour'), 'dead')`,
	} {
		if _, err := b.store.Writer().ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := Reclaim(t.Context(), b.store.Writer()); err != nil || n != 2 {
		t.Fatalf("reclaimed %d, %v; want 2", n, err)
	}
	if d := cmp.Diff([]string{"open available 1", "open available 5", "open scheduled 0"}, b.states(t)); d != "" {
		t.Errorf("jobs (-want +got):\n%s", d)
	}
	b.start(t)
	if d := cmp.Diff([]string{"open done ok", "open done ok"}, b.await(t, 2)); d != "" {
		t.Errorf("after the restart (-want +got):\n%s", d)
	}
}

func TestInsertIsPartOfTheTransaction(t *testing.T) {
	t.Parallel()
	b := setup(t, func(context.Context, string, int) error { return nil })
	sad := errors.New("sad")
	err := b.store.Do(t.Context(), func(tx *store.Tx) error {
		if err := b.insert.Insert(t.Context(), tx.SQL(), Open{Delivery: 1}); err != nil {
			return err
		}
		return sad
	})
	if !errors.Is(err, sad) {
		t.Fatal(err)
	}
	if jobs := b.states(t); len(jobs) != 0 {
		t.Errorf("jobs stayed: %v", jobs)
	}
}

func TestMigrations(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	db := b.store.Writer()
	head := schema(t, db)
	if !strings.Contains(head, "river_job") {
		t.Fatalf("schema holds no jobs: %s", head)
	}
	m, err := rivermigrate.New(riversqlite.New(db), &rivermigrate.Config{Logger: quiet(nil)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Migrate(t.Context(), rivermigrate.DirectionDown, &rivermigrate.MigrateOpts{TargetVersion: -1}); err != nil {
		t.Fatal(err)
	}
	if left := schema(t, db); strings.Contains(left, "river") {
		t.Errorf("left after going down: %s", left)
	}
	if err := Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(head, schema(t, db)); d != "" {
		t.Errorf("up again differs (-first +second):\n%s", d)
	}
	if _, err := db.ExecContext(t.Context(), `INSERT INTO river_migration (line, version) VALUES ('main', 99)`); err != nil {
		t.Fatal(err)
	}
	if err := Migrate(t.Context(), db); bot.CodeOf(err) != bot.CodeInvalid || !strings.Contains(err.Error(), "newer pointsman") {
		t.Errorf("with a schema of the future: %v", err)
	}
}

func schema(t *testing.T, db *sql.DB) string {
	t.Helper()
	var s string
	err := db.QueryRowContext(t.Context(), `SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_master
		WHERE name NOT LIKE 'sqlite_%' ORDER BY name)`).Scan(&s)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
