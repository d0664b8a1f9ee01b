package mine

import (
	"strings"
	"testing"
)

func TestMarks(t *testing.T) {
	t.Parallel()
	m := newMarker()
	for _, c := range []struct{ name, email, title, want string }{
		{"Ada", "ada@example.com", "PAY-1 Refunds", ""},
		{"dependabot[bot]", "", "Bump till from 1.2 to 1.3", "bot release"},
		{"Build Bot", "", "x", "bot"},
		{"Ada Abbott", "abbot@example.com", "Add a robot arm", ""},
		{"CI", "build-bot@example.com", "x", "bot"},
		{"Ada", "", `Revert "PAY-1 Refunds"`, "revert"},
		{"Ada", "", "Reverting PAY-1", "revert"},
		{"Ada", "", "Backed out the till", "revert"},
		{"Ada", "", "PAY-3: revert to the old till", ""},
		{"Ada", "", "Back out button", ""},
		{"Ada", "", "[maven-release-plugin] prepare release 1.2", "release"},
		{"Ada", "", "Prepare for next development iteration", "release"},
		{"Ada", "", "Release 1.2.3", "release"},
		{"Ada", "", "v1.2.3", "release"},
		{"Ada", "", "Bump version to 3", "release"},
		{"Ada", "", "Release the lock on refunds", ""},
		{"Ada", "", "Updated from global requirements", "sync"},
		{"Ada", "", "Sync common code", "sync"},
		{"Ada", "", "Keep carts in sync with tills", ""},
		{"Ada", "", "Imported Translations from Elsewhere", "sync"},
	} {
		if got := strings.Join(m.marks(c.name, c.email, c.title, 1), " "); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.name, c.title, got, c.want)
		}
	}
	if got := m.marks("Ada", "", "x", 2); len(got) != 1 || got[0] != MarkMerge {
		t.Errorf("a merge: %v", got)
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	p := newPaths([]string{"acme/common/"})
	for name, want := range map[string]kind{
		"src/main/java/shop/Cart.java":           kindSource,
		"src/main/resources/shop/providers.xml":  kindSource,
		"src/test/java/shop/CartTest.java":       kindTest,
		"src/site/xdoc/index.xml":                kindDocs,
		"src/changes/changes.xml":                kindDocs,
		"pom.xml":                                kindOther,
		"cart/api.py":                            kindSource,
		"cart/tests/unit/fakes.py":               kindTest,
		"cart/test_api.py":                       kindTest,
		"conftest.py":                            kindTest,
		"setup.py":                               kindOther,
		"doc/source/conf.py":                     kindDocs,
		"docs/example.go":                        kindDocs,
		"README.md":                              kindDocs,
		"releasenotes/notes/x.yaml":              kindDocs,
		"cart/acme/common/rpc.py":                kindVendored,
		"vendor/github.com/x/y.go":               kindVendored,
		"node_modules/x/index.js":                kindVendored,
		"web/Cart.spec.ts":                       kindTest,
		"web/Cart.tsx":                           kindSource,
		"cart_test.go":                           kindTest,
		"latest.go":                              kindSource,
		"its/core-it-suite/src/main/java/A.java": kindTest,
		"Dockerfile":                             kindOther,
		"":                                       kindOther,
	} {
		if got := p.kind(name); got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
}

func TestStripMachine(t *testing.T) {
	t.Parallel()
	got := stripMachine("Fixes: a thing\n\nWhy.\n\nCloses-Bug: #1234\nChange-Id: I12\nSigned-off-by: Ada <a@example.com>\ngit-svn-id: https://svn.example.com/shop/cart@12 x\n")
	if got != "Fixes: a thing\n\nWhy.\n\nCloses-Bug: #1234\n" {
		t.Errorf("%q", got)
	}
}
