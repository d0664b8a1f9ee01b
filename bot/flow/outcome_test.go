package flow

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/queue"
	"github.com/pointsman/pointsman/bot/store"
)

// clock stands still until it is told to go on.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// routed is a bench whose first ticket is routed, and waits to be spoken to.
func routed(t *testing.T) (*bench, *clock, queue.Speak) {
	t.Helper()
	c := &clock{now: time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)}
	b := setupAt(t, true, c.Now)
	b.receive(t, "a", note{Key: "acme/web", Version: "1", Text: "web"})
	err := errors.Join(
		b.flow.Open(t.Context(), queue.Open{Delivery: 1}),
		b.flow.Route(t.Context(), queue.Route{Delivery: 1, Ticket: 1, Version: "1"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return b, c, queue.Speak{Delivery: 1, Ticket: 1, Decision: 1, Host: queue.Host("github", "")}
}

// checks are the times at which somebody is to look again.
func (b *bench) checks(t *testing.T) (jobs []queue.Speak, at []time.Time) {
	t.Helper()
	rows, err := b.store.Writer().QueryContext(t.Context(),
		`SELECT json(args), unixepoch(scheduled_at) FROM river_job WHERE kind = 'speak' AND state = 'scheduled' ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var args string
		var seconds int64
		var job queue.Speak
		if err := errors.Join(rows.Scan(&args, &seconds), json.Unmarshal([]byte(args), &job)); err != nil {
			t.Fatal(err)
		}
		jobs, at = append(jobs, job), append(at, time.Unix(seconds, 0).UTC())
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Fatal(err)
	}
	return jobs, at
}

func lost() error {
	return &bot.Error{Code: bot.CodeUnavailable, Message: "no answer", Unknown: true}
}

// TestCommentLandsLate: the answer to a write is lost, and the host carries it out
// long after; and once more, after the list of comments was read.
func TestCommentLandsLate(t *testing.T) {
	t.Parallel()
	b, c, job := routed(t)
	b.host.fail = func(call int, _ bool) error {
		if call == 1 {
			return lost()
		}
		return nil
	}
	if err := b.flow.Speak(t.Context(), job); !bot.OutcomeUnknown(err) {
		t.Fatalf("the lost answer gives %v", err)
	}
	c.now = c.now.Add(time.Second)
	err := b.flow.Speak(t.Context(), job)
	var e *bot.Error
	if !errors.As(err, &e) || e.Code != bot.CodeLimited || e.Until.Sub(c.now) != 29*time.Second || b.host.calls != 1 {
		t.Fatalf("a second later: %v, %d calls", err, b.host.calls)
	}
	b.host.comments["acme/web"] = []string{"web <!-- acme/web -->"} // 24 s late
	c.now = c.now.Add(29 * time.Second)
	if err := b.flow.Speak(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	b.wantComments(t, map[string][]string{"acme/web": {"web <!-- acme/web -->"}})

	checks, at := b.checks(t)
	if len(checks) != 1 || !checks[0].Check || !at[0].Equal(c.now.Add(time.Minute)) {
		t.Fatalf("checks are %+v at %v", checks, at)
	}
	// The same words again do not hide that nobody knows.
	if err := b.flow.Speak(t.Context(), job); err != nil || b.host.calls != 3 {
		t.Errorf("said again: %v, %d calls", err, b.host.calls)
	}
	b.host.comments["acme/web"] = append(b.host.comments["acme/web"], "web <!-- acme/web -->")
	c.now = at[0]
	if err := b.flow.Speak(t.Context(), checks[0]); err != nil {
		t.Fatal(err)
	}
	b.wantComments(t, map[string][]string{"acme/web": {"web <!-- acme/web -->"}})
	if d := cmp.Diff([]string{"", "", "1", ""}, b.host.ids); d != "" {
		t.Errorf("ids of comments that were thought known (-want +got):\n%s", d)
	}
	if again, _ := b.checks(t); len(again) != 2 { // one of each Speak, none of the check
		t.Errorf("after the check there are %d checks", len(again))
	}
	reply, _, err := b.store.Reply(t.Context(), 1, store.ChannelComment)
	if err != nil || !reply.UnknownAt.IsZero() {
		t.Errorf("after the check the reply is %+v, %v", reply, err)
	}
	calls := b.host.calls
	if err := b.flow.Speak(t.Context(), checks[0]); err != nil || b.host.calls != calls {
		t.Errorf("a check too many: %v, %d calls more", err, b.host.calls-calls)
	}
}

func TestKnownFailureIsTriedAtOnce(t *testing.T) {
	t.Parallel()
	b, _, job := routed(t)
	b.host.fail = func(call int, done bool) error {
		if call == 1 && !done {
			return bot.Errorf(bot.CodeUnavailable, "connection refused")
		}
		return nil
	}
	if err := b.flow.Speak(t.Context(), job); bot.CodeOf(err) != bot.CodeUnavailable {
		t.Fatalf("the refusal gives %v", err)
	}
	if err := b.flow.Speak(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if checks, _ := b.checks(t); len(checks) != 0 {
		t.Errorf("checks are %+v", checks)
	}
	b.wantComments(t, map[string][]string{"acme/web": {"web <!-- acme/web -->"}})
}

// TestCutShort: whatever the adapter says, a call whose context ended has no outcome.
func TestCutShort(t *testing.T) {
	t.Parallel()
	b, c, job := routed(t)
	ctx, cancel := context.WithCancel(t.Context())
	b.host.fail = func(call int, _ bool) error {
		if call == 1 {
			cancel()
			return bot.Errorf(bot.CodeUnavailable, "told to stop")
		}
		return nil
	}
	if err := b.flow.Speak(ctx, job); err == nil {
		t.Fatal("the call that was cut short succeeded")
	}
	if err := b.flow.Speak(t.Context(), job); bot.CodeOf(err) != bot.CodeLimited {
		t.Errorf("at once it gives %v", err)
	}
	c.now = c.now.Add(b.flow.Grace)
	if err := b.flow.Speak(t.Context(), job); err != nil {
		t.Error(err)
	}
}

// TestCommentIsGone: a person deleted it, or the host showed us an old list.
func TestCommentIsGone(t *testing.T) {
	t.Parallel()
	b, c, job := routed(t)
	if err := b.flow.Speak(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if checks, _ := b.checks(t); len(checks) != 0 {
		t.Fatalf("after a first comment checks are %+v", checks)
	}
	b.host.comments["acme/web"] = []string{"something else", "web, old words <!-- acme/web -->"}
	err := b.store.Do(t.Context(), func(tx *store.Tx) error { return tx.FailReply(t.Context(), 1, store.ChannelComment, false) })
	if err != nil {
		t.Fatal(err)
	}
	if err := b.flow.Speak(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if _, at := b.checks(t); len(at) != 1 || !at[0].Equal(c.now.Add(time.Minute)) {
		t.Errorf("checks are at %v", at)
	}
}

func TestMayLand(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	f := &Flow{Options: Options{Grace: 30 * time.Second}, began: began}
	for _, c := range []struct {
		name     string
		state    string
		intended time.Duration // since we began
		unknown  time.Duration // 0 = none
		want     time.Duration
	}{
		{"never said", "", 0, 0, 0},
		{"said", store.ReplySaid, -time.Hour, 0, 0},
		{"failed", store.ReplyFailed, time.Hour, 0, 0},
		{"failed without an outcome", store.ReplyFailed, time.Hour, time.Hour + time.Second, time.Hour + 31*time.Second},
		{"said since", store.ReplySaid, time.Hour, time.Minute, 90 * time.Second},
		{"killed just now", store.ReplyIntended, -time.Second, 0, 30 * time.Second},
		{"killed a minute ago", store.ReplyIntended, -time.Minute, 0, 30 * time.Second},
		{"killed long ago", store.ReplyIntended, -time.Hour, 0, -time.Hour + queue.SpeakTimeout + 30*time.Second},
		{"panicked", store.ReplyIntended, time.Minute, 0, time.Minute + queue.SpeakTimeout + 30*time.Second},
		{"killed while it tried again", store.ReplyIntended, -time.Second, -time.Minute, 30 * time.Second},
	} {
		r := store.Reply{State: c.state, IntendedAt: began.Add(c.intended)}
		if c.unknown != 0 {
			r.UnknownAt = began.Add(c.unknown)
		}
		got := f.mayLand(r)
		if c.want == 0 && !got.IsZero() || c.want != 0 && !got.Equal(began.Add(c.want)) {
			t.Errorf("%s: until %v, want %s after the start", c.name, got, c.want)
		}
	}
}
