package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"

	"github.com/pointsman/pointsman/bot"
)

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
		id: job.ID, kind: job.Kind, number: job.Attempt, delivery: w.delivery(job.Args),
	}, err)
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
	number   int
	delivery int64
}

type runner struct {
	handler Handler
	log     *slog.Logger
	observe func(kind, result, code string)
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
	act, wait := classify(err, a.number, time.Now())
	switch act {
	case actSnooze:
		r.observe(a.kind, "snooze", code)
		log.InfoContext(ctx, "job waits", bot.LogErr, err, bot.LogWait, wait)
		return river.JobSnooze(wait)
	case actCancel:
		if again := r.handler.GiveUp(ctx, a.delivery, err); again != nil {
			r.observe(a.kind, "retry", code)
			log.WarnContext(ctx, "job could not be given up", bot.LogErr, errors.Join(err, again))
			return fmt.Errorf("giving up: %w", again)
		}
		r.observe(a.kind, "cancel", code)
		log.ErrorContext(ctx, "job given up", bot.LogErr, err)
		return river.JobCancel(err)
	default:
		r.observe(a.kind, "retry", code)
		log.WarnContext(ctx, "job failed and will be tried again", bot.LogErr, err, bot.LogWait, backoff(a.number))
		return err
	}
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
