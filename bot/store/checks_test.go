package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The life of a check: intended, cut off, intended again, failed, said.
func TestChecks(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s, err := Open(t.Context(), t.TempDir(), WithClock(func() time.Time { now = now.Add(time.Second); return now }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	at := func(second int) time.Time { return time.Date(2026, 3, 1, 12, 0, second, 0, time.UTC) }
	do := func(f func(*Tx) error) {
		t.Helper()
		if err := s.Do(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	is := func(want Check) {
		t.Helper()
		want.Repo, want.Commit = "acme/.github", "c1"
		got, found, err := s.Conclusion(t.Context(), "acme/.github", "c1")
		if err != nil || !found {
			t.Fatalf("found %v, %v", found, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("check (-want +got):\n%s", d)
		}
	}
	if _, found, err := s.Conclusion(t.Context(), "acme/.github", "c1"); err != nil || found {
		t.Fatalf("at first found %v, %v", found, err)
	}
	do(func(tx *Tx) error { return tx.IntendCheck(t.Context(), "acme/.github", "c1", "m1") })
	is(Check{State: ReplyIntended, Mark: "m1", IntendedAt: at(1)})
	do(func(tx *Tx) error { return tx.IntendCheck(t.Context(), "acme/.github", "c1", "m2") })
	is(Check{State: ReplyIntended, Mark: "m2", IntendedAt: at(2), UnknownAt: at(1)})
	do(func(tx *Tx) error { return tx.FailCheck(t.Context(), "acme/.github", "c1", false) })
	is(Check{State: ReplyFailed, Mark: "m2", IntendedAt: at(2), UnknownAt: at(1)})
	do(func(tx *Tx) error { return tx.FailCheck(t.Context(), "acme/.github", "c1", true) })
	is(Check{State: ReplyFailed, Mark: "m2", IntendedAt: at(2), UnknownAt: at(4)})
	do(func(tx *Tx) error { return tx.MarkCheck(t.Context(), "acme/.github", "c1", "url") })
	is(Check{State: ReplySaid, Mark: "m2", URL: "url", IntendedAt: at(2), SaidAt: at(5)})
}
