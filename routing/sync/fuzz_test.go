package sync_test

import (
	"testing"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/sync"
)

// FuzzAddresses holds that addresses of any form are compared without a fault: an
// entry is always its own repository.
func FuzzAddresses(f *testing.F) {
	for _, s := range []string{
		"https://git.example/acme/quay.git", "git@git.example:acme/quay.git", "ssh://git@git.example:2222/acme/quay", "//", ":", "a:b:c/d", "http://[::1", "", ".git", "x:",
	} {
		f.Add(s, "./quay", "quay")
	}
	f.Fuzz(func(t *testing.T, address, path, name string) {
		r := routing.Repo{Name: name, CloneURL: address, Path: path}
		r.Fingerprint = "x"
		rows := sync.Plan([]routing.Repo{r}, []sync.Seen{{Repo: r}}, sync.Options{})
		if len(rows) != 1 || rows[0].Is(sync.Gone) || rows[0].Is(sync.Renamed) || rows[0].Is(sync.Moved) {
			t.Errorf("%q, %q, %q: %s", address, path, name, told(rows))
		}
	})
}
