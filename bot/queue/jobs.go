package queue

import (
	"context"
	"database/sql"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"github.com/pointsman/pointsman/bot"
)

// The kinds of jobs. They are stored: a rename would orphan what is waiting.
const (
	KindOpen  = "open"
	KindRoute = "route"
	KindSpeak = "speak"
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
}

// Kind names the job.
func (Open) Kind() string { return KindOpen }

// Kind names the job.
func (Route) Kind() string { return KindRoute }

// Kind names the job.
func (Speak) Kind() string { return KindSpeak }

// InsertOpts gives every kind a queue of its own, so that routes that wait for
// an index do not keep deliveries from being understood.
func (Open) InsertOpts() river.InsertOpts { return insertOpts(KindOpen) }

// InsertOpts as for Open.
func (Route) InsertOpts() river.InsertOpts { return insertOpts(KindRoute) }

// InsertOpts as for Open.
func (Speak) InsertOpts() river.InsertOpts { return insertOpts(KindSpeak) }

func insertOpts(kind string) river.InsertOpts {
	return river.InsertOpts{Queue: kind, MaxAttempts: maxAttempts}
}

// Job is one of Open, Route and Speak.
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
