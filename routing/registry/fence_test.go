package registry_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/routing/registry"
)

func write(t *testing.T, text string, at ...string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(at...), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// What a commit can hold is not taken for a repository of its own, though the root
// itself is the work tree, or lies in one; nor is one that borrows from outside.
func TestFenceAroundRepositories(t *testing.T) {
	t.Parallel()
	const list = "root/tills/objects/info/alternates"
	for name, tc := range map[string]struct {
		folders      []string
		files, links map[string]string // by path; BASE is the folder around the root
		found        bool
	}{
		"bare":                                  {found: true},
		"root is a work tree":                   {folders: []string{"root/.git"}},
		"root lies in a work tree":              {folders: []string{".git"}},
		"a clone in a root that is a work tree": {folders: []string{"root/.git", "root/tills/.git/objects"}, found: true},
		"borrows outside":                       {files: map[string]string{list: "BASE/secret/objects\n"}},
		"borrows outside, relative":             {files: map[string]string{list: "# kept\n\n../../../secret/objects"}},
		"borrows outside at second hand": {
			folders: []string{"root/other/objects/info"},
			files:   map[string]string{list: "../../other/objects\n", "root/other/objects/info/alternates": "../../../secret/objects\n"},
		},
		"borrows through a link": {
			files: map[string]string{list: "../../way/objects\n"}, links: map[string]string{"root/way": "secret"},
		},
		"borrows inside, in a circle": {
			folders: []string{"root/other/objects/info"},
			files:   map[string]string{list: "../../other/objects\n", "root/other/objects/info/alternates": "../../tills/objects\n"},
			found:   true,
		},
		"a list without end": {files: map[string]string{list: strings.Repeat("../x\n", 20_000)}},
		"packs are a link":   {links: map[string]string{"root/tills/objects/pack": "secret"}},
		"commondir":          {files: map[string]string{"root/tills/commondir": "../../secret\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			folders(t, base, "secret/objects", "root/tills/objects/info")
			root := filepath.Join(base, "root")
			write(t, "ref: refs/heads/main\n", root, "tills", "HEAD")
			folders(t, base, tc.folders...)
			for at, text := range tc.files {
				write(t, strings.ReplaceAll(text, "BASE", base), base, at)
			}
			for at, to := range tc.links {
				link(t, filepath.Join(base, to), filepath.Join(base, at))
			}
			reg := parsed(t, `{"version": 1, "repos": [{"name": "a", "path": "tills"}]}`)
			if err := reg.Confine(registry.Rules{Roots: []string{root}}); err != nil {
				t.Fatal(err)
			}
			reg.Locate()
			if found := reg.Repos[0].Dir != ""; found != tc.found {
				t.Errorf("Dir = %q, want found %v", reg.Repos[0].Dir, tc.found)
			}
		})
	}
}

// An address and a path are read alike by everything that follows them.
func TestConfineTakesPlainNamesOnly(t *testing.T) {
	t.Parallel()
	for _, field := range []string{
		`"cloneURL": "https://git.example/../../a"`, `"cloneURL": "https://git.example/a/./b"`, `"cloneURL": "https://git.example/a//b"`,
		`"cloneURL": "https://git.example/a/b/"`, `"cloneURL": "https://git.example/a/%0a"`, `"cloneURL": "https://git.example/a%2fb"`,
		`"cloneURL": "https://git.example/a/b#"`, `"cloneURL": "https://git.example/a/b?"`, `"cloneURL": "https://git.example/"`,
		`"cloneURL": "https://git.example/a\\b"`, `"path": "C:\\x"`, `"path": "C:x"`, `"path": "..\\x"`, `"screens": "..\\s.json"`,
	} {
		reg, err := registry.Parse("r.json", []byte(`{"version": 1, "repos": [{"name": "a", `+field+`}]}`))
		if err != nil {
			continue // refused sooner
		}
		if err := reg.Confine(registry.Rules{Roots: []string{t.TempDir()}, Hosts: []string{"git.example"}}); err == nil {
			t.Errorf("%s is taken", field)
		}
	}
	reg := parsed(t, `{"version": 1, "repos": [{"name": "a", "cloneURL": "https://git.example/group/sub/a.git"}]}`)
	if err := reg.Confine(registry.Rules{Hosts: []string{"git.example"}}); err != nil {
		t.Errorf("a group within a group is refused: %v", err)
	}
}
