package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/pointsman/pointsman/bot"
)

const (
	// Three steps from delivery to comment wait for a poll each; an idle bot is
	// to answer within 5 s.
	pollInterval  = 250 * time.Millisecond
	fetchCooldown = 50 * time.Millisecond

	openTimeout = 2 * time.Minute
	// A route may have to index what was pushed since the last one.
	routeTimeout = 15 * time.Minute
)

// SpeakTimeout bounds one attempt at a Speak, Reread or Review job.
const SpeakTimeout = 2 * time.Minute

// Handler does the jobs. Every method may be called again for a job that was
// done already.
type Handler interface {
	Tickets
	Registry
}

// Registry does the jobs about a registry that is read from a repository. No two of
// a kind run at the same time.
type Registry interface {
	Reread(ctx context.Context, job Reread) error
	Review(ctx context.Context, job Review) error
}

// Tickets does the jobs about tickets.
type Tickets interface {
	Open(ctx context.Context, job Open) error
	Route(ctx context.Context, job Route) error
	Speak(ctx context.Context, job Speak) error
	// Failed is told of every attempt that failed: why, and when the next one
	// follows. A zero time means that the job is given up.
	Failed(ctx context.Context, delivery int64, cause error, again time.Time) error
}

// Options tune a Queue.
type Options struct {
	Workers     int           // jobs of one kind, or for one host, at a time; at least 1
	Hosts       []string      // whom Speak jobs speak to, as Host names them
	StopTimeout time.Duration // how long running jobs may finish when stopped
	Log         *slog.Logger
	// Observe is told how every attempt ended: code is "ok" or the bot.Code of
	// the error, result "done", "retry", "snooze", "cancel" or "handed_back". It
	// may be nil.
	Observe func(kind, result, code string)
}

// Queue fetches and runs jobs until it is stopped.
type Queue struct {
	db      *sql.DB
	client  *river.Client[*sql.Tx]
	workers int
	stop    time.Duration
}

