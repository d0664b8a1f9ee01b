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
		if foreignPath(file.path) || !filepath.IsLocal(filepath.FromSlash(file.path)) {
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
	case foreignPath(path):
		return "it is written as on another system, with a backslash or a drive", below
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

// foreignPath knows a backslash or a drive, which would lead elsewhere on another
// system.
func foreignPath(path string) bool {
	return strings.Contains(path, "\\") || len(path) > 1 && path[1] == ':'
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
	case strings.ContainsAny(address, "#?\\"), u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "":
		return "it holds more than a host and a path", "write https://host/owner/name.git; a token belongs into the configuration"
	case !strings.EqualFold(u.Scheme, "https") && (!strings.EqualFold(u.Scheme, "http") || !loopback(u.Hostname())):
		return "it is no https address", "write https://host/owner/name.git"
	case !f.knows(u.Host):
		return "it leads to a host that the configuration does not allow", "write an address on one of its hosts, or ask the operator to add this one"
	case !plainPath(u):
		return "its path holds more than names", "write https://host/owner/name.git, without escapes, \"..\" or empty parts"
	}
	return "", ""
}

// plainPath says whether an address leads to names alone, so that what is read
// here is what the host is asked for.
func plainPath(u *url.URL) bool {
	names := strings.Split(strings.TrimPrefix(u.Path, "/"), "/")
	return u.RawPath == "" && u.EscapedPath() == u.Path && !slices.ContainsFunc(names, func(name string) bool {
		return name == "" || name == "." || name == ".."
	})
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
