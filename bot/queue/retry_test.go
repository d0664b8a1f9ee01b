package queue

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/pointsman/pointsman/bot"
)

func TestClassify(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	limited := func(in time.Duration) error {
		return fmt.Errorf("speaking: %w", &bot.Error{Code: bot.CodeLimited, Message: "wait", Until: now.Add(in)})
	}
	for _, c := range []struct {
		err              error
		attempt, snoozes int
		act              action
		wait             time.Duration
	}{
		{bot.Errorf(bot.CodeInvalid, "x"), 1, 0, actCancel, 0},
		{bot.Errorf(bot.CodeForbidden, "x"), 1, 0, actCancel, 0},
		{fmt.Errorf("wrapped: %w", bot.Errorf(bot.CodeNotFound, "x")), 1, 0, actCancel, 0},
		{bot.Errorf(bot.CodeUnauthorized, "x"), 1, 0, actRetry, minUnauthorized},
		{bot.Errorf(bot.CodeUnauthorized, "x"), 3, 0, actRetry, 4 * minUnauthorized},
		{bot.Errorf(bot.CodeUnauthorized, "x"), maxAttempts - 1, 0, actRetry, maxUnauthorized},
		{bot.Errorf(bot.CodeUnauthorized, "x"), maxAttempts, 0, actCancel, 0},
		{bot.Errorf(bot.CodeUnavailable, "x"), 1, 0, actRetry, time.Second},
		{bot.Errorf(bot.CodeInternal, "x"), maxAttempts - 1, 0, actRetry, maxBackoff},
		{errors.New("plain"), 1, 0, actRetry, time.Second},
		{errors.New("plain"), maxAttempts, 0, actCancel, 0},
		{limited(time.Minute), 1, 0, actSnooze, time.Minute},
		{limited(-time.Minute), 1, 0, actSnooze, time.Second},
		{limited(24 * time.Hour), maxAttempts, 0, actSnooze, maxSnooze},
		{bot.Errorf(bot.CodeLimited, "no time given"), 1, 0, actSnooze, time.Second},
		// A host that says "now" for ever is asked ever more seldom, and not for ever.
		{limited(0), 1, 3, actSnooze, 8 * time.Second},
		{limited(time.Minute), 1, 3, actSnooze, time.Minute},
		{limited(0), 1, maxSnoozes - 1, actSnooze, maxBackoff},
		{limited(0), 1, maxSnoozes, actCancel, 0},
	} {
		act, wait := classify(c.err, c.attempt, c.snoozes, now)
		if act != c.act || wait != c.wait {
			t.Errorf("%v at attempt %d, snooze %d: action %d, wait %s; want %d, %s", c.err, c.attempt, c.snoozes, act, wait, c.act, c.wait)
		}
	}
	var total time.Duration
	for n := range maxSnoozes {
		total += backoff(n + 1)
	}
	if total < 24*time.Hour {
		t.Errorf("all snoozes together span %s, want a day", total)
	}
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	var total time.Duration
	for n := 1; n < maxAttempts; n++ {
		d := backoff(n)
		if d < time.Second || d > maxBackoff || n > 1 && d < backoff(n-1) {
			t.Errorf("attempt %d waits %s", n, d)
		}
		total += d
	}
	if backoff(1) != time.Second || backoff(2) != 2*time.Second {
		t.Errorf("the first waits are %s and %s", backoff(1), backoff(2))
	}
	if total < 8*time.Hour {
		t.Errorf("all attempts together span %s, too short for an outage over night", total)
	}
}
