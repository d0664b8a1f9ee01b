package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"github.com/pointsman/pointsman/bot"
)

const noteTimeout = 5 * time.Second

// worker runs one kind of job through the runner.
type worker[T Job] struct {
	river.WorkerDefaults[T]
	run      *runner
	do       func(context.Context, T) error
	delivery func(T) int64
	timeout  time.Duration
}

// Timeout is how long one attempt may take; 0 means the default.
func (w *worker[T]) Timeout(*river.Job[T]) time.Duration { return w.timeout }

// Work does the job and turns its error into what the job library shall do.
func (w *worker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	err := guard(func() error { return w.do(ctx, job.Args) })
	return w.run.settle(ctx, attempt{
		id: job.ID, kind: job.Kind, number: job.Attempt, snoozes: snoozes(job.Metadata), delivery: w.delivery(job.Args),
	}, err)
}

// NextRetry says when the attempt that has just failed is followed by another.
func (w *worker[T]) NextRetry(job *river.Job[T]) time.Time { return w.run.again(job.ID) }

// snoozes reads how often the job library put the job off.
func snoozes(metadata []byte) int {
	var m struct {
		Snoozes int `json:"snoozes"`
	}
	if json.Unmarshal(metadata, &m) != nil {
		return 0
	}
	return m.Snoozes
}

// guard turns a panic into an error, so that it is counted, logged and retried
// like any other.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = bot.Errorf(bot.CodeInternal, "the job panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}

type attempt struct {
	id       int64
	kind     string
	number   int // of the failed attempts, this one included
	snoozes  int
	delivery int64 // 0 = none waits for the job
}

type runner struct {
	handler Handler
	log     *slog.Logger
	observe func(kind, result, code string)

	mu    sync.Mutex
	waits map[int64]time.Time // by job: when it runs again, for the job library to ask
}

func (r *runner) settle(ctx context.Context, a attempt, err error) error {
	if err == nil {
		r.observe(a.kind, "done", "ok")
		return nil
	}
	code := string(bot.CodeOf(err))
	log := r.log.With(bot.LogJob, a.id, bot.LogKind, a.kind, bot.LogDelivery, a.delivery,
		bot.LogAttempt, a.number, bot.LogCode, code)
	if errors.Is(ctx.Err(), context.Canceled) {
		// We were told to stop: the job is as good as not begun.
		r.observe(a.kind, "handed_back", code)
		log.InfoContext(ctx, "job handed back", bot.LogErr, err)
		return river.JobSnooze(0)
	}
	now := time.Now()
	act, wait := classify(err, a.number, a.snoozes, now)
	var again time.Time
	if act != actCancel {
		again = now.Add(wait)
	}
	if noted := r.tell(ctx, a, err, again); noted != nil {
		log.WarnContext(ctx, "a failed attempt could not be noted", bot.LogErr, errors.Join(err, noted))
		if act == actCancel {
			r.observe(a.kind, "retry", code)
			return fmt.Errorf("giving up: %w", noted)
		}
	}
	switch act {
	case actSnooze:
		r.observe(a.kind, "snooze", code)
		log.InfoContext(ctx, "job waits", bot.LogErr, err, bot.LogWait, wait)
		return river.JobSnooze(wait)
	case actCancel:
		r.observe(a.kind, "cancel", code)
		log.ErrorContext(ctx, "job given up", bot.LogErr, err)
		return river.JobCancel(err)
	default:
		r.observe(a.kind, "retry", code)
		log.WarnContext(ctx, "job failed and will be tried again", bot.LogErr, err, bot.LogWait, wait)
		r.mu.Lock()
		r.waits[a.id] = again
		r.mu.Unlock()
		return err
	}
}

func (r *runner) tell(ctx context.Context, a attempt, cause error, again time.Time) error {
	if a.delivery == 0 {
		return nil
	}
	// The job's time may be over: that is no reason not to note it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTimeout)
	defer cancel()
	return r.handler.Failed(ctx, a.delivery, cause, again)
}

// again returns the wait that was set for a job, once.
func (r *runner) again(job int64) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.waits[job]
	delete(r.waits, job)
	return at
}

func untilOf(err error) time.Time {
	var e *bot.Error
	if errors.As(err, &e) {
		return e.Until
	}
	return time.Time{}
}

// quiet keeps the job library's own chatter out of the log: what becomes of a
// job is logged here, with our keys.
func quiet(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(errorsOnly{log.Handler()})
}

type errorsOnly struct{ slog.Handler }

// Enabled lets errors pass.
func (h errorsOnly) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelError && h.Handler.Enabled(ctx, l)
}

// WithAttrs keeps the filter.
func (h errorsOnly) WithAttrs(attrs []slog.Attr) slog.Handler {
	return errorsOnly{h.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the filter.
func (h errorsOnly) WithGroup(name string) slog.Handler {
	return errorsOnly{h.Handler.WithGroup(name)}
}
