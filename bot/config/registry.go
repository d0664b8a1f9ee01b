package config

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

func checkRegistry(cfg *Config) error {
	r := &cfg.Registry
	switch {
	case r.Repo != "" && r.File != "":
		return fmt.Errorf("registry: has both file and repo; keep one")
	case r.Repo != "":
		return checkRegistryRepo(cfg)
	case r.Branch != "" || r.Path != "" || len(r.Roots) > 0 || len(r.Hosts) > 0:
		return fmt.Errorf("registry.repo: is missing; branch, path, roots and hosts are for a registry that is read from a repository: " +
			"write registry.repo: owner/name, or leave them out")
	case r.File == "":
		return fmt.Errorf("registry.file: is missing; name the registry.json that lists your repositories, or the repository that holds it in registry.repo")
	}
	info, err := os.Stat(r.File)
	if err != nil {
		return fmt.Errorf("registry.file: %w; name the registry.json that lists your repositories", err)
	}
	if info.IsDir() {
		return fmt.Errorf("registry.file: %s is a folder; name the registry.json in it", r.File)
	}
	return nil
}

func checkRegistryRepo(cfg *Config) error {
	r := &cfg.Registry
	owner, name, ok := strings.Cut(r.Repo, "/")
	if !ok || !plainName(owner) || !plainName(name) {
		return fmt.Errorf("registry.repo: is %q; write it as owner/name", r.Repo)
	}
	if g := cfg.GitHub; g == nil || g.AppID == 0 && g.Token == "" {
		return fmt.Errorf("registry.repo: needs github with appID and privateKeyFile, or with a token, to read %s", r.Repo)
	}
	if strings.ContainsFunc(r.Branch, badInBranch) || strings.Contains(r.Branch, "..") {
		return fmt.Errorf("registry.branch: %q is the name of no branch; leave it out for the default branch", r.Branch)
	}
	if path.Clean(r.Path) != r.Path || !filepath.IsLocal(r.Path) || strings.ContainsAny(r.Path, "\\\x00") || r.Path == "." {
		return fmt.Errorf("registry.path: is %q; write the path of the file in %s, like %s", r.Path, r.Repo, DefaultRegistryPath)
	}
	for i, root := range r.Roots {
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			return fmt.Errorf("registry.roots[%d]: %s is no folder that this user can read; name one that holds repositories", i, root)
		}
		if filepath.Clean(root) == string(filepath.Separator) {
			return fmt.Errorf("registry.roots[%d]: is the whole machine; name the folder that holds the repositories", i)
		}
	}
	for i, h := range r.Hosts {
		if !plainHost(h) {
			return fmt.Errorf("registry.hosts[%d]: is %q; write a host alone, like git.example.com, with :port where it has one of its own", i, h)
		}
		r.Hosts[i] = strings.ToLower(h)
	}
	return nil
}

// GitHosts are the hosts that a registry read from a repository may name, with their
// port where they have one of their own: that of GitHub itself, and Registry.Hosts.
func (c *Config) GitHosts() []string {
	var hosts []string
	if c.GitHub != nil {
		if u, err := url.Parse(c.GitHub.APIURL); err == nil && u.Host != "" {
			// Of github.com and its like the API has a host of its own.
			hosts = append(hosts, strings.ToLower(strings.TrimPrefix(u.Host, "api.")))
		}
	}
	return append(hosts, c.Registry.Hosts...)
}

func badInBranch(r rune) bool {
	return unicode.IsControl(r) || unicode.IsSpace(r) || strings.ContainsRune("~^:?*[\\", r)
}

// plainHost wants a host of plain letters: no scheme, user or path, and nothing that
// could be read as another name.
func plainHost(s string) bool {
	host := s
	if h, port, err := net.SplitHostPort(s); err == nil {
		n, err := strconv.Atoi(port)
		if err != nil || n < 1 || n > 65535 {
			return false
		}
		host = h
	}
	return plainName(host) && !strings.Contains(host, "_") || net.ParseIP(host) != nil
}
