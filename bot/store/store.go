package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/pointsman/pointsman/bot"
)

// FileName is the name of the database in the data folder.
const FileName = "pointsman.db"

// Store is one open database. It is safe for concurrent use.
type Store struct {
	path   string
	writer *sql.DB // nil when opened to read only
	reader *sql.DB
	now    func() time.Time
}

// Option changes how a store is opened.
type Option func(*Store)

// WithClock replaces the clock, for tests.
func WithClock(now func() time.Time) Option { return func(s *Store) { s.now = now } }

// Open opens the database in dir, makes it when it is not there, and brings its
// schema up to date. Errors say what to do with the folder or the file.
func Open(ctx context.Context, dir string, opts ...Option) (*Store, error) {
	s := newStore(filepath.Join(dir, FileName), opts)
	if err := s.private(); err != nil {
		return nil, err
	}
	var err error
	// Durable before it is acknowledged: a 202 must survive a power cut, so
	// synchronous is FULL. Writers take the lock at once (_txlock=immediate), as
	// a transaction that reads first and writes later could not wait for it.
	s.writer, err = sql.Open("sqlite", dsn(s.path, "_txlock=immediate",
		"_pragma=busy_timeout(10000)", "_pragma=journal_mode(WAL)", "_pragma=synchronous(FULL)", "_pragma=foreign_keys(1)"))
	if err != nil {
		return nil, s.explain("opening the database", err)
	}
	s.writer.SetMaxOpenConns(1)
	s.writer.SetConnMaxLifetime(0)
	if err := migrateUp(ctx, s.writer, s.path); err != nil {
		return nil, errors.Join(s.explain("opening the database", err), s.writer.Close())
	}
	s.reader, err = sql.Open("sqlite", dsn(s.path, "_pragma=busy_timeout(10000)", "_pragma=query_only(1)"))
	if err != nil {
		return nil, errors.Join(s.explain("opening the database", err), s.writer.Close())
	}
	s.reader.SetMaxOpenConns(4)
	return s, nil
}

// OpenReadOnly opens the database in dir to look at it, also while a server is
// writing it. It never makes or changes one.
func OpenReadOnly(ctx context.Context, dir string) (*Store, error) {
	s := newStore(filepath.Join(dir, FileName), nil)
	if _, err := os.Stat(s.path); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("opening the database: there is none at %s; start pointsman serve with this configuration first", s.path)
		}
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	var err error
	s.reader, err = sql.Open("sqlite", dsn(s.path, "mode=ro", "_pragma=busy_timeout(10000)", "_pragma=query_only(1)"))
	if err != nil {
		return nil, s.explain("opening the database", err)
	}
	if err := s.explain("opening the database", sameSchema(ctx, s.reader, s.path)); err != nil {
		return nil, errors.Join(err, s.reader.Close())
	}
	return s, nil
}

// private makes sure that nobody else reads the file: it holds the text of
// tickets. What SQLite puts beside it gets the same rights.
func (s *Store) private() error {
	f, err := os.OpenFile(s.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
			return bot.Errorf(bot.CodeUnavailable, "opening the database: %w; free some space there", err)
		}
		return bot.Errorf(bot.CodeUnavailable, "opening the database: %w; make its folder writable for this user", err)
	}
	return f.Close()
}

func newStore(path string, opts []Option) *Store {
	s := &Store{path: path, now: time.Now}
	for _, o := range opts {
		o(s)
	}
	return s
}

func dsn(path string, params ...string) string {
	u := url.URL{Path: path}
	name := "file:" + u.EscapedPath()
	for i, p := range params {
		if i == 0 {
			name += "?" + p
		} else {
			name += "&" + p
		}
	}
	return name
}

// Close closes the database. No Tx may be running.
func (s *Store) Close() error {
	err := s.reader.Close()
	if s.writer != nil {
		err = errors.Join(err, s.writer.Close())
	}
	return err
}

// Check reports whether the database answers.
func (s *Store) Check(ctx context.Context) error {
	var n int
	err := s.reader.QueryRowContext(ctx, "SELECT count(*) FROM deliveries WHERE id < 0").Scan(&n)
	return s.explain("asking the database", err)
}

// Writer is the one connection that writes, for the queue that shares the file.
// A caller that holds a Tx must not use it: there is only one.
func (s *Store) Writer() *sql.DB { return s.writer }

// Tx is one transaction with one notion of now.
type Tx struct {
	tx  *sql.Tx
	now time.Time
}

// SQL is the transaction itself, for the queue that shares it.
func (t *Tx) SQL() *sql.Tx { return t.tx }

// Now is the time of the transaction.
func (t *Tx) Now() time.Time { return t.now }

// Do runs f in one transaction and commits when it returns nil.
func (s *Store) Do(ctx context.Context, f func(*Tx) error) error {
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return s.explain("writing to the database", err)
	}
	if err := f(&Tx{tx: tx, now: s.now().UTC()}); err != nil {
		if back := tx.Rollback(); back != nil && !errors.Is(back, sql.ErrTxDone) {
			err = errors.Join(err, back)
		}
		return s.explain("writing to the database", err)
	}
	return s.explain("writing to the database", tx.Commit())
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}
