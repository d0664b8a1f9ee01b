package mirror_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot/mirror"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/index"
)

// fakeSource is a set of repositories in memory that counts how often each one
// is walked.
type fakeSource struct {
	mu    sync.Mutex
	repos map[string]*fakeRepo // by folder
	found []routing.Found
	walks map[string]int
}

type fakeRepo struct {
	commit   string
	files    map[string]string
	failures []routing.Failure
	headErr  error
	walkErr  error
}

func newSource() *fakeSource {
	return &fakeSource{repos: map[string]*fakeRepo{}, walks: map[string]int{}}
}

// commit is a made-up commit hash.
func commit(n int) string { return fmt.Sprintf("%040x", n) }

func (s *fakeSource) put(dir string, n int, files map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.repos[dir] = &fakeRepo{commit: commit(n), files: files}
}

func (s *fakeSource) walked(dir string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.walks[dir]
}

func (s *fakeSource) Head(ctx context.Context, dir, branch string) (routing.Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.repos[dir]
	if !ok {
		return routing.Head{}, fmt.Errorf("opening repository %s: it is gone", dir)
	}
	if branch == "" {
		branch = "main"
	}
	return routing.Head{Branch: branch, Commit: r.commit}, errors.Join(r.headErr, ctx.Err())
}

func (s *fakeSource) Walk(_ context.Context, dir, at string, want func(string, int64) bool, visit func(routing.Document) error) ([]routing.Failure, error) {
	s.mu.Lock()
	s.walks[dir]++
	r := s.repos[dir]
	s.mu.Unlock()
	if r.commit != at {
		return nil, fmt.Errorf("commit %s is not there", at)
	}
	if r.walkErr != nil {
		return nil, r.walkErr
	}
	for _, path := range slices.Sorted(maps.Keys(r.files)) {
		if !want(path, int64(len(r.files[path]))) {
			continue
		}
		if err := visit(routing.Document{Path: path, Text: []byte(r.files[path])}); err != nil {
			return nil, err
		}
	}
	return r.failures, nil
}

func (s *fakeSource) Discover(context.Context, string, int) ([]routing.Found, []routing.Failure, error) {
	return s.found, nil, nil
}

func sources(word string) map[string]string {
	return map[string]string{"src/" + word + ".go": "package " + word + "\n\nfunc Weigh" + word + "() int { return 1 }\n"}
}

