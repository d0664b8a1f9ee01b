package flow

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/queue"
	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing"
)

func TestSameDeliveryFiveTimesAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, true)
	b.start(t)
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() { b.receive(t, "a", note{Key: "acme/web", Version: "1", Text: "web"}) })
	}
	wg.Wait()
	if d := cmp.Diff([]string{"a done"}, b.settle(t)); d != "" {
		t.Errorf("deliveries (-want +got):\n%s", d)
	}
	b.wantComments(t, map[string][]string{"acme/web": {"web <!-- acme/web -->"}})
}

func TestShadowSaysNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.start(t)
	b.receive(t, "a", note{Key: "acme/web", Version: "1", Text: "web"})
	if d := cmp.Diff([]string{"a done mode is shadow: nothing was said"}, b.settle(t)); d != "" {
		t.Errorf("deliveries (-want +got):\n%s", d)
	}
	b.wantComments(t, map[string][]string{})
	if _, found, err := b.store.Reply(t.Context(), 1, store.ChannelComment); found || err != nil {
		t.Errorf("an intent was recorded: %v, %v", found, err)
	}
	if d, err := b.store.DecisionByRef(t.Context(), routing.Ref{Key: "acme/web"}); err != nil || d.Version != "1" {
		t.Errorf("decision is %+v, %v", d, err)
	}
}

