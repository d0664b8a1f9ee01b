package endpoints

import (
	"go/ast"
	"slices"
	"strings"
)

// call reads a call: of a constructor, a router's method, or a function of the repository.
func (w *goWalk) call(e *ast.CallExpr, s *goScope) goVal {
	at := w.at(e.Pos())
	if made := w.construct(e); made != 0 {
		return goVal{node: made}
	}
	sel, method := e.Fun.(*ast.SelectorExpr)
	recv := goVal{}
	if method {
		if id, ok := sel.X.(*ast.Ident); ok {
			if _, local := s.get(id.Name); !local && w.file.imports[id.Name] != "" {
				return w.packageCall(w.file.imports[id.Name], sel.Sel.Name, e, s)
			}
		}
		recv = w.eval(sel.X, s)
		if w.byName[recv.typ+"."+sel.Sel.Name] == nil {
			recv = w.embedded(recv)
		}
	}
	args := w.args(e, s)
	if recv.route != nil {
		return w.routeCall(recv.route, sel.Sel.Name, args, s)
	}
	if recv.node != 0 {
		if v, ok := w.routerCall(recv.node, sel.Sel.Name, e, args, at, s); ok {
			return v
		}
	}
	if v, ok := w.unknownGroup(sel, recv, args, s); ok {
		return v
	}
	if method && recv.node == 0 && recv.typ == "" || method && recv.node == 0 && w.byName[recv.typ+"."+sel.Sel.Name] == nil {
		if w.guess(sel, e, args, at) {
			w.literals(args, s)
			return goVal{}
		}
	}
	fn := goVal{}
	switch {
	case method && recv.typ != "" && w.byName[recv.typ+"."+sel.Sel.Name] != nil:
		fn.fn = w.byName[recv.typ+"."+sel.Sel.Name]
	case method:
		fn.fn = w.loose(sel.Sel.Name, args)
	default:
		fn = w.eval(e.Fun, s)
	}
	v := w.apply(fn, recv, args, at, s)
	if fn.fn == nil && v.node == 0 {
		v.node = recv.node // r.StrictSlash(true) and the like give the router back
	}
	return v
}

// embedded takes a struct with a router embedded for that router.
func (w *goWalk) embedded(v goVal) goVal {
	if st, ok := w.structs[v.typ]; ok && v.node == 0 && st.types[""] != "" {
		v.node = w.held(v, st.types[""])
	}
	return v
}

func (w *goWalk) args(e *ast.CallExpr, s *goScope) []goVal {
	vals := make([]goVal, 0, len(e.Args))
	for _, a := range e.Args {
		vals = append(vals, w.embedded(w.eval(a, s)))
	}
	return vals
}

// apply calls a function with arguments: its parameters' routers hang in the arguments'.
func (w *goWalk) apply(f, recv goVal, args []goVal, at goAt, s *goScope) goVal {
	if f.lit != nil {
		w.literal(f, args, s)
	}
	if v, ok := w.inlined(f.fn, recv, args, at, s); ok {
		return v
	}
	w.literals(args, s)
	if f.fn == nil {
		for _, a := range args { // a middleware around a router, most likely
			if a.node != 0 {
				return goVal{node: a.node, strip: a.strip, str: a.str}
			}
		}
		if len(args) == 1 && (args[0].rows != nil || args[0].list != nil) {
			return args[0]
		}
		return goVal{}
	}
	if len(w.calls) < maxGoCalls {
		w.calls = append(w.calls, goCall{from: w.fn, to: f.fn, args: args, at: at})
	}
	for i, p := range f.fn.params {
		if i >= len(args) || p == 0 {
			continue
		}
		if field := f.fn.own[i]; field != "" {
			args[i].node = w.held(args[i], field)
		}
		if w.nodes[p].kind != "handler" {
			w.hang(p, args[i].node, "")
		} else if !f.fn.mountsAny(w) {
			w.hang(args[i].node, p, "") // a handler is hung up by who takes it
		}
	}
	return goVal{node: f.fn.result, typ: f.fn.returns}
}

// mountsAny tells whether the function mounts where its caller says.
func (f *goFunc) mountsAny(w *goWalk) bool {
	for _, m := range w.mounts {
		if m.fn == f {
			return true
		}
	}
	return false
}

