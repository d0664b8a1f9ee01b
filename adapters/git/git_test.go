package git_test

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/routing"
)

func sampleFiles() map[string]string {
	return map[string]string{
		"README.md":         "# Ledger\n\nKeeps the books.\n",
		"a.b":               "sorts before the folder a\n",
		"a/one.go":          "package a\n",
		"a/deep/two.go":     "package deep\n",
		"empty.txt":         "",
		"web/app.ts":        "export const n = 1\n",
		"web/big/table.csv": strings.Repeat("row,of,numbers\n", 3000),
	}
}

func write(t *testing.T, dir string, bare bool, files map[string]string) string {
	t.Helper()
	commit, err := gittest.Write(dir, bare, files, "first")
	if err != nil {
		t.Fatal(err)
	}
	return commit
}

func all(string, int64) bool { return true }

// read walks a commit and returns what was seen, and the paths in order.
func read(t *testing.T, dir, commit string) (map[string]string, []string, []routing.Failure) {
	t.Helper()
	files, order := map[string]string{}, []string(nil)
	failures, err := git.New().Walk(t.Context(), dir, commit, all, func(d routing.Document) error {
		files[d.Path] = string(d.Text)
		order = append(order, d.Path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, order, failures
}

func TestHeadAndWalk(t *testing.T) {
	t.Parallel()
	for _, bare := range []bool{false, true} {
		for _, packed := range []bool{false, true} {
			t.Run(fmt.Sprintf("bare=%v packed=%v", bare, packed), func(t *testing.T) {
				t.Parallel()
				dir := filepath.Join(t.TempDir(), "ledger")
				commit := write(t, dir, bare, sampleFiles())
				if packed {
					if err := gittest.Pack(dir); err != nil {
						t.Fatal(err)
					}
				}
				head, err := git.New().Head(t.Context(), dir, "")
				if err != nil {
					t.Fatal(err)
				}
				if want := (routing.Head{Branch: "main", Commit: commit}); head != want {
					t.Errorf("Head = %v, want %v", head, want)
				}
				files, order, failures := read(t, dir, commit)
				if diff := cmp.Diff(sampleFiles(), files); diff != "" {
					t.Errorf("files (-want +got):\n%s", diff)
				}
				if want := slices.Sorted(maps.Keys(sampleFiles())); !slices.Equal(order, want) {
					t.Errorf("order = %v, want %v", order, want)
				}
				if len(failures) != 0 {
					t.Errorf("failures = %v", failures)
				}
			})
		}
	}
}

// The commit must be the same on every machine and in both kinds of repository.
func TestWriteIsDeterministic(t *testing.T) {
	t.Parallel()
	a := write(t, filepath.Join(t.TempDir(), "a"), true, sampleFiles())
	b := write(t, filepath.Join(t.TempDir(), "b"), false, sampleFiles())
	if a != b {
		t.Errorf("commits differ: %s and %s", a, b)
	}
}

// Many versions of one file make a pack with chains of deltas; each version must
// come out exactly as it went in.
func TestWalkReadsDeltas(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "chain")
	version := func(n int) map[string]string {
		var b strings.Builder
		for line := range 2000 {
			fmt.Fprintf(&b, "line %d of the ledger, written %x\n", line, sha1.Sum([]byte{byte(line)}))
			if line%100 == n {
				fmt.Fprintf(&b, "changed in version %d\n", n)
			}
		}
		return map[string]string{"book.txt": b.String(), "n.txt": fmt.Sprint(n)}
	}
	commits := []string{write(t, dir, true, version(0))}
	for n := 1; n < 12; n++ {
		commit, err := gittest.Commit(dir, version(n), "next")
		if err != nil {
			t.Fatal(err)
		}
		commits = append(commits, commit)
	}
	if err := gittest.Pack(dir); err != nil {
		t.Fatal(err)
	}
	packs, err := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatalf("packs = %v, %v", packs, err)
	}
	if info, err := os.Stat(packs[0]); err != nil || info.Size() > 400_000 {
		t.Fatalf("the pack holds no deltas: %v, %v", info.Size(), err)
	}
	for n, commit := range commits {
		files, _, failures := read(t, dir, commit)
		if diff := cmp.Diff(version(n), files); diff != "" || len(failures) > 0 {
			t.Fatalf("version %d: failures %v, diff:\n%s", n, failures, diff)
		}
	}
}

func TestWalkAsksFirst(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ledger")
	commit := write(t, dir, true, sampleFiles())
	sizes := map[string]int64{}
	var visited []string
	_, err := git.New().Walk(t.Context(), dir, commit, func(path string, size int64) bool {
		sizes[path] = size
		return strings.HasSuffix(path, ".go")
	}, func(d routing.Document) error {
		visited = append(visited, d.Path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range sampleFiles() {
		if sizes[path] != int64(len(text)) {
			t.Errorf("size of %s = %d, want %d", path, sizes[path], len(text))
		}
	}
	if want := []string{"a/deep/two.go", "a/one.go"}; !slices.Equal(visited, want) {
		t.Errorf("visited %v, want %v", visited, want)
	}
}

func TestWalkSurvivesLostAndDamagedFiles(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ledger")
	commit := write(t, dir, false, sampleFiles())
	if err := gittest.Lose(dir, "a/one.go"); err != nil {
		t.Fatal(err)
	}
	if err := gittest.Damage(dir, "web/app.ts"); err != nil {
		t.Fatal(err)
	}
	files, _, failures := read(t, dir, commit)
	want := maps.Clone(sampleFiles())
	delete(want, "a/one.go")
	delete(want, "web/app.ts")
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if len(failures) != 2 || failures[0].Path != "a/one.go" || !strings.Contains(failures[0].Why, "missing") ||
		failures[1].Path != "web/app.ts" {
		t.Errorf("failures = %v", failures)
	}
	// What nobody wants need not be there.
	failures, err := git.New().Walk(t.Context(), dir, commit,
		func(path string, _ int64) bool { return path == "README.md" },
		func(routing.Document) error { return nil })
	if err != nil || len(failures) != 0 {
		t.Errorf("unwanted files: failures %v, err %v", failures, err)
	}
}

func TestWalkStops(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ledger")
	commit := write(t, dir, true, sampleFiles())
	stop := errors.New("enough")
	if _, err := git.New().Walk(t.Context(), dir, commit, all, func(routing.Document) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("err = %v, want the visitor's", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := git.New().Walk(ctx, dir, commit, all, func(routing.Document) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
	if _, err := git.New().Head(ctx, dir, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("Head err = %v, want context.Canceled", err)
	}
}

func TestHeadChoosesBranch(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "work")
	first := write(t, dir, false, sampleFiles())
	second, err := gittest.Commit(dir, map[string]string{"x": "y"}, "second")
	if err != nil {
		t.Fatal(err)
	}
	repo, err := gogit.PlainOpen(dir)
	if err != nil {
		t.Fatal(err)
	}
	set := func(ref *plumbing.Reference) {
		t.Helper()
		if err := repo.Storer.SetReference(ref); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(branch string, want routing.Head) {
		t.Helper()
		got, err := git.New().Head(t.Context(), dir, branch)
		if err != nil || got != want {
			t.Errorf("Head(%q) = %v, %v; want %v", branch, got, err, want)
		}
	}
	set(plumbing.NewHashReference("refs/remotes/origin/trunk", plumbing.NewHash(first)))
	set(plumbing.NewHashReference("refs/remotes/origin/main", plumbing.NewHash(first)))
	expect("trunk", routing.Head{Branch: "trunk", Commit: first})
	expect("main", routing.Head{Branch: "main", Commit: second})
	expect("", routing.Head{Branch: "main", Commit: second})

	set(plumbing.NewSymbolicReference("refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"))
	expect("", routing.Head{Branch: "trunk", Commit: first})
	set(plumbing.NewSymbolicReference("refs/remotes/origin/HEAD", "refs/remotes/origin/main"))
	expect("", routing.Head{Branch: "main", Commit: second})

	if err := repo.Storer.RemoveReference("refs/remotes/origin/HEAD"); err != nil {
		t.Fatal(err)
	}
	set(plumbing.NewHashReference(plumbing.HEAD, plumbing.NewHash(first)))
	expect("", routing.Head{Branch: "HEAD", Commit: first})
	set(plumbing.NewSymbolicReference(plumbing.HEAD, "refs/heads/gone"))
	expect("", routing.Head{Branch: "main", Commit: second})

	_, err = git.New().Head(t.Context(), dir, "release")
	if err == nil || !strings.Contains(err.Error(), `no branch "release"; it has main, trunk`) {
		t.Errorf("err = %v, want the branches that there are", err)
	}
}

func TestHeadErrors(t *testing.T) {
	t.Parallel()
	tmp := t.TempDir()
	at := func(name string) string { return filepath.Join(tmp, name) }
	for name, bare := range map[string]bool{"empty": false, "empty.git": true} {
		if err := gittest.Empty(at(name), bare); err != nil {
			t.Fatal(err)
		}
		for _, branch := range []string{"", "main"} {
			if _, err := git.New().Head(t.Context(), at(name), branch); !errors.Is(err, routing.ErrEmpty) {
				t.Errorf("%s: err = %v, want ErrEmpty", name, err)
			}
		}
	}
	write(t, at("damaged"), true, sampleFiles())
	if err := gittest.Damage(at("damaged"), ""); err != nil {
		t.Fatal(err)
	}
	write(t, at("sha256"), true, sampleFiles())
	config := "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n"
	mustWrite(t, filepath.Join(at("sha256"), "config"), config)
	mustWrite(t, filepath.Join(at("stray"), ".git"), "gitdir: ../nowhere\n")
	mustWrite(t, filepath.Join(at("halfway"), ".git", "config"), "")
	mustWrite(t, filepath.Join(at("plain"), "file"), "")

	for name, want := range map[string]string{
		"damaged": "cannot be read",
		"sha256":  "sha256",
		"stray":   "git worktree repair",
		"halfway": "clone it again",
		"plain":   "neither a git work tree nor a bare repository",
		"absent":  "no such file",
	} {
		_, err := git.New().Head(t.Context(), at(name), "")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), at(name)) {
			t.Errorf("%s: err = %v, want its folder and %q", name, err, want)
		}
		if errors.Is(err, routing.ErrEmpty) {
			t.Errorf("%s: err = %v must not count as empty", name, err)
		}
	}
	if _, err := git.New().Walk(t.Context(), at("damaged"), "main", all, nil); err == nil {
		t.Error("a branch name must not pass as a commit")
	}
}

// A linked work tree and a clone with borrowed objects read like any other.
func TestBorrowedGitData(t *testing.T) {
	t.Parallel()
	tmp := t.TempDir()
	main := filepath.Join(tmp, "main")
	commit := write(t, main, false, sampleFiles())
	admin := filepath.Join(main, ".git", "worktrees", "side")
	mustWrite(t, filepath.Join(admin, "HEAD"), "ref: refs/heads/main\n")
	mustWrite(t, filepath.Join(admin, "commondir"), "../..\n")
	mustWrite(t, filepath.Join(tmp, "side", ".git"), "gitdir: "+admin+"\n")

	shared := filepath.Join(tmp, "shared.git")
	if err := gittest.Empty(shared, true); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, filepath.Join(shared, "objects", "info", "alternates"), filepath.Join(main, ".git", "objects")+"\n")
	mustWrite(t, filepath.Join(shared, "refs", "heads", "main"), commit+"\n")

	link := filepath.Join(tmp, "link")
	if err := os.Symlink("main", link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Join(tmp, "side"), shared, link} {
		head, err := git.New().Head(t.Context(), dir, "")
		if want := (routing.Head{Branch: "main", Commit: commit}); err != nil || head != want {
			t.Errorf("Head(%s) = %v, %v", dir, head, err)
			continue
		}
		files, _, failures := read(t, dir, commit)
		if diff := cmp.Diff(sampleFiles(), files); diff != "" || len(failures) > 0 {
			t.Errorf("%s: failures %v, files (-want +got):\n%s", dir, failures, diff)
		}
	}
}

func mustWrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
