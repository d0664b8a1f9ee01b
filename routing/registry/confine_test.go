package registry_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing/registry"
)

func parsed(t *testing.T, text string) registry.Registry {
	t.Helper()
	reg, err := registry.Parse("r.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Fatal(err)
	}
}

// yard is a machine with a root, and what an attacker would like to read.
func yard(t *testing.T) (root, outside string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folders(t, base, "root/own/.git", "root/victim/.git", "root/victim/bait/objects", "root/victim/deep/er/.git",
		"secret/.git", "root-2/.git", "root/gitfile", "root/gitlink", "root/bare.git/objects", "root/parts/objects")
	root = filepath.Join(base, "root")
	for _, f := range []string{"victim/bait/HEAD", "bare.git/HEAD"} {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(f)), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "gitfile", ".git"), []byte("gitdir: ../../secret/.git\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	link(t, filepath.Join(base, "secret", ".git"), filepath.Join(root, "gitlink", ".git"))
	link(t, "/etc/hostname", filepath.Join(root, "parts", "HEAD"))
	link(t, filepath.Join(base, "secret"), filepath.Join(root, "way-out"))
	link(t, "way-out", filepath.Join(root, "second-hand"))
	link(t, "own", filepath.Join(root, "inside"))
	link(t, filepath.Join(base, "not-yet"), filepath.Join(root, "dangling"))
	return root, filepath.Join(base, "secret")
}

// Every way out that a registry's pull request may try is refused where it stands.
func TestConfineRefuses(t *testing.T) {
	t.Parallel()
	root, secret := yard(t)
	for name, tc := range map[string]struct{ field, want string }{
		"absolute":          {`"path": "` + secret + `"`, `$.repos[0].path: it is not below a configured root; write a path below`},
		"system file":       {`"path": "/etc"`, `.path: it is not below a configured root`},
		"beside the root":   {`"path": "` + root + `-2"`, `.path: it is not below a configured root`},
		"up":                {`"path": "../secret"`, `.path: it leads out of the configured roots`},
		"up in the middle":  {`"path": "./own/../../secret"`, `.path: it leads out of the configured roots`},
		"up, absolute":      {`"path": "` + root + `/../secret"`, `.path: it is not below a configured root`},
		"link":              {`"path": "way-out"`, `.path: a link in it leads out of the configured roots`},
		"link, absolute":    {`"path": "` + root + `/way-out"`, `.path: it is not below a configured root`},
		"link to a link":    {`"path": "second-hand"`, `.path: a link in it leads out`},
		"through a link":    {`"path": "way-out/gone"`, `.path: a link in it leads out`},
		"link to nowhere":   {`"path": "dangling/x"`, `.path: a link in it leads out`},
		"file address":      {`"cloneURL": "file://` + secret + `"`, `.cloneURL: it is no https address; write https://`},
		"ssh":               {`"cloneURL": "ssh://git@git.example/a.git"`, `.cloneURL: it holds more than a host and a path`},
		"scp":               {`"cloneURL": "git@git.example:a/b.git"`, `.cloneURL: it is no https address`},
		"git protocol":      {`"cloneURL": "git://git.example/a.git"`, `.cloneURL: it is no https address`},
		"plain http":        {`"cloneURL": "http://git.example/a.git"`, `.cloneURL: it is no https address`},
		"another host":      {`"cloneURL": "https://evil.example/a.git"`, `.cloneURL: it leads to a host that the configuration does not allow`},
		"another port":      {`"cloneURL": "https://git.example:8443/a.git"`, `.cloneURL: it leads to a host`},
		"a longer host":     {`"cloneURL": "https://git.example.evil.example/a.git"`, `.cloneURL: it leads to a host`},
		"a part of it":      {`"cloneURL": "https://example/a.git"`, `.cloneURL: it leads to a host`},
		"trailing dot":      {`"cloneURL": "https://git.example./a.git"`, `.cloneURL: it leads to a host`},
		"metadata service":  {`"cloneURL": "http://169.254.169.254/latest"`, `.cloneURL: it is no https address`},
		"another loopback":  {`"cloneURL": "http://127.0.0.1:81/a.git"`, `.cloneURL: it leads to a host`},
		"host":              {`"host": "evil.example"`, `.host: this host is not one that the configuration allows`},
		"screens up":        {`"screens": "../../secret/s.json"`, `.screens: it leads out of the folder`},
		"screens absolute":  {`"screens": "/etc/passwd"`, `.screens: it leads out of the folder`},
		"screens elsewhere": {`"screens": "https://evil.example/s.json"`, `.screens: it leads to a host`},
		"agent file":        {`"agentFile": "/srv/other/id"`, `.agentFile: it leads out of the folder`},
		"context file":      {`"contextFile": "../x.md"`, `.contextFile: it leads out of the folder`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reg := parsed(t, "{\"version\": 1, \"repos\": [\n{\"name\": \"own\", "+tc.field+"}]}")
			err := reg.Confine(registry.Rules{Roots: []string{root}, Hosts: []string{"git.example", "127.0.0.1:80"}})
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "reading registry: r.json:2:") {
				t.Errorf("err = %v\nwant %s", err, tc.want)
			}
			var bad *registry.Invalid
			if !errors.As(err, &bad) || len(bad.Defects) != 1 || bad.Defects[0].Line != 2 {
				t.Errorf("defects = %+v", bad)
			}
		})
	}
}

