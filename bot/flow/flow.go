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

const (
	// defaultGrace is longer than an adapter waits for an answer, 20 s, and than a
	// host works on after that: what has not appeared by then will not.
	defaultGrace = 30 * time.Second
	// checkAfter is how long after a comment was put right somebody looks again.
	checkAfter = time.Minute
)

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

// Registry is a registry that is read from a repository.
type Registry interface {
	// Concerns says whether a branch of a repository is where the registry is.
	Concerns(repo string, id int64, branch string, isDefault bool) bool
	// Reread reads it again and says what became of that. An error says that it could
	// not be read; what was read and cannot be used is none.
	Reread(ctx context.Context, p bot.Push, toldAt time.Time) (outcome string, err error)
	// Review says what is to be concluded of a pull request; touched is false when it
	// does not change the registry.
	Review(ctx context.Context, p bot.Pull) (c bot.Check, touched bool, err error)
}

// Options are what the steps work with. All but Observer, Registry and, without it,
// Conclude are required.
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
	// Registry is the one that is read from a repository; nil = it is a file.
	Registry Registry
	// Conclude puts a check on its commit, in place of the one of ours that is there.
	Conclude func(ctx context.Context, c bot.Check) (bot.Said, error)
	Live     bool // false: shadow, nothing is said
	Log      *slog.Logger
	// Observer may be nil.
	Observer Observer
	// Grace is how long after an attempt to speak whose outcome nobody saw the next
	// one waits: the host may still be at it. 0 = 30 s.
	Grace time.Duration
	Now   func() time.Time // nil = time.Now
}

// Flow does the queue's jobs. It is safe for concurrent use.
type Flow struct {
	Options
	began time.Time // attempts that were intended before are a dead process's
	// Routing waits for no host: a ticket that is being spoken to can be routed.
	routes, speaks locks
}

// New makes a Flow.
func New(o Options) *Flow {
	if o.Observer == nil {
		o.Observer = blind{}
	}
	if o.Grace == 0 {
		o.Grace = defaultGrace
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Flow{Options: o, began: o.Now(), routes: newLocks(), speaks: newLocks()}
}

// Failed notes with the delivery why its job failed, and when it is tried again:
// a zero time is never.
func (f *Flow) Failed(ctx context.Context, delivery int64, cause error, again time.Time) error {
	if again.IsZero() {
		return f.finish(ctx, delivery, store.StatusFailed, cause.Error())
	}
	return f.Store.Do(ctx, func(tx *store.Tx) error {
		return tx.DelayDelivery(ctx, delivery, bot.CleanLine(cause.Error(), maxReason), again)
	})
}

func (f *Flow) finish(ctx context.Context, delivery int64, status, reason string) error {
	return f.Store.Do(ctx, func(tx *store.Tx) error {
		return tx.FinishDelivery(ctx, delivery, status, bot.CleanLine(reason, maxReason))
	})
}

type blind struct{}

func (blind) Routed(string, time.Duration) {}
func (blind) Said(string, string)          {}
