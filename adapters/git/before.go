package git

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/pointsman/pointsman/routing"
)

// maxSteps bounds the way back along a branch, in commits.
const maxSteps = 2_000_000

// AsOf reads repositories as they stood at a time in the past: the heads are
// those of the time, the rest is as with Git.
type AsOf struct {
	git  *Git
	time time.Time
}

// AsOf returns a reader of the state just before t.
func (g *Git) AsOf(t time.Time) *AsOf { return &AsOf{git: g, time: t} }

// Head returns the newest commit of the branch, by first parents, that was
// committed before the time. A repository that had none is an error that is
// routing.ErrEmpty.
func (a *AsOf) Head(ctx context.Context, dir, branch string) (routing.Head, error) {
	head, err := a.git.Head(ctx, dir, branch)
	if err != nil {
		return routing.Head{}, err
	}
	r, err := open(dir)
	if err != nil {
		return routing.Head{}, err
	}
	defer r.close()
	objects, err := openObjects(r.common)
	if err != nil {
		return routing.Head{}, fmt.Errorf("reading the past of %s: %w", dir, err)
	}
	defer objects.close()
	at := plumbing.NewHash(head.Commit)
	for range maxSteps {
		if err := ctx.Err(); err != nil {
			return routing.Head{}, err
		}
		data, err := objects.read(at, plumbing.CommitObject)
		if err != nil {
			return routing.Head{}, fmt.Errorf("reading the past of %s: commit %s: %w; fetch its whole history", dir, at, err)
		}
		parent, committed, err := firstParent(data)
		if err != nil {
			return routing.Head{}, fmt.Errorf("reading the past of %s: commit %s: %w", dir, at, err)
		}
		if committed.Before(a.time) {
			return routing.Head{Branch: head.Branch, Commit: at.String()}, nil
		}
		if parent.IsZero() {
			return routing.Head{}, fmt.Errorf("%w before %s", routing.ErrEmpty, a.time.Format(time.DateOnly))
		}
		at = parent
	}
	return routing.Head{}, fmt.Errorf("reading the past of %s: more than %d commits", dir, maxSteps)
}

// Walk is Git.Walk.
func (a *AsOf) Walk(ctx context.Context, dir, commit string, want func(string, int64) bool, visit func(routing.Document) error) ([]routing.Failure, error) {
	return a.git.Walk(ctx, dir, commit, want, visit)
}

// firstParent reads a commit's first parent (zero for a root) and its time of
// commit from its header.
func firstParent(commit []byte) (parent plumbing.Hash, committed time.Time, err error) {
	for line := range bytes.Lines(commit) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(line) == 0 {
			break
		}
		if name, ok := bytes.CutPrefix(line, []byte("parent ")); ok && parent.IsZero() {
			if !plumbing.IsHash(string(name)) {
				return parent, committed, fmt.Errorf("its parent %q is no commit", name)
			}
			parent = plumbing.NewHash(string(name))
		}
		if who, ok := bytes.CutPrefix(line, []byte("committer ")); ok {
			fields := bytes.Fields(who[bytes.LastIndexByte(who, '>')+1:])
			if len(fields) == 0 {
				break
			}
			seconds, err := strconv.ParseInt(string(fields[0]), 10, 64)
			if err != nil {
				return parent, committed, fmt.Errorf("its time %q is no number", fields[0])
			}
			return parent, time.Unix(seconds, 0), nil
		}
	}
	return parent, committed, fmt.Errorf("it has no committer line")
}
