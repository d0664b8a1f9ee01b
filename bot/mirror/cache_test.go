package mirror_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/pointsman/pointsman/routing"
)

// Whatever stands where a generation belongs, the route has its index.
func TestCacheFilesThatAreNoFiles(t *testing.T) {
	t.Parallel()
	repos := []routing.Repo{{Name: "a", Dir: "/a"}}
	for name, place := range map[string]func(file string) error{
		"pipe":        func(file string) error { return syscall.Mkfifo(file, 0o600) },
		"device":      func(file string) error { return os.Symlink("/dev/zero", file) },
		"dead link":   func(file string) error { return os.Symlink("nowhere", file) },
		"folder":      func(file string) error { return os.Mkdir(file, 0o700) },
		"full folder": func(file string) error { return os.MkdirAll(filepath.Join(file, "x"), 0o700) },
		"huge":        func(file string) error { return errors.Join(os.WriteFile(file, nil, 0o600), os.Truncate(file, 3<<30)) },
		"no folder around it": func(file string) error {
			return errors.Join(os.Remove(filepath.Dir(file)), os.WriteFile(filepath.Dir(file), nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src, cache := newSource(), t.TempDir()
			src.put("/a", 1, sources("alpha"))
			refresh(t, newKeeper(t, src, cache), repos)
			file := generations(t, cache)[0]
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			if err := place(file); err != nil {
				t.Fatal(err)
			}
			k := newKeeper(t, src, cache)
			for range 2 {
				set, missing := refresh(t, k, repos)
				if len(missing) != 0 || set.Segment("a") == nil {
					t.Fatalf("missing %v", missing)
				}
			}
			if n := src.walked("/a"); n != 2 {
				t.Errorf("walked %d times, want 2", n)
			}
			left, err := filepath.Glob(filepath.Join(cache, "generations", ".building*"))
			if err != nil || len(left) != 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}
