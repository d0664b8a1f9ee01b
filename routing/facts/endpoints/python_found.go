package endpoints

import (
	"strings"
)

// module returns the file of a dotted module that lies nearest to another file.
func (r *pythonReader) module(dotted, from string) *pyFile {
	var best *pyFile
	near := -1
	for i, f := range r.byLast[dotted[strings.LastIndexByte(dotted, '.')+1:]] {
		if i == 400 {
			break
		}
		if f.dotted != dotted && !strings.HasSuffix(f.dotted, "."+dotted) {
			continue
		}
		n := shared(f.path, from)*2 + 1
		if f.dotted == dotted {
			n++
		}
		if n > near {
			best, near = f, n
		}
	}
	return best
}

// locate follows a name through the imports to the file that defines it, and to
// the name it has there; the name is "" for a module itself.
func (r *pythonReader) locate(ref pyRef, has func(pyKey) bool) (pyKey, bool) {
	return r.seek(ref, has, maxDepth)
}

func (r *pythonReader) seek(ref pyRef, has func(pyKey) bool, depth int) (pyKey, bool) {
	if r.steps++; depth == 0 || r.steps > maxPySteps {
		return pyKey{}, false
	}
	if own, ok := strings.CutPrefix(ref.name, "."); ok {
		return r.within(r.files[ref.file], own, has, depth)
	}
	rest := ""
	for name := ref.name; name != ""; {
		if f := r.module(name, ref.file); f != nil {
			return r.within(f, rest, has, depth)
		}
		i := strings.LastIndexByte(name, '.')
		if i < 0 {
			break
		}
		rest = strings.TrimSuffix(name[i+1:]+"."+rest, ".")
		name = name[:i]
	}
	return pyKey{}, false
}

// within looks a name up in a file: its own, an imported or a starred one.
func (r *pythonReader) within(f *pyFile, name string, has func(pyKey) bool, depth int) (pyKey, bool) {
	if f == nil {
		return pyKey{}, false
	}
	key := pyKey{f.path, name}
	if has(key) {
		return key, true
	}
	if name == "" {
		return key, false
	}
	head, tail, more := strings.Cut(name, ".")
	if to, ok := f.imports[head]; ok {
		if more {
			to += "." + tail
		}
		if k, ok := r.seek(pyRef{f.path, to}, has, depth-1); ok {
			return k, true
		}
	}
	if sub := r.files[strings.TrimSuffix(f.path, "__init__.py")+head+".py"]; sub != nil && strings.HasSuffix(f.path, "__init__.py") {
		if k, ok := r.within(sub, tail, has, depth-1); ok {
			return k, true
		}
	}
	for _, s := range f.stars {
		if to := r.module(s, f.path); to != nil && to != f {
			if k, ok := r.within(to, name, has, depth-1); ok && depth > 1 {
				return k, true
			}
		}
	}
	return pyKey{}, false
}

// found puts routers, mounts, includes and view sets together.
func (r *pythonReader) found() []Found {
	r.steps = 0
	for _, n := range r.nodes {
		n.parents, n.known, n.state = nil, nil, 0
	}
	var loose []pyMount // of children that nobody can name: the turns of a loop
	for _, m := range r.mounts {
		child := r.node(m.child)
		if child == nil {
			loose = append(loose, m)
			continue
		}
		parent := r.node(m.parent)
		if parent == child {
			parent = nil
		}
		prefix, good := "", true
		if m.prefix != nil {
			prefix, good = r.consts.resolve(m.prefix, m.scope)
		}
		if len(child.parents) < 16 {
			child.parents = append(child.parents, pyParent{parent, prefix, m.given && good})
		}
	}
	r.everyone(loose)
	var out []Found
	for _, k := range r.order {
		n := r.nodes[k]
		if n.kind == "drf" || len(out) > maxFound {
			continue
		}
		for _, prefix := range r.full(n) {
			for _, route := range n.routes {
				out = r.emit(out, n, route, prefix)
			}
		}
	}
	return append(out, r.django()...)
}

