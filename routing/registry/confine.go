package registry

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/pointsman/pointsman/routing"
)

// Rules bind a registry that others may change: one read from git, where a pull
// request is input.
type Rules struct {
	Roots []string // folders below which repositories may be found; none means none
	Hosts []string // hosts, with their port where it is not the usual one, that may be dialled
}

// fence holds the rules with links in the roots followed.
type fence struct {
	roots []string // real absolute paths
	hosts []string
}

// Confine holds a registry to rules, and its Locate from then on. A registry that
// breaks one is refused whole, as an *Invalid that names each place: half a
// registry would route half of the tickets elsewhere without a word, whereas a
// refused one shows on the pull request, and the last good one stays.
func (r *Registry) Confine(rules Rules) error {
	f := &fence{}
	for _, root := range rules.Roots {
		f.roots = append(f.roots, realPath(root))
	}
	for _, h := range rules.Hosts {
		f.hosts = append(f.hosts, strings.ToLower(h))
	}
	bad := &Invalid{}
	for i, repo := range r.Repos {
		r.confined(f, i, repo, bad)
	}
	if len(bad.Defects) > 0 {
		inOrder(bad.Defects)
		return bad
	}
	r.fence = f
	return nil
}

func (r *Registry) confined(f *fence, i int, repo routing.Repo, bad *Invalid) {
	fail := func(key, text, mend string) {
		if text == "" {
			return
		}
		if len(bad.Defects) == maxDefects {
			bad.More++
			return
		}
		d := r.At(i, key)
		d.Text, d.Mend = text, mend
		bad.Defects = append(bad.Defects, d)
	}
	text, mend := f.path(repo.Path)
	fail("path", text, mend)
	text, mend = f.clone(repo.CloneURL)
	fail("cloneURL", text, mend)
	if repo.Host != "" && !f.knows(repo.Host) {
		fail("host", "this host is not one that the configuration allows", "write one of its hosts, or ask the operator to add this one")
	}
	for _, file := range []struct{ key, path string }{
		{"screens", repo.Screens}, {"agentFile", repo.AgentFile}, {"contextFile", repo.ContextFile},
	} {
		if file.path == "" {
			continue
		}
		if strings.Contains(file.path, "://") {
			text, mend := f.clone(file.path)
			fail(file.key, text, mend)
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(file.path)) {
			fail(file.key, "it leads out of the folder that it is relative to", `write a relative path without ".."`)
		}
	}
}

// path says what is wrong with where an entry's git data are said to be.
func (f *fence) path(path string) (text, mend string) {
	const below = "write a path below one of the configured roots, relative and without \"..\""
	dir := filepath.FromSlash(path)
	switch {
	case path == "":
		return "", ""
	case strings.ContainsFunc(path, unicode.IsControl):
		return "it holds a control character", below
	case filepath.IsAbs(dir):
		if !f.holds(realPath(dir)) {
			return "it is not below a configured root", below
		}
		return "", ""
	case !filepath.IsLocal(dir):
		return "it leads out of the configured roots", below
	}
	for _, root := range f.roots {
		if !f.holds(realPath(filepath.Join(root, dir))) {
			return "a link in it leads out of the configured roots", below
		}
	}
	return "", ""
}

// clone says what is wrong with an address that would be dialled. The address
// itself is not repeated.
func (f *fence) clone(address string) (text, mend string) {
	if address == "" {
		return "", ""
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" && u.Scheme == "":
		return "it is no https address", "write https://host/owner/name.git"
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "":
		return "it holds more than a host and a path", "write https://host/owner/name.git; a token belongs into the configuration"
	case !strings.EqualFold(u.Scheme, "https") && (!strings.EqualFold(u.Scheme, "http") || !loopback(u.Hostname())):
		return "it is no https address", "write https://host/owner/name.git"
	case !f.knows(u.Host):
		return "it leads to a host that the configuration does not allow", "write an address on one of its hosts, or ask the operator to add this one"
	}
	return "", ""
}

func (f *fence) knows(host string) bool { return slices.Contains(f.hosts, strings.ToLower(host)) }

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// holds says whether a path without links is a root or lies below one.
func (f *fence) holds(path string) bool {
	return slices.ContainsFunc(f.roots, func(root string) bool { return below(root, path) })
}

func below(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// realPath follows the links of a path as far as it exists.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rest := ""
	for dir := abs; ; dir = filepath.Dir(dir) {
		if found, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(found, rest)
		}
		if dir == filepath.Dir(dir) {
			return abs
		}
		if info, err := os.Lstat(dir); err == nil && info.Mode()&os.ModeSymlink != 0 {
			if to, err := os.Readlink(dir); err == nil { // to nowhere, for now
				if !filepath.IsAbs(to) {
					to = filepath.Join(filepath.Dir(dir), to)
				}
				return filepath.Join(filepath.Clean(to), rest)
			}
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

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
			if below(root, dir) && ownRepository(root, dir) {
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
	for parent := dir; parent != root; {
		if parent = filepath.Dir(parent); parent == root || !below(root, parent) {
			break
		}
		if isRepository(parent) {
			return false
		}
	}
	return true
}