// Migrate brings the queue's own tables up to date. It must run before the first
// Insert.
func Migrate(ctx context.Context, db *sql.DB) error {
	m, err := rivermigrate.New(riversqlite.New(db), &rivermigrate.Config{Logger: quiet(nil)})
	if err != nil {
		return fmt.Errorf("migrating the queue: %w", err)
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrating the queue: %w", err)
	}
	var have, known int
	if err := db.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM river_migration`).Scan(&have); err != nil {
		return fmt.Errorf("migrating the queue: %w", err)
	}
	for _, v := range m.AllVersions() {
		known = max(known, v.Version)
	}
	if have > known {
		return bot.Errorf(bot.CodeInvalid, "migrating the queue: its schema is version %d, made by a newer pointsman; "+
			"this one knows up to %d: run the newer one, or name another dataDir", have, known)
	}
	return nil
}

// handBackSQL makes jobs that a dead process held available again at once, and
// those that were waiting for a later attempt too: a restart is often the cure.
// Jobs told to wait by a limit stay scheduled.
const handBackSQL = `UPDATE river_job SET state = 'available', scheduled_at = datetime('now', 'subsec')
	WHERE state IN ('running', 'retryable')`

// Reclaim hands back what an earlier process of ours left behind, and returns
// how many jobs that were. The caller must be the only process on the database.
func Reclaim(ctx context.Context, db *sql.DB) (int64, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, fmt.Errorf("handing back jobs: %w", err)
	}
	res, err := tx.ExecContext(ctx, handBackSQL)
	if err == nil {
		// The dead process's turn as leader would delay timed jobs by its lease.
		_, err = tx.ExecContext(ctx, `DELETE FROM river_leader`)
	}
	if err != nil {
		return 0, fmt.Errorf("handing back jobs: %w", errors.Join(err, tx.Rollback()))
	}
	if err := tx.Commit(); err != nil {
		return 0, fmt.Errorf("handing back jobs: %w", err)
	}
	return res.RowsAffected()
}

// New makes a Queue on db, the one connection that writes.
func New(db *sql.DB, h Handler, o Options) (*Queue, error) {
	r := &runner{handler: h, log: o.Log, observe: o.Observe, waits: map[int64]time.Time{}}
	if r.observe == nil {
		r.observe = func(string, string, string) {}
	}
	workers, err := newWorkers(r)
	if err != nil {
		return nil, bot.Errorf(bot.CodeInternal, "making the queue: %w", err)
	}
	queues := map[string]river.QueueConfig{
		KindOpen: {MaxWorkers: o.Workers}, KindSpeak: {MaxWorkers: o.Workers}, KindReread: {MaxWorkers: 1}, KindReview: {MaxWorkers: 1},
	}
	for _, host := range o.Hosts {
		queues[speakQueue(host)] = river.QueueConfig{MaxWorkers: o.Workers}
	}
	client, err := river.NewClient(riversqlite.New(db), &river.Config{
		Logger:               quiet(o.Log),
		Queues:               queues,
		Workers:              workers,
		PollOnly:             true, // the database is ours alone: polling it is cheaper than its outbox
		FetchPollInterval:    pollInterval,
		FetchCooldown:        fetchCooldown,
		JobTimeout:           openTimeout,
		RescueStuckJobsAfter: 2 * routeTimeout,
		RetryPolicy:          retryPolicy{},
		SoftStopTimeout:      max(o.StopTimeout, time.Millisecond),
		MaxAttempts:          maxAttempts,
	})
	if err != nil {
		return nil, bot.Errorf(bot.CodeInternal, "making the queue: %w", err)
	}
	return &Queue{db: db, client: client, workers: o.Workers, stop: o.StopTimeout}, nil
}

func newWorkers(r *runner) (*river.Workers, error) {
	workers := river.NewWorkers()
	return workers, errors.Join(
		river.AddWorkerSafely(workers, &worker[Open]{
			run: r, do: r.handler.Open, delivery: func(j Open) int64 { return j.Delivery }, timeout: openTimeout,
		}),
		river.AddWorkerSafely(workers, &worker[Route]{
			run: r, do: r.handler.Route, delivery: func(j Route) int64 { return j.Delivery }, timeout: routeTimeout,
		}),
		river.AddWorkerSafely(workers, &worker[Speak]{
			run: r, do: r.handler.Speak, delivery: func(j Speak) int64 { return j.Delivery }, timeout: SpeakTimeout,
		}),
		river.AddWorkerSafely(workers, &worker[Reread]{
			run: r, do: r.handler.Reread, delivery: func(j Reread) int64 { return j.Delivery }, timeout: SpeakTimeout,
		}),
		river.AddWorkerSafely(workers, &worker[Review]{
			run: r, do: r.handler.Review, delivery: func(j Review) int64 { return j.Delivery }, timeout: SpeakTimeout,
		}),
	)
}

// Start begins to work on all jobs but Route, which wait for StartRouting.
func (q *Queue) Start(ctx context.Context) error {
	left, err := q.leftover(ctx)
	if err != nil {
		return fmt.Errorf("starting the queue: %w", err)
	}
	// Stop ends the queue, in order; the caller's ctx must not cut that short.
	if err := q.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("starting the queue: %w", err)
	}
	for _, name := range left {
		err := q.client.Queues().Add(name, river.QueueConfig{MaxWorkers: 1})
		if err != nil && !errors.As(err, new(*river.QueueAlreadyAddedError)) {
			return errors.Join(fmt.Errorf("starting the queue: %w", err), q.Stop(ctx))
		}
	}
	return nil
}

// leftover names the queues that jobs wait in. The host of some may be configured
// no more: those jobs are still taken, to be given up with that reason.
func (q *Queue) leftover(ctx context.Context) (names []string, err error) {
	rows, err := q.db.QueryContext(ctx, `SELECT DISTINCT queue FROM river_job
		WHERE kind = 'speak' AND state NOT IN ('completed', 'cancelled', 'discarded')`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// StartRouting begins to work on Route jobs.
func (q *Queue) StartRouting() error {
	if err := q.client.Queues().Add(KindRoute, river.QueueConfig{MaxWorkers: q.workers}); err != nil {
		return fmt.Errorf("starting the queue: %w", err)
	}
	return nil
}

// Stop takes no more jobs, lets the running ones finish until StopTimeout, then
// cancels them and hands them back. A handler that does not heed its context is
// left behind after a few seconds more; its job is handed back by the next start.
func (q *Queue) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), q.stop+5*time.Second)
	defer cancel()
	if err := q.client.Stop(ctx); err != nil {
		return fmt.Errorf("stopping the queue: a job does not end: %w", err)
	}
	return nil
}
