package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/gofrs/flock"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing"
)

const (
	// DefaultMirrorBytes is the most that one mirror takes on disk.
	DefaultMirrorBytes = 1 << 30
	// DefaultMirrorTime is the longest that one mirror is fetched.
	DefaultMirrorTime = 30 * time.Minute

	mirrorMark  = "pointsman-mirror" // the file that tells our mirrors from other people's clones
	stagePrefix = ".stage-"
)

// MirrorOptions bound mirrors. The zero value of a bound means its default.
type MirrorOptions struct {
	MaxBytes  int64                        // of one mirror's packs
	MaxTime   time.Duration                // of one fetch
	Token     func(host string) bot.Secret // "host" or "host:port", as in the address; nil or "" = none
	Transport http.RoundTripper            // nil = the standard one
}

// Mirrors keeps bare copies of repositories with their full histories in one
// folder: their branches, no tags, no references of hosts. Nothing of a
// repository is run or checked out. One value at a time holds the folder.
type Mirrors struct {
	dir  string
	lock *flock.Flock
	o    MirrorOptions
}

// OpenMirrors takes hold of a folder, which is created, and throws away what a
// run that was killed left behind.
func OpenMirrors(dir string, o MirrorOptions) (*Mirrors, error) {
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMirrorBytes
	}
	if o.MaxTime == 0 {
		o.MaxTime = DefaultMirrorTime
	}
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder of mirrors %s: %w; name one that this user may write to", dir, pathCause(err))
	}
	m := &Mirrors{dir: dir, lock: flock.New(filepath.Join(dir, ".lock")), o: o}
	switch ok, err := m.lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("the folder of mirrors %s: %w; name one that this user may write to", dir, pathCause(err))
	case !ok:
		return nil, fmt.Errorf("the folder of mirrors %s is in use by another pointsman; wait for it, or name another folder", dir)
	}
	left, err := filepath.Glob(filepath.Join(escapeGlob(dir), stagePrefix+"*"))
	for _, stage := range left {
		err = errors.Join(err, os.RemoveAll(stage))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("clearing the folder of mirrors %s: %w", dir, err), m.Close())
	}
	return m, nil
}

// escapeGlob takes the meaning from the signs of a pattern.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// Close lets go of the folder.
func (m *Mirrors) Close() error { return m.lock.Unlock() }

// Keep makes or refreshes the mirror of a repository and returns its folder. Only
// what is new is fetched, and a fetch that fails leaves no trace: with an error,
// dir is "" or the mirror as it was before. A file address is read where it lies,
// and dir is that place. Errors say what to do.
func (m *Mirrors) Keep(ctx context.Context, name, address string) (dir string, err error) {
	u, err := checkAddress(address)
	if err != nil {
		return "", err
	}
	if u.Scheme == "file" {
		r, err := open(u.Path)
		if err != nil {
			return "", err
		}
		r.close()
		return u.Path, nil
	}
	dir = filepath.Join(m.dir, folderOf(name))
	have, err := m.existing(dir)
	if err != nil {
		return "", err
	}
	stage, err := os.MkdirTemp(m.dir, stagePrefix+"*")
	if err != nil {
		return "", fmt.Errorf("the folder of mirrors %s: %w", m.dir, pathCause(err))
	}
	within, cancel := context.WithTimeout(ctx, m.o.MaxTime)
	defer cancel()
	err = m.refresh(within, u, dir, stage, have)
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		err = fmt.Errorf("its history was not fetched within %s; clone it yourself with git clone --mirror, or allow more time", m.o.MaxTime)
	}
	if gone := os.RemoveAll(stage); err == nil && gone != nil { // it was moved away, or is empty of use
		err = gone
	}
	if err != nil && have == nil {
		return "", err
	}
	return dir, err
}

// checkAddress takes https and file addresses, and http ones of this machine.
func checkAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || u.Opaque != "" {
		return nil, errors.New("its cloneURL is no https or file address; write https://host/owner/name.git, or clone it yourself")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("its cloneURL holds more than host and path; write no credentials there, a token belongs into the configuration")
	}
	switch {
	case u.Scheme == "https" && u.Hostname() != "":
	case u.Scheme == "http" && thisMachine(u.Hostname()):
	case u.Scheme == "file" && (u.Host == "" || u.Host == "localhost") && filepath.IsAbs(u.Path):
	default:
		return nil, fmt.Errorf("its cloneURL is a %s address that is not fetched; write https://host/owner/name.git, or clone it yourself", bot.CleanLine(u.Scheme, 20))
	}
	return u, nil
}

func thisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// folderOf is the folder of a repository's mirror: its name, in which no sign
// leads elsewhere.
func folderOf(name string) string {
	name = url.PathEscape(name)
	if strings.HasPrefix(name, ".") {
		name = "%2E" + name[1:]
	}
	return name + ".git"
}

