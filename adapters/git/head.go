package git

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/pointsman/pointsman/routing"
)

const (
	remoteHead   = plumbing.ReferenceName("refs/remotes/origin/HEAD")
	remotePrefix = "refs/remotes/origin/"
	// detached is the branch name of a HEAD that is on no branch.
	detached = "HEAD"
	// maxRefHops bounds references that point to references.
	maxRefHops = 8
)

// Head returns the commit that branch points to in dir, a work tree's folder or
// a bare repository. An empty branch means the default one: what the remote
// "origin" calls its head, else HEAD. A local branch is preferred to the
// remote-tracking one of that name. A detached HEAD has the branch "HEAD".
//
// A repository without commits is an error that is routing.ErrEmpty.
func (*Git) Head(ctx context.Context, dir, branch string) (routing.Head, error) {
	if err := ctx.Err(); err != nil {
		return routing.Head{}, err
	}
	r, err := open(dir)
	if err != nil {
		return routing.Head{}, err
	}
	defer r.close()
	var head routing.Head
	err = guard("reading head of "+dir, func() error {
		var err error
		head, err = r.head(branch)
		return err
	})
	return head, err
}

func (r *repository) head(branch string) (routing.Head, error) {
	if branch != "" {
		return r.named(branch)
	}
	if ref, err := r.dot.Ref(remoteHead); err == nil && ref.Type() == plumbing.SymbolicReference {
		name := strings.TrimPrefix(ref.Target().String(), remotePrefix)
		if h, err := r.branch(name); !errors.Is(err, plumbing.ErrReferenceNotFound) {
			return h, err
		}
	}
	ref, err := r.dot.Ref(plumbing.HEAD)
	if err != nil {
		return routing.Head{}, fmt.Errorf("reading head of %s: HEAD is unreadable (%w); clone the repository again", r.dir, err)
	}
	if ref.Type() == plumbing.HashReference {
		if ref.Hash().IsZero() { // what the library makes of bytes that are no reference
			return routing.Head{}, fmt.Errorf("reading head of %s: HEAD names neither a branch nor a commit; clone the repository again", r.dir)
		}
		return r.checked(detached, ref.Hash())
	}
	name := ref.Target().Short()
	hash, err := r.resolve(ref.Target())
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return r.withoutHead(name)
	}
	if err != nil {
		return routing.Head{}, r.damaged(name, err)
	}
	return r.checked(name, hash)
}

func (r *repository) damaged(branch string, err error) error {
	return fmt.Errorf("reading head of %s: the reference of branch %s is damaged (%w); fetch or clone the repository again", r.dir, branch, err)
}

// named finds a branch that somebody asked for by name.
func (r *repository) named(branch string) (routing.Head, error) {
	h, err := r.branch(branch)
	if !errors.Is(err, plumbing.ErrReferenceNotFound) {
		return h, err
	}
	names, err := r.branches()
	if err != nil {
		return routing.Head{}, err
	}
	if len(names) == 0 {
		return routing.Head{}, fmt.Errorf("reading head of %s: %w", r.dir, routing.ErrEmpty)
	}
	return routing.Head{}, fmt.Errorf("reading head of %s: it has no branch %q; it has %s", r.dir, branch, someOf(names))
}

// withoutHead chooses a branch where HEAD names one that does not exist: the
// usual names, else the only one there is.
func (r *repository) withoutHead(want string) (routing.Head, error) {
	names, err := r.branches()
	if err != nil {
		return routing.Head{}, err
	}
	if len(names) == 0 {
		return routing.Head{}, fmt.Errorf("reading head of %s: %w", r.dir, routing.ErrEmpty)
	}
	usual := []string{want, "main", "master", "trunk", "develop"}
	if len(names) == 1 {
		usual = append(usual, names[0])
	}
	for _, name := range usual {
		if h, err := r.branch(name); !errors.Is(err, plumbing.ErrReferenceNotFound) {
			return h, err
		}
	}
	return routing.Head{}, fmt.Errorf("reading head of %s: HEAD names the branch %q, which does not exist; set defaultBranch in its registry entry to one of %s",
		r.dir, want, someOf(names))
}

// branch finds a local branch, else the remote-tracking one.
func (r *repository) branch(name string) (routing.Head, error) {
	for _, ref := range []string{"refs/heads/" + name, remotePrefix + name} {
		hash, err := r.resolve(plumbing.ReferenceName(ref))
		if err == nil {
			return r.checked(name, hash)
		}
		if !errors.Is(err, plumbing.ErrReferenceNotFound) {
			return routing.Head{}, r.damaged(name, err)
		}
	}
	return routing.Head{}, plumbing.ErrReferenceNotFound
}

// branches lists the names of all branches, local and remote-tracking, sorted.
func (r *repository) branches() ([]string, error) {
	refs, err := r.dot.Refs()
	if err != nil {
		return nil, fmt.Errorf("reading head of %s: its references are damaged (%w); fetch or clone the repository again", r.dir, pathCause(err))
	}
	seen := map[string]bool{}
	var names []string
	for _, ref := range refs {
		name := ref.Name().String()
		short, ok := strings.CutPrefix(name, "refs/heads/")
		if !ok {
			short, ok = strings.CutPrefix(name, remotePrefix)
		}
		if ok && short != "HEAD" && !seen[short] {
			seen[short] = true
			names = append(names, short)
		}
	}
	sort.Strings(names)
	return names, nil
}

// resolve follows a reference to the object it stands for.
func (r *repository) resolve(name plumbing.ReferenceName) (plumbing.Hash, error) {
	for range maxRefHops {
		ref, err := r.dot.Ref(name)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		if ref.Type() == plumbing.HashReference {
			return ref.Hash(), nil
		}
		name = ref.Target()
	}
	return plumbing.ZeroHash, fmt.Errorf("references of %s point in a circle at %s", r.dir, name)
}

// checked makes sure that the commit is there to be read.
func (r *repository) checked(branch string, hash plumbing.Hash) (routing.Head, error) {
	objects, err := openObjects(r.common)
	if err != nil {
		return routing.Head{}, fmt.Errorf("reading head of %s: %w", r.dir, err)
	}
	defer objects.close()
	if _, err := objects.commitTree(hash); err != nil {
		return routing.Head{}, fmt.Errorf("reading head of %s: branch %s points to commit %s, which cannot be read (%w); fetch or clone the repository again",
			r.dir, branch, hash, err)
	}
	return routing.Head{Branch: branch, Commit: hash.String()}, nil
}

// someOf joins names for a message, a few of them.
func someOf(names []string) string {
	const most = 8
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
