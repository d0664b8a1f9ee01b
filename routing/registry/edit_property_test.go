package registry_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pointsman/pointsman/routing/registry"
)

// drawn writes a registry in any of the styles that people and programs use.
func drawn(t *rapid.T) (text string, names []string) {
	n := rapid.IntRange(1, 5).Draw(t, "entries")
	var repos []any
	for i := range n {
		name := fmt.Sprintf("Repo_%d.x", i)
		names = append(names, name)
		repo := map[string]any{"name": name}
		for _, key := range []string{"owns", "endpoints", "x-list"} {
			if rapid.Bool().Draw(t, key) {
				repo[key] = rapid.SliceOfN(rapid.SampledFrom([]string{"a b", "é", "\"q\"", "<x>", "d\\e"}), 0, 4).Draw(t, "list")
			}
		}
		if rapid.Bool().Draw(t, "owner") {
			repo["owner"] = map[string]any{"team": "T", "x-pager": map[string]any{"n": json.Number("1.50")}}
		}
		if rapid.Bool().Draw(t, "id") {
			repo["id"] = json.Number("9007199254740993")
		}
		if i > 0 && rapid.Bool().Draw(t, "siblings") {
			repo["siblings"] = []any{map[string]any{"repo": names[0], "relation": "fork"}}
			repo["dependsOn"] = []any{names[0]}
		}
		if rapid.Bool().Draw(t, "unknown") {
			repo["x-unknown"] = map[string]any{"deep": []any{json.Number("1e400"), nil, true}}
		}
		repos = append(repos, repo)
	}
	top := map[string]any{"version": 1, "generatedAt": "2026-01-01T00:00:00Z", "repos": repos, "zeta": []any{}}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(rapid.Bool().Draw(t, "escape"))
	enc.SetIndent("", rapid.SampledFrom([]string{"", "  ", "    ", "\t"}).Draw(t, "indent"))
	if err := enc.Encode(top); err != nil {
		t.Fatal(err)
	}
	text = b.String()
	if rapid.Bool().Draw(t, "CRLF") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if rapid.Bool().Draw(t, "no final newline") {
		text = strings.TrimRight(text, "\r\n")
	}
	if rapid.Bool().Draw(t, "BOM") {
		text = "\ufeff" + text
	}
	return text, names
}

func plain(t *rapid.T, raw []byte) map[string]any {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var out map[string]any
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

func merge(into, patch map[string]any) {
	for k, v := range patch {
		if v == nil {
			delete(into, k)
		} else if m, ok := v.(map[string]any); ok {
			before, ok := into[k].(map[string]any)
			if !ok {
				before = map[string]any{}
			}
			merge(before, m)
			into[k] = before
		} else {
			into[k] = v
		}
	}
}

func drawnPatch(t *rapid.T) map[string]any {
	patch := map[string]any{}
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		switch key := rapid.SampledFrom([]string{"owns", "endpoints", "id", "owner", "description", "x-unknown", "x-list", "y-new"}).Draw(t, "key"); {
		case rapid.IntRange(0, 3).Draw(t, "remove") == 0:
			patch[key] = nil
		case key == "owns", key == "endpoints", key == "x-list":
			list := []any{}
			for _, s := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a b", "é", "\"q\"", "new", "<x>"}), 0, 5, rapid.ID).Draw(t, "new list") {
				list = append(list, s)
			}
			patch[key] = list
		case key == "id":
			patch[key] = json.Number("123456789012345678")
		case key == "owner":
			patch[key] = map[string]any{"team": rapid.SampledFrom([]any{nil, "U"}).Draw(t, "team"), "contact": "c@example.com"}
		default:
			patch[key] = rapid.SampledFrom([]any{"text\nof two lines", "é \u2028"}).Draw(t, "text")
		}
	}
	return patch
}

// What is read after a change is what was there with the change, and every other
// entry has the bytes it had.
func TestEditProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, names := drawn(t)
		before, err := registry.Parse("r", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		e, err := registry.NewEdit("r", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]map[string]any{}
		for name, raw := range before.Entries {
			want[name] = plain(t, raw)
		}
		touched := map[string]bool{}
		for range rapid.IntRange(0, 3).Draw(t, "puts") {
			name := rapid.SampledFrom(names).Draw(t, "name")
			patch := drawnPatch(t)
			if err := e.Put(name, patch); err != nil {
				t.Fatal(err)
			}
			touched[name] = touched[name] || len(patch) > 0
			merge(want[name], patch)
		}
		if len(names) > 1 && rapid.Bool().Draw(t, "remove one") {
			name := rapid.SampledFrom(names).Draw(t, "which")
			if err := e.Remove(name); err != nil {
				t.Fatal(err)
			}
			delete(want, name)
			touched[name] = true
		}
		if rapid.Bool().Draw(t, "add one") {
			if err := e.Put("added", map[string]any{"owns": []any{"z"}}); err != nil {
				t.Fatal(err)
			}
			touched["added"] = true
		}
		out, err := e.Bytes()
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if len(touched) == 0 && string(out) != text {
			t.Fatalf("nothing changed but the bytes:\n%s", lineDiff(text, string(out)))
		}
		after, err := registry.Parse("r", out)
		if err != nil {
			t.Fatal(err)
		}
		for name, entry := range want {
			raw := after.Entries[name]
			if diff := cmp.Diff(entry, plain(t, raw)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s\n%s", name, diff, out)
			}
			if !touched[name] && !bytes.Equal(raw, before.Entries[name]) {
				t.Fatalf("%s was not touched, and its bytes changed:\n%s", name, raw)
			}
		}
		if len(after.Repos) != len(want)+map[bool]int{true: 1}[touched["added"]] {
			t.Fatalf("%d entries:\n%s", len(after.Repos), out)
		}
		if strings.HasPrefix(text, "\ufeff") != bytes.HasPrefix(out, []byte("\ufeff")) || strings.HasSuffix(text, "\n") != bytes.HasSuffix(out, []byte("\n")) {
			t.Fatalf("the file's beginning or end changed: %q", out)
		}
		if strings.Contains(text, "\r\n") && strings.Contains(strings.ReplaceAll(string(out), "\r\n", ""), "\n") {
			t.Fatalf("line ends are mixed: %q", out)
		}
	})
}

// A new name is followed everywhere, and the old one still finds the entry.
func TestRenameProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, names := drawn(t)
		e, err := registry.NewEdit("r", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		old := rapid.SampledFrom(names).Draw(t, "old")
		if err := e.Rename(old, "renamed"); err != nil {
			t.Fatal(err)
		}
		out, err := e.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		reg, err := registry.Parse("r", out)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reg.Repos {
			if r.Name == old || slices.Contains(r.DependsOn, old) || len(r.Siblings) > 0 && r.Siblings[0].Repo == old {
				t.Fatalf("the old name stands in %s:\n%s", r.Name, out)
			}
			if r.Name == "renamed" && !slices.Contains(r.Aliases, old) {
				t.Fatalf("no alias %s:\n%s", old, out)
			}
		}
	})
}
