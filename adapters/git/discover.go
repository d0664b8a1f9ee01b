package git

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// Found is a git repository that Discover came upon.
type Found = routing.Found

// Discover finds the git repositories, work trees and bare ones, in dir and at
// most depth levels below it, sorted by name. Symbolic links to folders are
// followed, each real folder is looked at once, under its own name rather than
// that of a link beside it. Of a repository with several work trees one is found:
// the main one, if it is here. It does not look inside a repository it has found
// (except dir itself, which may be a repository around others), nor inside
// folders named node_modules or vendor.
//
// Folders that cannot be read are listed as failures. It is an error when dir
// cannot be read.
func (*Git) Discover(ctx context.Context, dir string, depth int) ([]Found, []routing.Failure, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("searching %s: %w", dir, err)
	}
	info, err := os.Stat(root)
	if err != nil {
		return nil, nil, fmt.Errorf("searching %s: %w", dir, pathCause(err))
	}
	if !info.IsDir() {
		return nil, nil, fmt.Errorf("searching %s: it is not a folder", dir)
	}
	if _, err := os.ReadDir(root); err != nil {
		return nil, nil, fmt.Errorf("searching %s: %w", dir, pathCause(err))
	}
	s := &search{root: root, seen: map[string]bool{}}
	level := []string{root}
	for below := 0; below <= depth && len(level) > 0; below++ {
		var next []string
		for _, d := range level {
			if err := ctx.Err(); err != nil {
				return nil, nil, fmt.Errorf("searching %s: %w", dir, err)
			}
			next = append(next, s.look(d)...)
		}
		level = next
	}
	s.oneOfEach()
	s.nameApart()
	sort.Slice(s.found, func(i, j int) bool { return s.found[i].Name < s.found[j].Name })
	return s.found, s.failures, nil
}

type search struct {
	root     string
	seen     map[string]bool // real paths
	found    []Found
	failures []routing.Failure
}

// look takes dir when it is a repository; otherwise it returns the folders in it.
func (s *search) look(dir string) []string {
	folder, err := filepath.EvalSymlinks(dir)
	if err != nil {
		s.fail(dir, err)
		return nil
	}
	if s.seen[folder] {
		return nil
	}
	s.seen[folder] = true
	entries, err := os.ReadDir(folder)
	if err != nil {
		s.fail(dir, err)
		return nil
	}
	bare := isGitDir(folder)
	if bare || holdsDotGit(entries) {
		s.found = append(s.found, Found{Name: repoName(dir), Dir: dir, Bare: bare})
		if bare || dir != s.root {
			return nil
		}
	}
	var below, links []string
	for _, e := range entries {
		switch e.Name() {
		case ".git", "node_modules", "vendor":
			continue
		}
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			below = append(below, path)
		case e.Type()&fs.ModeSymlink != 0 && isDir(path):
			links = append(links, path)
		}
	}
	return append(below, links...)
}

// oneOfEach keeps one work tree of each repository.
func (s *search) oneOfEach() {
	first := map[string]int{} // common git folder to position in kept
	var kept []Found
	var side []bool // of kept: it is a linked work tree
	for _, f := range s.found {
		r, err := open(f.Dir)
		if err != nil { // whoever reads it will say what is wrong
			kept, side = append(kept, f), append(side, false)
			continue
		}
		common, linked := realPath(r.common), r.linked
		r.close()
		at, seen := first[common]
		switch {
		case !seen:
			first[common] = len(kept)
			kept, side = append(kept, f), append(side, linked)
		case side[at] && !linked:
			kept[at], side[at] = f, false
		}
	}
	s.found = kept
}

// realPath follows links; what cannot be followed stays as it is.
func realPath(path string) string {
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		return followed
	}
	return path
}

func (s *search) fail(dir string, err error) {
	s.failures = append(s.failures, routing.Failure{Path: s.relative(dir), Why: pathCause(err).Error()})
}

func (s *search) relative(dir string) string {
	rel, err := filepath.Rel(s.root, dir)
	if err != nil {
		return dir
	}
	return filepath.ToSlash(rel)
}

// nameApart renames repositories of one name after their place below the root.
func (s *search) nameApart() {
	count := map[string]int{}
	for _, f := range s.found {
		count[f.Name]++
	}
	for i, f := range s.found {
		if count[f.Name] < 2 || f.Dir == s.root {
			continue
		}
		s.found[i].Name = strings.TrimSuffix(s.relative(f.Dir), ".git")
	}
}

func holdsDotGit(entries []fs.DirEntry) bool {
	for _, e := range entries {
		if e.Name() == ".git" {
			return true
		}
	}
	return false
}

// repoName is the name of a repository's folder without ".git".
func repoName(dir string) string {
	name := strings.TrimSuffix(filepath.Base(dir), ".git")
	if name == "" {
		name = filepath.Base(filepath.Dir(dir))
	}
	return name
}
