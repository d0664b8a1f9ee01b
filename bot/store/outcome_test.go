package store

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing"
)

// TestOneKeyOnTwoSites: a key names a ticket of one site only.
func TestOneKeyOnTwoSites(t *testing.T) {
	t.Parallel()
	s := open(t)
	do(t, s, func(ctx context.Context, tx *Tx) error {
		for _, tenant := range []string{"birch", "acme", "silent"} {
			row, err := tx.PutTicket(ctx, routing.Ticket{Ref: routing.Ref{System: "jira", Tenant: tenant, Key: "OPS-1"}}, bot.Target{})
			if err != nil {
				return err
			}
			for _, version := range []string{"old", "new"} {
				if tenant == "silent" {
					continue // it was never decided
				}
				if _, err := tx.AddDecision(ctx, row, tenant+" "+version, routing.Decision{}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	for _, c := range []struct {
		ref  routing.Ref
		want string
	}{
		{routing.Ref{Key: "OPS-1", Tenant: "acme"}, "acme new"},
		{routing.Ref{Key: "OPS-1", System: "jira", Tenant: "birch"}, "birch new"},
	} {
		if d, err := s.DecisionByRef(t.Context(), c.ref); err != nil || d.Version != c.want {
			t.Errorf("%+v: %q, %v; want %q", c.ref, d.Version, err, c.want)
		}
	}
	for _, ref := range []routing.Ref{{Key: "OPS-2"}, {Key: "OPS-1", System: "github"}, {Key: "OPS-1", Tenant: "silent"}} {
		if _, err := s.DecisionByRef(t.Context(), ref); bot.CodeOf(err) != bot.CodeNotFound {
			t.Errorf("%+v: %v, want not_found", ref, err)
		}
	}
	_, err := s.DecisionByRef(t.Context(), routing.Ref{Key: "OPS-1"})
	var many *AmbiguousError
	want := []routing.Ref{{System: "jira", Tenant: "acme", Key: "OPS-1"}, {System: "jira", Tenant: "birch", Key: "OPS-1"}}
	if !errors.As(err, &many) || !cmp.Equal(want, many.Choices) {
		t.Errorf("without a tenant: %v, %+v", err, many)
	}
}

// TestUnknownOutcome: what nobody saw the outcome of stays so until it is looked into.
func TestUnknownOutcome(t *testing.T) {
	t.Parallel()
	now := noon()
	s, err := Open(t.Context(), t.TempDir(), WithClock(func() time.Time { return now }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	intend := func(ctx context.Context, tx *Tx) error {
		return tx.IntendReply(ctx, Reply{Ticket: 1, Channel: ChannelComment, Decision: 1})
	}
	fail := func(unknown bool) func(context.Context, *Tx) error {
		return func(ctx context.Context, tx *Tx) error { return tx.FailReply(ctx, 1, ChannelComment, unknown) }
	}
	do(t, s, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.PutTicket(ctx, routing.Ticket{}, bot.Target{}); err != nil {
			return err
		}
		_, err := tx.AddDecision(ctx, 1, "v", routing.Decision{})
		return err
	})
	for i, c := range []struct {
		do   func(context.Context, *Tx) error
		want time.Time
	}{
		{intend, time.Time{}},
		{intend, noon()}, // it stood at noon, and nobody saw what came of it
		{fail(false), noon()},
		{intend, noon()},
		{fail(true), noon().Add(4 * time.Second)},
		{func(ctx context.Context, tx *Tx) error {
			return tx.MarkReply(ctx, Reply{Ticket: 1, Channel: ChannelComment})
		}, time.Time{}},
		{intend, time.Time{}},
		{fail(false), time.Time{}},
	} {
		do(t, s, c.do)
		r, _, err := s.Reply(t.Context(), 1, ChannelComment)
		if err != nil || !r.UnknownAt.Equal(c.want) {
			t.Errorf("step %d: unknown since %v, %v; want %v", i, r.UnknownAt, err, c.want)
		}
		now = now.Add(time.Second)
	}
}

func TestDelayedDelivery(t *testing.T) {
	t.Parallel()
	s := open(t)
	again := noon().Add(time.Minute)
	do(t, s, func(ctx context.Context, tx *Tx) error {
		if _, _, err := tx.AddDelivery(ctx, delivery("a")); err != nil {
			return err
		}
		return tx.DelayDelivery(ctx, 1, "the host is down", again)
	})
	want := Delivery{Delivery: delivery("a"), Row: 1, Status: StatusReceived, Reason: "the host is down", RetryAt: again}
	got, err := s.Delivery(t.Context(), 1)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("delayed, %v (-want +got):\n%s", err, d)
	}
	do(t, s, func(ctx context.Context, tx *Tx) error {
		if err := tx.FinishDelivery(ctx, 1, StatusDone, ""); err != nil {
			return err
		}
		return tx.DelayDelivery(ctx, 1, "too late", again)
	})
	want.Status, want.Reason, want.RetryAt, want.FinishedAt = StatusDone, "", time.Time{}, noon()
	got, err = s.Delivery(t.Context(), 1)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("finished, %v (-want +got):\n%s", err, d)
	}
}

// TestOtherSchema: neither guess at what a newer program wrote, nor at what is missing.
func TestOtherSchema(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	openers := map[string]func() (*Store, error){
		"to write": func() (*Store, error) { return Open(t.Context(), dir) },
		"to read":  func() (*Store, error) { return OpenReadOnly(t.Context(), dir) },
	}
	try := func(how, want string) {
		t.Helper()
		_, err := openers[how]()
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) || bot.CodeOf(err) != bot.CodeInvalid {
			t.Errorf("%s: error is %v, want one that names the file and says %q", how, err, want)
		}
	}
	exec := func(query string) {
		t.Helper()
		if _, err := s.writer.ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	exec("DELETE FROM goose_db_version WHERE version_id = 3")
	try("to read", "start pointsman serve once")
	exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (3, 1), (99, 1)")
	try("to read", "made by a newer pointsman")
	try("to write", "made by a newer pointsman")
}