// existing returns what a mirror's branches point to; nil without a mirror.
func (m *Mirrors) existing(dir string) ([]plumbing.Hash, error) {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if info, err := os.Lstat(filepath.Join(dir, mirrorMark)); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s was not made by pointsman and is left alone; name another folder for mirrors, or this one with --repos", dir)
	}
	damaged := func(err error) error {
		return fmt.Errorf("its mirror %s is damaged: %w; delete that folder to have it fetched anew", dir, err)
	}
	if err := sweep(filepath.Join(dir, "objects", "pack")); err != nil {
		return nil, damaged(err)
	}
	r, err := open(dir)
	if err != nil {
		return nil, damaged(err)
	}
	defer r.close()
	refs, err := r.dot.Refs()
	if err != nil {
		return nil, damaged(pathCause(err))
	}
	have := []plumbing.Hash{}
	for _, ref := range refs {
		if ref.Type() == plumbing.HashReference && !slices.Contains(have, ref.Hash()) {
			have = append(have, ref.Hash())
		}
	}
	return have, nil
}

// sweep removes packs of which a killed run left one half.
func sweep(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return pathCause(err)
	}
	var errs []error
	for _, e := range entries {
		base, isPack := strings.CutSuffix(e.Name(), ".pack")
		if _, err := os.Lstat(filepath.Join(dir, base+".idx")); isPack && errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(errs...)
}

// refresh fetches into stage and moves what came into the mirror: the packs
// before the branches that need them.
func (m *Mirrors) refresh(ctx context.Context, u *url.URL, dir, stage string, have []plumbing.Hash) error {
	packs := filepath.Join(dir, "objects", "pack")
	f := &fetcher{url: u, transport: m.o.Transport, have: have, packs: filepath.Join(stage, "objects", "pack"), left: m.o.MaxBytes - sizeOf(packs), most: m.o.MaxBytes}
	if m.o.Token != nil {
		f.token = m.o.Token(u.Host)
	}
	if have != nil {
		objects, err := openObjects(dir)
		if err != nil {
			return fmt.Errorf("its mirror %s is damaged: %w; delete that folder to have it fetched anew", dir, err)
		}
		defer objects.close()
		f.known = func(h plumbing.Hash) bool {
			_, err := objects.read(h, plumbing.CommitObject)
			return err == nil
		}
	}
	if err := os.MkdirAll(f.packs, 0o700); err != nil {
		return fmt.Errorf("making its mirror: %w", pathCause(err))
	}
	heads, err := f.fetch(ctx)
	if err != nil {
		return err
	}
	if have == nil {
		if err := errors.Join(writeSkeleton(stage, u), heads.write(stage)); err != nil {
			return fmt.Errorf("making its mirror: %w", err)
		}
		if err := os.Rename(stage, dir); err != nil {
			return fmt.Errorf("making its mirror: %w", pathCause(err))
		}
		return nil
	}
	if f.base != "" {
		for _, end := range []string{".pack", ".idx"} {
			if err := os.Rename(filepath.Join(f.packs, f.base+end), filepath.Join(packs, f.base+end)); err != nil {
				return fmt.Errorf("refreshing its mirror: %w", pathCause(err))
			}
		}
	}
	if err := heads.write(dir); err != nil {
		return fmt.Errorf("refreshing its mirror: %w", err)
	}
	return nil
}

// sizeOf adds up the files of a folder; 0 when there is none.
func sizeOf(dir string) (n int64) {
	entries, _ := os.ReadDir(dir) // none that can be read, none that counts
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			n += info.Size()
		}
	}
	return n
}

// writeSkeleton writes what makes a folder a bare repository of ours.
func writeSkeleton(dir string, u *url.URL) error {
	if err := os.MkdirAll(filepath.Join(dir, "refs", "heads"), 0o700); err != nil {
		return pathCause(err)
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "config"), []byte("[core]\n\trepositoryformatversion = 0\n\tbare = true\n"), 0o600),
		os.WriteFile(filepath.Join(dir, mirrorMark), []byte(u.String()+"\n"), 0o600),
	)
}

// heads are the branches of a remote repository.
type heads struct {
	at     map[string]plumbing.Hash // by full name, refs/heads/...
	branch string                   // the full name of the default branch, one of at
}

// write puts the branches in the place of those that were, all in one step.
func (h heads) write(dir string) error {
	names := make([]string, 0, len(h.at))
	for name := range h.at {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "%s %s\n", h.at[name], name)
	}
	if err := replace(filepath.Join(dir, "packed-refs"), b.String()); err != nil {
		return err
	}
	return replace(filepath.Join(dir, "HEAD"), "ref: "+h.branch+"\n")
}

func replace(file, text string) error {
	if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
		return pathCause(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		return pathCause(err)
	}
	return nil
}

// errEmptyRemote is what a repository without branches is.
func errEmptyRemote() error {
	return fmt.Errorf("it has no branches yet (%w)", routing.ErrEmpty)
}
