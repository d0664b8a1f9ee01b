package sync_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
	"github.com/pointsman/pointsman/routing/sync"
)

var update = flag.Bool("update", false, "write the golden files anew")

const now = "2026-03-01T09:00:00Z"

// written is a registry of entries, as init would write it.
func written(t *testing.T, entries ...routing.Repo) []byte {
	t.Helper()
	e, err := registry.NewEdit("r.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range entries {
		if err := e.PutRepo(r); err != nil {
			t.Fatal(err)
		}
	}
	data, err := e.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// synced applies what Plan finds and returns the registry that comes out.
func synced(t *testing.T, data []byte, seen []sync.Seen, o sync.Options, c sync.Choices) ([]sync.Row, []byte) {
	t.Helper()
	reg, err := registry.Parse("r.json", data)
	if err != nil {
		t.Fatal(err)
	}
	e, err := registry.NewEdit("r.json", data)
	if err != nil {
		t.Fatal(err)
	}
	rows := sync.Plan(reg.Repos, seen, o)
	if err := sync.Apply(e, rows, c); err != nil {
		t.Fatal(err)
	}
	out, err := e.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return rows, out
}

func all(string) bool { return true }

// Every kind of change at once, as the file shows it; and once written, there is
// nothing left to do.
func TestApply(t *testing.T) {
	t.Parallel()
	const url = "https://git.example/acme/"
	team := func(name string) func(*routing.Repo) { return func(r *routing.Repo) { r.Owner.Team = name } }
	data := written(
		t,
		draft("same", "s"),
		draft("drifted", "d1", team("harbour"), func(r *routing.Repo) { r.Endpoints = []string{"GET /tides"} }),
		edited(draft("edited", "e")),
		edited(draft("both", "b1")),
		edited(draft("taken", "t1")),
		draft("old", "r", numbered(7), from(url+"old")),
		draft("quiet", "q", numbered(8), from(url+"quiet"), branch("master")),
		draft("lost", "l"),
		draft("user", "u", func(r *routing.Repo) { r.DependsOn = []string{"old"}; r.Aliases = []string{"fresh"} }),
	)
	seen := []sync.Seen{
		{Repo: draft("same", "s")},
		{Repo: draft("drifted", "d2", func(r *routing.Repo) { r.ConfigContracts.EnvVars = []string{"TIDE_URL"} })},
		{Repo: draft("edited", "e")},
		{Repo: draft("both", "b2")},
		{Repo: draft("taken", "t2")},
		{Repo: draft("renamed", "r", numbered(7), from(url+"renamed")), FullName: "acme/renamed"},
		{Repo: draft("quiet", "q", numbered(8), from("https://git.example/harbour/quiet"), branch("main"), archived), FullName: "harbour/quiet"},
		{Repo: draft("user", "u", func(r *routing.Repo) { r.DependsOn = []string{"old"} })},
		{Repo: draft("fresh", "f", numbered(9), from(url+"fresh")), FullName: "acme/fresh"},
	}
	take := sync.Options{Take: func(name string) bool { return name == "taken" }}
	rows, out := synced(t, data, seen, take, sync.Choices{RemoveGone: all, Now: now})
	want := "drifted: drifted\nedited: edited\nboth: both\ntaken: taken\nrenamed: renamed\nquiet: moved, archived, branch\nlost: gone\nfresh: new\n"
	if d := cmp.Diff(want, told(rows)); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
	golden(t, "apply.json", out)
	again, same := synced(t, out, seen, sync.Options{}, sync.Choices{RemoveGone: all, Now: "later"})
	if got := told(again); got != "" || string(same) != string(out) {
		t.Errorf("once written, there is still to do:\n%s%s", got, cmp.Diff(string(out), string(same)))
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// An entry whose repository is gone stays unless somebody lets it go, and holds
// its name until then.
func TestGoneStays(t *testing.T) {
	t.Parallel()
	data := written(t, draft("quay", "one", numbered(7)))
	if _, out := synced(t, data, nil, sync.Options{}, sync.Choices{Now: now}); string(out) != string(data) {
		t.Errorf("an entry went unasked:\n%s", cmp.Diff(string(data), string(out)))
	}
	reg, err := registry.Parse("r.json", data)
	if err != nil {
		t.Fatal(err)
	}
	rows := sync.Plan(reg.Repos, []sync.Seen{{Repo: draft("quay", "two", numbered(9))}}, sync.Options{})
	e, err := registry.NewEdit("r.json", data)
	if err != nil {
		t.Fatal(err)
	}
	if err := sync.Apply(e, rows, sync.Choices{Now: now}); err == nil || !strings.Contains(err.Error(), "--remove-gone") {
		t.Errorf("two entries of one name: %v", err)
	}
	_, out := synced(t, data, []sync.Seen{{Repo: draft("quay", "two", numbered(9))}}, sync.Options{}, sync.Choices{RemoveGone: all, Now: now})
	if reg, err = registry.Parse("r.json", out); err != nil || len(reg.Repos) != 1 || reg.Repos[0].ID != int64(9) {
		t.Errorf("%v, %+v", err, reg.Repos)
	}
}

// Names that are handed on are taken in an order that works, and an alias never
// stands beside the name of another repository.
func TestNamesHandedOn(t *testing.T) {
	t.Parallel()
	const url = "https://git.example/acme/"
	data := written(t, draft("quay", "one", numbered(7), from(url+"quay")), draft("pier", "two", numbered(8), from(url+"pier")))
	seen := []sync.Seen{
		{Repo: draft("mole", "two", numbered(8), from(url+"mole")), FullName: "acme/mole"},
		{Repo: draft("pier", "one", numbered(7), from(url+"pier")), FullName: "acme/pier"},
	}
	_, out := synced(t, data, seen, sync.Options{}, sync.Choices{Now: now})
	reg, err := registry.Parse("r.json", out)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, r := range reg.Repos {
		got[r.Name] = r.Aliases
	}
	if d := cmp.Diff(map[string][]string{"pier": {"quay"}, "mole": nil}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// The fields that are drafted anew are those that tell a person's edit.
func TestDraftedIsWhatIsHashed(t *testing.T) {
	t.Parallel()
	empty := registry.DraftHash(routing.Repo{})
	full := routing.Repo{
		Owns: []string{"a"}, Endpoints: []string{"a"}, Emits: []string{"a"}, Consumes: []string{"a"}, Languages: []string{"a"}, Frameworks: []string{"a"},
		DependsOn: []string{"a"}, ProvidesTo: []string{"a"}, Owner: routing.Owner{Team: "a"}, ErrorContracts: routing.ErrorContracts{Codes: []string{"a"}},
		AuthContracts:   routing.AuthContracts{Requires: []string{"a"}, Issues: []string{"a"}},
		ConfigContracts: routing.ConfigContracts{EnvVars: []string{"a"}}, Description: "a", DescriptionSource: "a",
		Components: []string{"a"}, Packages: []string{"a"}, Owners: []string{"a"},
	}
	for _, f := range sync.Drafted(full) {
		if f.Value == nil {
			t.Errorf("%s is not filled here; add it to the test", f.Name)
		}
	}
	e, err := registry.NewEdit("r.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]any{}
	for _, f := range sync.Drafted(full) {
		if object, name, ok := strings.Cut(f.Name, "."); ok {
			inner, _ := fields[object].(map[string]any)
			if inner == nil {
				inner = map[string]any{}
			}
			inner[name] = f.Value
			fields[object] = inner
			continue
		}
		fields[f.Name] = f.Value
	}
	if err := e.Put("a", fields); err != nil {
		t.Fatal(err)
	}
	data, err := e.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	reg, err := registry.Parse("r.json", data)
	if err != nil {
		t.Fatal(err)
	}
	if got := registry.DraftHash(reg.Repos[0]); got != registry.DraftHash(full) || got == empty {
		t.Errorf("the fields put back hash to %s, want %s", got, registry.DraftHash(full))
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	a := routing.Repo{Owns: []string{"tides", "berths"}, Description: "Old", Emits: []string{"a", "b"}}
	b := routing.Repo{Owns: []string{"berths", "quays"}, Description: "New", Emits: []string{"b", "a"}}
	want := []string{"owns: +quays, -tides", "emits: the same in another order", `description: "New"`}
	if d := cmp.Diff(want, sync.Compare(a, b)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
