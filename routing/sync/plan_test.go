package sync_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
	"github.com/pointsman/pointsman/routing/sync"
)

// draft is what a repository is drafted as: what it says depends on code alone.
func draft(name, code string, more ...func(*routing.Repo)) routing.Repo {
	r := routing.Repo{Name: name, Owns: []string{code + " words"}, Description: "Drafted from " + code, DescriptionSource: registry.Generated}
	r.Fingerprint = "sha256:" + code
	for _, m := range more {
		m(&r)
	}
	r.Drafted = registry.DraftHash(r)
	return r
}

func at(path string) func(*routing.Repo)     { return func(r *routing.Repo) { r.Path = path } }
func from(url string) func(*routing.Repo)    { return func(r *routing.Repo) { r.CloneURL = url } }
func branch(name string) func(*routing.Repo) { return func(r *routing.Repo) { r.DefaultBranch = name } }

func numbered(id int64) func(*routing.Repo) {
	return func(r *routing.Repo) { r.ID, r.Host = id, "git.example" }
}

func archived(r *routing.Repo) { r.Archived = true }

// edited gives an entry a person's words after it was drafted.
func edited(r routing.Repo) routing.Repo {
	r.Description, r.DescriptionSource = "Written by Ada", "human"
	return r
}

func adopted(r routing.Repo) routing.Repo { r.UserEdited = true; return r }

func as(name string, aliases ...string) func(*routing.Repo) {
	return func(r *routing.Repo) { r.Name, r.Aliases = name, aliases }
}

// told writes rows as "name: kind, kind", those that are the same left out.
func told(rows []sync.Row) string {
	var b strings.Builder
	for _, r := range rows {
		var kinds []string
		for _, c := range r.Changes {
			if c.Kind != sync.Same {
				kinds = append(kinds, string(c.Kind))
			}
		}
		if len(kinds) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", r.Name, strings.Join(kinds, ", "))
		}
	}
	return b.String()
}

