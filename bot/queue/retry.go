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

	minSnooze = time.Second
	maxSnooze = time.Hour // a limit is asked about again at least this often
)

// action is what is done with a job whose handler returned an error.
type action int

const (
	actRetry  action = iota // again, after the backoff
	actCancel               // never again
	actSnooze               // again at a set time; not a failed attempt
)

// classify is the whole retry policy. wait matters for actSnooze only.
func classify(err error, attempt int, now time.Time) (act action, wait time.Duration) {
	switch bot.CodeOf(err) {
	case bot.CodeInvalid, bot.CodeUnauthorized, bot.CodeForbidden, bot.CodeNotFound:
		return actCancel, 0
	case bot.CodeLimited:
		return actSnooze, min(max(untilOf(err).Sub(now), minSnooze), maxSnooze)
	case bot.CodeUnavailable, bot.CodeInternal:
	}
	if attempt >= maxAttempts {
		return actCancel, 0
	}
	return actRetry, 0
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

// retryPolicy implements river.ClientRetryPolicy.
type retryPolicy struct{}

// NextRetry says when a failed job runs again.
func (retryPolicy) NextRetry(job *rivertype.JobRow) time.Time {
	return time.Now().UTC().Add(backoff(job.Attempt))
}
