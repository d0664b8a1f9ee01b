package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing"
)

// tracker is a source in memory: places with entries, newest first.
type tracker struct {
	places   map[string][]bot.Past
	pageSize int
	// refuse may fail the nth call for a page, counted from 1 over all places.
	refuse func(call int) error
	calls  int
}

func (s *tracker) Past(place string, _ time.Time) bot.Pages {
	from := 0
	return func(context.Context) ([]bot.Past, bool, error) {
		s.calls++
		if s.refuse != nil {
			if err := s.refuse(s.calls); err != nil {
				return nil, false, err
			}
		}
		all, ok := s.places[place]
		if !ok {
			return nil, false, bot.Errorf(bot.CodeNotFound, "there is no %s", place)
		}
		to := min(from+s.pageSize, len(all))
		page := all[from:to]
		from = to
		return page, to < len(all), nil
	}
}

func start() time.Time { return time.Date(2026, 5, 1, 8, 0, 0, 0, time.UTC) }

// ticket is the nth ticket of a place, an hour younger than the one before.
func ticket(place string, n int) bot.Past {
	key := fmt.Sprintf("%s#%d", place, n)
	return bot.Past{Key: key, Event: bot.Event{
		Ticket: routing.Ticket{
			Ref: routing.Ref{System: "github", Key: key}, Title: fmt.Sprintf("ticket %d", n), Body: "text",
			CreatedAt: start().Add(time.Duration(n) * time.Hour), Version: "v1",
		},
		Target: bot.Target{System: "github", Repo: place, Number: n},
	}}
}

// desk routes by nothing but a ticket's number, and counts.
type desk struct {
	mu    sync.Mutex
	asked []string
	asOf  string
	fail  map[string]error
	after func(done int) // called after each answer
}