func TestFourWays(t *testing.T) {
	t.Parallel()
	one, two := draft("quay", "one"), draft("quay", "two")
	unknown := one
	unknown.Fingerprint, unknown.Drafted = "", ""
	for name, c := range map[string]struct {
		entry routing.Repo
		now   routing.Repo
		want  string
	}{
		"neither":                  {one, one, ""},
		"code":                     {one, two, "quay: drifted\n"},
		"person":                   {edited(one), one, "quay: edited\n"},
		"both":                     {edited(one), two, "quay: both\n"},
		"neither, a person's":      {adopted(edited(one)), one, ""},
		"code, a person's":         {adopted(edited(one)), two, "quay: both\n"},
		"code, kept as drafted":    {adopted(one), two, "quay: both\n"},
		"written without a draft":  {unknown, one, "quay: both\n"},
		"person, code not asked":   {edited(one), routing.Repo{Name: "quay"}, "quay: edited\n"},
		"neither, code not asked":  {one, routing.Repo{Name: "quay"}, ""},
		"a component was declared": {one, draft("quay", "one", func(r *routing.Repo) { r.Components = []string{"Quay"} }), "quay: drifted\n"},
		"no tracker was asked":     {draft("quay", "one", func(r *routing.Repo) { r.Components = []string{"Quay"} }), one, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows := sync.Plan([]routing.Repo{c.entry}, []sync.Seen{{Repo: c.now}}, sync.Options{})
			if d := cmp.Diff(c.want, told(rows)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if len(rows) != 1 || rows[0].Differs() != (c.want != "") {
				t.Errorf("%d rows, differs %v", len(rows), rows[0].Differs())
			}
		})
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	const url = "https://git.example/acme/"
	for name, c := range map[string]struct {
		entries []routing.Repo
		seen    []sync.Seen
		want    string
	}{
		"new and gone": {
			[]routing.Repo{draft("quay", "one")},
			[]sync.Seen{{Repo: draft("ferry", "two")}},
			"quay: gone\nferry: new\n",
		},
		"renamed by id": {
			[]routing.Repo{draft("quay", "one", numbered(7), from(url+"quay.git"))},
			[]sync.Seen{{Repo: draft("pier", "one", numbered(7), from(url+"pier.git")), FullName: "acme/pier"}},
			"pier: renamed\n",
		},
		"renamed, and drifted": {
			[]routing.Repo{draft("quay", "one", numbered(7), from(url+"quay.git"))},
			[]sync.Seen{{Repo: draft("pier", "two", numbered(7), from(url+"pier.git")), FullName: "acme/pier"}},
			"pier: renamed, drifted\n",
		},
		"an entry keeps the name it was given": {
			[]routing.Repo{draft("Harbour walls", "one", numbered(7), from(url+"quay.git"))},
			[]sync.Seen{{Repo: draft("pier", "one", numbered(7), from(url+"pier.git")), FullName: "acme/pier"}},
			"Harbour walls: moved\n",
		},
		"an entry's owner in its name": {
			[]routing.Repo{draft("acme/quay", "one", numbered(7), from(url+"quay.git"))},
			[]sync.Seen{{Repo: draft("pier", "one", numbered(7), from(url+"pier.git")), FullName: "acme/pier"}},
			"acme/pier: renamed\n",
		},
		"transferred": {
			[]routing.Repo{draft("quay", "one", numbered(7), from(url+"quay.git"))},
			[]sync.Seen{{Repo: draft("quay", "one", numbered(7), from("https://git.example/harbour/quay.git")), FullName: "harbour/quay"}},
			"quay: moved\n",
		},
		"archived, and taken out": {
			[]routing.Repo{draft("quay", "one", numbered(7)), draft("pier", "two", numbered(8), archived)},
			[]sync.Seen{{Repo: draft("quay", "one", numbered(7), archived)}, {Repo: draft("pier", "two", numbered(8))}},
			"quay: archived\npier: archived\n",
		},
		"another default branch": {
			[]routing.Repo{draft("quay", "one", branch("master"))},
			[]sync.Seen{{Repo: draft("quay", "one", branch("main"))}},
			"quay: branch\n",
		},
		"learns its id": {
			[]routing.Repo{draft("quay", "one", from(url+"quay"))},
			[]sync.Seen{{Repo: draft("quay", "one", numbered(7), from("https://GIT.example/acme/Quay.git")), FullName: "acme/quay"}},
			"quay: host\n",
		},
		"by address of another kind": {
			[]routing.Repo{draft("walls", "one", from("git@git.example:acme/quay.git"))},
			[]sync.Seen{{Repo: draft("quay", "one", from(url+"quay"))}},
			"",
		},
		"by folder": {
			[]routing.Repo{draft("walls", "one", at("./src/quay/"))},
			[]sync.Seen{{Repo: draft("quay", "one", at("src/quay"))}},
			"",
		},
		"a folder that moved": {
			[]routing.Repo{draft("quay", "one", at("./quay"), from(url+"quay"))},
			[]sync.Seen{{Repo: draft("pier", "one", at("./pier"), from(url+"quay"))}},
			"pier: renamed, moved\n",
		},
		"a folder that moved, known by its contents": {
			[]routing.Repo{draft("quay", "one", at("./quay"))},
			[]sync.Seen{{Repo: draft("pier", "one", at("./pier"))}},
			"pier: renamed, moved\n",
		},
		"contents that two have say nothing": {
			[]routing.Repo{draft("quay", "one", at("./quay"))},
			[]sync.Seen{{Repo: draft("pier", "one", at("./pier"))}, {Repo: draft("mole", "one", at("./mole"))}},
			"quay: gone\nmole: new\npier: new\n",
		},
		"by alias": {
			[]routing.Repo{draft("walls", "one", as("walls", "QUAY"))},
			[]sync.Seen{{Repo: draft("quay", "one")}},
			"",
		},
		"another repository in its place": {
			[]routing.Repo{draft("quay", "one", numbered(7), from(url+"quay"))},
			[]sync.Seen{{Repo: draft("quay", "two", numbered(9), from(url+"quay")), FullName: "acme/quay"}},
			"quay: gone\nquay: new\n",
		},
		"two parts of one repository": {
			[]routing.Repo{draft("quay", "one", from(url+"harbour")), draft("pier", "two", from(url+"harbour"))},
			[]sync.Seen{{Repo: draft("pier", "two", from(url+"harbour"))}},
			"quay: gone\n",
		},
		"names change places": {
			[]routing.Repo{draft("quay", "one", numbered(7), from(url+"quay")), draft("pier", "two", numbered(8), from(url+"pier"))},
			[]sync.Seen{
				{Repo: draft("mole", "two", numbered(8), from(url+"mole")), FullName: "acme/mole"},
				{Repo: draft("pier", "one", numbered(7), from(url+"pier")), FullName: "acme/pier"},
			},
			"pier: renamed\nmole: renamed\n",
		},
		"unread": {
			[]routing.Repo{draft("quay", "one")},
			[]sync.Seen{{Repo: routing.Repo{Name: "quay"}, Unread: "it is damaged"}},
			"quay: unread\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows := sync.Plan(c.entries, c.seen, sync.Options{})
			if d := cmp.Diff(c.want, told(rows)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// What lies elsewhere is not gone.
func TestHere(t *testing.T) {
	t.Parallel()
	entries := []routing.Repo{draft("quay", "one"), draft("pier", "two")}
	rows := sync.Plan(entries, nil, sync.Options{Here: func(r routing.Repo) bool { return r.Name == "quay" }})
	if d := cmp.Diff("quay: gone\npier: unaffected\n", told(rows)); d != "" || rows[1].Differs() {
		t.Errorf("differs %v (-want +got):\n%s", rows[1].Differs(), d)
	}
}

func TestBelongsTo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		repo routing.Repo
		want bool
	}{
		{routing.Repo{CloneURL: "https://git.example/Acme/quay.git"}, true},
		{routing.Repo{CloneURL: "git@git.example:acme/quay.git"}, true},
		{routing.Repo{CloneURL: "ssh://git@git.example:2222/acme/quay"}, true},
		{routing.Repo{CloneURL: "https://git.example/harbour/quay"}, false},
		{routing.Repo{CloneURL: "https://other.example/acme/quay"}, false},
		{routing.Repo{ID: int64(7), Host: "git.example"}, true},
		{routing.Repo{ID: int64(7), Host: "other.example"}, false},
		{routing.Repo{Path: "./quay"}, false},
	} {
		if got := sync.BelongsTo(c.repo, "git.example", "acme"); got != c.want {
			t.Errorf("%+v: %v", c.repo, got)
		}
	}
}

func TestSameName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Order API", "order-api", true},
		{"order_api", "OrderAPI", true},
		{"orders", "order", false},
		{"--", "__", false},
		{"Fähre", "fähre", true},
	} {
		if got := sync.SameName(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %v", c.a, c.b, got)
		}
	}
}
