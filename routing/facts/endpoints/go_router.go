package endpoints

import (
	"go/ast"
	"strings"
)

// routerCall reads a method of a router. ok is false when the method says nothing about routes.
func (w *goWalk) routerCall(node int, name string, e *ast.CallExpr, args []goVal, at goAt, s *goScope) (v goVal, ok bool) {
	kind := w.nodes[node].kind
	if v, ok := w.nest(node, name, args, s); ok {
		return v, true
	}
	arg := func(i int) goVal {
		if i < len(args) {
			return args[i]
		}
		return goVal{}
	}
	r := &goRoute{node: node, at: at}
	path, handler := arg(0), 1
	verb := httpMethod(name)
	switch {
	case kind == "gorilla":
		return w.gorilla(r, name, args, s)
	case verb != "" && (name == verb || kind == "chi" || kind == "fiber" || kind == "go"):
		r.methods = []string{verb}
	case name == "Any" || name == "All":
	case (name == "Handle" && kind != "gin" && kind != "httprouter") || (name == "HandleFunc" && kind != "httprouter"):
	case name == "Handle", name == "HandlerFunc", name == "Handler", name == "Method", name == "MethodFunc", name == "Add":
		if !arg(0).known {
			return goVal{}, false
		}
		r.methods, path, handler = []string{arg(0).str}, arg(1), 2
	case name == "Match":
		for _, m := range arg(0).list {
			r.methods = append(r.methods, m.str)
		}
		path, handler = arg(1), 2
	case name == "StaticFile", name == "File":
		r.methods = []string{"GET"}
	default:
		return goVal{}, false
	}
	if path.known && len(e.Args) > handler {
		r.path, r.live = path.str, true
		w.handled(r, args[handler:], s)
		w.add(r)
	} else {
		w.literals(args, s)
	}
	return goVal{node: node}, true
}

// handled looks at a route's handlers: a router among them is mounted.
func (w *goWalk) handled(r *goRoute, handlers []goVal, s *goScope) {
	for _, h := range handlers {
		if h.node != 0 {
			r.child = h.node
			prefix := ""
			if h.strip {
				prefix = h.str
			}
			w.hang(h.node, r.node, prefix)
		}
	}
	w.literals(handlers, s)
}

// nest reads what makes a router out of a router.
func (w *goWalk) nest(node int, name string, args []goVal, s *goScope) (v goVal, ok bool) {
	kind := w.nodes[node].kind
	prefix, body := "", goVal{}
	for i, a := range args {
		if a.known && i == 0 {
			prefix = unhole(a.str)
		}
		if a.lit != nil || a.fn != nil {
			body = a
		}
	}
	switch name {
	case "With", "Use", "UseRawPath", "Pre":
		w.literals(args, s)
		return goVal{node: node}, true
	case "ServeHTTP":
		w.fn.serves = true
		if w.fn.result != 0 && w.nodes[w.fn.result].kind == "handler" {
			w.hang(node, w.fn.result, "")
		}
		return goVal{}, true
	case "Mount":
		if len(args) == 1 && kind == "routegroup" {
			return goVal{node: w.node(kind, goEdge{node, prefix})}, true
		}
		w.fn.prefixes = w.fn.prefixes || passesOn(args)
		if len(args) == 2 && args[1].node != 0 {
			if strings.Contains(args[0].str, hole) {
				w.mounts = append(w.mounts, goMount{w.fn, args[1].node, node, args[0].str})
				return goVal{node: node}, true
			}
			w.hang(args[1].node, node, prefix)
			return goVal{node: node}, true
		}
		return goVal{}, false
	case "Group", "Route", "Subrouter":
		if kind == "gorilla" || kind == "net/http" {
			return goVal{}, false
		}
		w.fn.prefixes = w.fn.prefixes || passesOn(args)
		made := w.node(kind, goEdge{node, prefix})
		takesBody := kind == "chi" || kind == "go" || name == "Route"
		switch {
		case body.lit != nil && takesBody:
			w.literal(body, []goVal{{node: made}}, s)
		case body.fn != nil && takesBody && len(body.fn.params) > 0:
			w.hang(body.fn.params[0], made, "")
		}
		return goVal{node: made}, true
	}
	return goVal{}, false
}

