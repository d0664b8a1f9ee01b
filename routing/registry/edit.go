package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// Edit is a registry that is being changed. Whatever nobody touched keeps its
// bytes: other entries, other fields, fields that are not known, the order of
// keys, line ends and a byte order mark. It is not safe for concurrent use.
type Edit struct {
	file    string
	data    []byte // as given
	text    []byte // without a byte order mark
	root    node
	list    node // "repos"
	entries []*edited
	byName  map[string]*edited
	changed bool
}

// edited is one entry: as it stands in the file, and what becomes of it.
type edited struct {
	name    string
	node    node // zero of a new entry
	fresh   bool
	removed bool
	read    routing.Repo   // as it was read; of a new entry, empty
	patch   map[string]any // a JSON merge patch
}

// emptyRegistry is what a new registry begins as.
const emptyRegistry = "{\n  \"version\": 1,\n  \"repos\": []\n}\n"

// NewEdit begins to change a registry; file is what errors call it, and nil data
// begin a new one. A registry that Parse refuses is refused in the same words,
// but for one without entries, which is there to be filled.
func NewEdit(file string, data []byte) (*Edit, error) {
	if data == nil {
		data = []byte(emptyRegistry)
	}
	text, root, err := readTree(file, data)
	if err != nil {
		return nil, err
	}
	e := &Edit{file: file, data: data, text: text, root: root, byName: map[string]*edited{}}
	e.list, _ = root.get("repos")
	if e.list.kind == kindList && len(e.list.items()) == 0 {
		return e, nil
	}
	reg, err := Parse(file, data)
	if err != nil {
		return nil, err
	}
	for i, r := range reg.Repos {
		en := &edited{name: r.Name, node: e.list.items()[i], read: r}
		e.entries = append(e.entries, en)
		e.byName[r.Name] = en
	}
	return e, nil
}

// Put sets fields of an entry, as a JSON merge patch does: a nil value removes a
// field, an object is merged into the one that is there, and fields not given
// stay. An entry that is not there is made. Names are changed by Rename.
func (e *Edit) Put(name string, fields map[string]any) error {
	patch, err := plainMap(fields)
	if err != nil {
		return fmt.Errorf("changing entry %q: %w", name, err)
	}
	if n, ok := patch["name"]; ok && n != name {
		return fmt.Errorf("changing entry %q: its name cannot be put; rename it", name)
	}
	en := e.byName[name]
	if en == nil {
		if strings.TrimSpace(name) == "" {
			return errors.New("adding an entry: it has no name; give it one")
		}
		en = &edited{name: name, fresh: true, patch: map[string]any{"name": name}}
		e.entries = append(e.entries, en)
		e.byName[name] = en
	}
	delete(patch, "name")
	if en.patch == nil {
		en.patch = map[string]any{}
	}
	if len(patch) > 0 || en.fresh {
		e.changed = true
	}
	mergePatches(en.patch, patch)
	return nil
}

// PutRepo sets every known field of repo that is not empty, but for those named
// in keep. A field that reads as it did is left as it is written.
func (e *Edit) PutRepo(repo routing.Repo, keep ...string) error {
	next, err := plainMap(repo)
	if err != nil {
		return fmt.Errorf("changing entry %q: %w", repo.Name, err)
	}
	delete(next, "name")
	for _, k := range keep {
		delete(next, k)
	}
	if en := e.byName[repo.Name]; en != nil && !en.fresh {
		was, err := plainMap(en.read)
		if err != nil {
			return fmt.Errorf("changing entry %q: %w", repo.Name, err)
		}
		dropSame(next, was, en.patch)
		if len(next) == 0 {
			return nil
		}
	}
	return e.Put(repo.Name, next)
}

// dropSame leaves in next what differs from was, or what has been changed since.
func dropSame(next, was, patched map[string]any) {
	for k, v := range next {
		changed, touched := patched[k]
		if object, ok := v.(map[string]any); ok {
			before, _ := was[k].(map[string]any)
			since, isObject := changed.(map[string]any)
			if touched && !isObject {
				continue
			}
			dropSame(object, before, since)
			if len(object) == 0 {
				delete(next, k)
			}
			continue
		}
		if !touched && same(v, was[k]) {
			delete(next, k)
		}
	}
}

