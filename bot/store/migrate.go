package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"github.com/pointsman/pointsman/bot"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrateUp brings the schema to the newest version.
func migrateUp(ctx context.Context, db *sql.DB, path string) error {
	p, err := migrations(db)
	if err != nil {
		return err
	}
	have, known, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("migrating: %w", err)
	}
	if have > known {
		return tooNew(path, have, known)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrating: %w", err)
	}
	return nil
}

// sameSchema refuses to read a database of another schema than this program's.
func sameSchema(ctx context.Context, db *sql.DB, path string) error {
	p, err := migrations(db)
	if err != nil {
		return err
	}
	var have, known int64
	if err := db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version`).Scan(&have); err != nil {
		return err
	}
	for _, source := range p.ListSources() {
		known = max(known, source.Version)
	}
	switch {
	case have > known:
		return tooNew(path, have, known)
	case have < known:
		return bot.Errorf(bot.CodeInvalid,
			"opening the database: %s has schema %d, this pointsman reads %d: start pointsman serve once to bring it up to date",
			path, have, known)
	}
	return nil
}

func tooNew(path string, have, known int64) error {
	return bot.Errorf(bot.CodeInvalid, "opening the database: %s has schema %d, made by a newer pointsman; this one knows up to %d: "+
		"run the newer one, or name another dataDir", path, have, known)
}

// migrateDown takes everything back, newest first.
func migrateDown(ctx context.Context, db *sql.DB) error {
	p, err := migrations(db)
	if err != nil {
		return err
	}
	if _, err := p.DownTo(ctx, 0); err != nil {
		return fmt.Errorf("migrating down: %w", err)
	}
	return nil
}

func migrations(db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return nil, fmt.Errorf("reading migrations: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("reading migrations: %w", err)
	}
	return p, nil
}
