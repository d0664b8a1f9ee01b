package git

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	cfgformat "github.com/go-git/go-git/v5/plumbing/format/config"
)

// Origin returns where the repository in dir was cloned from, as an https address
// without credentials, and the branch that the remote "origin" calls its default.
// Either is "" when the repository does not say, or says what is no host's address.
func (*Git) Origin(ctx context.Context, dir string) (address, branch string, err error) {
	if err := ctx.Err(); err != nil {
		return "", "", err
	}
	r, err := open(dir)
	if err != nil {
		return "", "", err
	}
	defer r.close()
	err = guard("reading the origin of "+dir, func() error {
		ref, err := r.dot.Ref(remoteHead)
		if err == nil && ref.Type() == plumbing.SymbolicReference {
			branch, _ = strings.CutPrefix(ref.Target().String(), remotePrefix)
		}
		return nil // one without a remote has none
	})
	return originOf(filepath.Join(r.common, "config")), branch, err
}

// originOf reads the address of the remote "origin" in a config file; "" when
// there is none that another machine could use.
func originOf(file string) string {
	text, err := readSmall(file)
	if err != nil {
		return ""
	}
	cfg := cfgformat.New()
	if err := cfgformat.NewDecoder(strings.NewReader(text)).Decode(cfg); err != nil {
		return ""
	}
	if !cfg.Section("remote").HasSubsection("origin") {
		return ""
	}
	return httpsAddress(cfg.Section("remote").Subsection("origin").Option("url"))
}

// httpsAddress turns the addresses that people clone from into one that needs no
// key: https, without user or password.
func httpsAddress(s string) string {
	s = strings.TrimSpace(s)
	if !strings.Contains(s, "://") {
		host, path, ok := strings.Cut(s, ":")
		if !ok || strings.ContainsAny(host, `/\`) || len(host) < 2 { // a folder, or a drive
			return ""
		}
		s = "ssh://" + host + "/" + strings.TrimPrefix(path, "/")
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || strings.Trim(u.Path, "/") == "" {
		return ""
	}
	switch u.Scheme {
	case "https":
	case "ssh", "git", "git+ssh":
		u.Host = u.Hostname() // its port is not that of https
	default:
		return ""
	}
	return (&url.URL{Scheme: "https", Host: u.Host, Path: u.Path}).String()
}
