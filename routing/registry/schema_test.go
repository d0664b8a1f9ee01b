package registry_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

type schemaNode struct {
	Description string                `json:"description"`
	Comment     string                `json:"$comment"`
	Properties  map[string]schemaNode `json:"properties"`
	Items       *schemaNode           `json:"items"`
	Closed      *bool                 `json:"additionalProperties"`
}

// fieldsIn lists the JSON fields of a struct, "siblings.tell.ask" for one within.
func fieldsIn(t reflect.Type, prefix string) []string {
	var out []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		out = append(out, prefix+name)
		in := t.Field(i).Type
		if in.Kind() == reflect.Slice {
			in = in.Elem()
		}
		if in.Kind() == reflect.Struct {
			out = append(out, fieldsIn(in, prefix+name+".")...)
		}
	}
	return out
}

// Every field that is read is in the schema, and every one in the schema is read
// or says that it is kept only.
func TestSchemaHoldsEveryField(t *testing.T) {
	t.Parallel()
	var root schemaNode
	if err := json.Unmarshal(registry.Schema(), &root); err != nil {
		t.Fatal(err)
	}
	var got []string
	var walk func(n schemaNode, prefix string)
	walk = func(n schemaNode, prefix string) {
		if n.Closed == nil || !*n.Closed {
			t.Errorf("%s does not allow fields that nobody knows", prefix)
		}
		for name, p := range n.Properties {
			if len(p.Description) < 5 || !strings.HasSuffix(p.Description, ".") {
				t.Errorf("%s%s: description %q", prefix, name, p.Description)
			}
			if p.Comment != "" {
				continue
			}
			got = append(got, prefix+name)
			if p.Items != nil {
				p.Properties, p.Closed = p.Items.Properties, p.Items.Closed
			}
			if len(p.Properties) > 0 {
				walk(p, prefix+name+".")
			}
		}
	}
	walk(*root.Properties["repos"].Items, "")
	want := fieldsIn(reflect.TypeFor[routing.Repo](), "")
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-struct +schema):\n%s", diff)
	}
}

// The schema refuses what Parse refuses, but for what a schema cannot see, and
// refuses nothing that Parse reads without a warning.
func TestSchemaAgreesWithParse(t *testing.T) {
	t.Parallel()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(registry.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("registry.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("registry.json")
	if err != nil {
		t.Fatal(err)
	}
	many := `"k0"` + strings.Repeat(`, "k"`, 100)
	for _, tc := range []struct {
		entry         string
		schema, parse bool // accepted
		warns         bool
	}{
		{`{"name": "a"}`, true, true, false},
		{`{"name": "a", "x-team": {"deep": [1]}, "owner": {"team": "T", "x": 1}}`, true, true, false},
		{`{"name": "a", "owns": ["x", 401], "errorContracts": {"codes": [401], "idempotent": "by key", "retryOn": ["503"]}}`, true, true, false},
		{`{"name": "a", "id": 7, "visibility": "private", "audience": ["t"], "archived": false, "description": null}`, true, true, false},
		{`{"name": "Up_per.Case", "siblings": [{"repo": "b", "relation": "fork", "tell": [{"ask": "?", "matches": {"words": ["x"]}}]}]}, {"name": "b"}`, true, true, false},
		{`{"path": "./a"}`, false, false, false},
		{`{"name": ""}`, false, false, false},
		{`{"name": " a"}`, false, false, false},
		{`{"name": 7}`, false, false, false},
		{`{"name": null}`, false, false, false},
		{`"a"`, false, false, false},
		{`{"name": "a", "owns": "x"}`, false, false, false},
		{`{"name": "a", "owns": [["x"]]}`, false, false, false},
		{`{"name": "a", "owner": "T"}`, false, false, false},
		{`{"name": "a", "owner": {"team": 1}}`, false, false, false},
		{`{"name": "a", "archived": "yes"}`, false, false, false},
		{`{"name": "a", "id": 0}`, false, false, false},
		{`{"name": "a", "id": 1.5}`, false, false, false},
		{`{"name": "a", "id": ""}`, false, false, false},
		{`{"name": "a", "host": "https://x.example"}`, false, false, false},
		{`{"name": "a", "visibility": "Private"}`, false, false, false},
		{`{"name": "a", "siblings": ["b"]}`, false, false, false},
		{`{"name": "a", "siblings": [{"tell": [{"matches": {"hosts": "x"}}]}]}`, false, false, false},
		{`{"name": "a", "owns": [` + many + `]}`, false, true, true},
		{`{"name": "a", "owns": ["` + strings.Repeat("x", 81) + `"]}`, false, true, true},
		{`{"name": "a", "cloneURL": "https://u:p@x.example/a"}`, true, false, false}, // beyond a schema
		{`{"name": "a"}, {"name": "a"}`, true, false, false},
		{`{"name": "a", "dependsOn": ["nobody"]}`, true, true, true},
	} {
		text := `{"version": 1, "repos": [` + tc.entry + `]}`
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(instance); (err == nil) != tc.schema {
			t.Errorf("%.80s: the schema says %v", tc.entry, err)
		}
		reg, err := registry.Parse("r.json", []byte(text))
		if (err == nil) != tc.parse || len(reg.Warnings) > 0 != tc.warns {
			t.Errorf("%.80s: Parse says %v %v", tc.entry, err, reg.Warnings)
		}
	}
	for _, text := range []string{`[]`, `{}`, `{"version": 2, "repos": [{"name": "a"}]}`, `{"version": 1, "repos": []}`, `{"version": 1, "repos": {}}`} {
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if s.Validate(instance) == nil {
			t.Errorf("the schema accepts %s", text)
		}
	}
	instance, err := jsonschema.UnmarshalJSON(strings.NewReader(repoOrch()))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(instance); err != nil {
		t.Errorf("the schema refuses RepoOrch's own registry: %v", err)
	}
}
