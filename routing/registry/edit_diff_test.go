package registry_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

const harbour = `{
  "version": 1,
  "repos": [
    {
      "name": "berths",
      "x-note": "kept",
      "owns": [
        "berth",
        "moor\u0069ng"
      ],
      "languages": ["Go", "SQL"],
      "owner": {"team": "Quay", "x-pager": 7},
      "siblings": [
        {"repo": "tides", "x-why": "history"}
      ]
    },
    {"name": "tides", "archived": true, "dependsOn": ["berths"], "siblings": [{"repo": "berths", "relation": "fork"}]}
  ]
}
`

// The lines that a reviewer sees of each kind of change.
func TestEditDiffs(t *testing.T) {
	t.Parallel()
	put := func(name string, fields map[string]any) func(*registry.Edit) error {
		return func(e *registry.Edit) error { return e.Put(name, fields) }
	}
	for name, tc := range map[string]struct {
		do   func(*registry.Edit) error
		want string
	}{
		"same":             {put("berths", map[string]any{"owns": []string{"berth", "mooring"}}), ""},
		"word changed":     {put("berths", map[string]any{"owns": []string{"quay berth", "mooring"}}), "-        \"berth\",\n+        \"quay berth\",\n"},
		"word put between": {put("berths", map[string]any{"owns": []string{"berth", "dues", "mooring"}}), "+        \"dues\",\n"},
		"word removed":     {put("berths", map[string]any{"owns": []string{"mooring"}}), "-        \"berth\",\n"},
		"field added":      {put("berths", map[string]any{"description": "Keeps <berths>."}), "+      \"description\": \"Keeps <berths>.\",\n"},
		"field removed":    {put("berths", map[string]any{"languages": nil}), "-      \"languages\": [\"Go\", \"SQL\"],\n"},
		"inside an object": {
			put("berths", map[string]any{"owner": map[string]any{"team": "Pier"}}),
			"-      \"owner\": {\"team\": \"Quay\", \"x-pager\": 7},\n+      \"owner\": {\"team\": \"Pier\", \"x-pager\": 7},\n",
		},
		"an entry of one line": {
			put("tides", map[string]any{"archived": nil, "id": 12}),
			strings.Replace(harbourLine('-')+harbourLine('+'), `+    {"name": "tides", "archived": true,`, `+    {"name": "tides", "id": 12,`, 1),
		},
		"renamed": {
			func(e *registry.Edit) error { return e.Rename("tides", "tide-tables") },
			"-        {\"repo\": \"tides\", \"x-why\": \"history\"}\n+        {\"repo\": \"tide-tables\", \"x-why\": \"history\"}\n" +
				strings.Replace(harbourLine('-')+harbourLine('+'), `+    {"name": "tides", "archived": true,`, `+    {"name": "tide-tables", "archived": true, "aliases": ["tides"],`, 1),
		},
		"removed": {func(e *registry.Edit) error { return e.Remove("tides") }, "-    },\n" + harbourLine('-') + "+    }\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := change(t, harbour, tc.do)
			if diff := cmp.Diff(tc.want, lineDiff(harbour, got)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func harbourLine(sign byte) string {
	return string(sign) + strings.Split(harbour, "\n")[16] + "\n"
}

// A repository as it was read, with one thing changed, changes one thing.
func TestPutRepo(t *testing.T) {
	t.Parallel()
	got := change(t, harbour, func(e *registry.Edit) error {
		reg := parsed(t, harbour)
		r := reg.Repos[0]
		r.Owner.Team, r.Description, r.DescriptionSource = "Pier", "Keeps the berths.", "generated"
		r.Languages = []string{"C"}
		return e.PutRepo(r, "languages", "descriptionSource")
	})
	want := "+      \"description\": \"Keeps the berths.\",\n" +
		"-      \"owner\": {\"team\": \"Quay\", \"x-pager\": 7},\n+      \"owner\": {\"team\": \"Pier\", \"x-pager\": 7},\n"
	if diff := cmp.Diff(want, lineDiff(harbour, got)); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	// What was put before and is put back must come back.
	got = change(t, harbour, func(e *registry.Edit) error {
		if err := e.Put("berths", map[string]any{"owns": []string{"x"}, "owner": nil}); err != nil {
			return err
		}
		return e.PutRepo(parsed(t, harbour).Repos[0])
	})
	if r := parsed(t, got).Repos[0]; r.Owner.Team != "Quay" || len(r.Owns) != 2 {
		t.Errorf("put back: %+v", r)
	}
}

func TestEditErrors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		do   func(*registry.Edit) error
		want string
	}{
		"no such entry":    {func(e *registry.Edit) error { return e.Remove("tide") }, `removing entry "tide": no entry has that name; write "tides"`},
		"rename nobody":    {func(e *registry.Edit) error { return e.Rename("x", "y") }, `renaming entry "x": no entry has that name`},
		"rename to taken":  {func(e *registry.Edit) error { return e.Rename("tides", "berths") }, `"berths" is another entry's name`},
		"rename to none":   {func(e *registry.Edit) error { return e.Rename("tides", " ") }, `the new name is empty; give it one`},
		"put another name": {func(e *registry.Edit) error { return e.Put("tides", map[string]any{"name": "x"}) }, `its name cannot be put; rename it`},
		"no name":          {func(e *registry.Edit) error { return e.Put("", nil) }, `it has no name; give it one`},
		"no JSON":          {func(e *registry.Edit) error { return e.Put("tides", map[string]any{"x": func() {}}) }, `changing entry "tides": a value is not JSON`},
		"wrong type":       {func(e *registry.Edit) error { return e.Put("tides", map[string]any{"owns": "x"}) }, `writing registry: reading registry: r.json:`},
		"nothing left":     {func(e *registry.Edit) error { return errors.Join(e.Remove("tides"), e.Remove("berths")) }, `it lists no repository`},
	} {
		e, err := registry.NewEdit("r.json", []byte(harbour))
		if err != nil {
			t.Fatal(err)
		}
		if err = tc.do(e); err == nil {
			_, err = e.Bytes()
		}
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: err = %v, want %s", name, err, tc.want)
		}
	}
	if _, err := registry.NewEdit("r.json", []byte(`{"version": 2, "repos": [{"name": "a"}]}`)); err == nil {
		t.Error("a registry that is refused can be edited")
	}
}

// The hash of a draft is the same after it was written and read, and another one
// once a person has changed a word.
func TestDraftHash(t *testing.T) {
	t.Parallel()
	r := routing.Repo{
		Name: "a", Owns: []string{" berth ", "Mooring", "mooring", ""}, Description: "Keeps\u202e berths.", DescriptionSource: "generated",
		Endpoints: []string{}, Owner: routing.Owner{Team: "Quay"}, ErrorContracts: routing.ErrorContracts{Codes: []string{"404"}},
	}
	r.Drafted = registry.DraftHash(r)
	e, err := registry.NewEdit("r.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.PutRepo(r); err != nil {
		t.Fatal(err)
	}
	text, err := e.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	got := parsed(t, string(text)).Repos[0]
	if registry.DraftHash(got) != got.Drafted {
		t.Errorf("hash of the draft as read differs from %s", got.Drafted)
	}
	got.Archived, got.DefaultBranch, got.ID = true, "trunk", int64(4)
	if registry.DraftHash(got) != got.Drafted {
		t.Error("what the host says is part of the hash")
	}
	got.Owns = append(got.Owns, "dues")
	if registry.DraftHash(got) == got.Drafted {
		t.Error("a person's word does not change the hash")
	}
}

func FuzzEdit(f *testing.F) {
	f.Add([]byte(harbour), "owns", "new")
	f.Add([]byte("\ufeff{\"version\":1,\"repos\":[{\"name\":\"a\",\"a\":1,\"a\":2}]}"), "a", "b")
	f.Add([]byte("{\"repos\":[]\r\n}"), "path", "")
	f.Add([]byte(`{"repos":[{"name":"a","owns":null}, {}],"repos":[{"name":"b"}]}`), "zz", "\x00")
	f.Fuzz(func(t *testing.T, data []byte, key, value string) {
		e, err := registry.NewEdit("f", data)
		if err != nil {
			return
		}
		reg, err := registry.Parse("f", data)
		if err == nil {
			for _, r := range reg.Repos {
				if err := e.PutRepo(r); err != nil {
					t.Fatal(err)
				}
			}
			if out, err := e.Bytes(); err != nil || string(out) != string(data) {
				t.Fatalf("nothing changed but the bytes: %v\n%q", err, out)
			}
			if err := e.Put(reg.Repos[0].Name, map[string]any{"x-" + key: value, "path": nil}); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Put("added to the list", map[string]any{"x-" + key: value}); err != nil {
			t.Fatal(err)
		}
		out, err := e.Bytes()
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		after, err := registry.Parse("f", out)
		if err != nil || len(after.Repos) != len(reg.Repos)+1 {
			t.Fatalf("%v, %d entries\n%s", err, len(after.Repos), out)
		}
		for name, raw := range reg.Entries {
			if name != reg.Repos[0].Name && string(raw) != string(after.Entries[name]) {
				t.Fatalf("%s changed\n%s", name, out)
			}
		}
	})
}
