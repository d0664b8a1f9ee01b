package registry

import "strings"

// At returns a place of an entry as a Defect with neither text nor mend: a string
// is the key of an object or the text of a list's element, a number the position
// in a list. What is not there is given the place of what would hold it. A
// registry that was not read from a file has no places.
func (r *Registry) At(entry int, keys ...any) Defect {
	path := (*where)(nil).field("repos").item(entry)
	d := Defect{File: r.File}
	if entry >= len(r.nodes) {
		d.Path = path.String()
		return d
	}
	n := r.nodes[entry]
	for _, key := range keys {
		next, step, ok := n.step(key, path)
		if !ok {
			break
		}
		n, path = next, step
	}
	d.Line, d.Col = r.src.position(n.start)
	d.Path = path.String()
	return d
}

func (n node) step(key any, path *where) (node, *where, bool) {
	switch key := key.(type) {
	case int:
		if key >= 0 && key < len(n.items) {
			return n.items[key], path.item(key), true
		}
	case string:
		if n.kind == kindObject {
			v, ok := n.get(key)
			return v, path.field(key), ok
		}
		for i, item := range n.items {
			if strings.TrimSpace(item.text) == key {
				return item, path.item(i), true
			}
		}
	}
	return n, path, false
}
