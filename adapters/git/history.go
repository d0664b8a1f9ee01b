package git

import (
	"bytes"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/pointsman/pointsman/routing"
)

const (
	// defaultCommits bounds the commits of one history.
	defaultCommits = 1_000_000
	// maxTagHops bounds tags that point to tags.
	maxTagHops = 8
	tagPrefix  = "refs/tags/"
)

// HistoryOptions bound a history.
type HistoryOptions struct {
	MaxCommits int // most commits that are visited; 0 means a million
}

// History visits the commits that the branches, remote-tracking branches and
// tags of dir reach, each once, children before their parents and otherwise the
// newest first; ties go by hash, so that the order depends on the repository
// alone. dir is a work tree's folder or a bare repository.
//
// What cannot be read (a missing or damaged commit, history cut off by a shallow
// clone or by the bound) is listed in the failures, and the rest is still
// visited. A repository without commits is an error that is routing.ErrEmpty.
// An error of visit ends the walk and is returned.
func (*Git) History(ctx context.Context, dir string, o HistoryOptions, visit func(routing.Commit) error) ([]routing.Failure, error) {
	r, err := open(dir)
	if err != nil {
		return nil, err
	}
	defer r.close()
	objects, err := openObjects(r.common)
	if err != nil {
		return nil, fmt.Errorf("reading history of %s: %w", dir, err)
	}
	defer objects.close()
	if o.MaxCommits == 0 {
		o.MaxCommits = defaultCommits
	}
	h := &history{objects: objects, max: o.MaxCommits, at: map[plumbing.Hash]int32{}}
	err = guard("reading history of "+dir, func() error { return h.collect(ctx, r) })
	if err != nil {
		return h.failures, fmt.Errorf("reading history of %s: %w", dir, err)
	}
	return h.failures, h.visit(ctx, dir, visit)
}

// node is what the walk keeps of a commit.
type node struct {
	hash     plumbing.Hash
	time     int64 // of committing, seconds
	parents  []int32
	children int32
	branch   int32 // index of tips, -1 for none
}

type tip struct {
	name      string // "" for a tag
	hash      plumbing.Hash
	isDefault bool
}

type history struct {
	objects  *objects
	max      int
	tips     []tip
	nodes    []node
	at       map[plumbing.Hash]int32
	missing  int
	cut      bool
	failures []routing.Failure
}

func (h *history) fail(format string, args ...any) {
	h.failures = append(h.failures, routing.Failure{Why: fmt.Sprintf(format, args...)})
}

// collect reads the shape of the whole history, branch by branch.
func (h *history) collect(ctx context.Context, r *repository) error {
	if err := h.findTips(r); err != nil {
		return err
	}
	if len(h.tips) == 0 {
		return routing.ErrEmpty
	}
	for i, t := range h.tips {
		if err := h.reach(ctx, i, t.hash); err != nil {
			return err
		}
	}
	if h.missing > 0 {
		h.fail("%d commits cannot be read, as in a shallow clone: the history before them is left out; fetch it with full depth", h.missing)
	}
	if h.cut {
		h.fail("more than %d commits: the rest is left out", h.max)
	}
	if len(h.nodes) == 0 {
		return errors.New("none of its branches and tags can be read; clone the repository again")
	}
	return nil
}

// findTips lists where the walk begins: the default branch, the other branches
// by name, local before remote-tracking, then tags.
func (h *history) findTips(r *repository) error {
	refs, err := r.dot.Refs()
	if err != nil {
		return fmt.Errorf("its references are damaged (%w); fetch or clone the repository again", pathCause(err))
	}
	standard := ""
	if head, err := r.head(""); err == nil {
		standard = head.Branch
		h.tips = append(h.tips, tip{head.Branch, plumbing.NewHash(head.Commit), true})
	}
	for _, ref := range refs {
		name := ref.Name().String()
		if ref.Type() != plumbing.HashReference || !walked(name) {
			continue
		}
		hash, ok := h.peel(ref.Hash())
		if !ok {
			h.fail("%s points to no commit that can be read", name)
			continue
		}
		short := branchOf(name)
		h.tips = append(h.tips, tip{short, hash, short != "" && short == standard})
	}
	sort.SliceStable(h.tips, func(i, j int) bool {
		a, b := h.tips[i], h.tips[j]
		switch {
		case a.isDefault != b.isDefault:
			return a.isDefault
		case (a.name == "") != (b.name == ""):
			return b.name == ""
		case a.name != b.name:
			return a.name < b.name
		}
		return bytes.Compare(a.hash[:], b.hash[:]) < 0
	})
	return nil
}

