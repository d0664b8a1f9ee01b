package gittest

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage"
)

// Branch is the one branch of every repository that Write makes.
const Branch = "main"

var errEmptyFile = errors.New("a file needs a path")

// Write makes a repository in dir, which is created: a bare one or a work tree
// with its files checked out. files maps slash-separated paths to contents. It
// returns the commit, 40 hex digits, which depends on files and message only.
func Write(dir string, bare bool, files map[string]string, message string) (commit string, err error) {
	repo, err := initialise(dir, bare)
	if err != nil {
		return "", err
	}
	return record(repo, bare, files, message)
}

// Commit adds a commit to a repository made by Write. Its tree holds exactly files.
func Commit(dir string, files map[string]string, message string) (commit string, err error) {
	repo, err := git.PlainOpen(dir)
	if err != nil {
		return "", fmt.Errorf("opening repository %s: %w", dir, err)
	}
	_, err = repo.Worktree()
	return record(repo, errors.Is(err, git.ErrIsBareRepository), files, message)
}

// Empty makes a repository without commits.
func Empty(dir string, bare bool) error {
	_, err := initialise(dir, bare)
	return err
}

// Pack moves all objects of a repository into one pack, deltas included.
func Pack(dir string) error {
	repo, err := git.PlainOpen(dir)
	if err != nil {
		return fmt.Errorf("opening repository %s: %w", dir, err)
	}
	if err := repo.RepackObjects(&git.RepackConfig{}); err != nil {
		return fmt.Errorf("packing repository %s: %w", dir, err)
	}
	return nil
}

// Lose deletes the object that holds a file of the current commit. The objects
// must not have been packed.
func Lose(dir, path string) error {
	name, err := objectOf(dir, path)
	if err != nil {
		return err
	}
	if err := os.Remove(name); err != nil {
		return fmt.Errorf("losing %s: %w", path, err)
	}
	return nil
}

// Damage overwrites the object that holds a file of the current commit, or, with
// an empty path, the commit itself. The objects must not have been packed.
func Damage(dir, path string) error {
	name, err := objectOf(dir, path)
	if err != nil {
		return err
	}
	if err := os.Chmod(name, 0o600); err != nil {
		return fmt.Errorf("damaging %s: %w", path, err)
	}
	if err := os.WriteFile(name, []byte("not an object"), 0o600); err != nil {
		return fmt.Errorf("damaging %s: %w", path, err)
	}
	return nil
}

func initialise(dir string, bare bool) (*git.Repository, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("making repository %s: %w", dir, err)
	}
	options := &git.PlainInitOptions{
		Bare:        bare,
		InitOptions: git.InitOptions{DefaultBranch: plumbing.NewBranchReferenceName(Branch)},
	}
	repo, err := git.PlainInitWithOptions(dir, options)
	if err != nil {
		return nil, fmt.Errorf("making repository %s: %w", dir, err)
	}
	return repo, nil
}

// record writes the tree and commit, moves the branch, and checks the files out.
func record(repo *git.Repository, bare bool, files map[string]string, message string) (string, error) {
	tree, err := writeTree(repo.Storer, files)
	if err != nil {
		return "", fmt.Errorf("writing files: %w", err)
	}
	when := time.Date(2024, 3, 1, 9, 0, 0, 0, time.UTC)
	var parents []plumbing.Hash
	if head, err := repo.Head(); err == nil {
		parent, err := repo.CommitObject(head.Hash())
		if err != nil {
			return "", fmt.Errorf("reading parent commit: %w", err)
		}
		parents, when = []plumbing.Hash{parent.Hash}, parent.Author.When.Add(time.Hour)
	}
	author := object.Signature{Name: "Sample Author", Email: "author@example.com", When: when}
	commit := &object.Commit{Author: author, Committer: author, Message: message, TreeHash: tree, ParentHashes: parents}
	hash, err := store(repo.Storer, commit.Encode)
	if err != nil {
		return "", fmt.Errorf("writing commit: %w", err)
	}
	branch := plumbing.NewHashReference(plumbing.NewBranchReferenceName(Branch), hash)
	if err := repo.Storer.SetReference(branch); err != nil {
		return "", fmt.Errorf("moving branch: %w", err)
	}
	if !bare {
		if err := checkOut(repo); err != nil {
			return "", err
		}
	}
	return hash.String(), nil
}

func checkOut(repo *git.Repository) error {
	work, err := repo.Worktree()
	if err != nil {
		return fmt.Errorf("opening work tree: %w", err)
	}
	if err := work.Reset(&git.ResetOptions{Mode: git.HardReset}); err != nil {
		return fmt.Errorf("checking out files: %w", err)
	}
	return nil
}

// writeTree stores files below one folder and returns its tree.
func writeTree(s storage.Storer, files map[string]string) (plumbing.Hash, error) {
	folders := map[string]map[string]string{}
	var entries []object.TreeEntry
	for _, path := range slices.Sorted(maps.Keys(files)) {
		name, rest, below := strings.Cut(path, "/")
		if name == "" {
			return plumbing.ZeroHash, errEmptyFile
		}
		if below {
			if folders[name] == nil {
				folders[name] = map[string]string{}
			}
			folders[name][rest] = files[path]
			continue
		}
		hash, err := storeBlob(s, files[path])
		if err != nil {
			return plumbing.ZeroHash, err
		}
		entries = append(entries, object.TreeEntry{Name: name, Mode: filemode.Regular, Hash: hash})
	}
	for name, below := range folders {
		hash, err := writeTree(s, below)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		entries = append(entries, object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: hash})
	}
	tree := &object.Tree{Entries: entries}
	slices.SortFunc(tree.Entries, func(a, b object.TreeEntry) int { return strings.Compare(sortName(a), sortName(b)) })
	return store(s, tree.Encode)
}

// sortName is the name by which git sorts an entry.
func sortName(e object.TreeEntry) string {
	if e.Mode == filemode.Dir {
		return e.Name + "/"
	}
	return e.Name
}

func storeBlob(s storage.Storer, text string) (plumbing.Hash, error) {
	return store(s, func(o plumbing.EncodedObject) error {
		o.SetType(plumbing.BlobObject)
		w, err := o.Writer()
		if err != nil {
			return err
		}
		if _, err := w.Write([]byte(text)); err != nil {
			return err
		}
		return w.Close()
	})
}

func store(s storage.Storer, encode func(plumbing.EncodedObject) error) (plumbing.Hash, error) {
	o := s.NewEncodedObject()
	if err := encode(o); err != nil {
		return plumbing.ZeroHash, err
	}
	return s.SetEncodedObject(o)
}

// objectOf names the file of a loose object.
func objectOf(dir, path string) (string, error) {
	repo, err := git.PlainOpen(dir)
	if err != nil {
		return "", fmt.Errorf("opening repository %s: %w", dir, err)
	}
	head, err := repo.Head()
	if err != nil {
		return "", fmt.Errorf("reading head of %s: %w", dir, err)
	}
	hash := head.Hash()
	if path != "" {
		commit, err := repo.CommitObject(hash)
		if err != nil {
			return "", fmt.Errorf("reading commit of %s: %w", dir, err)
		}
		file, err := commit.File(path)
		if err != nil {
			return "", fmt.Errorf("finding %s in %s: %w", path, dir, err)
		}
		hash = file.Hash
	}
	base := dir
	if _, err := os.Stat(filepath.Join(dir, git.GitDirName)); !errors.Is(err, fs.ErrNotExist) {
		base = filepath.Join(dir, git.GitDirName)
	}
	name := hash.String()
	return filepath.Join(base, "objects", name[:2], name[2:]), nil
}
