package registry

import (
	"os"
	"path"
	"path/filepath"

	"github.com/pointsman/pointsman/routing"
)

// folderName is the folder that a registry customarily lies in; its paths are
// then relative to the folder around it.
const folderName = ".repo-orchestrator"

// Locate fills Dir of every repository whose git data is found on this machine: a
// work tree's folder or a bare repository. Path is relative to the registry
// file's folder, or to its parent when that folder is .repo-orchestrator; then
// the roots are searched by path and by name. Symbolic links are followed. What
// is not found keeps an empty Dir. After Confine nothing is taken that lies
// outside the roots of its rules and those given here, and the file's own folder
// is not looked at.
func (r *Registry) Locate(roots ...string) {
	for i, repo := range r.Repos {
		if r.fence != nil {
			r.Repos[i].Dir = r.fence.locate(repo, roots)
			continue
		}
		r.Repos[i].Dir = r.locate(repo, roots)
	}
}

func (r *Registry) locate(repo routing.Repo, roots []string) string {
	if repo.Path != "" && (r.File != "" || filepath.IsAbs(repo.Path)) {
		if dir := repositoryAt(r.base(), repo.Path); dir != "" {
			return dir
		}
	}
	for _, root := range roots {
		for _, name := range candidates(repo) {
			if dir := repositoryAt(root, name); dir != "" {
				return dir
			}
		}
	}
	return ""
}

// candidates are the places below a root where a repository may be: its path, its
// name and its former names. None leads out of the root by its words.
func candidates(repo routing.Repo) []string {
	var out []string
	if p := filepath.FromSlash(repo.Path); p != "" && filepath.IsLocal(p) {
		out = append(out, p)
	}
	names := append([]string{repo.Name, path.Base(repo.Name)}, repo.Aliases...)
	for _, name := range names {
		if name = filepath.FromSlash(name); filepath.IsLocal(name) {
			out = append(out, name, name+".git")
		}
	}
	return out
}

// base is the folder that paths are relative to.
func (r *Registry) base() string {
	dir := filepath.Dir(r.File)
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if filepath.Base(dir) == folderName {
		return filepath.Dir(dir)
	}
	return dir
}

// repositoryAt returns the real absolute path of a repository, or "" when there
// is none. It looks at names only: whether the data are sound is for the reader
// to say.
func repositoryAt(base, rel string) string {
	dir := filepath.FromSlash(rel)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(base, dir)
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return ""
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return ""
	}
	if isRepository(dir) {
		return dir
	}
	return ""
}

func isRepository(dir string) bool {
	return exists(dir, ".git") || exists(dir, "HEAD") && exists(dir, "objects")
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}
