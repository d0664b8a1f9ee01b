package endpoints

import (
	"strings"
)

// assign reads "x = APIRouter(...)", constants and lists of patterns.
func (p *pyScan) assign(from, to int) {
	name, i := p.dotted(from)
	name = strings.TrimPrefix(name, "self.")
	if p.at(i).is(":") { // x: str = ...
		for i++; i < to && !p.at(i).is("="); i++ {
			if m := p.at(i).mate; m > i {
				i = m
			}
		}
	}
	plus := p.at(i).is("+") && p.at(i+1).is("=")
	if plus {
		i++
	}
	if !p.at(i).is("=") || i+1 >= to {
		return
	}
	i++
	if !plus && !strings.Contains(name, ".") && (p.toks[from].col == 0 || p.top(p.toks[from].col) != nil) {
		if e, ok := p.expr(i, to); ok {
			p.r.consts.add(p.scope(), name, e)
		}
		if c := p.top(p.toks[from].col); c != nil && (name == "lookup_field" || name == "lookup_url_kwarg") && p.at(i).kind == kText {
			c.lookup = strings.Clone(p.at(i).text)
		}
		if c := p.top(p.toks[from].col); c != nil && name == "http_method_names" {
			c.only = p.methods(i, to)
		}
		if name == "ROOT_URLCONF" && p.at(i).kind == kText {
			p.r.roots = append(p.r.roots, strings.Clone(p.at(i).text))
		}
	}
	if p.at(i).is("[") || p.at(i).is("(") {
		if all := p.names(i); len(all) > 0 {
			p.loops["="+name] = all
		}
	}
	p.patterns(name, i, to, plus)
	callee, open := p.dotted(i)
	if p.at(open).is("(") {
		p.made(name, callee, open)
	}
}

// made notes a router, a blueprint or an application.
func (p *pyScan) made(name, callee string, open int) {
	if len(p.r.nodes) >= maxPyNodes {
		return
	}
	kind := callee[strings.LastIndexByte(callee, '.')+1:]
	n := &pyNode{file: p.path, scope: p.scope()}
	switch {
	case kind == "FastAPI", kind == "Starlette":
		n.kind = "fastapi"
	case kind == "APIRouter" || strings.HasSuffix(kind, "APIRouter") || strings.HasSuffix(kind, "Router") && p.keyword(open, "prefix") != [2]int{}:
		n.kind, n.made = "fastapi", true
		n.prefix = p.value(p.keyword(open, "prefix"))
	case kind == "Flask", kind == "Quart", kind == "Sanic", kind == "OpenAPI", kind == "APIFlask":
		n.kind = "flask"
	case kind == "Blueprint", kind == "APIBlueprint":
		n.kind, n.made = "flask", true
		n.prefix = p.value(p.keyword(open, "url_prefix"))
	case kind == "Namespace":
		n.kind = "restx"
		n.prefix = p.namespace(open)
	case kind == "namespace":
		n.kind = "restx"
		n.prefix = p.namespace(open)
		p.mount(strings.TrimSuffix(callee, ".namespace"), name, nil, false)
	case kind == "Api" || strings.HasSuffix(kind, "Api"):
		n.kind = "flask"
		n.prefix = p.value(p.keyword(open, "prefix"))
		if a := p.args(open); len(a) > 0 && !p.at(a[0][0]+1).is("=") {
			if up, end := p.dotted(a[0][0]); up != "" && end == a[0][1] {
				p.mount(up, name, nil, false)
			}
		}
	case strings.HasSuffix(kind, "Router") && !p.flask:
		n.kind = "drf"
		if a := p.args(open); strings.HasPrefix(kind, "Nested") && len(a) >= 2 {
			up, _ := p.dotted(a[0][0])
			n.nested, n.prefix = p.ref(up), p.value(a[1])
			n.lookup = "pk"
			if e := p.value(p.keyword(open, "lookup")); len(e) == 1 {
				n.lookup = e[0].text + "_pk"
			}
		}
	default:
		if key := (pyKey{p.path, name}); p.flask && !strings.Contains(name, ".") && len(p.r.made) < maxPyNodes {
			p.r.made[key] = p.ref(callee)
		}
		return
	}
	if n.made && p.within != "" && !strings.Contains(name, ".") && len(p.locals) < 64 {
		p.locals[strings.Clone(name)] = p.within + "." + name
		name = p.within + "." + name
	}
	p.node(name, n)
}

