package git

import (
	"bytes"
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/pointsman/pointsman/routing"
)

const (
	// defaultChanges bounds the files of one change.
	defaultChanges = 1_000
	// maxDiffTrees bounds the folders compared for one change.
	maxDiffTrees = 20_000
)

// Changes visits, in the order given, what each commit changed against its first
// parent: files added, changed or deleted, symbolic links among them, submodules
// not. A commit without parents added all it holds. limit bounds the files of one
// change, 0 means a thousand; a larger one is marked Cut.
//
// Folders that are equal on both sides are not read. A commit that cannot be
// compared is listed in the failures and passed over.
func (*Git) Changes(ctx context.Context, dir string, commits []string, limit int, visit func(routing.Change) error) ([]routing.Failure, error) {
	r, err := open(dir)
	if err != nil {
		return nil, err
	}
	defer r.close()
	objects, err := openObjects(r.common)
	if err != nil {
		return nil, fmt.Errorf("reading changes of %s: %w", dir, err)
	}
	defer objects.close()
	if limit == 0 {
		limit = defaultChanges
	}
	var failures []routing.Failure
	for _, commit := range commits {
		if err := ctx.Err(); err != nil {
			return failures, fmt.Errorf("reading changes of %s: %w", dir, err)
		}
		d := &differ{objects: objects, limit: limit}
		err := guard("comparing "+commit, func() error { return d.commit(commit) })
		if err != nil {
			failures = append(failures, routing.Failure{Why: fmt.Sprintf("changes of commit %s: %v", commit, err)})
			continue
		}
		sort.Strings(d.files)
		if err := visit(routing.Change{Commit: commit, Files: d.files, Cut: d.cut}); err != nil {
			return failures, err
		}
	}
	return failures, nil
}

// differ compares the trees of one commit and its first parent.
type differ struct {
	objects *objects
	limit   int
	trees   int
	files   []string
	cut     bool
}

func (d *differ) commit(name string) error {
	if !plumbing.IsHash(name) {
		return fmt.Errorf("%q is not a commit of 40 hex digits", name)
	}
	data, err := d.objects.read(plumbing.NewHash(name), plumbing.CommitObject)
	if err != nil {
		return err
	}
	after, err := d.objects.commitTree(plumbing.NewHash(name))
	if err != nil {
		return err
	}
	before := plumbing.ZeroHash
	if parents := parseShape(data).parents; len(parents) > 0 {
		if before, err = d.objects.commitTree(parents[0]); err != nil {
			return fmt.Errorf("its parent %s: %w", parents[0], err)
		}
	}
	return d.folders("", before, after, 0)
}

// folders compares two folders; the zero hash stands for an absent one.
func (d *differ) folders(prefix string, before, after plumbing.Hash, depth int) error {
	if before == after {
		return nil
	}
	if d.trees++; d.trees > maxDiffTrees || depth > maxDepth {
		d.cut = true
		return nil
	}
	old, err := d.entries(before)
	if err != nil {
		return fmt.Errorf("folder %q: %w", prefix, err)
	}
	current, err := d.entries(after)
	if err != nil {
		return fmt.Errorf("folder %q: %w", prefix, err)
	}
	for len(old) > 0 || len(current) > 0 {
		if d.cut {
			return nil
		}
		var a, b treeEntry
		switch order := compareNames(old, current); {
		case order < 0:
			a, old = old[0], old[1:]
		case order > 0:
			b, current = current[0], current[1:]
		default:
			a, old = old[0], old[1:]
			b, current = current[0], current[1:]
		}
		if err := d.pair(prefix, a, b, depth); err != nil {
			return err
		}
	}
	return nil
}

// compareNames orders the first entries of two lists; an empty list comes last.
func compareNames(a, b []treeEntry) int {
	switch {
	case len(a) == 0:
		return 1
	case len(b) == 0:
		return -1
	}
	return strings.Compare(a[0].name, b[0].name)
}

// pair compares what one name stands for on both sides; an absent side is the
// zero entry.
func (d *differ) pair(prefix string, a, b treeEntry, depth int) error {
	if a.hash == b.hash && a.mode == b.mode {
		return nil
	}
	path := prefix + a.name
	if a.name == "" {
		path = prefix + b.name
	}
	if len(path) > maxPath || badName(path[len(prefix):]) {
		return nil
	}
	var below [2]plumbing.Hash
	file := false
	for i, e := range []treeEntry{a, b} {
		switch e.mode {
		case filemode.Dir:
			below[i] = e.hash
		case filemode.Empty, filemode.Submodule:
		default:
			file = true
		}
	}
	if file {
		d.add(path)
	}
	if below[0] == below[1] {
		return nil
	}
	return d.folders(path+"/", below[0], below[1], depth+1)
}

func (d *differ) add(path string) {
	if len(d.files) >= d.limit {
		d.cut = true
		return
	}
	d.files = append(d.files, path)
}

// entries lists a folder by plain name: git sorts a folder as if its name ended
// in a slash, which would part a file from a folder of the same name.
func (d *differ) entries(tree plumbing.Hash) ([]treeEntry, error) {
	if tree == plumbing.ZeroHash {
		return nil, nil
	}
	data, err := d.objects.read(tree, plumbing.TreeObject)
	if err != nil {
		return nil, err
	}
	list := make([]treeEntry, 0, bytes.Count(data, []byte{0})/2)
	for len(data) > 0 {
		e, rest, err := nextEntry(data)
		if err != nil {
			return nil, err
		}
		list, data = append(list, e), rest
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].name < list[j].name })
	return list, nil
}
