package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/pointsman/pointsman/routing"
)

const (
	maxDepth = 100     // folders below the root
	maxFiles = 500_000 // files of one commit
	maxTrees = 200_000 // folders of one commit
	maxTwins = 500     // places of one and the same folder: ten objects can hold a billion
	maxBlob  = 16 << 20
	maxPath  = 4096
)

// Walk visits the regular files of a commit in dir, in the order of their paths.
// want is asked with each path and size before the content is read. Symbolic
// links and submodules are passed over. The document's text is valid only until
// visit returns; an error of visit ends the walk and is returned.
//
// What cannot be read (a missing or damaged object, a name that cannot be a
// path) is listed in the failures, and the rest is still visited. An error means
// that nothing useful could be read at all, or that ctx ended.
func (*Git) Walk(ctx context.Context, dir, commit string,
	want func(path string, size int64) bool, visit func(routing.Document) error,
) ([]routing.Failure, error) {
	if !plumbing.IsHash(commit) {
		return nil, fmt.Errorf("reading %s: %q is not a commit of 40 hex digits", dir, commit)
	}
	r, err := open(dir)
	if err != nil {
		return nil, err
	}
	defer r.close()
	objects, err := openObjects(r.common)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", dir, err)
	}
	defer objects.close()
	w := &walker{objects: objects, twins: map[plumbing.Hash]int{}}
	root, err := objects.commitTree(plumbing.NewHash(commit))
	if err != nil {
		return nil, fmt.Errorf("reading %s: commit %s: %w; fetch or clone the repository again", dir, commit, err)
	}
	data, err := objects.read(root, plumbing.TreeObject)
	if err != nil {
		return nil, fmt.Errorf("reading %s: root folder of commit %s: %w; fetch or clone the repository again", dir, commit, err)
	}
	if err := w.tree(ctx, "", data, 0); err != nil {
		return w.failures, fmt.Errorf("reading %s: %w", dir, err)
	}
	sort.SliceStable(w.files, func(i, j int) bool { return w.files[i].path < w.files[j].path })
	for i, f := range w.files {
		if i%64 == 0 && ctx.Err() != nil {
			return w.failures, fmt.Errorf("reading %s: %w", dir, ctx.Err())
		}
		if err := w.file(f, want, visit); err != nil {
			return w.failures, err
		}
	}
	sort.SliceStable(w.failures, func(i, j int) bool { return w.failures[i].Path < w.failures[j].Path })
	return w.failures, nil
}

type file struct {
	path string
	hash plumbing.Hash
}

type walker struct {
	objects  *objects
	files    []file
	trees    int
	twins    map[plumbing.Hash]int // how often each folder was entered
	failures []routing.Failure
}

func (w *walker) fail(path, format string, args ...any) {
	w.failures = append(w.failures, routing.Failure{Path: strings.ToValidUTF8(path, "?"), Why: fmt.Sprintf(format, args...)})
}

// file reads one file, when it is wanted, and hands it on.
func (w *walker) file(f file, want func(string, int64) bool, visit func(routing.Document) error) error {
	size, sizeErr := w.objects.size(f.hash)
	if !want(f.path, size) {
		return nil
	}
	if sizeErr != nil {
		w.fail(f.path, "%v", sizeErr)
		return nil
	}
	if size > maxBlob {
		w.fail(f.path, "larger than %d MiB", maxBlob>>20)
		return nil
	}
	text, err := w.objects.read(f.hash, plumbing.BlobObject)
	if err != nil {
		w.fail(f.path, "%v", err)
		return nil
	}
	return visit(routing.Document{Path: f.path, Text: text})
}

// tree collects the files of one folder and those below it. Only the end of ctx
// is an error; what cannot be read is a failure.
func (w *walker) tree(ctx context.Context, prefix string, data []byte, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for len(data) > 0 {
		e, rest, err := nextEntry(data)
		if err != nil {
			w.fail(strings.TrimSuffix(prefix, "/"), "%v", err)
			return nil
		}
		data = rest
		path := prefix + e.name
		switch {
		case badName(e.name) || len(path) > maxPath:
			w.fail(path, "its name cannot be a path of a file")
		case e.mode == filemode.Regular || e.mode == filemode.Executable || e.mode == filemode.Deprecated:
			if len(w.files) == maxFiles {
				w.fail(path, "more than %d files: the rest is left out", maxFiles)
				return nil
			}
			w.files = append(w.files, file{path, e.hash})
		case e.mode == filemode.Dir:
			if err := w.folder(ctx, path, e.hash, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *walker) folder(ctx context.Context, path string, hash plumbing.Hash, depth int) error {
	if w.trees++; w.trees == maxTrees {
		w.fail(path, "more than %d folders: the rest is left out", maxTrees)
	}
	if w.trees >= maxTrees || len(w.files) >= maxFiles {
		return nil
	}
	if depth > maxDepth {
		w.fail(path, "deeper than %d folders", maxDepth)
		return nil
	}
	if w.twins[hash]++; w.twins[hash] > maxTwins {
		if w.twins[hash] == maxTwins+1 {
			w.fail(path, "the same folder stands in more than %d places: the rest is left out", maxTwins)
		}
		return nil
	}
	data, err := w.objects.read(hash, plumbing.TreeObject)
	if err != nil {
		w.fail(path, "%v", err)
		return nil
	}
	return w.tree(ctx, path+"/", data, depth)
}

// badName tells names that no honest tree holds and that would lead out of it.
func badName(name string) bool {
	return name == "" || name == "." || name == ".." || strings.EqualFold(name, ".git") ||
		strings.ContainsAny(name, "/\x00") || !utf8.ValidString(name)
}

type treeEntry struct {
	mode filemode.FileMode
	name string
	hash plumbing.Hash
}

// nextEntry splits the first entry off a tree: "<octal mode> <name>\0<20 bytes>".
func nextEntry(data []byte) (treeEntry, []byte, error) {
	head, rest, ok := bytes.Cut(data, []byte{0})
	if !ok || len(rest) < hashSize {
		return treeEntry{}, nil, errors.New("folder is damaged: an entry is cut short")
	}
	octal, name, ok := bytes.Cut(head, []byte(" "))
	mode, err := filemode.New(string(octal))
	if !ok || err != nil {
		return treeEntry{}, nil, errors.New("folder is damaged: an entry has no mode")
	}
	e := treeEntry{mode: mode, name: string(name)}
	copy(e.hash[:], rest)
	return e, rest[hashSize:], nil
}