// node keeps a node; the first of a name that has routes stays, unless the new one
// says a prefix.
func (p *pyScan) node(name string, n *pyNode) {
	key := pyKey{p.path, strings.Clone(name)}
	if _, ok := p.r.nodes[key]; !ok {
		p.r.order = append(p.r.order, key)
	} else if len(p.r.nodes[key].routes) > 0 {
		return
	}
	p.r.nodes[key] = n
}

// namespace returns the path of a namespace: its path, or its name.
func (p *pyScan) namespace(open int) expr {
	if e := p.value(p.keyword(open, "path")); e != nil {
		return e
	}
	if a := p.args(open); len(a) > 0 {
		if e := p.value(a[0]); len(e) == 1 && !e[0].ref {
			return lit("/" + e[0].text)
		}
	}
	return nil
}

// keyword returns the range of a named argument, empty when there is none.
func (p *pyScan) keyword(open int, name string) [2]int {
	for _, a := range p.args(open) {
		if p.at(a[0]).says(name) && p.at(a[0]+1).is("=") {
			return [2]int{a[0] + 2, a[1]}
		}
	}
	return [2]int{}
}

// value reads a range as a path, nil when it is none.
func (p *pyScan) value(a [2]int) expr {
	if a[1] <= a[0] {
		return nil
	}
	if e, ok := p.expr(a[0], a[1]); ok {
		return e
	}
	// A helper around one text: scoped("/orders").
	if _, open := p.dotted(a[0]); p.at(open).is("(") && p.at(open).mate == a[1]-1 && open > a[0] && p.at(open+1).kind == kText && open+2 == a[1]-1 {
		return lit(strings.Clone(p.at(open + 1).text))
	}
	return nil
}

func (p *pyScan) mount(parent, child string, prefix expr, given bool) {
	for _, c := range p.refs(child) {
		if len(p.r.mounts) >= maxPyNodes {
			return
		}
		p.r.mounts = append(p.r.mounts, pyMount{parent: p.ref(strings.TrimPrefix(parent, "self.")), child: c, prefix: prefix, given: given, scope: p.scope()})
	}
}

// calls reads what a line calls: mounts and routes added by hand.
func (p *pyScan) calls(from, to int) {
	for i := from + 1; i < to; i++ {
		t := p.toks[i]
		if t.kind != kWord || !p.at(i+1).is("(") || !p.at(i-1).is(".") {
			continue
		}
		switch t.text {
		case "include_router", "register_blueprint", "add_namespace", "mount", "blueprint", "init_app", "add_url_rule", "add_api_route", "add_resource", "register", "append", "extend", "add_api_websocket_route":
		default:
			if !strings.HasPrefix(t.text, "add_") || !strings.HasSuffix(t.text, "_resource") {
				continue
			}
		}
		head := p.before(i-1, from)
		if head != "" {
			p.call(head, t.text, i+1)
		}
	}
}

// before reads the dotted name that ends at the dot at i.
func (p *pyScan) before(i, from int) string {
	name := ""
	for len(name) <= maxText && p.at(i).is(".") && p.at(i-1).kind == kWord && i-1 >= from {
		name = p.at(i-1).text + "." + name
		i -= 2
	}
	return strings.Clone(strings.TrimSuffix(name, "."))
}

