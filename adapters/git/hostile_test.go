package git_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/pointsman/pointsman/adapters/git"
)

// putter returns a function that adds an object to a repository as it is told.
func putter(t *testing.T, dir string) func(plumbing.ObjectType, string) plumbing.Hash {
	t.Helper()
	repo, err := gogit.PlainOpen(dir)
	if err != nil {
		t.Fatal(err)
	}
	return func(kind plumbing.ObjectType, data string) plumbing.Hash {
		t.Helper()
		o := repo.Storer.NewEncodedObject()
		o.SetType(kind)
		w, err := o.Writer()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(data)); err != nil {
			t.Fatal(err)
		}
		hash, err := repo.Storer.SetEncodedObject(o)
		if err != nil {
			t.Fatal(err)
		}
		return hash
	}
}

// Ten small objects can describe a billion files: each folder holds the next one
// ten times.
func TestWalkBoundsTreeBombs(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "bomb")
	write(t, dir, true, sampleFiles())
	put := putter(t, dir)
	mode, at := "100644", put(plumbing.BlobObject, "boom")
	for range 9 {
		var tree strings.Builder
		for i := range 10 {
			fmt.Fprintf(&tree, "%s f%d\x00%s", mode, i, at[:])
		}
		mode, at = "40000", put(plumbing.TreeObject, tree.String())
	}
	commit := put(plumbing.CommitObject, "tree "+at.String()+"\nauthor a <a@example.com> 0 +0000\n\nx\n")
	_, order, failures := read(t, dir, commit.String())
	if len(order) == 0 || len(order) > 5_000 {
		t.Errorf("%d files were visited, want some, and no more than 5000", len(order))
	}
	if len(failures) == 0 || len(failures) > 9 || !strings.Contains(failures[0].Why, "the same folder stands in more than 500 places") {
		t.Errorf("failures = %v", failures)
	}
}

// Opening a pipe would wait for ever, and a device may never end: both say so.
func TestFilesThatAreNoFiles(t *testing.T) {
	t.Parallel()
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o600) }
	device := func(path string) error { return os.Symlink("/dev/zero", path) }
	huge := func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 2<<20)) }
	for _, tt := range []struct {
		name, path string
		place      func(string) error
		want       string // part of the error
	}{
		{"pipe for HEAD", "HEAD", pipe, "HEAD is not a regular file"},
		{"device for HEAD", "HEAD", device, "HEAD is not a regular file"},
		{"huge HEAD", "HEAD", huge, "HEAD is larger than 1 MiB"},
		{"pipe for a branch", "refs/heads/main", pipe, "refs/heads/main is not a regular file"},
		{"pipe beside a branch", "refs/heads/other", pipe, ""},
		{"pipe for config", "config", pipe, ""},
		{"device for packed-refs", "packed-refs", device, ""},
		{"pipe for commondir", "commondir", pipe, "commondir is not a regular file"},
		{"pipe for alternates", "objects/info/alternates", pipe, ""},
		{"pipe for a pack's index", "objects/pack/pack-x.idx", pipe, "pack-x.idx is not a regular file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "odd")
			write(t, dir, true, sampleFiles())
			path := filepath.Join(dir, filepath.FromSlash(tt.path))
			if err := errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o700)); err != nil {
				t.Fatal(err)
			}
			if err := tt.place(path); err != nil {
				t.Fatal(err)
			}
			head, err := git.New().Head(t.Context(), dir, "")
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				if files, _, failures := read(t, dir, head.Commit); len(files) != len(sampleFiles()) || len(failures) != 0 {
					t.Errorf("%d files, failures %v", len(files), failures)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want one that says %q", err, tt.want)
			}
		})
	}
	t.Run("pipe for .git", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		if err := pipe(filepath.Join(dir, ".git")); err != nil {
			t.Fatal(err)
		}
		if _, err := git.New().Head(t.Context(), dir, ""); err == nil || !strings.Contains(err.Error(), ".git is not a regular file") {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("pipe for an object", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "odd")
		commit := write(t, dir, true, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
		name := plumbing.ComputeHash(plumbing.BlobObject, []byte("a\n")).String()
		path := filepath.Join(dir, "objects", name[:2], name[2:])
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := pipe(path); err != nil {
			t.Fatal(err)
		}
		files, _, failures := read(t, dir, commit)
		if len(files) != 1 || len(failures) != 1 || !strings.Contains(failures[0].Why, "is not a regular file") {
			t.Errorf("files %v, failures %v", files, failures)
		}
	})
}

// Hostile trees: links, submodules and names that lead out are never visited.
func TestWalkRefusesHostileEntries(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "hostile")
	write(t, dir, true, sampleFiles())
	put := putter(t, dir)
	blob := put(plumbing.BlobObject, "/etc/passwd")
	raw, _ := hex.DecodeString(blob.String())
	line := func(mode, name string) string { return mode + " " + name + "\x00" + string(raw) }
	sub := put(plumbing.TreeObject, line("100644", "..")+line("100644", "in/side")+line("100755", "run.sh"))
	rawSub, _ := hex.DecodeString(sub.String())
	tree := put(plumbing.TreeObject, line("100644", "..")+line("100644", ".git")+line("120000", "link")+
		line("160000", "module")+line("100644", "ok")+"40000 sub\x00"+string(rawSub)+"100644 cut")
	commit := put(plumbing.CommitObject, "tree "+tree.String()+"\nauthor a <a@example.com> 0 +0000\n\nx\n")

	files, order, failures := read(t, dir, commit.String())
	if want := []string{"ok", "sub/run.sh"}; !slices.Equal(order, want) {
		t.Errorf("visited %v, want %v", files, want)
	}
	var paths []string
	for _, f := range failures {
		paths = append(paths, f.Path)
	}
	if want := []string{"", "..", ".git", "sub/..", "sub/in/side"}; !slices.Equal(paths, want) {
		t.Errorf("failures = %v, want paths %v", failures, want)
	}
}
