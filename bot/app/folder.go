package app

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/pointsman/pointsman/bot/mirror"
)

// folderErr words what is wrong with the data folder, with what to do about it.
func folderErr(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("dataDir: %w; free some space there, or name another folder", err)
	}
	return fmt.Errorf("dataDir: %w; name a folder that this user may write to", err)
}

// indexErr words an error of the index keeper: its own advice is for a command line.
func indexErr(err error) error {
	var cache *mirror.CacheError
	if !errors.As(err, &cache) {
		return err
	}
	return folderErr(fmt.Errorf("using %s: %w", cache.Dir, cache.Err))
}

const (
	// probeBytes is more than the database may find free in its own file.
	probeBytes = 256 << 10
	// probeEvery bounds how often the disk is tried: anybody may ask whether we are ready.
	probeEvery = 5 * time.Second
)

// probe tells whether a folder can be written, by writing.
type probe struct {
	dir string
	now func() time.Time

	mu   sync.Mutex
	last time.Time
	err  error
}

// check is the result of the last try, made anew when it is old.
func (p *probe) check() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.now(); p.last.IsZero() || now.Sub(p.last) >= probeEvery {
		p.last, p.err = now, nil
		if err := writeSome(p.dir); err != nil {
			p.err = folderErr(err)
		}
	}
	return p.err
}

func writeSome(dir string) error {
	f, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, probeBytes))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// maxConfigFile bounds the files that the configuration names, in bytes.
const maxConfigFile = 64 << 20