// Remove takes an entry out. What other entries say of it stays.
func (e *Edit) Remove(name string) error {
	en := e.byName[name]
	if en == nil {
		return e.noEntry("removing", name)
	}
	delete(e.byName, name)
	en.removed, e.changed = true, true
	if en.fresh {
		e.entries = slices.DeleteFunc(e.entries, func(o *edited) bool { return o == en })
	}
	return nil
}

// Rename gives an entry another name. The old one becomes an alias, and the other
// entries' dependsOn, providesTo and siblings follow.
func (e *Edit) Rename(old, name string) error {
	en := e.byName[old]
	switch {
	case en == nil:
		return e.noEntry("renaming", old)
	case old == name:
		return nil
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("renaming entry %q: the new name is empty; give it one", old)
	case e.byName[name] != nil:
		return fmt.Errorf("renaming entry %q: %q is another entry's name; choose another or remove that entry", old, name)
	}
	for _, o := range e.entries {
		if o != en && !o.removed && slices.Contains(e.now(o).strings("aliases"), name) {
			return fmt.Errorf("renaming entry %q: %q is an alias of %q; remove it there first", old, name, o.name)
		}
	}
	aliases := slices.DeleteFunc(e.now(en).strings("aliases"), func(a string) bool { return a == name })
	if !slices.Contains(aliases, old) {
		aliases = append(aliases, old)
	}
	delete(e.byName, old)
	e.byName[name] = en
	en.name, e.changed = name, true
	en.set("name", name)
	en.set("aliases", anyList(aliases))
	for _, o := range e.entries {
		if o != en && !o.removed {
			e.follow(o, old, name)
		}
	}
	return nil
}

// follow makes what an entry says of another one say it of its new name.
func (e *Edit) follow(o *edited, old, name string) {
	now := e.now(o)
	for _, key := range []string{"dependsOn", "providesTo"} {
		list := now.strings(key)
		if i := slices.Index(list, old); i >= 0 {
			list[i] = name
			o.set(key, anyList(list))
		}
	}
	siblings, _ := now["siblings"].([]any)
	hit := false
	for _, s := range siblings {
		if m, ok := s.(map[string]any); ok && m["repo"] == old {
			m["repo"], hit = name, true
		}
	}
	if hit {
		o.set("siblings", siblings)
	}
}

func (en *edited) set(key string, v any) {
	if en.patch == nil {
		en.patch = map[string]any{}
	}
	en.patch[key] = v
}

func (e *Edit) noEntry(act, name string) error {
	names := slices.Sorted(maps.Keys(e.byName))
	return fmt.Errorf("%s entry %q: no entry has that name; write %s", act, name, nearest(name, names, "the name of an entry"))
}

// object is an entry as plain values.
type object map[string]any

// strings returns a list of strings, its numbers by their digits.
func (o object) strings(key string) []string {
	list, _ := o[key].([]any)
	out := make([]string, 0, len(list))
	for _, v := range list {
		out = append(out, fmt.Sprint(v))
	}
	return out
}

// now returns an entry as it would be written.
func (e *Edit) now(en *edited) object {
	var o object
	if !en.fresh {
		o, _ = plainNode(en.node).(map[string]any)
	}
	if o == nil {
		o = object{}
	}
	applyPatch(o, en.patch)
	return o
}

// Bytes returns the registry as changed, after Parse has read it. The bytes given
// come back when nothing changed.
func (e *Edit) Bytes() ([]byte, error) {
	if !e.changed {
		return bytes.Clone(e.data), nil
	}
	w := &writer{text: e.text, nl: lineEnd(e.text)}
	w.repos(e)
	bom := e.data[:len(e.data)-len(e.text)]
	out := append(bytes.Clone(bom), w.result()...)
	if _, err := Parse(e.file, out); err != nil {
		return nil, fmt.Errorf("writing registry: %w", err)
	}
	return out, nil
}

// plainMap turns a struct or a map into plain JSON values, numbers kept as written.
func plainMap(v any) (map[string]any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("a value is not JSON: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var out map[string]any
	if err := dec.Decode(&out); err != nil {
		return nil, fmt.Errorf("a value is not JSON: %w", err)
	}
	if out == nil {
		out = map[string]any{}
	}
	return out, nil
}
