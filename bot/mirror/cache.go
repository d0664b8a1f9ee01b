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
	// maxGeneration bounds the files that are read, bytes. The largest repositories
	// make some hundred megabytes.
	maxGeneration = 2 << 30
)

// cache is the folder of generations: one folder per repository and branch, one
// file per commit in it.
type cache struct {
	root string // as it was named
	dir  string
}

// CacheError says that the cache folder cannot be used. It advises as for a command
// line; who names the folder elsewhere words Dir and Err with advice of its own.
type CacheError struct {
	Dir string
	Err error // without the names of files in Dir
}

// Error implements error.
func (e *CacheError) Error() string {
	return fmt.Sprintf("using the cache folder %s: %v; free some space there, or choose another with --cache DIR", e.Dir, e.Err)
}

// Unwrap returns the cause.
func (e *CacheError) Unwrap() error { return e.Err }

func unusable(dir string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return &CacheError{Dir: dir, Err: err}
}

func openCache(dir string) (cache, error) {
	fail := func(err error) error { return unusable(dir, err) }
	if dir == "" {
		return cache{}, errors.New("using the cache folder: no folder is named; choose one with --cache DIR")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return cache{}, fail(err)
	}
	c := cache{root: dir, dir: filepath.Join(dir, folder)}
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

// load opens a generation, or returns nil when it is absent, damaged, another's, or
// no file at all: it is then built anew.
func (c cache) load(file string, id index.Identity) *index.Segment {
	// A pipe would be waited for, a device might never end.
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > maxGeneration {
		return nil
	}
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

// publish writes a generation beside the others, reads it back, moves it to its
// place in one step, and only then removes the earlier ones of the same repository
// and branch. Whoever reads those has them in memory. A place that cannot be taken,
// because a folder stands there, costs no answer: only another build later.
func (c cache) publish(file string, b io.WriterTo) (*index.Segment, error) {
	built, err := c.write(b)
	if err != nil {
		return nil, unusable(c.root, err)
	}
	segment, err := index.Open(built)
	if err != nil {
		return nil, unusable(c.root, errors.Join(fmt.Errorf("reading back what was written: %w", err), os.Remove(built)))
	}
	if err := move(built, file); err != nil {
		_ = os.Remove(built) // if it stays, sweep finds it
		return segment, nil  //nolint:nilerr // the answer has its index all the same
	}
	c.sweep(file)
	return segment, nil
}

// write makes a file of its own, whole and on the disk.
func (c cache) write(b io.WriterTo) (name string, err error) {
	if err := os.MkdirAll(c.dir, 0o750); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(c.dir, building+"*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if _, err := b.WriteTo(w); err != nil {
		return "", errors.Join(err, f.Close())
	}
	if err := w.Flush(); err != nil {
		return "", errors.Join(err, f.Close())
	}
	if err := f.Sync(); err != nil {
		return "", errors.Join(err, f.Close())
	}
	return f.Name(), f.Close()
}

// move puts a file in its place. What stands there and is no file goes, unless it
// is a folder that holds something.
func move(built, file string) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	if err := os.Rename(built, file); err != nil {
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

// sweep removes the generations that keep's folder no longer needs, and what was
// left half-written. What cannot be removed only takes space, and is tried again
// after the next build.
func (c cache) sweep(keep string) {
	dir := filepath.Dir(keep)
	for _, e := range entries(dir) {
		if strings.HasSuffix(e.Name(), ending) && e.Name() != filepath.Base(keep) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
	for _, dir := range []string{c.dir, dir} {
		for _, e := range entries(dir) {
			info, err := e.Info()
			if strings.HasPrefix(e.Name(), building) && err == nil && time.Since(info.ModTime()) > abandoned {
				_ = os.Remove(filepath.Join(dir, e.Name()))
			}
		}
	}
}

// entries lists a folder, nothing of one that cannot be read.
func entries(dir string) []fs.DirEntry {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	return list
}
