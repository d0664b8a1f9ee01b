package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing"
)

func noon() time.Time { return time.Date(2026, 3, 4, 12, 0, 0, 5000, time.UTC) }

func open(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), t.TempDir(), WithClock(noon))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func do(t *testing.T, s *Store, f func(context.Context, *Tx) error) {
	t.Helper()
	if err := s.Do(t.Context(), func(tx *Tx) error { return f(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
}

func delivery(id string) bot.Delivery {
	return bot.Delivery{Source: "github", ID: id, Kind: "issues", Body: []byte("{\x00}"), ReceivedAt: noon()}
}

func TestDeliveries(t *testing.T) {
	t.Parallel()
	s := open(t)
	ctx := t.Context()
	do(t, s, func(ctx context.Context, tx *Tx) error {
		for _, id := range []string{"a", "b", "a", "c"} {
			row, fresh, err := tx.AddDelivery(ctx, delivery(id))
			if err != nil {
				return err
			}
			if fresh != (row != 0) {
				t.Errorf("delivery %s: row %d, fresh %v", id, row, fresh)
			}
		}
		other := delivery("a")
		other.Source, other.Tenant = "jira", "acme"
		if _, fresh, err := tx.AddDelivery(ctx, other); err != nil || !fresh {
			t.Errorf("the same id from another source: fresh %v, %v", fresh, err)
		}
		return tx.FinishDelivery(ctx, 2, StatusFailed, "not JSON")
	})
	got, err := s.Delivery(ctx, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := Delivery{Delivery: delivery("b"), Row: 2, Status: StatusFailed, Reason: "not JSON", FinishedAt: noon()}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("delivery (-want +got):\n%s", d)
	}
	do(t, s, func(ctx context.Context, tx *Tx) error {
		row, fresh, err := tx.AddDelivery(ctx, delivery("b"))
		if row != 2 || !fresh {
			t.Errorf("a failed delivery that comes again has row %d, fresh %v", row, fresh)
		}
		return err
	})
	want.Status, want.Reason, want.FinishedAt = StatusReceived, "", time.Time{}
	if got, err = s.Delivery(ctx, 2); err != nil || !cmp.Equal(want, got) {
		t.Errorf("taken up again (-want +got), %v:\n%s", err, cmp.Diff(want, got))
	}
	do(t, s, func(ctx context.Context, tx *Tx) error { return tx.FinishDelivery(ctx, 2, StatusFailed, "again") })
	for status, n := range map[string]int{"": 4, StatusFailed: 1, StatusReceived: 3, StatusDone: 0} {
		list, err := s.Deliveries(ctx, status, 10)
		if err != nil || len(list) != n {
			t.Errorf("status %q lists %d deliveries, %v; want %d", status, len(list), err, n)
		}
	}
	if _, err := s.Delivery(ctx, 99); bot.CodeOf(err) != bot.CodeNotFound {
		t.Errorf("an unknown delivery gives %v, want not_found", err)
	}
}

func TestTicketDecisionReply(t *testing.T) {
	t.Parallel()
	s := open(t)
	ctx := t.Context()
	ticket := routing.Ticket{
		Ref: routing.Ref{System: "github", Key: "acme/web#1"}, Title: "T", Body: "b\x00\u202e",
		Labels: []string{"x"}, CreatedAt: noon(), Version: "v1", Audience: routing.Audience{Level: "public"},
	}
	target := bot.Target{System: "github", Installation: 7, Repo: "acme/web", Number: 1}
	decision := routing.Decision{
		Schema: routing.DecisionSchema, Verdict: routing.VerdictRoute,
		Confidence: routing.Confidence{Ratio: 47}, Candidates: []routing.Candidate{{Rank: 1, Repo: "web"}},
	}
	var row, first, second int64
	do(t, s, func(ctx context.Context, tx *Tx) (err error) {
		if _, found, err := tx.TicketByRef(ctx, ticket.Ref); err != nil || found {
			t.Errorf("a new ticket is found %v, %v", found, err)
		}
		if row, err = tx.PutTicket(ctx, ticket, target); err != nil {
			return err
		}
		ticket.Version = "v2"
		if err := tx.NoteArrival(ctx, row, 7); err != nil {
			return err
		}
		again, err := tx.PutTicket(ctx, ticket, target)
		if err != nil || again != row {
			t.Errorf("the ticket moved from row %d to %d, %v", row, again, err)
		}
		if first, err = tx.AddDecision(ctx, row, "v1", decision); err != nil {
			return err
		}
		decision.Verdict = routing.VerdictAsk
		if second, err = tx.AddDecision(ctx, row, "v2", decision); err != nil {
			return err
		}
		if err := tx.IntendReply(ctx, Reply{Ticket: row, Channel: ChannelComment, Decision: first, BodyHash: "h1", Marker: "m"}); err != nil {
			return err
		}
		return tx.MarkReply(ctx, Reply{Ticket: row, Channel: ChannelComment, CommentID: "c9", URL: "https://example.com/c9"})
	})
	do(t, s, func(ctx context.Context, tx *Tx) error {
		return tx.IntendReply(ctx, Reply{Ticket: row, Channel: ChannelComment, Decision: second, BodyHash: "h2", Marker: "m"})
	})

	saved, err := s.Ticket(ctx, row)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Ticket{Row: row, Ticket: ticket, Target: target, Arrival: 7}, saved); d != "" {
		t.Errorf("ticket (-want +got):\n%s", d)
	}
	latest, err := s.DecisionByRef(ctx, routing.Ref{Key: "acme/web#1"})
	if err != nil || latest.Row != second || latest.Version != "v2" {
		t.Errorf("latest decision is %+v, %v; want row %d", latest, err, second)
	}
	whole, err := json.Marshal(decision)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(whole), string(latest.JSON)); d != "" {
		t.Errorf("decision (-want +got):\n%s", d)
	}
	reply, found, err := s.Reply(ctx, row, ChannelComment)
	want := Reply{
		Ticket: row, Channel: ChannelComment, Decision: second, State: ReplyIntended, BodyHash: "h2", Marker: "m",
		CommentID: "c9", URL: "https://example.com/c9", IntendedAt: noon(), SaidAt: noon(),
	}
	if d := cmp.Diff(want, reply); d != "" || !found || err != nil {
		t.Errorf("reply, found %v, %v (-want +got):\n%s", found, err, d)
	}
	_, err = s.writer.ExecContext(ctx, "UPDATE decisions SET verdict = 'none'")
	if err == nil || !strings.Contains(err.Error(), "append-only") {
		t.Errorf("changing a decision gives %v, want a refusal", err)
	}
}

func TestRollback(t *testing.T) {
	t.Parallel()
	s := open(t)
	sad := errors.New("sad")
	err := s.Do(t.Context(), func(tx *Tx) error {
		if _, _, err := tx.AddDelivery(t.Context(), delivery("a")); err != nil {
			return err
		}
		return sad
	})
	if !errors.Is(err, sad) {
		t.Errorf("error is %v, want %v", err, sad)
	}
	if list, err := s.Deliveries(t.Context(), "", 10); err != nil || len(list) != 0 {
		t.Errorf("%d deliveries stayed, %v", len(list), err)
	}
}

func TestManyWriters(t *testing.T) {
	t.Parallel()
	s := open(t)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			err := s.Do(t.Context(), func(tx *Tx) error {
				_, _, err := tx.AddDelivery(t.Context(), delivery(fmt.Sprint(i%8)))
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if list, err := s.Deliveries(t.Context(), "", 100); err != nil || len(list) != 8 {
		t.Errorf("%d deliveries, %v; want 8", len(list), err)
	}
}

// tables lists what the schema holds, apart from the migrator's own.
func tables(t *testing.T, db *sql.DB) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT type || ' ' || name FROM sqlite_master
		WHERE name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose_%' ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	list, err := collect(rows, func(scan scan) (name string, err error) {
		err = scan(&name)
		return name, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestMigrations(t *testing.T) {
	t.Parallel()
	s := open(t)
	head := tables(t, s.writer)
	want := []string{
		"index decisions_by_ticket", "index deliveries_by_status", "index tickets_by_key",
		"table checks", "table decisions", "table deliveries", "table replies", "table tickets", "trigger decisions_are_final",
	}
	if d := cmp.Diff(want, head); d != "" {
		t.Errorf("schema (-want +got):\n%s", d)
	}
	if err := migrateDown(t.Context(), s.writer); err != nil {
		t.Fatal(err)
	}
	if left := tables(t, s.writer); len(left) != 0 {
		t.Errorf("left after going down: %v", left)
	}
	if err := migrateUp(t.Context(), s.writer, s.path); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(head, tables(t, s.writer)); d != "" {
		t.Errorf("up again differs (-first +second):\n%s", d)
	}
}

func TestOpenOddFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a b%20?c#d é")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, func(ctx context.Context, tx *Tx) error { _, _, err := tx.AddDelivery(ctx, delivery("a")); return err })
	ro, err := OpenReadOnly(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := ro.Deliveries(t.Context(), "", 10); err != nil || len(list) != 1 {
		t.Errorf("beside the writer %d deliveries are seen, %v", len(list), err)
	}
	if err := errors.Join(ro.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, FileName)); err != nil {
		t.Error(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	damaged := t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, FileName), []byte(strings.Repeat("no database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(t.TempDir(), "missing")
	for _, c := range []struct {
		name string
		open func() (*Store, error)
		want string
	}{
		{"damaged", func() (*Store, error) { return Open(t.Context(), damaged) }, "restore it from a backup"},
		{"damaged, to read", func() (*Store, error) { return OpenReadOnly(t.Context(), damaged) }, "restore it from a backup"},
		{"no folder", func() (*Store, error) { return Open(t.Context(), missing) }, "make its folder writable"},
		{"nothing to read", func() (*Store, error) { return OpenReadOnly(t.Context(), missing) }, "start pointsman serve"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := c.open()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one that says %q", err, c.want)
			}
		})
	}
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	s := open(t)
	if _, err := s.writer.ExecContext(t.Context(), "PRAGMA max_page_count = 40"); err != nil {
		t.Fatal(err)
	}
	big := delivery("big")
	big.Body = make([]byte, 1<<20)
	err := s.Do(t.Context(), func(tx *Tx) error { _, _, err := tx.AddDelivery(t.Context(), big); return err })
	if bot.CodeOf(err) != bot.CodeUnavailable || !strings.Contains(err.Error(), "is full") {
		t.Errorf("a full disk gives %v", err)
	}
}
