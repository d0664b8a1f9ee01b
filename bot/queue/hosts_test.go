package queue

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/store"
)

// TestHungHostKeepsNobodyWaiting: more jobs for one host than there are workers,
// and it never answers.
func TestHungHostKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.house.speak = func(ctx context.Context, job Speak) error {
		if job.Host != "jira/hung" {
			return nil
		}
		<-ctx.Done()
		return ctx.Err()
	}
	for n := range int64(10) {
		b.add(t, Speak{Delivery: n + 1, Host: "jira/hung"})
	}
	b.add(t, Speak{Delivery: 20, Host: "github/"}, Speak{Delivery: 21}, Speak{Delivery: 22, Host: "jira/not configured any more"})
	b.start(t, "jira/hung", "github/")
	if d := cmp.Diff([]string{"speak done ok", "speak done ok", "speak done ok"}, b.await(t, 3)); d != "" {
		t.Errorf("beside the hung host (-want +got):\n%s", d)
	}
}

// TestBadCredentialsWait: an operator may mend them, so the ticket is not lost.
func TestBadCredentialsWait(t *testing.T) {
	t.Parallel()
	b := setup(t, func(context.Context, string, int) error { return bot.Errorf(bot.CodeUnauthorized, "bad credentials") })
	b.add(t, Speak{Delivery: 1})
	b.start(t)
	if d := cmp.Diff([]string{"speak retry unauthorized"}, b.await(t, 1)); d != "" {
		t.Errorf("what happened (-want +got):\n%s", d)
	}
	if err := b.queue.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"1: bad credentials; again in 30s"}, b.house.delayed); d != "" {
		t.Errorf("to be tried again (-want +got):\n%s", d)
	}
	var wait float64
	err := b.store.Writer().QueryRowContext(t.Context(), `SELECT unixepoch(scheduled_at, 'subsec') - unixepoch('now', 'subsec')
		FROM river_job WHERE state = 'retryable'`).Scan(&wait)
	if err != nil || wait < 20 || wait > 30 {
		t.Errorf("it is tried again in %.1f s, %v", wait, err)
	}
}

func TestInsertAt(t *testing.T) {
	t.Parallel()
	b := setup(t, func(context.Context, string, int) error { return nil })
	err := b.store.Do(t.Context(), func(tx *store.Tx) error {
		return b.insert.InsertAt(t.Context(), tx.SQL(), Speak{Ticket: 1, Check: true}, time.Now().Add(time.Hour))
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"speak scheduled 0"}, b.states(t)); d != "" {
		t.Errorf("jobs (-want +got):\n%s", d)
	}
}