func (d *desk) Route(ctx context.Context, t routing.Ticket) (routing.Decision, error) {
	if err := ctx.Err(); err != nil {
		return routing.Decision{}, err
	}
	out := routing.Decision{
		Verdict: routing.VerdictRoute, Ticket: routing.TicketName{Key: t.Ref.Key, Title: t.Title, Version: t.Version},
		Candidates: []routing.Candidate{{Rank: 1, Repo: "quay"}},
		AsOf:       routing.AsOf{Registry: d.asOf, Generations: map[string]string{"quay": "c0ffee"}},
	}
	if t.Ref.Key == "" {
		return out, nil // the probe
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.fail[t.Ref.Key]; err != nil {
		return routing.Decision{}, err
	}
	d.asked = append(d.asked, t.Ref.Key)
	if d.after != nil {
		d.after(len(d.asked))
	}
	return out, nil
}

func open(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir(), store.WithFile(FileName))
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

func keysOf(results []Result) (keys []string) {
	for _, r := range results {
		switch {
		case r.Err != nil:
			keys = append(keys, r.Key+" failed")
		case r.Ignored != "":
			keys = append(keys, r.Key+" ignored")
		case r.Known:
			keys = append(keys, r.Key+" known")
		default:
			keys = append(keys, r.Key)
		}
	}
	return keys
}

// backlog is a place with 250 tickets and a pull request after every fourth.
func backlog(place string) (list []bot.Past) {
	for n := 250; n >= 1; n-- {
		list = append(list, ticket(place, n))
		if n%4 == 0 {
			list = append(list, bot.Past{Key: fmt.Sprintf("%s#pr%d", place, n), Event: bot.Event{Ignore: "a pull request, not an issue"}})
		}
	}
	return list
}

func TestPagesPullsLimitsAndBrokenTickets(t *testing.T) {
	t.Parallel()
	list := backlog("acme/web")
	broken := slices.IndexFunc(list, func(p bot.Past) bool { return p.Key == "acme/web#100" })
	list[broken] = bot.Past{Key: "acme/web#100", Err: bot.Errorf(bot.CodeInvalid, "garbled")}
	now := start()
	src := &tracker{places: map[string][]bot.Past{"acme/web": list}, pageSize: 100, refuse: func(call int) error {
		switch call {
		case 2:
			return &bot.Error{Code: bot.CodeLimited, Message: "slow down", Until: start().Add(3 * time.Minute)}
		case 3, 4:
			return bot.Errorf(bot.CodeUnavailable, "down")
		}
		return nil
	}}
	d := &desk{fail: map[string]error{"acme/web#50": errors.New("no idea")}}
	var waited []time.Duration
	var steps []Progress
	results, err := Run(t.Context(), Options{
		Source: src, Router: d, Store: open(t), Places: []string{"acme/web"}, Last: 230, Workers: 3,
		Now: func() time.Time { return now }, Wait: func(_ context.Context, w time.Duration) error {
			waited, now = append(waited, w), now.Add(w)
			return nil
		},
		Progress: func(p Progress) { steps = append(steps, p) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]time.Duration{3 * time.Minute, time.Second, 2 * time.Second}, waited); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
	var want []string
	for _, p := range list {
		switch {
		case p.Err != nil || p.Key == "acme/web#50":
			want = append(want, p.Key+" failed")
		case p.Event.Ignore != "":
			want = append(want, p.Key+" ignored")
		default:
			want = append(want, p.Key)
		}
		if p.Key == "acme/web#21" { // the 230th
			break
		}
	}
	if diff := cmp.Diff(want, keysOf(results)); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if len(d.asked) != 228 {
		t.Errorf("%d tickets were decided", len(d.asked))
	}
	if last := steps[len(steps)-1]; len(steps) != 230 || last.Done != 230 || last.Total != 230 {
		t.Errorf("%d steps, the last %+v", len(steps), last)
	}
}

func TestPlacesAreMergedByTime(t *testing.T) {
	t.Parallel()
	src := &tracker{pageSize: 2, places: map[string][]bot.Past{
		"a": {ticket("a", 9), ticket("a", 7), ticket("a", 7), ticket("a", 1)}, // one came up twice, as pages moved
		"b": {ticket("b", 8), ticket("b", 3), ticket("b", 2)},
		"c": {},
	}}
	results, err := Run(t.Context(), Options{Source: src, Router: &desk{}, Store: open(t), Places: []string{"a", "b", "c"}, Last: 5})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a#9", "b#8", "a#7", "b#3", "b#2"}, keysOf(results)); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

// A replay that was stopped between two tickets goes on where it was; what has
// changed since is decided anew.
func TestResume(t *testing.T) {
	t.Parallel()
	src := &tracker{places: map[string][]bot.Past{"acme/web": backlog("acme/web")}, pageSize: 100}
	s := open(t)
	ctx, stop := context.WithCancel(t.Context())
	first := &desk{asOf: "r1", after: func(done int) {
		if done == 120 {
			stop()
		}
	}}
	o := Options{Source: src, Router: first, Store: s, Places: []string{"acme/web"}, Last: 250, Workers: 2}
	results, err := Run(ctx, o)
	if !errors.Is(err, context.Canceled) || len(results) == 0 {
		t.Fatalf("%d results, error %v", len(results), err)
	}
	kept := 0
	for _, r := range results {
		if r.Ignored == "" {
			kept++
		}
	}
	second := &desk{asOf: "r1"}
	o.Router = second
	results, err = Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	report := Summarise(About{}, results, nil, nil)
	if report.N != 250 || report.Known != kept || len(second.asked) != 250-kept || kept == 0 || kept > 120 {
		t.Errorf("%d decided, %d known, %d asked; the first replay kept %d", report.N, report.Known, len(second.asked), kept)
	}
	// Another text, and only that, is decided again.
	src.places["acme/web"][1].Event.Ticket.Version = "v2"
	third := &desk{asOf: "r1"}
	o.Router = third
	if _, err = Run(t.Context(), o); err != nil || len(third.asked) != 1 || third.asked[0] != src.places["acme/web"][1].Key {
		t.Errorf("after an edit %v were decided, %v", third.asked, err)
	}
	for name, change := range map[string]func(*Options, *desk){
		"another state": func(_ *Options, d *desk) { d.asOf = "r2" },
		"again":         func(o *Options, d *desk) { o.Again, d.asOf = true, "r1" },
	} {
		d := &desk{}
		again := o
		change(&again, d)
		again.Router, again.Last = d, 20
		if _, err = Run(t.Context(), again); err != nil || len(d.asked) != 20 {
			t.Errorf("%s: %d were decided, %v", name, len(d.asked), err)
		}
	}
}

// What is kept is a ticket and its decision; no reply and no job is left for
// anybody to act upon.
func TestOnlyDecisionsAreKept(t *testing.T) {
	t.Parallel()
	s := open(t)
	src := &tracker{places: map[string][]bot.Past{"a": {ticket("a", 1)}}, pageSize: 9}
	if _, err := Run(t.Context(), Options{Source: src, Router: &desk{asOf: "r1"}, Store: s, Places: []string{"a"}, Last: 9}); err != nil {
		t.Fatal(err)
	}
	d, err := s.DecisionByRef(t.Context(), routing.Ref{Key: "a#1"})
	if err != nil || d.Version != "v1" {
		t.Fatalf("decision %+v, %v", d, err)
	}
	rows, err := s.Writer().QueryContext(t.Context(), "SELECT name FROM sqlite_schema WHERE type = 'table'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range tables {
		if strings.HasPrefix(name, "river") {
			t.Errorf("there is a table of jobs: %s", name)
		}
	}
	if _, found, err := s.Reply(t.Context(), d.Ticket, store.ChannelComment); err != nil || found {
		t.Errorf("there is a reply, %v", err)
	}
}

func TestStops(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		refuse func(call int) error
		place  string
		want   string
		kept   int
	}{
		{"a place that is not there", nil, "none", "there is no none", 0},
		{"down for good", func(call int) error {
			if call > 1 {
				return bot.Errorf(bot.CodeUnavailable, "down")
			}
			return nil
		}, "a", "down", 2},
		{"a wait that is too long", func(call int) error {
			if call > 1 {
				return &bot.Error{Code: bot.CodeLimited, Message: "until tomorrow", Until: start().Add(20 * time.Hour)}
			}
			return nil
		}, "a", "until tomorrow; that is longer than pointsman waits (15m0s)", 2},
		{"many small waits", func(call int) error {
			if call > 1 {
				return &bot.Error{Code: bot.CodeLimited, Message: "not yet", Until: start()}
			}
			return nil
		}, "a", "not yet; that is longer than pointsman waits", 2},
		{"our own fault", func(int) error { return errors.New("odd") }, "a", "odd", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			src := &tracker{pageSize: 2, refuse: c.refuse, places: map[string][]bot.Past{"a": {ticket("a", 5), ticket("a", 4), ticket("a", 3)}}}
			results, err := Run(t.Context(), Options{
				Source: src, Router: &desk{}, Store: open(t), Places: []string{c.place}, Last: 9,
				Now: start, Wait: func(context.Context, time.Duration) error { return nil },
			})
			if err == nil || !strings.Contains(err.Error(), c.want) || len(results) != c.kept {
				t.Errorf("%d results, error %v; want %d and %q", len(results), err, c.kept, c.want)
			}
		})
	}
}

func TestStopsWhenTheStoreBreaks(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), t.TempDir(), store.WithFile(FileName))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	src := &tracker{places: map[string][]bot.Past{"acme/web": backlog("acme/web")}, pageSize: 100}
	d := &desk{}
	_, err = Run(t.Context(), Options{Source: src, Router: d, Store: s, Places: []string{"acme/web"}, Last: 250})
	if err == nil || !strings.Contains(err.Error(), "database") || len(d.asked) > 1 {
		t.Errorf("%d asked, error %v", len(d.asked), err)
	}
}
