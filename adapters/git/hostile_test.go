package git_test

import (
	"encoding/hex"
	"path/filepath"
	"slices"
	"testing"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
)

// Hostile trees: links, submodules and names that lead out are never visited.
func TestWalkRefusesHostileEntries(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "hostile")
	write(t, dir, true, sampleFiles())
	repo, err := gogit.PlainOpen(dir)
	if err != nil {
		t.Fatal(err)
	}
	put := func(kind plumbing.ObjectType, data string) plumbing.Hash {
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