func (p *pyScan) call(head, what string, open int) {
	a := p.args(open)
	if len(a) == 0 {
		return
	}
	first, end := p.dotted(a[0][0])
	plain := first != "" && (end == a[0][1] || p.at(end).is("(") && p.at(end).mate == a[0][1]-1)
	switch what {
	case "include_router":
		if plain {
			p.mount(head, first, p.value(p.keyword(open, "prefix")), false)
		}
	case "register_blueprint", "blueprint":
		if plain {
			prefix := p.keyword(open, "url_prefix")
			p.mount(head, first, p.value(prefix), p.value(prefix) != nil)
		}
	case "add_namespace":
		var prefix [2]int
		if prefix = p.keyword(open, "path"); prefix == [2]int{} && len(a) > 1 {
			prefix = a[1]
		}
		if plain {
			p.mount(head, first, p.value(prefix), p.value(prefix) != nil)
		}
	case "mount":
		if len(a) > 1 && p.flask {
			if kw := p.keyword(open, "app"); kw[1] > 0 {
				a[1] = kw
			}
			if child, stop := p.dotted(a[1][0]); child != "" && stop == a[1][1] {
				p.mount(head, child, p.value(a[0]), false)
			}
		}
	case "init_app":
		if plain {
			p.mount(first, head, nil, false)
		}
	case "add_url_rule", "add_api_route":
		p.byHand(head, open, a)
	case "append", "extend":
		if p.r.lists[pyKey{p.path, head}] != nil {
			p.patterns(head, open, p.at(open).mate+1, true)
		}
	case "register":
		p.register(head, open, a)
	default:
		if strings.HasSuffix(what, "_resource") && plain {
			for _, one := range a[1:] {
				if p.at(one[0] + 1).is("=") {
					continue
				}
				if e := p.value(one); e != nil {
					p.route(head, pyRoute{path: e, class: p.ref(first), line: p.at(open).line}, "flask")
				}
			}
		}
	}
}

// byHand reads add_url_rule and add_api_route.
func (p *pyScan) byHand(head string, open int, a [][2]int) {
	e := p.value(a[0])
	if kw := p.keyword(open, "rule"); kw[1] > 0 {
		e = p.value(kw)
	}
	if e == nil {
		return
	}
	route := pyRoute{path: e, line: p.at(open).line, verbs: p.verbs(open)}
	view := p.keyword(open, "view_func")
	if view[1] == 0 && len(a) > 2 {
		view = a[2]
	}
	name, end := p.dotted(view[0])
	class, isClass := strings.CutSuffix(name, ".as_view")
	switch {
	case route.verbs != nil:
	case view[1] > 0 && isClass && end < view[1]:
		route.class = p.ref(class)
	default:
		route.verbs = []string{"GET"}
	}
	p.route(head, route, "flask")
}

// verbs reads methods=[...]; nil when there is no such argument.
func (p *pyScan) verbs(open int) []string {
	kw := p.keyword(open, "methods")
	if kw[1] == 0 {
		return nil
	}
	if out := p.methods(kw[0], kw[1]); out != nil {
		return out
	}
	return []string{""}
}

// methods reads the names of HTTP methods in a range.
func (p *pyScan) methods(from, to int) []string {
	var out []string
	for i := from; i < to && len(out) < 9; i++ {
		if t := p.at(i); t.kind == kText || t.kind == kWord {
			if m := httpMethod(t.text); m != "" {
				out = append(out, m)
			}
		}
	}
	return out
}

// route adds a route to a node, which is made when the file only receives it.
func (p *pyScan) route(head string, route pyRoute, kind string) {
	ref := p.ref(strings.TrimPrefix(head, "self."))
	key := pyKey{p.path, ref.name}
	if own, ok := strings.CutPrefix(ref.name, "."); ok {
		key.name = own
	}
	n := p.r.nodes[key]
	if n == nil {
		if len(p.r.nodes) >= maxPyNodes {
			return
		}
		n = &pyNode{kind: kind, file: p.path, scope: p.scope()}
		if !strings.HasPrefix(ref.name, ".") { // a router that another file made
			p.r.mounts = append(p.r.mounts, pyMount{parent: ref, child: pyRef{p.path, "." + key.name}})
		}
		p.r.nodes[key] = n
		p.r.order = append(p.r.order, key)
	}
	if len(n.routes) < maxFound {
		n.routes = append(n.routes, route)
	}
}
