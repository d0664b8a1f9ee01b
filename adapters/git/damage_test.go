package git_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/routing"
)

// Whatever byte of a pack or its index is wrong, and wherever it ends, a walk
// ends too: with the right texts, with failures, or with an error.
func TestWalkSurvivesDamagedPacks(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "packed")
	commit := write(t, dir, true, sampleFiles())
	if _, err := gittest.Commit(dir, map[string]string{"a": "b"}, "second"); err != nil {
		t.Fatal(err)
	}
	if err := gittest.Pack(dir); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*.pack", "*.idx"} {
		names, err := filepath.Glob(filepath.Join(dir, "objects", "pack", pattern))
		if err != nil || len(names) != 1 {
			t.Fatalf("%s: %v, %v", pattern, names, err)
		}
		whole, err := os.ReadFile(names[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(names[0], 0o600); err != nil {
			t.Fatal(err)
		}
		step := max(1, len(whole)/150)
		for at := 0; at < len(whole); at += step {
			flipped := append([]byte(nil), whole...)
			flipped[at] ^= 0xff
			for _, data := range [][]byte{flipped, whole[:at]} {
				if err := os.WriteFile(names[0], data, 0o600); err != nil {
					t.Fatal(err)
				}
				surviveOne(t, dir, commit)
			}
		}
		if err := os.WriteFile(names[0], whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if files, _, failures := read(t, dir, commit); len(failures) != 0 || len(files) != len(sampleFiles()) {
		t.Errorf("put right again, it still fails: %v", failures)
	}
}

func surviveOne(t *testing.T, dir, commit string) {
	t.Helper()
	want := sampleFiles()
	seen := 0
	failures, err := git.New().Walk(t.Context(), dir, commit, all, func(d routing.Document) error {
		seen++
		if text, ok := want[d.Path]; ok && text != string(d.Text) {
			t.Errorf("%s was read wrongly", d.Path)
		}
		return nil
	})
	if err == nil && len(failures) == 0 && seen != len(want) {
		t.Errorf("%d of %d files, and nothing is said about the rest", seen, len(want))
	}
	if _, err := git.New().Head(t.Context(), dir, ""); errors.Is(err, routing.ErrEmpty) {
		t.Errorf("a damaged repository passes as empty: %v", err)
	}
}

func TestDamagedReference(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "work")
	write(t, dir, false, sampleFiles())
	mustWrite(t, filepath.Join(dir, ".git", "refs", "heads", "main"), "")
	for _, branch := range []string{"", "main"} {
		_, err := git.New().Head(t.Context(), dir, branch)
		if err == nil || !strings.Contains(err.Error(), "references are damaged") || errors.Is(err, routing.ErrEmpty) {
			t.Errorf("Head(%q) err = %v", branch, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, ".git", "HEAD")); err != nil {
		t.Fatal(err)
	}
	if _, err := git.New().Head(t.Context(), dir, ""); err == nil || !strings.Contains(err.Error(), "clone it again") {
		t.Errorf("err = %v", err)
	}
}

// A sound object under another's name must not pass for it.
func TestWalkChecksNames(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "swapped")
	files := map[string]string{"a.txt": "the text of a\n", "b.txt": "the text of b\n"}
	commit := write(t, dir, true, files)
	place := func(text string) string {
		name := plumbing.ComputeHash(plumbing.BlobObject, []byte(text)).String()
		return filepath.Join(dir, "objects", name[:2], name[2:])
	}
	if err := os.Remove(place(files["b.txt"])); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(place(files["a.txt"]), place(files["b.txt"])); err != nil {
		t.Fatal(err)
	}
	got, _, failures := read(t, dir, commit)
	if len(got) != 1 || len(failures) != 1 || failures[0].Path != "b.txt" || !strings.Contains(failures[0].Why, "damaged") {
		t.Errorf("files %v, failures %v", got, failures)
	}
}