// unhole drops the parameters of a prefix: what is not known is taken for nothing.
func unhole(text string) string {
	for {
		before, rest, ok := strings.Cut(text, hole)
		if !ok {
			return text
		}
		_, after, _ := strings.Cut(rest, holeEnd)
		text = before + after
	}
}

// gorilla reads a method of a gorilla router.
func (w *goWalk) gorilla(r *goRoute, name string, args []goVal, s *goScope) (v goVal, ok bool) {
	switch name {
	case "HandleFunc", "Handle", "Path", "PathPrefix", "Methods", "Host", "Queries", "Headers", "Schemes",
		"NewRoute", "MatcherFunc", "Name":
	default:
		return goVal{}, false
	}
	w.add(r)
	return w.routeCall(r, name, args, s), true
}

// routeCall reads a method of a gorilla route.
func (w *goWalk) routeCall(r *goRoute, name string, args []goVal, s *goScope) goVal {
	first := goVal{}
	if len(args) > 0 {
		first = args[0]
	}
	switch name {
	case "HandleFunc", "Handle":
		if len(args) > 1 && first.known {
			r.path, r.live = r.path+first.str, true
			w.handled(r, args[1:], s)
		}
	case "Path":
		r.path += first.str
	case "PathPrefix":
		r.path, r.prefix = r.path+first.str, true
	case "Methods":
		for _, a := range args {
			r.methods = append(r.methods, a.str)
			for _, one := range a.list {
				r.methods = append(r.methods, one.str)
			}
		}
	case "Handler", "HandlerFunc":
		r.live = r.path != ""
		w.handled(r, args, s)
	case "Subrouter":
		r.live = false
		w.fn.prefixes = w.fn.prefixes || strings.Contains(r.path, hole)
		return goVal{node: w.node("gorilla", goEdge{r.node, unhole(r.path)})}
	}
	return goVal{route: r}
}

// settle parts the routes of helper functions from those that are known in full, and
// gives the routers passed through interfaces their prefixes.
func (w *goWalk) settle() {
	fresh := map[int]bool{}
	for _, k := range w.weak {
		if len(w.nodes[k.param].up) == 0 {
			fresh[k.param] = true
		}
	}
	for _, k := range w.weak {
		if fresh[k.param] {
			w.hang(k.param, k.arg, "")
		}
	}
	w.mount()
	full := w.routes[:0:0]
	for _, r := range w.routes {
		if r.holes() {
			if r.fn != nil && r.live {
				r.fn.templates = append(r.fn.templates, r)
			}
			continue
		}
		full = append(full, r)
	}
	w.routes = full
}

// mount hangs the routers that helper functions mount for their callers.
func (w *goWalk) mount() {
	for _, m := range w.mounts {
		for _, c := range w.calls {
			prefix, ok := fill(m.prefix, c.args)
			if c.to != m.fn || !ok {
				continue
			}
			for i, p := range m.fn.params {
				if p == m.child && i < len(c.args) {
					w.hang(c.args[i].node, m.parent, unhole(prefix))
				}
			}
		}
	}
}

// serving returns the routers that have a route, themselves or below them.
func (w *goWalk) serving() map[int]bool {
	on := map[int]bool{}
	var mark func(int, int)
	mark = func(n, depth int) {
		if on[n] || depth > 1000 {
			return
		}
		on[n] = true
		for _, e := range w.nodes[n].up {
			mark(e.parent, depth+1)
		}
	}
	for _, r := range w.routes {
		if r.live && r.child == 0 {
			mark(r.node, 0)
		}
	}
	return on
}
