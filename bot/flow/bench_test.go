package flow

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
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

// note is the body of a delivery in these tests.
type note struct{ Key, Version, Text, Ignore string }

type parser struct{}

func (parser) Parse(d bot.Delivery) (bot.Event, error) {
	var n note
	if err := json.Unmarshal(d.Body, &n); err != nil {
		return bot.Event{}, fmt.Errorf("not JSON: %w", err) // deliberately without a code
	}
	ref := routing.Ref{System: "github", Key: n.Key}
	return bot.Event{
		Ignore: n.Ignore,
		Ticket: routing.Ticket{Ref: ref, Title: n.Text, Version: n.Version},
		Target: bot.Target{System: "github", Repo: n.Key, Number: 1},
	}, nil
}

// router answers with the ticket's own text as the repository.
type router struct {
	mu     sync.Mutex
	routed []string
}

func (r *router) Route(_ context.Context, t routing.Ticket) (routing.Decision, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.routed = append(r.routed, t.Ref.Key+" "+t.Version)
	return routing.Decision{
		Schema: routing.DecisionSchema, Verdict: routing.VerdictRoute,
		Ticket: routing.TicketName{Key: t.Ref.Key}, Candidates: []routing.Candidate{{Rank: 1, Repo: t.Title}},
	}, nil
}

func render(_ bot.Target, d routing.Decision) (body, marker string) {
	marker = "<!-- " + d.Ticket.Key + " -->"
	return d.Candidates[0].Repo + " " + marker, marker
}

// host keeps comments as a tracker does: it never refuses a second one.
type host struct {
	mu       sync.Mutex
	comments map[string][]string // by repository
	calls    int
	ids      []string                        // the CommentID of every call
	fail     func(call int, done bool) error // asked before and after the effect
}

// heal does what adapters do: of several comments of ours the first one stays.
// They see them only when they do not know which one is ours.
func (h *host) heal(r bot.Reply) []string {
	list := h.comments[r.Target.Repo]
	if r.CommentID != "" {
		return list
	}
	seen := false
	list = slices.DeleteFunc(slices.Clone(list), func(c string) bool {
		again := seen && strings.Contains(c, r.Marker)
		seen = seen || strings.Contains(c, r.Marker)
		return again
	})
	if len(list) > 0 {
		h.comments[r.Target.Repo] = list
	}
	return list
}

func (h *host) Speak(_ context.Context, r bot.Reply) (bot.Said, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls++
	h.ids = append(h.ids, r.CommentID)
	if h.fail != nil {
		if err := h.fail(h.calls, false); err != nil {
			return bot.Said{}, err
		}
	}
	list := h.heal(r)
	i := slices.IndexFunc(list, func(c string) bool { return strings.Contains(c, r.Marker) })
	said := bot.Said{CommentID: fmt.Sprint(i + 1)}
	switch {
	case i < 0:
		h.comments[r.Target.Repo] = append(list, r.Body)
		said.CommentID = fmt.Sprint(len(list) + 1)
	case list[i] == r.Body:
		said.Unchanged = true
	default:
		list[i] = r.Body
	}
	if h.fail != nil {
		if err := h.fail(h.calls, true); err != nil {
			return bot.Said{}, err
		}
	}
	return said, nil
}

type bench struct {
	flow   *Flow
	store  *store.Store
	router *router
	host   *host
	moved  chan struct{} // a token for every attempt that ended
}

// setup makes a flow on a store of its own; start runs the queue on it.
func setup(t *testing.T, live bool) *bench {
	t.Helper()
	return setupAt(t, live, time.Now)
}

// setupAt is setup with a clock.
func setupAt(t *testing.T, live bool, now func() time.Time) *bench {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir(), store.WithClock(now))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := queue.Migrate(t.Context(), s.Writer()); err != nil {
		t.Fatal(err)
	}
	jobs, err := queue.NewInserter()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{store: s, router: &router{}, host: &host{comments: map[string][]string{}}, moved: make(chan struct{}, 1000)}
	b.flow = New(Options{
		Store: s, Jobs: jobs, Router: b.router, Render: render, Live: live, Log: slog.New(slog.DiscardHandler), Now: now,
		Parser: func(source, _ string) bot.Parser {
			if source != "github" {
				return nil
			}
			return parser{}
		},
		Speaker: func(bot.Target) Speaker { return b.host },
	})
	return b
}

func (b *bench) start(t *testing.T) {
	t.Helper()
	q, err := queue.New(b.store.Writer(), b.flow, queue.Options{
		Workers: 4, Hosts: []string{queue.Host("github", "")}, Log: slog.New(slog.DiscardHandler), Observe: func(string, string, string) { b.moved <- struct{}{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := q.StartRouting(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

func (b *bench) receive(t *testing.T, id string, n note) {
	t.Helper()
	body, err := json.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.flow.Receive(t.Context(), bot.Delivery{Source: "github", ID: id, Kind: "issues", Body: body}); err != nil {
		t.Error(err)
	}
}

// settle waits until no delivery is unfinished, and returns them, oldest first,
// as "id status reason".
func (b *bench) settle(t *testing.T) []string {
	t.Helper()
	for {
		open, err := b.store.Deliveries(t.Context(), store.StatusReceived, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(open) == 0 {
			break
		}
		select {
		case <-b.moved:
		case <-time.After(20 * time.Second):
			t.Fatalf("delivery %s is not finished", open[0].ID)
		}
	}
	all, err := b.store.Deliveries(t.Context(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, d := range slices.Backward(all) {
		list = append(list, strings.TrimSpace(d.ID+" "+d.Status+" "+d.Reason))
	}
	return list
}

func (b *bench) wantComments(t *testing.T, want map[string][]string) {
	t.Helper()
	b.host.mu.Lock()
	defer b.host.mu.Unlock()
	if d := cmp.Diff(want, b.host.comments); d != "" {
		t.Errorf("comments (-want +got):\n%s", d)
	}
}
