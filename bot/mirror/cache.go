package mirror

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pointsman/pointsman/routing/index"
)

const (
	folder   = "generations"
	ending   = ".idx"
	building = ".building-"
	// abandoned is the age at which a half-written file is known to be nobody's.
	abandoned = 24 * time.Hour
)

// cache is the folder of generations: one folder per repository and branch, one
// file per commit in it.
type cache struct{ dir string }

func openCache(dir string) (cache, error) {
	fail := func(err error) error {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return fmt.Errorf("using the cache folder %s: %w; choose another with --cache DIR", dir, err)
	}
	if dir == "" {
		return cache{}, errors.New("using the cache folder: no folder is named; choose one with --cache DIR")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return cache{}, fail(err)
	}
	c := cache{dir: filepath.Join(dir, folder)}
	if err := os.MkdirAll(c.dir, 0o750); err != nil {
		return cache{}, fail(err)
	}
	if _, err := os.ReadDir(c.dir); err != nil {
		return cache{}, fail(err)
	}
	f, err := os.CreateTemp(c.dir, building+"*")
	if err != nil {
		return cache{}, fail(err)
	}
	if err := errors.Join(f.Close(), os.Remove(f.Name())); err != nil {
		return cache{}, fail(err)
	}
	return c, nil
}

// file names the generation of one state of the repository in dir.
func (c cache) file(dir string, id index.Identity) string {
	sum := sha256.Sum256([]byte(id.Repo + "\x00" + dir + "\x00" + id.Branch))
	place := readable(id.Repo) + "-" + hex.EncodeToString(sum[:8])
	return filepath.Join(c.dir, place, "v"+index.Version+"-"+id.Commit+ending)
}

// readable makes part of a file name out of a repository's.
func readable(name string) string {
	const most = 60
	out := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			return r
		default:
			return '-'
		}
	}, name)
	return strings.TrimLeft(out[:min(len(out), most)], ".")
}

// load opens a generation, or returns nil when it is absent, damaged or another's:
// it is then built anew.
func (c cache) load(file string, id index.Identity) *index.Segment {
	segment, err := index.Open(file)
	if err != nil {
		return nil
	}
	if segment.Identity() != id {
		_ = segment.Close() // nothing was written
		return nil
	}
	return segment
}

// publish writes a generation beside its place, moves it there in one step, and
// only then removes the earlier ones of the same repository and branch. Whoever
// reads those has them in memory.
func (c cache) publish(file string, b io.WriterTo) error {
	if err := write(file, b); err != nil {
		return fmt.Errorf("writing a generation to the cache: %w; free some space, or choose another folder with --cache DIR", err)
	}
	c.sweep(file)
	return nil
}

func write(file string, b io.WriterTo) (err error) {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, building+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if _, err := b.WriteTo(w); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := w.Flush(); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), file); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes the rename survive a crash of the machine.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// sweep removes the generations that keep's folder no longer needs. What cannot
// be removed only takes space, and is tried again after the next build.
func (c cache) sweep(keep string) {
	entries, err := os.ReadDir(filepath.Dir(keep))
	if err != nil {
		return
	}
	for _, e := range entries {
		old := strings.HasSuffix(e.Name(), ending) && e.Name() != filepath.Base(keep)
		if strings.HasPrefix(e.Name(), building) {
			info, err := e.Info()
			old = err == nil && time.Since(info.ModTime()) > abandoned
		}
		if old {
			_ = os.Remove(filepath.Join(filepath.Dir(keep), e.Name()))
		}
	}
}
