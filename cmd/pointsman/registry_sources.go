package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/draft"
)

// searchDepth is how many levels below a folder repositories are looked for.
const searchDepth = 3

// sources are the flags that say which repositories there are: a folder, a list,
// or an organisation; and which trackers know them.
type sources struct {
	registry string
	repos    string
	list     string
	cache    string
	noCode   bool
	hub      hub
	tracker  componentSource
}

func (s *sources) addFlags(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&s.registry, "registry", "", "registry file (default "+defaultRegistry+" below the folder)")
	fl.StringVar(&s.repos, "repos", "", "folder of git repositories, work trees or bare, up to three levels deep (default \".\")")
	fl.StringVar(&s.list, "list", "", "file with one repository a line: PATH, NAME=PATH, or an https clone address; - is standard input")
	fl.StringVar(&s.cache, "cache", "", "folder for mirrors of what is not on this machine (default the user's cache folder)")
	fl.BoolVar(&s.noCode, "no-code", false, "clone nothing: say only what the host says")
	s.hub.addFlags(cmd)
	s.tracker.addFlags(cmd)
}

// check settles the defaults, and refuses what does not go together.
func (s *sources) check() error {
	given := 0
	for _, flag := range []string{s.repos, s.list, s.hub.owner} {
		if flag != "" {
			given++
		}
	}
	if given > 1 {
		return usagef("--repos, --list and --github name the repositories in three ways; give one of them")
	}
	if given == 0 {
		s.repos = "."
	}
	if s.repos != "" {
		if err := mustBeFolder(s.repos); err != nil {
			return &exitError{code: exitUsage, err: err}
		}
	}
	if s.registry == "" {
		s.registry = filepath.Join(cmp.Or(s.repos, "."), filepath.FromSlash(defaultRegistry))
	}
	if err := s.tracker.check(); err != nil {
		return err
	}
	return s.hub.check()
}

// candidate is a repository before its code is read.
type candidate struct {
	name, full string // full is the host's name with the owner; "" if not known
	dir        string // where its git data are; "" when they are not here
	host       draft.HostFacts
	unread     string // why its code cannot be read
}

