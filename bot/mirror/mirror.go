package mirror

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/index"
)

// Source reads repositories on this machine.
type Source interface {
	// Head returns the commit of a branch; "" is the default branch. A repository
	// without commits is routing.ErrEmpty.
	Head(ctx context.Context, dir, branch string) (routing.Head, error)
	// Walk visits the wanted files of a commit in the order of their paths, and
	// lists what could not be read.
	Walk(ctx context.Context, dir, commit string, want func(path string, size int64) bool,
		visit func(routing.Document) error) ([]routing.Failure, error)
}

// Progress says how far a Refresh has come.
type Progress struct {
	Done, Total int    // repositories
	Repo        string // the one that was just done
}

// Keeper holds the generations of one cache folder. It is safe for concurrent
// use, and several processes may share the folder.
type Keeper struct {
	source Source
	cache  cache
	turn   chan struct{} // held by the one Refresh that runs

	// Guarded by turn.
	open map[string]*index.Segment // by the generation's file
	set  *index.Set
}

// New returns a keeper of the generations in cacheDir, which is created when it
// is absent. The error says what to do when the folder cannot be used.
func New(src Source, cacheDir string) (*Keeper, error) {
	c, err := openCache(cacheDir)
	if err != nil {
		return nil, err
	}
	return &Keeper{source: src, cache: c, turn: make(chan struct{}, 1), open: map[string]*index.Segment{}}, nil
}

// Refresh brings the index of every repository that has a Dir to the head of its
// DefaultBranch and returns them all as one set. Generations that are in memory
// or in the cache are reused as long as the head has not moved. Repositories that
// cannot be indexed are listed with the reason, in the order of repos, and do not
// stop the others. progress may be nil; it is called from one goroutine at a time.
//
// The error is about the cache folder or ctx, never about one repository. A set
// stays usable after later calls.
func (k *Keeper) Refresh(ctx context.Context, repos []routing.Repo, progress func(Progress)) (*index.Set, []routing.Missing, error) {
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
		return nil, nil, fmt.Errorf("refreshing the index: %w", ctx.Err())
	}
	results := make([]result, len(repos))
	err := inParallel(ctx, len(repos), progress, func(ctx context.Context, i int) (string, error) {
		var err error
		results[i], err = k.refresh(ctx, repos[i])
		return repos[i].Name, err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("refreshing the index: %w", err)
	}
	return k.publish(results), missingOf(results), nil
}

// result is what became of one repository: a segment or a reason.
type result struct {
	file    string
	segment *index.Segment
	missing *routing.Missing
}

func missingOf(results []result) []routing.Missing {
	var out []routing.Missing
	for _, r := range results {
		if r.missing != nil {
			out = append(out, *r.missing)
		}
	}
	return out
}

// publish makes the results the current state and returns them as a set: the
// previous one when nothing has changed.
func (k *Keeper) publish(results []result) *index.Set {
	open := map[string]*index.Segment{}
	var segments []*index.Segment
	for _, r := range results {
		if r.segment != nil {
			open[r.file] = r.segment
		}
		if r.segment != nil && r.missing == nil {
			segments = append(segments, r.segment)
		}
	}
	k.open = open
	next := index.NewSet(segments)
	if k.set == nil || !slices.Equal(k.set.Segments(), next.Segments()) {
		k.set = next
	}
	return k.set
}

// refresh brings one repository up to date. Its error stops all of them.
func (k *Keeper) refresh(ctx context.Context, repo routing.Repo) (result, error) {
	if repo.Dir == "" {
		return lacking(repo.Name, notHere(repo), false), nil
	}
	head, err := k.source.Head(ctx, repo.Dir, repo.DefaultBranch)
	switch {
	case ctx.Err() != nil:
		return result{}, ctx.Err()
	case errors.Is(err, routing.ErrEmpty):
		return lacking(repo.Name, routing.ErrEmpty.Error(), true), nil
	case err != nil:
		return lacking(repo.Name, oneLine(err), false), nil
	}
	id := index.Identity{Repo: repo.Name, Branch: head.Branch, Commit: head.Commit}
	file := k.cache.file(realPath(repo.Dir), id)
	segment := k.open[file]
	if segment == nil {
		segment = k.cache.load(file, id)
	}
	if segment == nil {
		var failure error
		segment, failure, err = k.build(ctx, repo.Dir, file, id)
		if err != nil {
			return result{}, err
		}
		if failure != nil {
			return lacking(repo.Name, oneLine(failure), false), nil
		}
	}
	out := result{file: file, segment: segment}
	if segment.Files() == 0 {
		out.missing = &routing.Missing{Repo: repo.Name, Why: whyNothing(segment.Failures()), Empty: len(segment.Failures()) == 0}
	}
	return out, nil
}

// build makes the generation of one commit and publishes it. failure is the
// repository's own, err the cache's or the end of ctx.
func (k *Keeper) build(ctx context.Context, dir, file string, id index.Identity) (segment *index.Segment, failure, err error) {
	b := index.NewBuilder(id)
	failures, failure := k.source.Walk(ctx, dir, id.Commit, b.Want, func(d routing.Document) error {
		b.Add(d)
		return ctx.Err()
	})
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if failure != nil {
		return nil, failure, nil
	}
	for _, f := range failures {
		b.Fail(f)
	}
	segment, err = k.cache.publish(file, b)
	return segment, nil, err
}

func lacking(name, why string, empty bool) result {
	return result{missing: &routing.Missing{Repo: name, Why: why, Empty: empty}}
}

// notHere says why a repository has no git data on this machine.
func notHere(r routing.Repo) string {
	switch {
	case r.Path != "":
		return fmt.Sprintf("no git repository at its path %q", r.Path)
	case r.CloneURL != "":
		return "not cloned on this machine; clone it and set path in its entry"
	default:
		return "its entry has no path to a git repository"
	}
}

func whyNothing(failures []routing.Failure) string {
	if len(failures) == 0 {
		return "it holds nothing to index: no file, or only tests, changelogs, binaries, and minified or generated code"
	}
	return fmt.Sprintf("none of its files could be read; the first, %s: %s", failures[0].Path, failures[0].Why)
}

// realPath is the identity of a folder: where it is once links are followed.
func realPath(dir string) string {
	if p, err := filepath.EvalSymlinks(dir); err == nil {
		return p
	}
	return dir
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// inParallel calls do for 0..n-1 on as many goroutines as there are processors.
// The first error ends it.
func inParallel(ctx context.Context, n int, progress func(Progress), do func(ctx context.Context, i int) (name string, err error)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var mu sync.Mutex
	done := 0
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := range next {
				name, err := do(ctx, i)
				if err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				done++
				if progress != nil {
					progress(Progress{Done: done, Total: n, Repo: name})
				}
				mu.Unlock()
			}
		})
	}
	for i := range n {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}
