package gittest

import (
	"fmt"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Entry is one commit as a test wants it. Its tree holds exactly Files.
type Entry struct {
	Branch    string // the branch that moves to it; "" is Branch
	Files     map[string]string
	Message   string
	Name      string // of the author; "" is "Sample Author"
	Email     string
	Authored  time.Time
	Committed time.Time // zero: when it was authored
	Parents   []string  // nil: the commit that the branch points to, if any
}

// Record adds a commit to a bare repository made by Write or Empty and returns
// its name, which depends on the entry and its parents only.
func Record(dir string, e Entry) (string, error) {
	repo, err := git.PlainOpen(dir)
	if err != nil {
		return "", fmt.Errorf("opening repository %s: %w", dir, err)
	}
	tree, err := writeTree(repo.Storer, e.Files)
	if err != nil {
		return "", fmt.Errorf("writing files: %w", err)
	}
	if e.Branch == "" {
		e.Branch = Branch
	}
	if e.Name == "" {
		e.Name, e.Email = "Sample Author", "author@example.com"
	}
	if e.Committed.IsZero() {
		e.Committed = e.Authored
	}
	branch := plumbing.NewBranchReferenceName(e.Branch)
	var parents []plumbing.Hash
	for _, p := range e.Parents {
		parents = append(parents, plumbing.NewHash(p))
	}
	if ref, err := repo.Reference(branch, true); err == nil && e.Parents == nil {
		parents = []plumbing.Hash{ref.Hash()}
	}
	commit := &object.Commit{
		Author:    object.Signature{Name: e.Name, Email: e.Email, When: e.Authored},
		Committer: object.Signature{Name: e.Name, Email: e.Email, When: e.Committed},
		Message:   e.Message, TreeHash: tree, ParentHashes: parents,
	}
	hash, err := store(repo.Storer, commit.Encode)
	if err != nil {
		return "", fmt.Errorf("writing commit: %w", err)
	}
	return hash.String(), Point(dir, branch.String(), hash.String())
}

// Point makes a reference, such as refs/tags/v1 or refs/pull/1/head, point to a commit.
func Point(dir, ref, commit string) error {
	repo, err := git.PlainOpen(dir)
	if err != nil {
		return fmt.Errorf("opening repository %s: %w", dir, err)
	}
	if err := repo.Storer.SetReference(plumbing.NewHashReference(plumbing.ReferenceName(ref), plumbing.NewHash(commit))); err != nil {
		return fmt.Errorf("pointing %s to %s: %w", ref, commit, err)
	}
	return nil
}

// Annotate makes an annotated tag of a commit.
func Annotate(dir, name, commit string, at time.Time) error {
	repo, err := git.PlainOpen(dir)
	if err != nil {
		return fmt.Errorf("opening repository %s: %w", dir, err)
	}
	_, err = repo.CreateTag(name, plumbing.NewHash(commit), &git.CreateTagOptions{
		Tagger:  &object.Signature{Name: "Sample Author", Email: "author@example.com", When: at},
		Message: name,
	})
	if err != nil {
		return fmt.Errorf("tagging %s: %w", name, err)
	}
	return nil
}
