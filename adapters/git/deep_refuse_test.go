package git_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/routing"
)

func TestMirrorRefuses(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	if _, err := f.keep(t, git.MirrorOptions{}); !errors.Is(err, routing.ErrEmpty) {
		t.Errorf("an empty repository: %v", err)
	}
	f.record(t, gittest.Entry{Message: "start", Files: source("1")})
	m, err := git.OpenMirrors(f.dir, git.MirrorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for address, want := range map[string]string{
		"git@host:acme/cart.git":           "no https or file address",
		"ssh://git@host/acme/cart.git":     "holds more than host and path",
		"ssh://host/acme/cart.git":         "ssh address that is not fetched",
		"git://host/acme/cart.git":         "git address that is not fetched",
		"http://example.org/acme/cart.git": "http address that is not fetched",
		"https://me:pw@host/acme/cart.git": "write no credentials there",
		"https:///acme/cart.git":           "not fetched",
		"file://elsewhere/srv/cart.git":    "not fetched",
		"file:///none/at/all":              "no such file",
		"":                                 "no https or file address",
		f.url + "?x=1":                     "more than host and path",
		f.url + "/none":                    "shows nothing at",
	} {
		if dir, err := m.Keep(t.Context(), "cart", address); err == nil || !strings.Contains(err.Error(), want) || dir != "" || strings.Contains(err.Error(), "pw@") {
			t.Errorf("%s: %q, %v; want %q", address, dir, err, want)
		}
	}
	for _, name := range []string{"..", ".", "../../x", "/etc", ".lock", "a\\b", "ä b"} {
		dir, err := m.Keep(t.Context(), name, f.url)
		if err != nil || filepath.Dir(dir) != f.dir {
			t.Errorf("%q became %s, %v", name, dir, err)
		}
	}
	// A clone that somebody else made is left alone; so is what was damaged.
	if err := gittest.Empty(filepath.Join(f.dir, "theirs.git"), true); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Keep(t.Context(), "theirs", f.url); err == nil || !strings.Contains(err.Error(), "was not made by pointsman") {
		t.Errorf("a foreign clone: %v", err)
	}
	dir, err := m.Keep(t.Context(), "cart", f.url)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "packed-refs"), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Keep(t.Context(), "cart", f.url); err == nil || !strings.Contains(err.Error(), "delete that folder") {
		t.Errorf("a damaged mirror: %v", err)
	}
	// A file address is read where it lies.
	if dir, err := m.Keep(t.Context(), "here", "file://"+f.repo); err != nil || dir != f.repo {
		t.Errorf("a file address: %q, %v", dir, err)
	}
}

func TestMirrorAfterAKill(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	f.record(t, gittest.Entry{Message: "start", Files: source("1")})
	dir, err := f.keep(t, git.MirrorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := f.files(t)
	for _, name := range []string{".stage-1/objects/pack/new.pack", filepath.Base(dir) + "/objects/pack/pack-0.pack"} {
		name = filepath.Join(f.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte("half"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.keep(t, git.MirrorOptions{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, f.files(t)); d != "" {
		t.Error(d)
	}
}
