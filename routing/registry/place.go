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
	n := &r.nodes[entry]
	for _, key := range keys {
		next, step := n.step(key, path)
		if next == nil {
			break
		}
		n, path = next, step
	}
	d.Line, d.Col = r.src.position(n.start)
	d.Path = path.String()
	return d
}

// step goes to what a key of At stands for, nil when it is not there.
func (n *node) step(key any, path *where) (*node, *where) {
	switch key := key.(type) {
	case int:
		if items := n.items(); key >= 0 && key < len(items) {
			return &items[key], path.item(key)
		}
	case string:
		if n.kind == kindObject {
			return n.find(key), path.field(key)
		}
		for i := range n.items() {
			item := &n.members.items[i]
			if item.text == key || len(item.text) > len(key) && strings.TrimSpace(item.text) == key {
				return item, path.item(i)
			}
		}
	}
	return nil, nil
}
