package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/pointsman/pointsman/bot"
)

const (
	lockFile    = "lock"
	addressFile = "address"
)

// lock makes this process the only one on the data folder: jobs of a dead one
// may be handed back at once only because no living one can hold them.
func (a *App) lock() error {
	l := flock.New(filepath.Join(a.cfg.DataDir, lockFile))
	held, err := l.TryLock()
	if err != nil {
		return folderErr(fmt.Errorf("taking %s: %w", l.Path(), err))
	}
	if !held {
		return fmt.Errorf("dataDir: %s is in use by another pointsman; stop it, or give this one a folder of its own", a.cfg.DataDir)
	}
	a.undo = append(a.undo, func(context.Context) error { return l.Unlock() })
	// An address left by a process that was killed would lead callers astray.
	if err := os.Remove(filepath.Join(a.cfg.DataDir, addressFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return folderErr(err)
	}
	return nil
}

// announce writes the address for those who could not know a free port, whole or
// not at all.
func (a *App) announce(ctx context.Context) error {
	file := filepath.Join(a.cfg.DataDir, addressFile)
	if err := os.WriteFile(file+".new", []byte(a.addr+"\n"), 0o644); err != nil {
		return folderErr(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		return folderErr(err)
	}
	a.undo = append(a.undo, func(context.Context) error { return os.Remove(file) })
	a.log.InfoContext(ctx, "listening", bot.LogAddr, a.addr, bot.LogMode, a.cfg.Mode)
	if a.admin != a.addr {
		a.log.InfoContext(ctx, "listening for metrics, API and console", bot.LogAddr, a.admin)
	}
	return nil
}
