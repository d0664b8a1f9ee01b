package queue

import (
	"time"

	"github.com/riverqueue/river/rivertype"

	"github.com/pointsman/pointsman/bot"
)

const (
	// With maxBackoff between the later ones, 60 attempts span about nine hours:
	// an outage over night is survived.
	maxAttempts = 60
	maxBackoff  = 10 * time.Minute

	maxSnooze = time.Hour // a limit is asked about again at least this often
	// The floor under snoozes grows as the backoff does, so this many span a day
	// also when every limit is said to be over at once.
	maxSnoozes = 160

	// Bad credentials are an operator's to mend: 60 attempts span more than a day.
	minUnauthorized = 30 * time.Second
	maxUnauthorized = 30 * time.Minute
)

// action is what is done with a job whose handler returned an error.
type action int

const (
	actRetry  action = iota // again, after the wait; a failed attempt
	actCancel               // never again
	actSnooze               // again, after the wait; not a failed attempt
)

// classify is the whole retry policy. attempt counts the failed ones, this one
// included; snoozes those that were not counted.
func classify(err error, attempt, snoozes int, now time.Time) (act action, wait time.Duration) {
	code := bot.CodeOf(err)
	switch code {
	case bot.CodeInvalid, bot.CodeForbidden, bot.CodeNotFound:
		return actCancel, 0
	case bot.CodeLimited:
		if snoozes >= maxSnoozes {
			return actCancel, 0
		}
		return actSnooze, min(max(untilOf(err).Sub(now), backoff(snoozes+1)), maxSnooze)
	case bot.CodeUnauthorized, bot.CodeUnavailable, bot.CodeInternal:
	}
	if attempt >= maxAttempts {
		return actCancel, 0
	}
	if code == bot.CodeUnauthorized {
		return actRetry, min(minUnauthorized<<min(attempt-1, 10), maxUnauthorized)
	}
	return actRetry, backoff(attempt)
}

// backoff is the wait after a failed attempt, counted from 1: 1 s, 2 s, 4 s, up
// to maxBackoff. The first ones are short, so that a hiccup costs no one more
// than a breath.
func backoff(attempt int) time.Duration {
	if attempt > 10 {
		return maxBackoff
	}
	return min(time.Second<<max(attempt-1, 0), maxBackoff)
}

// retryPolicy is asked about attempts that ended without a wait of ours: those
// that the job library itself cut short.
type retryPolicy struct{}

// NextRetry says when a failed job runs again.
func (retryPolicy) NextRetry(job *rivertype.JobRow) time.Time {
	return time.Now().UTC().Add(backoff(job.Attempt))
}