// walked tells the references that are the project's own from those that hosts
// keep beside them, such as refs/pull.
func walked(ref string) bool {
	return strings.HasPrefix(ref, "refs/heads/") || strings.HasPrefix(ref, "refs/remotes/") || strings.HasPrefix(ref, tagPrefix)
}

// branchOf returns the short name of a branch, "" for a tag.
func branchOf(ref string) string {
	if short, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		return short
	}
	if rest, ok := strings.CutPrefix(ref, "refs/remotes/"); ok {
		_, short, _ := strings.Cut(rest, "/")
		return short
	}
	return ""
}

// peel follows an annotated tag to its commit.
func (h *history) peel(hash plumbing.Hash) (plumbing.Hash, bool) {
	for range maxTagHops {
		if _, err := h.objects.read(hash, plumbing.CommitObject); err == nil {
			return hash, true
		}
		data, err := h.objects.read(hash, plumbing.TagObject)
		if err != nil {
			return hash, false
		}
		line, _, _ := bytes.Cut(data, []byte("\n"))
		name, ok := bytes.CutPrefix(line, []byte("object "))
		if !ok || !plumbing.IsHash(string(name)) {
			return hash, false
		}
		hash = plumbing.NewHash(string(name))
	}
	return hash, false
}

// reach adds what a tip reaches and nobody before it did.
func (h *history) reach(ctx context.Context, branch int, from plumbing.Hash) error {
	if h.tips[branch].name == "" {
		branch = -1
	}
	type work struct {
		at      int32
		parents []plumbing.Hash
	}
	var pending []work
	add := func(hash plumbing.Hash) (int32, bool) {
		at, known := h.at[hash]
		if known {
			return at, true
		}
		at, parents, ok := h.add(hash, branch)
		if ok {
			pending = append(pending, work{at, parents})
		}
		return at, ok
	}
	add(from)
	for n := 0; len(pending) > 0; n++ {
		if n%512 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		next := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, p := range next.parents {
			if at, ok := add(p); ok {
				h.nodes[next.at].parents = append(h.nodes[next.at].parents, at)
				h.nodes[at].children++
			}
		}
	}
	return nil
}

// add makes the node of a new commit, unless it cannot be read.
func (h *history) add(hash plumbing.Hash, branch int) (int32, []plumbing.Hash, bool) {
	if len(h.nodes) >= h.max {
		h.cut = true
		return 0, nil, false
	}
	data, err := h.objects.read(hash, plumbing.CommitObject)
	if err != nil {
		h.missing++
		return 0, nil, false
	}
	at, s := int32(len(h.nodes)), parseShape(data)
	h.nodes = append(h.nodes, node{hash: hash, time: s.time, branch: int32(branch)})
	h.at[hash] = at
	return at, s.parents, true
}

// visit hands the commits on, children first, the newest of those that are ready
// before the others.
func (h *history) visit(ctx context.Context, dir string, visit func(routing.Commit) error) error {
	ready := &queue{nodes: h.nodes}
	for i := range h.nodes {
		if h.nodes[i].children == 0 {
			ready.at = append(ready.at, int32(i))
		}
	}
	heap.Init(ready)
	for n := 0; ready.Len() > 0; n++ {
		if n%512 == 0 && ctx.Err() != nil {
			return fmt.Errorf("reading history of %s: %w", dir, ctx.Err())
		}
		at := heap.Pop(ready).(int32)
		for _, p := range h.nodes[at].parents {
			if h.nodes[p].children--; h.nodes[p].children == 0 {
				heap.Push(ready, p)
			}
		}
		data, err := h.objects.read(h.nodes[at].hash, plumbing.CommitObject)
		if err != nil {
			return fmt.Errorf("reading history of %s: commit %s: %w", dir, h.nodes[at].hash, err)
		}
		c := parseCommit(h.nodes[at].hash, data)
		if b := h.nodes[at].branch; b >= 0 {
			c.Branch, c.Default = h.tips[b].name, h.tips[b].isDefault
		}
		if err := visit(c); err != nil {
			return err
		}
	}
	return nil
}

// queue orders the nodes that are ready, newest first.
type queue struct {
	nodes []node
	at    []int32
}

func (q *queue) Len() int      { return len(q.at) }
func (q *queue) Swap(i, j int) { q.at[i], q.at[j] = q.at[j], q.at[i] }
func (q *queue) Push(x any)    { q.at = append(q.at, x.(int32)) }

func (q *queue) Less(i, j int) bool {
	a, b := &q.nodes[q.at[i]], &q.nodes[q.at[j]]
	if a.time != b.time {
		return a.time > b.time
	}
	return bytes.Compare(a.hash[:], b.hash[:]) < 0
}

func (q *queue) Pop() any {
	last := q.at[len(q.at)-1]
	q.at = q.at[:len(q.at)-1]
	return last
}