func TestConfineAllows(t *testing.T) {
	t.Parallel()
	root, secret := yard(t)
	reg := parsed(t, `{"version": 1, "repos": [
{"name": "own", "path": "./own", "host": "Git.Example", "cloneURL": "https://git.example/a/own.git", "screens": "screens/own.json"},
{"name": "bare", "path": "bare.git", "cloneURL": "http://127.0.0.1:80/bare.git"},
{"name": "b", "path": "inside"},
{"name": "c", "path": "`+root+`/own"},
{"name": "way-out"}, {"name": "../secret"}, {"name": "`+secret+`"}, {"name": "x", "aliases": ["second-hand"]},
{"name": "victim/bait"}, {"name": "d", "path": "victim/deep/er"},
{"name": "gitfile"}, {"name": "gitlink"}, {"name": "parts"}, {"name": "victim"}
]}`)
	if err := reg.Confine(registry.Rules{Roots: []string{root}, Hosts: []string{"git.example", "127.0.0.1:80"}}); err != nil {
		t.Fatal(err)
	}
	reg.Locate()
	got := map[string]string{}
	for _, r := range reg.Repos {
		if r.Dir != "" {
			rel, err := filepath.Rel(root, r.Dir)
			if err != nil {
				t.Fatal(err)
			}
			got[r.Name] = rel
		}
	}
	want := map[string]string{"own": "own", "bare": "bare.git", "b": "own", "c": "own", "victim": "victim"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("located (-want +got):\n%s", diff)
	}
}

// Without roots nothing on this machine is looked at; a link made after the check
// is not followed either.
func TestConfineHoldsLater(t *testing.T) {
	t.Parallel()
	root, secret := yard(t)
	reg := parsed(t, `{"version": 1, "repos": [{"name": "a", "path": "own"}]}`)
	if err := reg.Confine(registry.Rules{}); err != nil {
		t.Fatal(err)
	}
	if reg.Locate(); reg.Repos[0].Dir != "" {
		t.Errorf("found %s without any root", reg.Repos[0].Dir)
	}
	if reg.Locate(root); reg.Repos[0].Dir != filepath.Join(root, "own") {
		t.Errorf("Dir = %q, want the one below the root that the operator gave", reg.Repos[0].Dir)
	}
	late := parsed(t, `{"version": 1, "repos": [{"name": "a", "path": "late"}]}`)
	if err := late.Confine(registry.Rules{Roots: []string{root}}); err != nil {
		t.Fatal(err)
	}
	link(t, secret, filepath.Join(root, "late"))
	if late.Locate(); late.Repos[0].Dir != "" {
		t.Errorf("found %s through a link", late.Repos[0].Dir)
	}
}

// A secret in an address is refused wherever the registry comes from, and is not
// told again by the error.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://git.example/a/b.git":             "",
		"http://127.0.0.1:3000/a.git":             "",
		"git@git.example:a/b.git":                 "",
		"git.example:a/b.git":                     "",
		"ssh://git@git.example:22/a.git":          "",
		"file:///srv/a.git":                       "",
		"https://hunter2@git.example/a.git":       "it holds credentials; take them out",
		"https://me:hunter2@git.example/a.git":    "it holds credentials",
		"ssh://me:hunter2@git.example/a.git":      "it holds credentials",
		"https://git.example/a.git?token=hunter2": "it holds more than a host and a path",
		"https://git.example/a.git#hunter2":       "it holds more than a host and a path",
		"https://me:hunter2@git.exa mple/a.git":   "it holds a space",
		"https://me:hunter2@[::1/a.git":           "it cannot be read as a URL",
		"ext::sh -c hunter2":                      "it holds a space",
		"ext::hunter2":                            "it names a helper program",
		"-uhunter2":                               "it begins with a hyphen",
		"hunter2/a.git":                           "it is neither a URL nor of the form",
		"../hunter2":                              "it is neither a URL nor of the form",
		"https:///hunter2":                        "it names no host",
		"gopher://git.example/hunter2":            "its scheme is not known",
	} {
		_, err := registry.Parse("r.json", []byte(`{"version": 1, "repos": [{"name": "a", "cloneURL": "`+address+`"}]}`))
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", address, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), "$.repos[0].cloneURL: "+want)):
			t.Errorf("%s: err = %v, want %s", address, err, want)
		case err != nil && strings.Contains(err.Error(), "hunter2"):
			t.Errorf("%s: the error tells the secret: %v", address, err)
		}
	}
}
