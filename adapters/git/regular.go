package git

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-git/go-billy/v5"
)

// Bounds of the files that are read whole, bytes.
const (
	maxRefFile    = 1 << 20
	maxPackedRefs = 256 << 20
)

// openRegular opens a file, or a link to one: opening a pipe would wait for whoever
// writes to it, and a device may never end.
func openRegular(path string) (*os.File, error) {
	if err := checkRegular(path, 1<<62); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// checkRegular refuses what is there, but no regular file within bounds.
func checkRegular(path string, limit int64) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil //nolint:nilerr // that it is absent is for the opening to find
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case info.Size() > limit:
		return fmt.Errorf("%s is larger than %d MiB", path, limit>>20)
	}
	return nil
}

// regularOnly opens regular files within bounds, for a library that reads whole
// whatever it opens.
type regularOnly struct{ billy.Filesystem }

// Open implements billy.Basic.
func (r regularOnly) Open(name string) (billy.File, error) {
	limit := int64(maxRefFile)
	if filepath.Base(name) == "packed-refs" {
		limit = maxPackedRefs
	}
	if err := checkRegular(filepath.Join(r.Root(), name), limit); err != nil {
		return nil, err
	}
	return r.Filesystem.Open(name)
}
