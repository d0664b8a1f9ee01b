package queue

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"github.com/pointsman/pointsman/bot"
)

// The kinds of jobs. They are stored: a rename would orphan what is waiting.
const (
	KindOpen   = "open"
	KindRoute  = "route"
	KindSpeak  = "speak"
	KindReread = "reread"
	KindReview = "review"
)

// Open is the job to understand a saved delivery.
type Open struct {
	Delivery int64 `json:"delivery"` // the store's row
}

// Route is the job to decide where a ticket belongs.
type Route struct {
	Delivery int64  `json:"delivery"` // the row of the delivery that caused it
	Ticket   int64  `json:"ticket"`   // the store's row
	Version  string `json:"version"`  // of the ticket; when a newer one is known the job has nothing to do
}

// Speak is the job to put a decision on its ticket.
type Speak struct {
	Delivery int64 `json:"delivery"`
	Ticket   int64 `json:"ticket"`
	Decision int64 `json:"decision"` // the store's row
	// Host names the system that is spoken to: one that hangs keeps no other waiting.
	Host string `json:"host,omitempty"`
	// Check says that all was said, but an attempt at it ended without an answer:
	// what that one wrote is looked for, and put right. Delivery is then 0.
	Check bool `json:"check,omitempty"`
}

// Reread is the job to read the registry again, since its repository was pushed to.
type Reread struct {
	Delivery int64 `json:"delivery"` // the row of the delivery that told of the push
}

// Review is the job to check a pull request that may change the registry.
type Review struct {
	Delivery int64 `json:"delivery"` // the row of the delivery that told of it
}

// Host names a system to speak to, as Speak and Options.Hosts want it.
func Host(system, tenant string) string { return system + "/" + tenant }

// Kind names the job.
func (Open) Kind() string { return KindOpen }

// Kind names the job.
func (Route) Kind() string { return KindRoute }

// Kind names the job.
func (Speak) Kind() string { return KindSpeak }

// Kind names the job.
func (Reread) Kind() string { return KindReread }

// Kind names the job.
func (Review) Kind() string { return KindReview }

// InsertOpts gives every kind a queue of its own, so that routes that wait for
// an index do not keep deliveries from being understood.
func (Open) InsertOpts() river.InsertOpts { return insertOpts(KindOpen) }

// InsertOpts as for Open.
func (Route) InsertOpts() river.InsertOpts { return insertOpts(KindRoute) }

// InsertOpts as for Open.
func (Reread) InsertOpts() river.InsertOpts { return insertOpts(KindReread) }

// InsertOpts as for Open.
func (Review) InsertOpts() river.InsertOpts { return insertOpts(KindReview) }

// InsertOpts gives every host a queue of its own.
func (s Speak) InsertOpts() river.InsertOpts { return insertOpts(speakQueue(s.Host)) }

// speakQueue is the queue of a host. Tenants may hold what names of queues may not.
func speakQueue(host string) string {
	if host == "" {
		return KindSpeak
	}
	sum := sha256.Sum256([]byte(host))
	return KindSpeak + "_" + hex.EncodeToString(sum[:8])
}

func insertOpts(kind string) river.InsertOpts {
	return river.InsertOpts{Queue: kind, MaxAttempts: maxAttempts}
}

// Job is one of Open, Route, Speak, Reread and Review.
type Job interface {
	river.JobArgs
	river.JobArgsWithInsertOpts
}

// Inserter puts jobs into the transaction that saves what they are about.
type Inserter struct {
	client *river.Client[*sql.Tx]
}

// NewInserter makes an Inserter. It needs no database: it writes where the
// caller's transaction does.
func NewInserter() (*Inserter, error) {
	client, err := river.NewClient(riversqlite.New(nil), &river.Config{Logger: quiet(nil)})
	if err != nil {
		return nil, bot.Errorf(bot.CodeInternal, "making the queue: %w", err)
	}
	return &Inserter{client: client}, nil
}

// Insert saves job in tx.
func (i *Inserter) Insert(ctx context.Context, tx *sql.Tx, job Job) error {
	_, err := i.client.InsertTx(ctx, tx, job, nil)
	return err
}

// InsertAt saves job in tx, not to be done before at.
func (i *Inserter) InsertAt(ctx context.Context, tx *sql.Tx, job Job, at time.Time) error {
	_, err := i.client.InsertTx(ctx, tx, job, &river.InsertOpts{ScheduledAt: at})
	return err
}
