package endpoints

import (
	"maps"
	"slices"
	"strings"
)

// rbAPI works through the classes of Grape and Sinatra.
type rbAPI struct {
	r         *rubyReader
	s         *source
	framework string
	steps     int
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

// class returns the class of a name, made when it is new.
func (g *rbAPI) class(name string) *rbClass {
	c := g.r.grape[name]
	if c == nil {
		c = &rbClass{name: strings.Clone(name), framework: g.framework}
		g.r.grape[c.name] = c
		g.r.order = append(g.r.order, c.name)
	}
	return c
}

// run works through a range of statements. The place's member is the name of the
// class around.
func (g *rbAPI) run(from, to int, p rbPlace) {
	if len(p.path) > maxPath || p.within == "deep" {
		return
	}
	w := &rails{s: g.s}
	for i := from; i < to; {
		t := g.s.toks[i]
		if g.steps++; g.steps > maxStatements {
			return
		}
		if t.kind != kWord {
			i++
			continue
		}
		if t.mate > i && t.text != "do" {
			end := min(t.mate, to)
			if t.text == "class" || t.text == "module" {
				in := p
				in.member = g.name(i+1, end)
				in.base += "."
				if t.text == "module" {
					in.member = p.member
				}
				if len(in.base) < 16 {
					g.run(i+2, end, in)
				}
			}
			i = end + 1
			continue
		}
		c := statement(g.s, i, to)
		g.call(w, c, p)
		i = max(c.next, i+1)
	}
}

// name returns the last part of the constant at i.
func (g *rbAPI) name(i, end int) string {
	for i+2 < end && g.s.at(i+1).is("::") {
		i += 2
	}
	if g.s.at(i).is("::") {
		i++
	}
	return g.s.at(i).text
}

func (g *rbAPI) call(w *rails, c rbCall, p rbPlace) {
	first, _ := w.arg(c, 0, p)
	switch c.name {
	case "get", "post", "put", "patch", "delete", "options", "head":
		g.verb(w, c, p)
	case "resource", "resources", "group", "namespace", "segment", "namespaces", "route_param":
		if c.from == 0 || len(p.base) > 16 || len(c.args) > 0 && first == "" {
			return
		}
		if c.name == "route_param" {
			first = "{" + first + "}"
		}
		p.path = join(p.path, first)
		p.base += "."
		g.run(c.from, c.to, p)
	case "prefix":
		if g.framework == "grape" && first != "" {
			g.class(p.member).prefix = join(strings.Clone(first), g.class(p.member).prefix)
		}
	case "version":
		using, _ := w.option(c, "using", p)
		if g.framework == "grape" && first != "" && (using == "path" || using == "") {
			one := g.class(p.member)
			one.prefix = join(one.prefix, strings.Clone(first))
		}
	case "mount":
		at := c.arrow
		to := ""
		if at[1] == 0 && len(c.args) > 0 {
			at = c.args[0]
		} else if s, ok := w.option(c, "to", p); ok {
			to = s
		}
		if name := path1(strings.ReplaceAll(w.engine(at), "::", "/")); name != "" && len(g.class(p.member).mounts) < 2000 {
			one := g.class(p.member)
			one.mounts = append(one.mounts, rbMount{name: strings.Clone(name), prefix: join(p.path, strings.Clone(to))})
		}
	}
}

// verb adds "get '/x' do".
func (g *rbAPI) verb(w *rails, c rbCall, p rbPlace) {
	if c.from == 0 {
		return // a call of a client
	}
	path, ok := w.arg(c, 0, p)
	if !ok && len(c.args) > 0 || g.framework == "sinatra" && !strings.HasPrefix(path, "/") {
		return
	}
	one := g.class(p.member)
	if len(one.routes) < maxFound {
		one.routes = append(one.routes, Found{
			Method: strings.ToUpper(c.name), Path: strings.Clone(join(p.path, path)), Framework: g.framework,
			File: g.s.path, Line: g.s.at(c.at).line,
		})
	}
}

func (r *rubyReader) found() []Found {
	out := r.rails(nil)
	for _, c := range r.grape {
		c.parents, c.state = nil, 0
	}
	for _, name := range r.order {
		c := r.grape[name]
		for _, m := range c.mounts {
			if child := r.grape[m.name]; child != nil && child != c && len(child.parents) < 16 {
				child.parents = append(child.parents, rbMount{class: c, prefix: m.prefix})
			}
		}
	}
	for _, name := range r.order {
		c := r.grape[name]
		for _, head := range c.full(maxDepth) {
			for _, f := range c.routes {
				f.Path = normalise(rbPath(join(head, f.Path)))
				out = append(out, f)
			}
		}
		if len(out) > maxFound {
			break
		}
	}
	return out
}

// full returns the prefixes a class is mounted below.
func (c *rbClass) full(depth int) []string {
	if len(c.parents) == 0 || depth == 0 || c.state == 1 {
		return []string{c.prefix}
	}
	c.state = 1
	var out []string
	for _, p := range c.parents {
		for _, head := range p.class.full(depth - 1) {
			if whole := join(join(head, p.prefix), c.prefix); len(out) < 8 && !slices.Contains(out, whole) {
				out = append(out, whole)
			}
		}
	}
	c.state = 0
	return out
}
