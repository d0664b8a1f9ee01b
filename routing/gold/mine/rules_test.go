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
		{"Ada", "", `PAY-904: Revert "PAY-905 Fold the map"`, "revert"},
		{"Ada", "", `[PAY-904] revert: "Fold the map" (#12)`, "revert"},
		{"Ada", "", "PAY-904 Revert commit 5f1c2aa", "revert"},
		{"Ada", "", "PAY-904 Revert PAY-905, which was slow", ""},
		{"Ada", "", "PAY-904 - roll back r1234", "revert"},
		{"Ada", "", "PAY-904 Revert the order of the rows", ""},
		{"Ada", "", "fix: roll back the booking when the card is refused", ""},
		{"Ada", "", "PAY-107 Bump guava from 31.0 to 32.1", "release"},
		{"Ada", "", "[PAY-112] [maven-release-plugin] prepare release 1.0", "release"},
		{"Ada", "", "[PAY-112] [maven-release-plugin] copy for tag 1.0", "release"},
		{"Ada", "", "PAY-104 Release 1.2.3", "release"},
		{"Ada", "", "(PAY-104) v1.2.3", "release"},
		{"Ada", "", "chore(deps): bump lodash from 4 to 5 (PAY-308)", "release"},
		{"Ada", "", "build(deps-dev)!: Bump lodash from 4 to 5 (PAY-308) (#12)", "release"},
		{"Ada", "", "chore(release): 1.4.0 (PAY-309)", "release"},
		{"Ada", "", "#12: Bump version to 3", "release"},
		{"Ada", "", "PAY-7 Sync carts with tills", ""},
		{"Ada", "", "feat(till): release the drawer 3 times", ""},
		{"Ada", "", "PAY-8 Bump into the till", ""},
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

// What a revert takes back is found behind a key, too.
func TestReverted(t *testing.T) {
	t.Parallel()
	m := newMarker()
	for title, want := range map[string]string{
		`Revert "PAY-905 Fold the map"`:                "PAY-905 Fold the map",
		`PAY-904: Revert "PAY-905 Fold the map"`:       "PAY-905 Fold the map",
		`[x] Revert "Fold the map (#11)" (#12)`:        "Fold the map (#11)",
		`PAY-904 Take back "PAY-905 Fold the map"`:     "",
		`Revert "Revert "PAY-905 Fold the map""`:       `Revert "PAY-905 Fold the map"`,
		`PAY-904 Explain Revert "PAY-905 Fold the map`: "",
	} {
		if hash, got := m.reverted(title, title); hash != "" || got != want {
			t.Errorf("%s takes back %q %q, want %q", title, hash, got, want)
		}
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
