package catalog_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/catalog"
)

func TestCodeowners(t *testing.T) {
	t.Parallel()
	rules, errs := catalog.Codeowners([]byte("# who\n*  @acme/all  # the rest\n\n/a\\ b/ @ann bob@example.com\n[Docs][2] @acme/writers\ndocs/\n/src/ nobody\n\\#x @ann\n^[Extra]\nlast\\"))
	want := []catalog.Rule{
		{Pattern: "*", Owners: []string{"@acme/all"}, Line: 2},
		{Pattern: "/a b/", Owners: []string{"@ann", "bob@example.com"}, Line: 4},
		{Pattern: "docs/", Owners: []string{"@acme/writers"}, Section: "Docs", Line: 6},
		{Pattern: "/src/", Section: "Docs", Line: 7},
		{Pattern: "#x", Owners: []string{"@ann"}, Section: "Docs", Line: 8},
	}
	if diff := cmp.Diff(want, rules); diff != "" {
		t.Error(diff)
	}
	var said []string
	for _, err := range errs {
		said = append(said, err.Error())
	}
	wantErrs := []string{
		`CODEOWNERS line 7: "nobody" is no owner: write @user, @org/team or an address`,
		`CODEOWNERS line 10: it ends in a backslash that escapes nothing`,
	}
	if diff := cmp.Diff(wantErrs, said); diff != "" {
		t.Error(diff)
	}
}

func TestOwnersOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, owners, team string }{
		{"the last rule for everything", "* @acme/old\n/a @x\n* @acme/tills @ann\n/b @y", "@acme/tills @ann", "tills"},
		{"the most frequent", "/a @acme/pay\n/b @ann\n/c @acme/pay", "@acme/pay", "pay"},
		{"a person", "* @ann", "@ann", ""},
		{"nobody", "*\n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rules, _ := catalog.Codeowners([]byte(c.text))
			owners, team := catalog.OwnersOf(rules)
			if strings.Join(owners, " ") != c.owners || team != c.team {
				t.Errorf("got %q, %q", owners, team)
			}
		})
	}
}

const sample = `apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: tills
  title: Tills
  description: >
    Counts the money
    of a shop.
  tags: [money, shop]
  annotations:
    github.com/project-slug: acme/tills-service
    jira/project-key: TILL
    jira/component: "Tills, Drawers"
spec:
  type: service
  lifecycle: deprecated
  owner: group:default/money
  system: shop
  dependsOn: [component:default/ledger, resource:tills-db]
  consumesApis: [ledger-api]
  providesApis: [tills-api]
---
kind: User
metadata: {name: ann}
---
kind: API
metadata:
  name: tills-api
spec:
  owner: user:ann
`

func TestBackstage(t *testing.T) {
	t.Parallel()
	got, err := catalog.Backstage([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	want := []catalog.Declared{
		{
			Team: "money", Owners: []string{"money"}, DependsOn: []string{"ledger", "tills-db", "ledger-api"},
			Components: []string{"Tills", "Drawers"}, Description: "Counts the money of a shop.", Title: "Tills", Lifecycle: "deprecated",
			System: "shop", Names: []string{"tills", "tills-api", "tills-service"}, Archived: true, FiledIn: []string{"TILL"}, Tags: []string{"money", "shop"},
		},
		{Owners: []string{"ann"}, Names: []string{"tills-api"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBackstageErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"a bomb", "a: &a [x]\n---\nkind: API\nmetadata: {name: &b x}\nspec: {owner: *b}", "catalog-info.yaml line 1: anchors"},
		{"no name", "kind: API\n", "catalog-info.yaml line 1: the API has no metadata.name"},
		{"not a map, in the second document", "kind: API\nmetadata: {name: x}\n---\nkind: API\nmetadata:\n  name: [1]\n", "catalog-info.yaml line 6:"},
		{"too deep", strings.Repeat("[", 100), "catalog-info.yaml line 1: more than 40 levels"},
		{"what a parser would chew on for minutes", "a: b\nc: " + strings.Repeat("<", 60_000), "catalog-info.yaml line 2: more than"},
		{"too long", strings.Repeat("#", 300<<10), "at most 65536 are read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := catalog.Backstage([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func FuzzCodeowners(f *testing.F) {
	f.Add([]byte("* @a/b\n[S] @x\n\\"))
	f.Fuzz(func(t *testing.T, text []byte) {
		rules, _ := catalog.Codeowners(text)
		for _, r := range rules {
			if r.Pattern == "" || r.Line < 1 {
				t.Errorf("%+v", r)
			}
		}
		catalog.OwnersOf(rules)
	})
}

func FuzzBackstage(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("a: &a\n- *a\n---\n? [{\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, _ := catalog.Backstage(text)
		for _, d := range all {
			if len([]rune(d.Description)) > 400 || len(d.Names) == 0 {
				t.Errorf("%+v", d)
			}
		}
	})
}