func newKeeper(t *testing.T, src mirror.Source, dir string) *mirror.Keeper {
	t.Helper()
	k, err := mirror.New(src, dir)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func refresh(t *testing.T, k *mirror.Keeper, repos []routing.Repo) (*index.Set, []routing.Missing) {
	t.Helper()
	set, missing, err := k.Refresh(t.Context(), repos, nil)
	if err != nil {
		t.Fatal(err)
	}
	return set, missing
}

// generations lists the published files of a cache.
func generations(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "generations", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestRefreshBuildsOnlyWhatMoved(t *testing.T) {
	t.Parallel()
	src, cache := newSource(), t.TempDir()
	src.put("/a", 1, sources("alpha"))
	src.put("/b", 1, sources("beta"))
	repos := []routing.Repo{{Name: "b", Dir: "/b"}, {Name: "a", Dir: "/a"}}
	k := newKeeper(t, src, cache)

	first, missing := refresh(t, k, repos)
	if len(missing) != 0 || len(first.Segments()) != 2 {
		t.Fatalf("set of %d, missing %v", len(first.Segments()), missing)
	}
	again, _ := refresh(t, k, repos)
	if again != first {
		t.Error("nothing moved, but the set is another one")
	}
	src.put("/b", 2, sources("gamma"))
	moved, _ := refresh(t, k, repos)
	if got := moved.Segment("b").Identity(); got != (index.Identity{Repo: "b", Branch: "main", Commit: commit(2)}) {
		t.Errorf("identity = %v, want the new commit", got)
	}
	if moved.Segment("a") != first.Segment("a") {
		t.Error("the generation of a was opened again though its head stood still")
	}
	// Readers of the earlier set are not disturbed.
	if first.Segment("b").Identity().Commit != commit(1) || first.Segment("b").Files() != 1 {
		t.Error("the earlier set has changed")
	}
	if n := len(generations(t, cache)); n != 2 {
		t.Errorf("%d generations in the cache, want 2: the old one is to go", n)
	}
	// Another process finds everything done.
	refresh(t, newKeeper(t, src, cache), repos)
	if a, b := src.walked("/a"), src.walked("/b"); a != 1 || b != 2 {
		t.Errorf("walked a %d and b %d times, want 1 and 2", a, b)
	}
}

func TestRefreshIsDeterministic(t *testing.T) {
	t.Parallel()
	src := newSource()
	src.put("/a", 1, map[string]string{"z.go": "package z", "a.go": "package a // weighs parcels", "m/n.go": "package n"})
	var kept [][]byte
	for range 2 {
		cache := t.TempDir()
		refresh(t, newKeeper(t, src, cache), []routing.Repo{{Name: "a", Dir: "/a"}})
		files := generations(t, cache)
		if len(files) != 1 {
			t.Fatalf("generations = %v", files)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, data)
	}
	if !slices.Equal(kept[0], kept[1]) {
		t.Error("two builds of one commit differ")
	}
}

func TestRefreshListsWhatCannotBeIndexed(t *testing.T) {
	t.Parallel()
	src := newSource()
	src.put("/good", 1, sources("good"))
	src.put("/empty", 1, nil)
	src.repos["/empty"].headErr = fmt.Errorf("reading head of /empty: %w", routing.ErrEmpty)
	src.put("/nothing", 1, map[string]string{"logo.png": "x", "CHANGELOG.md": "- y"})
	src.put("/squeezed", 1, map[string]string{"app.js": strings.Repeat("function a(){return fare};", 2_000)})
	src.put("/broken", 1, nil)
	src.repos["/broken"].headErr = errors.New("reading head of /broken:\ndamaged")
	src.put("/cut", 1, nil)
	src.repos["/cut"].walkErr = errors.New("root folder is missing")
	src.put("/lost", 1, nil)
	src.repos["/lost"].failures = []routing.Failure{{Path: "a.go", Why: "object is missing"}}
	src.put("/partly", 1, sources("partly"))
	src.repos["/partly"].failures = []routing.Failure{{Path: "b.go", Why: "object is missing"}}
	repos := []routing.Repo{
		{Name: "nowhere", Path: "./nowhere"},
		{Name: "broken", Dir: "/broken"},
		{Name: "good", Dir: "/good"},
		{Name: "empty", Dir: "/empty"},
		{Name: "nothing", Dir: "/nothing"},
		{Name: "squeezed", Dir: "/squeezed"},
		{Name: "cut", Dir: "/cut"},
		{Name: "lost", Dir: "/lost"},
		{Name: "partly", Dir: "/partly"},
		{Name: "remote", CloneURL: "https://example.com/remote.git"},
		{Name: "bare entry"},
	}
	want := []routing.Missing{
		{Repo: "nowhere", Why: `no git repository at its path "./nowhere"`},
		{Repo: "broken", Why: "reading head of /broken: damaged"},
		{Repo: "empty", Why: "repository has no commits yet", Empty: true},
		{Repo: "nothing", Why: "it holds nothing to index: no file, or only tests, changelogs, binaries, and minified or generated code", Empty: true},
		{Repo: "squeezed", Why: "it holds nothing to index: no file, or only tests, changelogs, binaries, and minified or generated code", Empty: true},
		{Repo: "cut", Why: "root folder is missing"},
		{Repo: "lost", Why: "none of its files could be read; the first, a.go: object is missing"},
		{Repo: "remote", Why: "not cloned on this machine; clone it and set path in its entry"},
		{Repo: "bare entry", Why: "its entry has no path to a git repository"},
	}
	k := newKeeper(t, src, t.TempDir())
	for range 2 { // built, then from memory
		set, missing := refresh(t, k, repos)
		if diff := cmp.Diff(want, missing); diff != "" {
			t.Errorf("missing (-want +got):\n%s", diff)
		}
		if set.Segment("good") == nil || set.Segment("partly") == nil || len(set.Segments()) != 2 {
			t.Errorf("%d segments, want good and partly", len(set.Segments()))
		}
		if diff := cmp.Diff([]routing.Failure{{Path: "b.go", Why: "object is missing"}}, set.Segment("partly").Failures()); diff != "" {
			t.Errorf("failures (-want +got):\n%s", diff)
		}
	}
	// A repository that cannot be read any more is not served from memory.
	src.repos["/good"].headErr = errors.New("gone")
	set, missing := refresh(t, k, repos)
	if set.Segment("good") != nil || len(missing) != len(want)+1 {
		t.Errorf("good is still served; missing %v", missing)
	}
}

func TestDamagedGenerationIsBuiltAgain(t *testing.T) {
	t.Parallel()
	src, cache := newSource(), t.TempDir()
	src.put("/a", 1, sources("alpha"))
	src.put("/b", 1, sources("beta"))
	repos := []routing.Repo{{Name: "a", Dir: "/a"}, {Name: "b", Dir: "/b"}}
	refresh(t, newKeeper(t, src, cache), repos)
	files := generations(t, cache)
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(files[1])
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"empty": {}, "cut short": whole[:len(whole)/2], "not ours": []byte("hello"), "another repository's": other,
	} {
		before := src.walked("/a")
		if err := os.WriteFile(files[0], data, 0o600); err != nil {
			t.Fatal(err)
		}
		set, missing := refresh(t, newKeeper(t, src, cache), repos)
		if len(missing) != 0 || set.Segment("a") == nil || src.walked("/a") != before+1 {
			t.Errorf("%s: missing %v, walked %d times", name, missing, src.walked("/a")-before)
		}
		if got, err := os.ReadFile(files[0]); err != nil || !slices.Equal(got, whole) {
			t.Errorf("%s: the file was not put right: %v", name, err)
		}
	}
}

// Repositories of one name in different folders, and branches of one repository,
// do not share generations.
func TestGenerationsAreKeptApart(t *testing.T) {
	t.Parallel()
	src, cache := newSource(), t.TempDir()
	src.put("/here", 1, sources("alpha"))
	src.put("/there", 1, sources("beta"))
	k := newKeeper(t, src, cache)
	refresh(t, k, []routing.Repo{{Name: "a", Dir: "/here"}})
	refresh(t, k, []routing.Repo{{Name: "a", Dir: "/there"}})
	refresh(t, k, []routing.Repo{{Name: "a", Dir: "/here", DefaultBranch: "next"}})
	refresh(t, k, []routing.Repo{{Name: "../../a/b", Dir: "/here"}})
	if n := len(generations(t, cache)); n != 4 {
		t.Errorf("%d generations, want 4", n)
	}
}

func TestRefreshTogether(t *testing.T) {
	t.Parallel()
	src, cache := newSource(), t.TempDir()
	var repos []routing.Repo
	for i := range 12 {
		dir := fmt.Sprintf("/r%02d", i)
		src.put(dir, i, sources(fmt.Sprintf("word%d", i)))
		repos = append(repos, routing.Repo{Name: dir[1:], Dir: dir})
	}
	keepers := []*mirror.Keeper{newKeeper(t, src, cache), newKeeper(t, src, cache)}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			set, missing, err := keepers[i%2].Refresh(t.Context(), repos, nil)
			if err != nil || len(missing) != 0 || len(set.Segments()) != 12 {
				t.Errorf("Refresh: %v, missing %v", err, missing)
			}
		})
	}
	wg.Wait()
	for _, f := range generations(t, cache) {
		if strings.Contains(f, "building") {
			t.Errorf("%s was left behind", f)
		}
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	src := newSource()
	var repos []routing.Repo
	for i := range 5 {
		dir := fmt.Sprintf("/r%d", i)
		src.put(dir, i, sources("w"))
		repos = append(repos, routing.Repo{Name: dir, Dir: dir})
	}
	var done []int
	names := map[string]bool{}
	_, _, err := newKeeper(t, src, t.TempDir()).Refresh(t.Context(), repos, func(p mirror.Progress) {
		done = append(done, p.Done)
		names[p.Repo] = true
		if p.Total != 5 {
			t.Errorf("Total = %d", p.Total)
		}
	})
	if err != nil || !slices.Equal(done, []int{1, 2, 3, 4, 5}) || len(names) != 5 {
		t.Errorf("done %v of %v, err %v", done, names, err)
	}
}

func TestRefreshStops(t *testing.T) {
	t.Parallel()
	src := newSource()
	src.put("/a", 1, sources("alpha"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := newKeeper(t, src, t.TempDir()).Refresh(ctx, []routing.Repo{{Name: "a", Dir: "/a"}}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
}

func TestCacheErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, cache := range []string{file, filepath.Join(file, "below"), ""} {
		_, err := mirror.New(newSource(), cache)
		if err == nil || !strings.Contains(err.Error(), "--cache DIR") || !strings.Contains(err.Error(), cache) {
			t.Errorf("New(%q): err = %v, want one that names the folder and --cache", cache, err)
		}
	}
	// The folder goes while the keeper lives.
	src, gone := newSource(), filepath.Join(dir, "gone")
	src.put("/a", 1, sources("alpha"))
	k := newKeeper(t, src, gone)
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(gone, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := k.Refresh(t.Context(), []routing.Repo{{Name: "a", Dir: "/a"}}, nil)
	var unusable *mirror.CacheError
	if err == nil || !strings.Contains(err.Error(), "--cache") || !errors.As(err, &unusable) || unusable.Dir != gone {
		t.Errorf("err = %v, want one that names --cache", err)
	}
}
