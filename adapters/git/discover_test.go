package git_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/adapters/git/gittest"
)

func TestDiscover(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	at := func(path string) string { return filepath.Join(root, filepath.FromSlash(path)) }
	for path, bare := range map[string]bool{
		"ledger":                    false,
		"team/mail.git":             true,
		"team/a/ledger":             false, // the name again
		"team/a/b/too-deep":         true,
		"node_modules/left":         false,
		"app/vendor/right":          false,
		"ledger/inner":              false, // inside a repository
		"Zeta":                      true,
		"team/.hidden/Odd_Name.x.y": true,
	} {
		if err := gittest.Empty(at(path), bare); err != nil {
			t.Fatal(err)
		}
	}
	mustWrite(t, at("broken/.git/junk"), "")
	elsewhere := filepath.Join(t.TempDir(), "real")
	if err := gittest.Empty(elsewhere, true); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"linked": elsewhere, "team/loop": root, "dead": at("nowhere")} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	found, failures, err := git.New().Discover(t.Context(), root, 3)
	if err != nil {
		t.Fatal(err)
	}
	want := []git.Found{
		{Name: "Odd_Name.x.y", Dir: at("team/.hidden/Odd_Name.x.y"), Bare: true},
		{Name: "Zeta", Dir: at("Zeta"), Bare: true},
		{Name: "broken", Dir: at("broken")},
		{Name: "ledger", Dir: at("ledger")},
		{Name: "linked", Dir: at("linked"), Bare: true},
		{Name: "mail", Dir: at("team/mail.git"), Bare: true},
		{Name: "team/a/ledger", Dir: at("team/a/ledger")},
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if len(failures) != 0 {
		t.Errorf("failures = %v", failures)
	}
}

// The searched folder may itself be a repository, with or without others in it.
// A repository is one candidate, however many ways lead to it.
func TestDiscoverFindsEachRepositoryOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	main := filepath.Join(root, "shop")
	if _, err := gittest.Write(main, false, map[string]string{"a.go": "package a\n"}, "first"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(main, filepath.Join(root, "alias-of-shop")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(main, ".git"), filepath.Join(root, "aa")); err != nil {
		t.Fatal(err)
	}
	admin := filepath.Join(main, ".git", "worktrees", "side")
	mustWrite(t, filepath.Join(admin, "HEAD"), "ref: refs/heads/main\n")
	mustWrite(t, filepath.Join(admin, "commondir"), "../..\n")
	mustWrite(t, filepath.Join(admin, "gitdir"), filepath.Join(root, "another-tree", ".git")+"\n")
	mustWrite(t, filepath.Join(root, "another-tree", ".git"), "gitdir: "+admin+"\n")
	found, failures, err := git.New().Discover(t.Context(), root, 3)
	if err != nil || len(failures) != 0 {
		t.Fatalf("%v, failures %v", err, failures)
	}
	if d := cmp.Diff([]git.Found{{Name: "shop", Dir: main}}, found); d != "" {
		t.Errorf("found (-want +got):\n%s", d)
	}
}

func TestDiscoverRootIsRepository(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "umbrella")
	for _, dir := range []string{root, filepath.Join(root, "part")} {
		if err := gittest.Empty(dir, false); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{root: "part umbrella", filepath.Join(root, "part"): "part", filepath.Join(root, ".git"): "umbrella"} {
		found, _, err := git.New().Discover(t.Context(), dir, 3)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range found {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("Discover(%s) = %q, want %q", dir, got, want)
		}
	}
}

func TestDiscoverErrors(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	mustWrite(t, filepath.Join(root, "file"), "")
	for _, dir := range []string{filepath.Join(root, "absent"), filepath.Join(root, "file")} {
		if _, _, err := git.New().Discover(t.Context(), dir, 3); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("err = %v, want one that names %s", err, dir)
		}
	}
}
