package git

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	cfgformat "github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// Git reads repositories. It holds no state: one value serves any number of
// goroutines, as long as each call has a repository of its own or shares one
// that nobody writes to.
type Git struct{}

// New returns a reader of local repositories.
func New() *Git { return &Git{} }

// repository is one opened repository.
type repository struct {
	dir    string // as the caller named it, for messages
	common string // the folder that holds objects and refs
	linked bool   // it is one of several work trees, and not the main one
	dot    *dotgit.DotGit
}

// maxLinkFile bounds the small files by which git points elsewhere.
const maxLinkFile = 64 << 10

// open finds the git data of dir, which is a work tree's folder or a bare
// repository, and checks that it is of a kind that can be read.
func open(dir string) (*repository, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("opening repository %s: %w", dir, pathCause(err))
	}
	gitDir, err := findGitDir(root)
	if err != nil {
		return nil, fmt.Errorf("opening repository %s: %w", dir, err)
	}
	common, err := commonDir(gitDir)
	if err != nil {
		return nil, fmt.Errorf("opening repository %s: %w", dir, err)
	}
	if err := checkRegular(filepath.Join(gitDir, "HEAD"), maxRefFile); err != nil { // the library would say it is absent
		return nil, fmt.Errorf("opening repository %s: %w", dir, err)
	}
	if err := checkFormat(filepath.Join(common, "config")); err != nil {
		return nil, fmt.Errorf("opening repository %s: %w", dir, err)
	}
	files := dotgit.NewRepositoryFilesystem(regularOnly{osfs.New(gitDir)}, regularOnly{osfs.New(common)})
	return &repository{dir: dir, common: common, linked: common != gitDir, dot: dotgit.New(files)}, nil
}

// close lets go of the files that were opened along the way. They were only
// read, so that an error on closing them says nothing about what was read.
func (r *repository) close() { _ = r.dot.Close() }

// findGitDir returns the folder with HEAD and objects that belongs to root.
func findGitDir(root string) (string, error) {
	dotGit := filepath.Join(root, ".git")
	info, err := os.Stat(dotGit)
	switch {
	case err == nil && info.IsDir():
		if !isGitDir(dotGit) {
			return "", errors.New("its .git folder has no HEAD or no objects: it is damaged or half cloned; clone it again")
		}
		return dotGit, nil
	case err == nil:
		return linkedGitDir(root, dotGit)
	case errors.Is(err, fs.ErrNotExist):
		if isGitDir(root) {
			return root, nil
		}
		return "", errors.New("it is neither a git work tree nor a bare repository")
	default:
		return "", pathCause(err)
	}
}

// linkedGitDir reads a .git that is a file: a linked work tree or a submodule.
func linkedGitDir(root, file string) (string, error) {
	text, err := readSmall(file)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(text, "gitdir:")
	if !ok {
		return "", errors.New(`its .git file does not begin with "gitdir:"`)
	}
	target = resolve(root, strings.TrimSpace(target))
	if _, err := os.Stat(filepath.Join(target, "HEAD")); err != nil {
		return "", fmt.Errorf("its .git file points to %s, which is not a git folder; run git worktree repair", target)
	}
	return target, nil
}

// commonDir returns the folder with objects and refs: another one than gitDir
// when that belongs to a linked work tree.
func commonDir(gitDir string) (string, error) {
	text, err := readSmall(filepath.Join(gitDir, "commondir"))
	if errors.Is(err, fs.ErrNotExist) {
		return gitDir, nil
	}
	if err != nil {
		return "", err
	}
	common := resolve(gitDir, strings.TrimSpace(text))
	if !isDir(filepath.Join(common, "objects")) {
		return "", fmt.Errorf("the repository of this work tree is gone: %s", common)
	}
	return common, nil
}

// isGitDir tells whether dir looks like a repository from inside.
func isGitDir(dir string) bool {
	if info, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil || info.IsDir() {
		return false
	}
	if _, err := os.Stat(filepath.Join(dir, "commondir")); err == nil {
		return true
	}
	if !isDir(filepath.Join(dir, "objects")) {
		return false
	}
	if isDir(filepath.Join(dir, "refs")) {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "packed-refs"))
	return err == nil
}

// checkFormat refuses the repository formats that cannot be read. A missing or
// unreadable config decides nothing.
func checkFormat(file string) error {
	text, err := readSmall(file)
	if err != nil {
		return nil //nolint:nilerr // git itself reads a repository without a config
	}
	cfg := cfgformat.New()
	if err := cfgformat.NewDecoder(strings.NewReader(text)).Decode(cfg); err != nil {
		return nil //nolint:nilerr // only the extensions matter here, and go-git knows fewer dialects than git
	}
	for _, o := range cfg.Section("extensions").Options {
		key, value := strings.ToLower(o.Key), strings.ToLower(o.Value)
		switch {
		case key == "objectformat" && value != "sha1":
			return fmt.Errorf("its objects are named by %s, which is not supported yet; only sha1 is", value)
		case key == "refstorage" && value != "files":
			return fmt.Errorf("its references are stored as %s, which is not supported; run git refs migrate --ref-format=files", value)
		}
	}
	return nil
}

// readSmall reads a file of at most maxLinkFile bytes.
func readSmall(file string) (string, error) {
	f, err := openRegular(file)
	if err != nil {
		return "", pathCause(err)
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(bufio.NewReader(f), maxLinkFile))
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", file, pathCause(err))
	}
	return string(b), nil
}

func resolve(base, target string) string {
	if filepath.IsAbs(target) {
		return filepath.Clean(target)
	}
	return filepath.Join(base, target)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// pathCause strips the operation and path off an error, where the message around
// it names the path already.
func pathCause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// guard turns a panic of the git library on damaged data into an error: one bad
// repository must not stop the others.
func guard(what string, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: damaged git data: %v", what, p)
		}
	}()
	return f()
}
