package replay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"time"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing"
)

// FileName is the database of replays in the data folder. It is apart from the
// service's own for two reasons. What stands there is an answer that nobody got:
// the live bot must not take it for one of its own when a webhook of the same
// ticket comes in. And a server that is running has its file to itself.
const FileName = "replay.db"

// Source lists the past tickets of a tracker.
type Source interface {
	// Past lists one place, a repository or a project, newest first, down to since.
	Past(place string, since time.Time) bot.Pages
}

// Router decides where a ticket belongs, all tickets by the same state of the
// organisation.
type Router interface {
	Route(ctx context.Context, t routing.Ticket) (routing.Decision, error)
}

// Progress is how far a replay is. Total is the number asked for until the
// listing has ended.
type Progress struct {
	Done, Total int
	Key         string // the ticket that was decided last
}

// Options say what is replayed. Source, Router, Store, Places and Last are
// required.
type Options struct {
	Source Source
	Router Router
	Store  *store.Store
	Places []string  // "owner/name", or project keys
	Last   int       // newest tickets of all places together
	Since  time.Time // none that is older; zero = all
	Again  bool      // decide also what was decided before

	Workers  int            // tickets decided at once, at least 1
	MaxWait  time.Duration  // spent in waiting for a tracker that asks us to; 0 = 15 min
	Log      *slog.Logger   // nil = none
	Progress func(Progress) // may be nil; calls come one at a time
	// Wait and Now are for tests; nil = a timer and the clock.
	Wait func(ctx context.Context, d time.Duration) error
	Now  func() time.Time
}

// Result is what became of one ticket.
type Result struct {
	Key      string
	Ticket   routing.Ticket // without its body
	Decision routing.Decision
	Known    bool   // decided by an earlier replay, of the same text and the same state
	Ignored  string // why the bot would not have answered it
	Err      error  // why there is no decision
}

// Run replays. Its results are in the order of the listing; there are some also
// with an error, which says why there are not all.
func Run(ctx context.Context, o Options) ([]Result, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	// The state is the same for every ticket, so a ticket without text tells it.
	probe, err := o.Router.Route(ctx, routing.Ticket{})
	if err != nil {
		return nil, err
	}
	r := &run{Options: o, asOf: probe.AsOf, total: o.Last}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	pending := make(chan job)
	var wg sync.WaitGroup
	for range max(1, o.Workers) {
		wg.Go(func() {
			for j := range pending {
				if err := r.decide(ctx, j); err != nil {
					cancel(err)
				}
			}
		})
	}
	err = r.list(ctx, pending)
	close(pending)
	wg.Wait()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return r.settled(), err
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run is one replay under way.
type run struct {
	Options
	asOf routing.AsOf

	mu      sync.Mutex
	results []*Result // nil = not settled
	done    int
	total   int
}

// job is a ticket to be decided, and its place in the results.
type job struct {
	at    int
	event bot.Event
}

// add makes room for a result; nil leaves it open.
func (r *run) add(res *Result) (at int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.results = append(r.results, res)
	return len(r.results) - 1
}

// settle notes what became of the ticket at a place.
func (r *run) settle(at int, res Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.results[at] = &res
	r.done++
	if r.Progress != nil {
		r.Progress(Progress{Done: r.done, Total: r.total, Key: res.Key})
	}
}

func (r *run) settled() []Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []Result
	for _, res := range r.results {
		if res != nil {
			out = append(out, *res)
		}
	}
	return out
}

// decide settles one ticket. Its error ends the replay: the store broke, or ctx
// ended. A ticket that cannot be decided is a result like any other.
func (r *run) decide(ctx context.Context, j job) error {
	t := j.event.Ticket
	res := Result{Key: t.Ref.Key, Ticket: t}
	res.Ticket.Body = "" // thousands of them would only fill the memory
	if !r.Again {
		d, known, err := r.recall(ctx, t)
		if err != nil {
			return err
		}
		if known {
			res.Decision, res.Known = d, true
			r.settle(j.at, res)
			return nil
		}
	}
	d, err := r.Router.Route(ctx, t)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		r.Log.WarnContext(ctx, "a ticket could not be decided", bot.LogTicket, t.Ref.Key, bot.LogErr, err)
		res.Err = err
		r.settle(j.at, res)
		return nil
	}
	err = r.Store.Do(ctx, func(tx *store.Tx) error {
		row, err := tx.PutTicket(ctx, t, j.event.Target)
		if err != nil {
			return err
		}
		_, err = tx.AddDecision(ctx, row, t.Version, d)
		return err
	})
	if err != nil {
		return err
	}
	res.Decision = d
	r.settle(j.at, res)
	return nil
}

// recall returns the decision of an earlier replay on the same version of the
// ticket, when nothing that a decision stands on has changed since.
func (r *run) recall(ctx context.Context, t routing.Ticket) (d routing.Decision, known bool, err error) {
	if t.Version == "" {
		return d, false, nil
	}
	var row store.Ticket
	err = r.Store.Do(ctx, func(tx *store.Tx) (err error) {
		row, known, err = tx.TicketByRef(ctx, t.Ref)
		return err
	})
	if err != nil || !known {
		return d, false, err
	}
	last, err := r.Store.LatestDecision(ctx, row.Row)
	if err != nil {
		if bot.CodeOf(err) == bot.CodeNotFound {
			err = nil
		}
		return d, false, err
	}
	if last.Version != t.Version {
		return d, false, nil
	}
	if d, err = last.Decode(); err != nil {
		return d, false, err
	}
	return d, reflect.DeepEqual(d.AsOf, r.asOf), nil
}

// errLong marks the end of a listing by a wait that is longer than allowed.
var errLong = errors.New("that is longer than pointsman waits")

func longer(err error, most time.Duration) error {
	return fmt.Errorf("%w; %w (%s): run the command again then", err, errLong, most)
}

// asBot returns the classified error in err's chain, or nil.
func asBot(err error) *bot.Error {
	var e *bot.Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}
