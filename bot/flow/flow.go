package flow

import (
	"context"
	"log/slog"
	"time"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/queue"
	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing"
)

// defaultGrace is longer than a host works on one request: GitHub ends one after
// ten seconds.
const defaultGrace = 12 * time.Second

// maxReason bounds what is kept of an error with a delivery, in characters.
const maxReason = 500

// Router decides where a ticket belongs.
type Router interface {
	Route(ctx context.Context, t routing.Ticket) (routing.Decision, error)
}

// Speaker puts a reply on its ticket. A comment of ours that is there already
// is found by marker and author and edited, also when the store does not know of
// it: that is what makes repeating the call harmless.
type Speaker interface {
	Speak(ctx context.Context, r bot.Reply) (bot.Said, error)
}

// Observer counts what happens. Every method must be safe for concurrent use.
type Observer interface {
	Routed(verdict string, took time.Duration)
	Said(system, action string) // "posted", "edited", "unchanged", "shadow"
}

// Options are what the steps work with. All but Observer are required.
type Options struct {
	Store *store.Store
	Jobs  *queue.Inserter
	// Parser and Speaker find the adapter of a source; nil means that the source
	// is not configured (any more).
	Parser  func(source, tenant string) bot.Parser
	Speaker func(t bot.Target) Speaker
	Router  Router
	// Render writes the comment in the system's own markup. The marker is part of
	// the body, and the same for every version of a ticket.
	Render func(to bot.Target, d routing.Decision) (body, marker string)
	Live   bool // false: shadow, nothing is said
	Log    *slog.Logger
	// Observer may be nil.
	Observer Observer
	// Grace is how long after an attempt to speak whose outcome nobody saw, as we
	// were killed, the next one waits: the host may still be at it. 0 = 12 s.
	Grace time.Duration
}

// Flow does the queue's jobs. It is safe for concurrent use.
type Flow struct {
	Options
	tickets locks
}

// New makes a Flow.
func New(o Options) *Flow {
	if o.Observer == nil {
		o.Observer = blind{}
	}
	if o.Grace == 0 {
		o.Grace = defaultGrace
	}
	return &Flow{Options: o, tickets: locks{held: map[int64]*lock{}}}
}

// GiveUp notes with the delivery that its job will not be tried again.
func (f *Flow) GiveUp(ctx context.Context, delivery int64, cause error) error {
	return f.finish(ctx, delivery, store.StatusFailed, cause.Error())
}

func (f *Flow) finish(ctx context.Context, delivery int64, status, reason string) error {
	return f.Store.Do(ctx, func(tx *store.Tx) error {
		return tx.FinishDelivery(ctx, delivery, status, bot.CleanLine(reason, maxReason))
	})
}

type blind struct{}

func (blind) Routed(string, time.Duration) {}
func (blind) Said(string, string)          {}
