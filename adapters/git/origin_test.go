package git

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pointsman/pointsman/adapters/git/gittest"
)

func TestOrigin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ config, address string }{
		"https":       {"[remote \"origin\"]\n\turl = https://git.example/acme/shop.git\n", "https://git.example/acme/shop.git"},
		"credentials": {"[remote \"origin\"]\n\turl = https://me:s3cret@git.example:8443/acme/shop\n", "https://git.example:8443/acme/shop"},
		"scp":         {"[remote \"origin\"]\n\turl = git@git.example:acme/shop.git\n", "https://git.example/acme/shop.git"},
		"ssh":         {"[remote \"origin\"]\n\turl = ssh://git@git.example:2222/acme/shop.git\n", "https://git.example/acme/shop.git"},
		"folder":      {"[remote \"origin\"]\n\turl = /srv/git/shop.git\n", ""},
		"drive":       {"[remote \"origin\"]\n\turl = C:/git/shop.git\n", ""},
		"plain http":  {"[remote \"origin\"]\n\turl = http://git.example/acme/shop.git\n", ""},
		"file":        {"[remote \"origin\"]\n\turl = file:///srv/git/shop.git\n", ""},
		"no path":     {"[remote \"origin\"]\n\turl = https://git.example\n", ""},
		"other":       {"[remote \"upstream\"]\n\turl = https://git.example/acme/shop.git\n", ""},
		"broken":      {"[remote \"origin\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if _, err := gittest.Write(dir, true, map[string]string{"a": "a"}, "first"); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "config"), []byte(c.config), 0o600); err != nil {
				t.Fatal(err)
			}
			address, branch, err := New().Origin(t.Context(), dir)
			if err != nil || address != c.address || branch != "" {
				t.Errorf("got %q, %q, %v; want %q", address, branch, err, c.address)
			}
			head := filepath.Join(dir, "refs", "remotes", "origin")
			if err := os.MkdirAll(head, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(head, "HEAD"), []byte("ref: refs/remotes/origin/trunk\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, branch, err = New().Origin(t.Context(), dir); err != nil || branch != "trunk" {
				t.Errorf("branch %q, %v; want trunk", branch, err)
			}
		})
	}
	if _, _, err := New().Origin(t.Context(), t.TempDir()); err == nil {
		t.Error("a folder that is no repository has an origin")
	}
}
