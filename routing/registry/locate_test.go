package registry_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

func folders(t *testing.T, root string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(name)), 0o750); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLocate(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folders(t, base, "ws/.repo-orchestrator", "ws/tree/.git", "ws/notes", "ws/bare.git/objects", "ws/bare.git/HEAD",
		"mirrors/by-name/.git", "mirrors/team/part/.git", "mirrors/suffixed.git/objects", "mirrors/suffixed.git/HEAD",
		"mirrors/former/.git", "mirrors/short/.git", "secret/.git")
	if err := os.Symlink(filepath.Join(base, "mirrors", "by-name"), filepath.Join(base, "ws", "link")); err != nil {
		t.Fatal(err)
	}
	repos := []routing.Repo{
		{Name: "a", Path: "./tree"},
		{Name: "b", Path: "bare.git"},
		{Name: "c", Path: "./link"},
		{Name: "d", Path: filepath.Join(base, "ws", "tree")},
		{Name: "by-name", Path: "./gone"},
		{Name: "e", Path: "./team/part"},
		{Name: "suffixed"},
		{Name: "renamed", Aliases: []string{"former"}},
		{Name: "org/short"},
		{Name: "../secret"}, // a name must not lead out of a root
		{Name: "f", Path: "./notes"},
	}
	want := []string{
		"ws/tree", "ws/bare.git", "mirrors/by-name", "ws/tree", "mirrors/by-name", "mirrors/team/part",
		"mirrors/suffixed.git", "mirrors/former", "mirrors/short", "", "",
	}
	for _, file := range []string{"ws/.repo-orchestrator/registry.json", "ws/registry.json"} {
		reg := registry.Registry{Repos: append([]routing.Repo(nil), repos...), File: filepath.Join(base, filepath.FromSlash(file))}
		reg.Locate(filepath.Join(base, "mirrors"))
		var got []string
		for _, r := range reg.Repos {
			rel := ""
			if r.Dir != "" {
				if rel, err = filepath.Rel(base, r.Dir); err != nil {
					t.Fatal(err)
				}
			}
			got = append(got, filepath.ToSlash(rel))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: dirs (-want +got):\n%s", file, diff)
		}
	}
}

func TestGroups(t *testing.T) {
	t.Parallel()
	sibling := func(names ...string) []routing.Sibling {
		var out []routing.Sibling
		for _, n := range names {
			out = append(out, routing.Sibling{Repo: n})
		}
		return out
	}
	repos := []routing.Repo{
		{Name: "z", Siblings: sibling("b")},
		{Name: "loner", Siblings: sibling("nobody", "loner")},
		{Name: "b"},
		{Name: "c", Siblings: sibling("former-b")},
		{Name: "d", Siblings: sibling("e")},
		{Name: "e", Siblings: sibling("d")},
		{Name: "alone"},
	}
	repos[2].Aliases = []string{"former-b"}
	want := [][]string{{"b", "c", "z"}, {"d", "e"}}
	if diff := cmp.Diff(want, registry.Groups(repos)); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	if got := registry.Groups(nil); got != nil {
		t.Errorf("Groups(nil) = %v", got)
	}
}
