package registry

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// locate finds the git data of an entry of a confined registry: below a root, in a
// folder of its own. A repository that lies within another's work tree is not
// taken, since whoever may write there could have put it together, and neither is
// one whose parts are links.
func (f *fence) locate(repo routing.Repo, roots []string) string {
	g := &fence{roots: slices.Clone(f.roots)}
	for _, root := range roots {
		g.roots = append(g.roots, realPath(root))
	}
	try := func(dir string) string {
		dir, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return ""
		}
		for _, root := range g.roots {
			if below(root, dir) && ownRepository(root, dir) && g.keeps(dir) {
				return dir
			}
		}
		return ""
	}
	if filepath.IsAbs(filepath.FromSlash(repo.Path)) {
		if dir := try(filepath.FromSlash(repo.Path)); dir != "" {
			return dir
		}
	}
	for _, root := range g.roots {
		for _, name := range candidates(repo) {
			if dir := try(filepath.Join(root, name)); dir != "" {
				return dir
			}
		}
	}
	return ""
}

// ownRepository says whether dir is a repository made of plain folders and files,
// and not part of another one below root.
func ownRepository(root, dir string) bool {
	plain := func(name string, folder bool) bool {
		info, err := os.Lstat(filepath.Join(dir, name))
		return err == nil && info.Mode()&os.ModeSymlink == 0 && info.IsDir() == folder
	}
	if !plain(".git", true) && (!plain("HEAD", false) || !plain("objects", true)) {
		return false
	}
	bare := !plain(".git", true)
	for parent := filepath.Dir(dir); dir != root; parent = filepath.Dir(parent) {
		// Git commits no folder called .git, so in a root that is a work tree, or
		// lies in one, only a bare repository can have come with a commit.
		if inside := parent != root && below(root, parent); (inside || bare) && isRepository(parent) {
			return false
		}
		if parent == filepath.Dir(parent) {
			break
		}
	}
	return true
}

// Bounds of the lists of borrowed object folders that are followed.
const (
	maxBorrowed  = 32
	maxAlternate = 64 << 10 // bytes of one list
)

// keeps says whether the git data of a repository lie below the roots with all
// that they borrow: their objects, those of objects/info/alternates and of the
// lists there, and no commondir, which is for work trees whose data lie elsewhere.
func (f *fence) keeps(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
		dir = filepath.Join(dir, ".git")
	}
	if _, err := os.Lstat(filepath.Join(dir, "commondir")); err == nil {
		return false
	}
	folders := []string{filepath.Join(dir, "objects")}
	for i := 0; i < len(folders); i++ {
		list := filepath.Join(folders[i], "info", "alternates")
		for _, p := range []string{folders[i], filepath.Join(folders[i], "pack"), list} {
			if !f.holds(realPath(p)) {
				return false
			}
		}
		info, err := os.Stat(list)
		if err != nil {
			continue // nothing borrowed
		}
		if !info.Mode().IsRegular() || info.Size() > maxAlternate {
			return false
		}
		text, err := os.ReadFile(list)
		if err != nil {
			return false
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			if !filepath.IsAbs(line) {
				line = filepath.Join(folders[i], line)
			}
			if line = filepath.Clean(line); !slices.Contains(folders, line) {
				folders = append(folders, line)
			}
		}
		if len(folders) > maxBorrowed {
			return false
		}
	}
	return true
}
