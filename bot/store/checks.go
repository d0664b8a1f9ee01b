package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

const (
	intendCheck = `INSERT INTO checks (repo, commit_sha, state, mark, intended_at) VALUES (?, ?, 'intended', ?, ?)
		ON CONFLICT (repo, commit_sha) DO UPDATE SET state = 'intended', mark = excluded.mark, intended_at = excluded.intended_at,
			unknown_at = CASE WHEN checks.state = 'intended' THEN coalesce(checks.unknown_at, checks.intended_at)
				ELSE checks.unknown_at END`
	markCheck = `UPDATE checks SET state = 'said', url = ?, said_at = ?, unknown_at = NULL WHERE repo = ? AND commit_sha = ?`
	failCheck = `UPDATE checks SET state = 'failed', unknown_at = CASE WHEN ? THEN ? ELSE unknown_at END
		WHERE repo = ? AND commit_sha = ?`
	getCheck = `SELECT state, mark, url, intended_at, coalesce(said_at, 0), coalesce(unknown_at, 0)
		FROM checks WHERE repo = ? AND commit_sha = ?`
)

// Check is what we concluded, or mean to conclude, of a commit.
type Check struct {
	Repo, Commit string
	State        string // as of a Reply
	Mark         string // says what was concluded: the same for the same
	URL          string
	IntendedAt   time.Time
	SaidAt       time.Time // zero = never
	// UnknownAt is the last moment of an attempt whose outcome nobody saw. Zero = none,
	// or somebody looked since.
	UnknownAt time.Time
}

// IntendCheck records that a check is about to be said. When an intent stands
// already, its process ended meanwhile, and UnknownAt says so from now on.
func (t *Tx) IntendCheck(ctx context.Context, repo, commit, mark string) error {
	_, err := t.tx.ExecContext(ctx, intendCheck, repo, commit, mark, micros(t.now))
	return err
}

// MarkCheck records that the intended check was said, and where.
func (t *Tx) MarkCheck(ctx context.Context, repo, commit, url string) error {
	_, err := t.tx.ExecContext(ctx, markCheck, url, micros(t.now), repo, commit)
	return err
}

// FailCheck records that the attempt to say the intended check failed; unknown says
// that it may have been said all the same, or may yet be.
func (t *Tx) FailCheck(ctx context.Context, repo, commit string, unknown bool) error {
	_, err := t.tx.ExecContext(ctx, failCheck, unknown, micros(t.now), repo, commit)
	return err
}

// Conclusion returns the check of a commit; found is false when none was ever intended.
func (s *Store) Conclusion(ctx context.Context, repo, commit string) (c Check, found bool, err error) {
	c.Repo, c.Commit = repo, commit
	var intended, said, unknown int64
	err = s.reader.QueryRowContext(ctx, getCheck, repo, commit).Scan(&c.State, &c.Mark, &c.URL, &intended, &said, &unknown)
	if errors.Is(err, sql.ErrNoRows) {
		return Check{}, false, nil
	}
	if err != nil {
		return Check{}, false, s.explain("reading a check", err)
	}
	c.IntendedAt, c.SaidAt, c.UnknownAt = fromMicros(intended), fromMicros(said), fromMicros(unknown)
	return c, true, nil
}