// loose finds the method of a receiver of unknown type, if a router is passed to it.
// Of several (an interface's) all get the router, unless they are called by type as well.
func (w *goWalk) loose(name string, args []goVal) *goFunc {
	all := w.methods[name]
	for i, a := range args {
		if a.node == 0 || len(all) > 100 {
			continue
		}
		for _, fn := range all {
			if i < len(fn.params) && fn.params[i] != 0 && len(all) > 1 {
				w.weak = append(w.weak, goWeak{fn.params[i], a.node})
			}
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return nil
}

// literal walks a function literal whose first parameters are the arguments.
func (w *goWalk) literal(f goVal, args []goVal, s *goScope) {
	lit, file := f.lit, w.file
	if slices.Contains(w.lits, lit) {
		return // it calls itself
	}
	w.lits = append(w.lits, lit)
	if f.env != nil {
		s, w.file = f.env, f.home
	}
	in := s.inner()
	i := 0
	for _, p := range lit.Type.Params.List {
		kind := goRouterType(w.file, p.Type)
		for _, n := range p.Names {
			v := goVal{typ: w.typeName(w.file, p.Type)}
			if i < len(args) {
				v = args[i]
			} else if kind != "" {
				v.node = w.node(kind)
			}
			in.set(n.Name, v, true)
			i++
		}
	}
	nested := w.nested
	w.nested = max(w.nested, 3) // a return in here is not the function's
	w.block(lit.Body.List, in)
	w.nested, w.file, w.lits = nested, file, w.lits[:len(w.lits)-1]
}

func (w *goWalk) literals(args []goVal, s *goScope) {
	for _, a := range args {
		if a.lit != nil {
			w.literal(a, nil, s)
		}
	}
}

// construct returns the router a constructor makes, 0 for any other call.
func (w *goWalk) construct(e *ast.CallExpr) int {
	sel, ok := e.Fun.(*ast.SelectorExpr)
	if !ok {
		return 0
	}
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return 0
	}
	target := w.file.imports[pkg.Name]
	kind := goFramework(target)
	if target == "net/http" && sel.Sel.Name == "NewServeMux" {
		kind = "net/http"
	} else {
		switch sel.Sel.Name {
		case "New", "Default", "NewRouter", "NewMux":
		default:
			return 0
		}
	}
	if kind == "" {
		return 0
	}
	n := w.node(kind)
	w.nodes[n].root = true
	return n
}

// packageCall reads a call of an imported package's function.
func (w *goWalk) packageCall(target, name string, e *ast.CallExpr, s *goScope) goVal {
	at := w.at(e.Pos())
	args := w.args(e, s)
	switch target + "." + name {
	case "net/http.Handle", "net/http.HandleFunc":
		v, _ := w.routerCall(w.mux, name, e, args, at, s)
		return v
	case "net/http.StripPrefix":
		if len(args) == 2 {
			return goVal{node: args[1].node, strip: true, str: args[0].str}
		}
	case "fmt.Sprintf":
		return sprintf(args)
	case "path.Join":
		v := goVal{}
		for _, a := range args { // what is configured is taken for nothing
			v.str, v.known = join(v.str, a.str), v.known || a.known
		}
		return v
	}
	return w.apply(w.imported(target, name), goVal{}, args, at, s)
}

// sprintf fills %s and %v with what is known; a base that is not known is left out
// when it comes first.
func sprintf(args []goVal) goVal {
	if len(args) == 0 || !args[0].known {
		return goVal{}
	}
	var out strings.Builder
	rest := args[0].str
	for _, a := range args[1:] {
		i := strings.IndexByte(rest, '%')
		if i < 0 || i+1 >= len(rest) || !a.known && out.Len()+i > 0 {
			return goVal{}
		}
		out.WriteString(rest[:i])
		out.WriteString(a.str)
		rest = rest[i+2:]
	}
	out.WriteString(rest)
	return goVal{str: out.String(), known: out.Len() <= maxPath}
}

// guess takes a call on a receiver of unknown kind for a route when everything about
// it looks like one: the receiver's name, a verb, a path and a handler.
func (w *goWalk) guess(sel *ast.SelectorExpr, e *ast.CallExpr, args []goVal, at goAt) bool {
	name := sel.Sel.Name
	verb := httpMethod(name)
	if verb == "" && name != "HandleFunc" && name != "Handle" || len(args) < 2 || !args[0].known || w.anyNode(args) {
		return false
	}
	_, afterVerb, _ := strings.Cut(args[0].str, " ")
	if !strings.HasPrefix(args[0].str, "/") && !strings.HasPrefix(afterVerb, "/") || !routerName(lastOf(sel.X)) {
		return false
	}
	last := args[len(args)-1]
	switch e.Args[len(e.Args)-1].(type) {
	case *ast.BasicLit, *ast.CompositeLit, *ast.UnaryExpr:
		return false
	}
	if last.known || last.rows != nil {
		return false
	}
	r := &goRoute{node: w.node("go"), path: args[0].str, at: at, live: true}
	if verb != "" {
		r.methods = []string{verb}
	}
	w.add(r)
	return true
}

func (w *goWalk) anyNode(args []goVal) bool {
	for _, a := range args {
		if a.node != 0 {
			return true
		}
	}
	return false
}

// routerName tells whether a variable's name is one that people give to routers.
func routerName(name string) bool {
	low := strings.ToLower(name)
	for _, part := range []string{"router", "route", "mux", "group", "engine", "server", "app", "api"} {
		if strings.HasSuffix(low, part) {
			return true
		}
	}
	return low == "r" || low == "e" || low == "g" || low == "m" || len(low) == 2 && low[0] == 'v'
}

// add keeps a route.
func (w *goWalk) add(r *goRoute) {
	r.fn = w.fn
	if len(w.routes) < maxGoRoutes {
		w.routes = append(w.routes, r)
	}
}