func TestWhatComesOfDeliveries(t *testing.T) {
	t.Parallel()
	b := setup(t, true)
	if _, err := b.flow.Receive(t.Context(), bot.Delivery{Source: "github", ID: "junk", Body: []byte("{")}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.flow.Receive(t.Context(), bot.Delivery{Source: "jira", Tenant: "acme", ID: "gone", Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	b.receive(t, "bot", note{Ignore: "the sender is a bot"})
	b.receive(t, "first", note{Key: "acme/web", Version: "1", Text: "web"})
	b.start(t)
	want := []string{
		"junk failed opening the delivery: not JSON: unexpected end of JSON input",
		"gone failed opening the delivery: jira acme is not configured any more",
		"bot ignored the sender is a bot",
		"first done",
	}
	if d := cmp.Diff(want, b.settle(t)); d != "" {
		t.Errorf("deliveries (-want +got):\n%s", d)
	}
	// The same version again, and a new one that leads to the same words: the
	// comment is not touched.
	b.receive(t, "again", note{Key: "acme/web", Version: "1", Text: "web"})
	b.settle(t)
	b.receive(t, "reopened", note{Key: "acme/web", Version: "2", Text: "web"})
	b.settle(t)
	if d := cmp.Diff([]string{"acme/web 1", "acme/web 2"}, b.router.routed); d != "" {
		t.Errorf("routed (-want +got):\n%s", d)
	}
	if b.host.calls != 1 {
		t.Errorf("the host was called %d times, want 1", b.host.calls)
	}
	b.receive(t, "edited", note{Key: "acme/web", Version: "3", Text: "api"})
	b.settle(t)
	b.wantComments(t, map[string][]string{"acme/web": {"api <!-- acme/web -->"}})
}

func TestOldEditAfterNew(t *testing.T) {
	t.Parallel()
	b := setup(t, true)
	b.start(t)
	b.receive(t, "new", note{Key: "acme/web", Version: "2026-03-04T12:00:02Z-aa", Text: "new"})
	b.settle(t)
	b.receive(t, "old", note{Key: "acme/web", Version: "2026-03-04T12:00:01Z-bb", Text: "old"})
	want := []string{"new done", "old ignored a newer version of the ticket is known already"}
	if d := cmp.Diff(want, b.settle(t)); d != "" {
		t.Errorf("deliveries (-want +got):\n%s", d)
	}
	b.wantComments(t, map[string][]string{"acme/web": {"new <!-- acme/web -->"}})
}

func TestManyEditsAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, true)
	b.start(t)
	var wg sync.WaitGroup
	for _, i := range []int{3, 9, 1, 7, 0, 5, 2, 8, 4, 6} {
		wg.Go(func() {
			b.receive(t, fmt.Sprint("d", i), note{
				Key: "acme/web", Version: fmt.Sprintf("2026-03-04T12:00:%02dZ-h", i), Text: fmt.Sprint("text", i),
			})
		})
	}
	wg.Wait()
	b.settle(t)
	b.wantComments(t, map[string][]string{"acme/web": {"text9 <!-- acme/web -->"}})
}

func TestSaidButNotMarked(t *testing.T) {
	t.Parallel()
	b := setup(t, true)
	b.host.fail = func(call int, done bool) error {
		if call == 1 && done {
			return bot.Errorf(bot.CodeUnavailable, "the answer was lost")
		}
		return nil
	}
	b.start(t)
	b.receive(t, "a", note{Key: "acme/web", Version: "1", Text: "web"})
	if d := cmp.Diff([]string{"a done"}, b.settle(t)); d != "" {
		t.Errorf("deliveries (-want +got):\n%s", d)
	}
	b.wantComments(t, map[string][]string{"acme/web": {"web <!-- acme/web -->"}})
	reply, found, err := b.store.Reply(t.Context(), 1, store.ChannelComment)
	if err != nil || !found || reply.State != store.ReplySaid || reply.CommentID != "1" {
		t.Errorf("reply is %+v, %v, %v", reply, found, err)
	}
}

func TestForbiddenIsGivenUp(t *testing.T) {
	t.Parallel()
	b := setup(t, true)
	b.host.fail = func(int, bool) error {
		return bot.Errorf(bot.CodeForbidden, "the repository is archived:\n%s", strings.Repeat("long ", 1000))
	}
	b.start(t)
	b.receive(t, "a", note{Key: "acme/web", Version: "1", Text: "web"})
	got := b.settle(t)
	if len(got) != 1 || !strings.HasPrefix(got[0], "a failed the repository is archived: long long") || len(got[0]) > 600 {
		t.Errorf("deliveries are %q", got)
	}
	if b.host.calls != 1 {
		t.Errorf("the host was called %d times, want 1", b.host.calls)
	}
	b.host.mu.Lock()
	b.host.fail = nil // somebody unlocked it, and presses "redeliver"
	b.host.mu.Unlock()
	b.receive(t, "a", note{Key: "acme/web", Version: "1", Text: "web"})
	if d := cmp.Diff([]string{"a done"}, b.settle(t)); d != "" {
		t.Errorf("deliveries (-want +got):\n%s", d)
	}
	b.wantComments(t, map[string][]string{"acme/web": {"web <!-- acme/web -->"}})
}

func TestLimitedWaits(t *testing.T) {
	t.Parallel()
	b := setup(t, true)
	until := time.Now().Add(1500 * time.Millisecond)
	b.host.fail = func(call int, _ bool) error {
		if call == 1 {
			return &bot.Error{Code: bot.CodeLimited, Message: "slow down", Until: until}
		}
		if time.Now().Before(until) {
			t.Error("the host was called again before the limit ended")
		}
		return nil
	}
	b.start(t)
	b.receive(t, "a", note{Key: "acme/web", Version: "1", Text: "web"})
	b.settle(t)
	b.wantComments(t, map[string][]string{"acme/web": {"web <!-- acme/web -->"}})
}

func TestOutdated(t *testing.T) {
	t.Parallel()
	const known = 5 // the row of the delivery that brought the known version
	for _, c := range []struct {
		incoming, known string
		arrival         int64
		want            bool
	}{
		{"2026-01-02T03:04:05Z-aa", "2026-01-02T03:04:06Z-aa", 6, true},
		{"2026-01-02T03:04:06Z-aa", "2026-01-02T03:04:05Z-aa", 4, false},
		{"2026-01-02T03:04:05.100Z-aa", "2026-01-02T03:04:05.2Z-bb", 6, true},
		{"2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z", 6, true},
		{"2026-01-02T03:04:05.100+0000-aa", "2026-01-02T05:04:05.200+0200-bb", 6, true},
		{"2026-01-02T05:04:05.200+0200-bb", "2026-01-02T03:04:05.100+0000-aa", 4, false},
		{"2026-01-02T05:04:05+02:00-aa", "2026-01-02T03:04:06Z-aa", 6, true},
		// Within one second, and without a time, the order of arrival decides.
		{"2026-01-02T03:04:05Z-aa", "2026-01-02T03:04:05Z-bb", 6, false},
		{"2026-01-02T03:04:05Z-aa", "2026-01-02T03:04:05Z-bb", 4, true},
		{"2026-01-02T05:04:05+02:00-aa", "2026-01-02T03:04:05Z-bb", 4, true},
		{"", "2026-01-02T03:04:06Z-aa", 6, false},
		{"2026-01-02T03:04:05Z-aa", "", 6, false},
		{"2026-01-02T03:04:05Z-aa", "", 4, true},
		{"1", "2", 6, false},
		{"1", "2", 4, true},
		// The same version again is not older than itself.
		{"2026-01-02T03:04:05Z-aa", "2026-01-02T03:04:05Z-aa", 4, false},
	} {
		have := store.Ticket{Ticket: routing.Ticket{Version: c.known}, Arrival: known}
		if got := outdated(c.incoming, c.arrival, have); got != c.want {
			t.Errorf("outdated(%q, %d) against %q = %v", c.incoming, c.arrival, c.known, got)
		}
	}
}

// TestEditsWithinOneSecond: they arrive in order, and are opened in every order.
func TestEditsWithinOneSecond(t *testing.T) {
	t.Parallel()
	for _, order := range [][]int64{{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}} {
		b := setup(t, true)
		for _, hash := range []string{"zz", "mm", "aa"} {
			b.receive(t, hash, note{Key: "acme/web", Version: "2026-03-04T12:00:00Z-" + hash, Text: hash})
		}
		for _, row := range order {
			if err := b.flow.Open(t.Context(), queue.Open{Delivery: row}); err != nil {
				t.Fatal(err)
			}
		}
		ticket, err := b.store.Ticket(t.Context(), 1)
		if err != nil || ticket.Ticket.Title != "aa" {
			t.Errorf("opened in the order %v the ticket reads %q, %v; want the last that arrived", order, ticket.Ticket.Title, err)
		}
	}
}

func TestLocks(t *testing.T) {
	t.Parallel()
	l := newLocks()
	release, err := l.take(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	other, err := l.take(t.Context(), 2) // another ticket is free
	if err != nil {
		t.Fatal(err)
	}
	other()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.take(ended, 1); bot.CodeOf(err) != bot.CodeUnavailable {
		t.Errorf("taking a held lock gives %v", err)
	}
	got := make(chan struct{})
	go func() {
		defer close(got)
		if again, err := l.take(t.Context(), 1); err == nil {
			again()
		}
	}()
	release()
	<-got
	if len(l.held) != 0 {
		t.Errorf("%d locks are left", len(l.held))
	}
}
