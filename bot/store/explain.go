package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/pointsman/pointsman/bot"
)

// explain turns an error of the database into one that says what to do, with a
// code that tells whether trying again can help.
func (s *Store) explain(act string, err error) error {
	var known *bot.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case errors.Is(err, sql.ErrNoRows):
		return bot.Errorf(bot.CodeNotFound, "%s: there is no such row: %w", act, err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return bot.Errorf(bot.CodeUnavailable, "%s: %w", act, err)
	}
	var lite *sqlite.Error
	if !errors.As(err, &lite) {
		return bot.Errorf(bot.CodeInternal, "%s: %w", act, err)
	}
	switch lite.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return bot.Errorf(bot.CodeUnavailable, "%s: the disk that holds %s is full; free some space: %w", act, s.path, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return bot.Errorf(bot.CodeUnavailable,
			"%s: %s is damaged or not a database; restore it from a backup, or move it away to begin anew: %w", act, s.path, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return bot.Errorf(bot.CodeUnavailable,
			"%s: %s cannot be opened or written; make its folder writable for this user: %w", act, s.path, err)
	case sqlite3.SQLITE_IOERR:
		return bot.Errorf(bot.CodeUnavailable, "%s: %s cannot be read or written; look at its disk: is it full, or failing? %w", act, s.path, err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return bot.Errorf(bot.CodeUnavailable, "%s: %s: %w", act, s.path, err)
	case sqlite3.SQLITE_ERROR:
		if strings.Contains(err.Error(), "no such table") {
			return bot.Errorf(bot.CodeInternal, "%s: %s was made by another version; start pointsman serve once to bring it up to date: %w", act, s.path, err)
		}
	}
	return bot.Errorf(bot.CodeInternal, "%s: %w", act, err)
}