// everyone puts the prefix of a mount whose child is a variable before all routers
// that nothing else mounts, when there is one such prefix.
func (r *pythonReader) everyone(loose []pyMount) {
	prefix := ""
	for _, m := range loose {
		s, ok := r.consts.resolve(m.prefix, m.scope)
		if len(m.prefix) == 0 || !strings.HasPrefix(m.child.name, ".") || strings.Contains(m.child.name[1:], ".") {
			continue
		}
		if ok && !strings.HasPrefix(s, "/") { // a client's adapter
			continue
		}
		if !ok || prefix != "" && s != prefix {
			return
		}
		prefix = s
	}
	if prefix == "" {
		return
	}
	for _, k := range r.order {
		if n := r.nodes[k]; n.prefix == nil && len(n.parents) == 0 && n.made {
			n.parents = []pyParent{{prefix: prefix, given: true}}
		}
	}
}

// full returns every prefix a node is served below.
func (r *pythonReader) full(n *pyNode) []string {
	if n.state == 2 {
		return n.known
	}
	if n.state == 1 { // a circle
		return nil
	}
	n.state = 1
	own := ""
	if n.prefix != nil {
		own, _ = r.consts.resolve(n.prefix, n.scope)
	}
	seen := map[string]bool{}
	for _, p := range n.parents {
		heads := []string{""}
		if p.node != nil {
			heads = r.full(p.node)
		}
		for _, h := range heads {
			whole := join(join(h, p.prefix), own)
			if p.given {
				whole = join(h, p.prefix)
			}
			if !seen[whole] && len(n.known) < 16 && len(whole) <= maxPath {
				seen[whole] = true
				n.known = append(n.known, whole)
			}
		}
	}
	if len(n.known) == 0 {
		n.known = []string{own}
	}
	n.state = 2
	return n.known
}

func (r *pythonReader) emit(out []Found, n *pyNode, route pyRoute, prefix string) []Found {
	tail, ok := r.consts.resolve(route.path, n.scope)
	if !ok {
		if len(route.path) != 1 || route.path[0].ref || route.path[0].text != "" {
			return out
		}
		tail = ""
	}
	verbs := route.verbs
	if verbs == nil {
		verbs = r.served(route.class)
	}
	framework := n.kind
	if framework == "restx" {
		framework = "flask"
	}
	for _, v := range verbs {
		out = append(out, Found{Method: v, Path: normalise(join(prefix, tail)), Framework: framework, File: n.file, Line: route.line})
	}
	return out
}

// class finds a class.
func (r *pythonReader) class(ref pyRef) *pyClass {
	if ref.name == "" {
		return nil
	}
	k, _ := r.locate(ref, func(k pyKey) bool { return r.classes[k] != nil })
	return r.classes[k]
}

// line of a class: itself and what it extends. whole is false when a base is not
// of this repository.
func (r *pythonReader) family(ref pyRef) (all []*pyClass, outside []string) {
	seen := map[*pyClass]bool{}
	todo := []pyRef{ref}
	for i := 0; i < len(todo) && len(all) < 32; i++ {
		c := r.class(todo[i])
		if c == nil {
			outside = append(outside, todo[i].name[strings.LastIndexByte(todo[i].name, '.')+1:])
			continue
		}
		if !seen[c] {
			seen[c] = true
			all = append(all, c)
			todo = append(todo, c.bases...)
		}
	}
	return all, outside
}

// served returns the HTTP methods that a class answers: those of its own methods.
func (r *pythonReader) served(ref pyRef) []string {
	all, _ := r.family(ref)
	var out []string
	for _, m := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
		for _, c := range all {
			if c.methods[strings.ToLower(m)] {
				out = append(out, m)
				break
			}
		}
	}
	if out == nil {
		return []string{""}
	}
	return out
}