// find lists the repositories, in the order of their names.
func (s *sources) find(ctx context.Context, cmd *cobra.Command) (found []candidate, unseen []routing.Failure, err error) {
	switch {
	case s.list != "":
		found, err = s.listed(ctx, cmd)
	case s.hub.owner != "":
		found, err = s.hosted(ctx, cmd.ErrOrStderr())
	default:
		found, unseen, err = s.below(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	if s.tracker.wanted() {
		err = s.tracker.attach(ctx, found)
	}
	return found, unseen, err
}

// below finds what lies in a folder.
func (s *sources) below(ctx context.Context) ([]candidate, []routing.Failure, error) {
	dirs, unseen, err := git.New().Discover(ctx, s.repos, searchDepth)
	if err != nil {
		return nil, nil, err
	}
	if len(dirs) == 0 {
		return nil, nil, usagef("searching %s: it holds no git repository, nor do the folders %d levels below; clone some there, or name others with --list or --github", s.repos, searchDepth)
	}
	found := make([]candidate, 0, len(dirs))
	for _, d := range dirs {
		if oddName(d.Name) {
			unseen = append(unseen, routing.Failure{Path: d.Name, Why: "its name cannot stand in a registry; rename the folder, or give it another with --list and NAME=PATH"})
			continue
		}
		found = append(found, s.local(ctx, d.Name, asNamed(s.repos, d), d.Bare))
	}
	return found, unseen, nil
}

// oddName tells names that no entry can have.
func oddName(name string) bool {
	return name == "." || name == ".." || !utf8.ValidString(name) || strings.TrimSpace(name) != name || strings.ContainsFunc(name, unicode.IsControl)
}

// asNamed is where a repository is by the name it was found under: a link may lead
// out of the folder, but it is the link that the registry must name.
func asNamed(root string, d routing.Found) string {
	for _, ending := range []string{"", ".git"} {
		named := filepath.Join(root, filepath.FromSlash(d.Name)+ending)
		if target, err := filepath.EvalSymlinks(named); err == nil && target == d.Dir {
			return named
		}
	}
	return d.Dir
}

// local is a repository on this machine.
func (s *sources) local(ctx context.Context, name, dir string, bare bool) candidate {
	c := candidate{name: name, dir: dir, host: draft.HostFacts{Path: relativeTo(baseOf(s.registry), dir)}}
	reader := git.New()
	address, branch, err := reader.Origin(ctx, dir)
	if err != nil {
		return c // reading its code says what is wrong with it
	}
	c.host.CloneURL, c.host.DefaultBranch = address, branch
	if head, err := reader.Head(ctx, dir, ""); err == nil && branch == "" && bare && head.Branch != "HEAD" {
		c.host.DefaultBranch = head.Branch // of a work tree it may be what somebody works on
	}
	return c
}

// baseOf is the folder that a registry's paths are relative to.
func baseOf(file string) string {
	dir := filepath.Dir(file)
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if filepath.Base(dir) == filepath.Dir(filepath.FromSlash(defaultRegistry)) {
		dir = filepath.Dir(dir)
	}
	return dir
}

// relativeTo writes a path as registries do: with slashes, "./" first.
func relativeTo(base, dir string) string {
	// The folder that holds a link is resolved, the link is not.
	parent, last := filepath.Split(filepath.Clean(dir))
	if target, err := filepath.EvalSymlinks(parent); err == nil {
		dir = filepath.Join(target, last)
	}
	if target, err := filepath.EvalSymlinks(base); err == nil {
		base = target
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	rel, err := filepath.Rel(base, dir)
	if err != nil {
		return filepath.ToSlash(dir)
	}
	if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, "../") && rel != ".." {
		rel = "./" + strings.TrimPrefix(rel, ".")
	}
	return rel
}

// listed reads the list of --list. Folders are relative to the list's own.
func (s *sources) listed(ctx context.Context, cmd *cobra.Command) ([]candidate, error) {
	in, base := cmd.InOrStdin(), "."
	if s.list != "-" {
		file, err := os.Open(s.list)
		if err != nil {
			return nil, usagef("--list: %w", err)
		}
		defer file.Close()
		in, base = file, filepath.Dir(s.list)
	}
	var found []candidate
	seen := map[string]int{}
	err := eachLine(in, s.list, func(n int, line []byte) error {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "#") {
			return nil
		}
		c, err := s.entry(ctx, base, text)
		if err != nil {
			return usagef("%s:%d: %w", s.list, n, err)
		}
		if first, ok := seen[c.name]; ok {
			return usagef("%s:%d: %s is also the name on line %d; write NAME=PATH to give it another", s.list, n, c.name, first)
		}
		seen[c.name] = n
		found = append(found, c)
		return nil
	})
	if err == nil && len(found) == 0 {
		err = usagef("--list %s: it names no repository; write a path, NAME=PATH, or a clone address a line", s.list)
	}
	if err != nil {
		return nil, err
	}
	return found, s.mirror(ctx, cmd.ErrOrStderr(), found)
}

// entry reads one line of a list.
func (s *sources) entry(ctx context.Context, base, line string) (candidate, error) {
	name, where, named := strings.Cut(line, "=")
	if !named || strings.Contains(name, "://") || strings.ContainsAny(name, `/\`) {
		name, where = "", line
	}
	name, where = strings.TrimSpace(name), strings.TrimSpace(where)
	switch {
	case where == "":
		return candidate{}, fmt.Errorf("%q says not where the repository is; write NAME=PATH", line)
	case oddName(name):
		return candidate{}, fmt.Errorf("%q is no name for a repository; write NAME=PATH", name)
	}
	last := strings.TrimSuffix(filepath.Base(filepath.FromSlash(strings.TrimRight(where, `/\`))), ".git")
	if strings.Contains(where, "://") {
		if !strings.HasPrefix(where, "https://") && !strings.HasPrefix(where, "http://127.0.0.1") {
			return candidate{}, fmt.Errorf("only https addresses are fetched; clone %s yourself and name its folder", bot.CleanLine(where, 200))
		}
		return candidate{name: cmp.Or(name, last), host: draft.HostFacts{CloneURL: where}}, nil
	}
	dir := filepath.FromSlash(where)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(base, dir)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return candidate{}, err
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return candidate{}, fmt.Errorf("there is no folder %s", where)
	}
	if last == "." || last == ".." {
		last = filepath.Base(abs)
	}
	_, err = os.Stat(filepath.Join(abs, ".git"))
	return s.local(ctx, cmp.Or(name, last), abs, err != nil), nil
}

// mirror fetches what is not on this machine into the cache.
func (s *sources) mirror(ctx context.Context, errOut io.Writer, found []candidate) (err error) {
	var away []*candidate
	for i := range found {
		if c := &found[i]; c.dir == "" && c.unread == "" {
			away = append(away, c)
		}
	}
	if len(away) == 0 || s.noCode {
		return nil
	}
	w := workspace{cache: s.cache}
	cache, err := w.cacheDir()
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	mirrors, err := git.OpenMirrors(filepath.Join(cache, "mirrors"), git.MirrorOptions{Token: s.hub.tokenFor})
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	defer mirrors.Close()
	bar := newBar(errOut, "mirroring")
	defer bar.end()
	for i, c := range away {
		bar.at(i, len(away), c.name)
		dir, err := mirrors.Keep(ctx, c.name, c.host.CloneURL)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if c.dir = dir; err != nil {
			c.unread = err.Error()
		}
	}
	return nil
}
