package endpoints

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// maxGoInline bounds how deep calls are followed with their own arguments.
const maxGoInline = 8

// goInline says how the calls of a function are followed with their own arguments.
// Most functions are walked once for all their callers. That would give the routes
// of one caller the prefixes of another where a function builds a prefix of its
// parameters, gives back a group of the router it was passed, or belongs to a
// wrapper of a router.
type goInline struct {
	called bool // from somewhere: it is not walked by itself
	pin    bool // its routes stand where it is called, as r.get("/x", h) does
}

// inlines names the functions to follow call by call, after a first walk.
func (w *goWalk) inlines() map[*ast.FuncDecl]goInline {
	want := map[*goFunc]goInline{}
	for _, f := range w.funcs {
		router := f.result != 0 && w.nodes[f.result].kind != "handler" && w.anyParam(f)
		_, wrapper := w.wrappers[w.receives(f)]
		if f.prefixes || router || f.serves && f.result != 0 || wrapper || f.wraps && (w.anyParam(f) || f.owns()) {
			want[f] = goInline{}
		}
	}
	for _, r := range w.routes {
		if r.live && r.fn != nil && r.holes() {
			want[r.fn] = goInline{pin: true}
		}
	}
	for range maxGoInline { // who passes a parameter on is followed as well
		before := len(want)
		for _, c := range w.calls {
			to, ok := want[c.to]
			if _, known := want[c.from]; ok && !known && c.from != nil && passesOn(c.args) {
				want[c.from] = to
			}
		}
		if len(want) == before {
			break
		}
	}
	for _, c := range w.calls {
		if how, ok := want[c.to]; ok && c.from != c.to {
			how.called = true
			want[c.to] = how
		}
	}
	out := map[*ast.FuncDecl]goInline{}
	for f, how := range want {
		out[f.decl] = how
	}
	return out
}

// goTruth is what is known of a condition. Only what a caller passes is ever known:
// a variable may change.
type goTruth int

const (
	goFalse goTruth = -1
	goTrue  goTruth = 1
)

func passesOn(args []goVal) bool {
	for _, a := range args {
		if strings.Contains(a.str, hole) {
			return true
		}
	}
	return false
}

// inlined walks a function for one call. ok is false when it is not to be, or no deeper.
func (w *goWalk) inlined(f *goFunc, recv goVal, args []goVal, at goAt, s *goScope) (v goVal, ok bool) {
	if f == nil || !w.inline[f.decl].called || len(w.stack) >= maxGoInline || slices.Contains(w.stack, f.decl) {
		return goVal{}, false
	}
	for _, a := range args { // what takes a router is left to the function
		if a.lit != nil && !w.takesRouter(a) {
			w.literal(a, nil, s)
		}
	}
	made := *f
	made.templates, made.next, made.alone = nil, nil, true
	if f.result != 0 {
		made.result = w.node(w.nodes[f.result].kind)
		w.nodes[made.result].root = w.nodes[f.result].root || w.nodes[f.result].kind == "handler"
	}
	file, fn, pin, nested := w.file, w.fn, w.pin, w.nested
	w.file, w.fn, w.nested, w.stack = f.file, &made, 0, append(w.stack, f.decl)
	if w.inline[f.decl].pin && w.pin == nil {
		w.pin = &at
	}
	w.block(f.decl.Body.List, w.bind(f, recv, args))
	w.file, w.fn, w.pin, w.nested, w.stack = file, fn, pin, nested, w.stack[:len(w.stack)-1]
	return goVal{node: made.result, typ: f.returns, own: made.back.own}, true
}

// bind puts the arguments of one call in the places of the parameters.
func (w *goWalk) bind(f *goFunc, recv goVal, args []goVal) *goScope {
	s := (*goScope)(nil).inner()
	for _, n := range f.receiver() {
		if recv.typ == "" {
			recv.typ = w.receives(f)
		}
		s.set(n.Name, recv, true)
	}
	i := 0
	for _, p := range f.decl.Type.Params.List {
		for range max(1, len(p.Names)) {
			v := w.param(f, i, p.Type)
			if i < len(args) {
				given := args[i]
				if field := f.own[i]; field != "" && given.own == nil {
					given.own = map[string]int{field: w.held(given, field)}
				}
				if given.typ == "" {
					given.typ = v.typ
				}
				if given.node == 0 && f.own[i] == "" {
					given.node = v.node
				}
				v = given
			}
			if len(p.Names) > 0 {
				s.set(p.Names[i-firstOf(f, p)].Name, v, true)
			}
			i++
		}
	}
	return s
}

// firstOf counts the parameters before those of p.
func firstOf(f *goFunc, p *ast.Field) int {
	n := 0
	for _, q := range f.decl.Type.Params.List {
		if q == p {
			break
		}
		n += max(1, len(q.Names))
	}
	return n
}

// takesRouter tells whether a function literal is passed a router or a wrapper of one.
func (w *goWalk) takesRouter(f goVal) bool {
	file := f.home
	if file == nil {
		file = w.file
	}
	for _, p := range f.lit.Type.Params.List {
		if goRouterType(file, p.Type) != "" || w.wrappers[w.typeName(file, p.Type)] != "" {
			return true
		}
	}
	return false
}

// wrap finds the types that wrap a router: structs with one whose methods make more
// of them, as a group makes groups. Parameters of such a type carry a router.
func (w *goWalk) wrap() {
	for _, f := range w.funcs {
		typ := w.receives(f)
		st, ok := w.structs[typ]
		if !ok || f.returns != typ {
			continue
		}
		for _, name := range st.names {
			if n := w.fields[typ[:strings.LastIndexByte(typ, '.')]+"."+name]; n != 0 && st.routers[name] {
				w.wrappers[typ] = name
				break
			}
		}
	}
	for _, f := range w.funcs {
		f.own = make([]string, len(f.params))
		i := 0
		for _, p := range f.decl.Type.Params.List {
			typ := w.typeName(f.file, p.Type)
			for range max(1, len(p.Names)) {
				if field := w.wrappers[typ]; field != "" && f.params[i] == 0 {
					f.own[i] = field
					f.params[i] = w.node(w.nodes[w.held(goVal{typ: typ}, field)].kind)
				}
				i++
			}
		}
	}
}

// owns tells whether a parameter is a wrapper of a router.
func (f *goFunc) owns() bool {
	return slices.ContainsFunc(f.own, func(s string) bool { return s != "" })
}

// held is the router in a field of a value.
func (w *goWalk) held(v goVal, field string) int {
	if n := v.own[field]; n != 0 || v.typ == "" {
		return n
	}
	return w.fields[v.typ[:strings.LastIndexByte(v.typ, '.')]+"."+field]
}

// param is the value of a parameter that nothing is known of.
func (w *goWalk) param(f *goFunc, i int, t ast.Expr) goVal {
	v := goVal{node: f.params[i], typ: w.typeName(f.file, t)}
	if field := f.own[i]; field != "" {
		v.node, v.own = 0, map[string]int{field: f.params[i]}
	}
	return v
}

func (f *goFunc) receiver() []*ast.Ident {
	if f.decl.Recv == nil || len(f.decl.Recv.List) == 0 {
		return nil
	}
	return f.decl.Recv.List[0].Names
}

// receives is the type a method belongs to, "" for a function.
func (w *goWalk) receives(f *goFunc) string {
	if f.decl.Recv == nil || len(f.decl.Recv.List) == 0 {
		return ""
	}
	return w.typeName(f.file, f.decl.Recv.List[0].Type)
}

// unknownGroup takes what another module hands out for a router once a group of
// routes is made of it: engine := toolkit.Engine(); api := engine.Group("/api").
func (w *goWalk) unknownGroup(sel *ast.SelectorExpr, recv goVal, args []goVal, s *goScope) (goVal, bool) {
	if sel == nil || recv.node != 0 || recv.typ != "" || recv.known || recv.rows != nil || len(args) == 0 || !args[0].known {
		return goVal{}, false
	}
	if name := sel.Sel.Name; name != "Group" && name != "Route" || !strings.HasPrefix(args[0].str, "/") || !routerName(lastOf(sel.X)) {
		return goVal{}, false
	}
	kind := w.file.framework()
	if kind == "gorilla" {
		return goVal{}, false
	}
	var node int
	switch x := sel.X.(type) {
	case *ast.Ident:
		node = w.node(kind)
		w.nodes[node].root = true
		s.set(x.Name, goVal{node: node}, false)
	case *ast.SelectorExpr:
		node = w.field(w.file.dir, x.Sel.Name, kind)
	default:
		return goVal{}, false
	}
	return w.nest(node, sel.Sel.Name, args, s)
}

// framework is the one whose routers a file uses, "go" when that is not certain.
func (f *goFile) framework() string {
	kind := ""
	for _, target := range f.imports {
		if name := goFramework(target); name != "" && kind != "" && kind != name {
			return "go"
		} else if name != "" {
			kind = name
		}
	}
	if kind == "" {
		return "go"
	}
	return kind
}

// body walks a function literal that is kept for later: returned, or put into a
// field such as a command's. One that is passed a router waits for who passes it.
func (w *goWalk) body(v goVal, s *goScope) {
	if v.lit != nil && !w.takesRouter(v) {
		w.literal(v, nil, s)
	}
}

// variables walks the function literals in the values of a file's variables.
func (w *goWalk) variables(f *goFile) {
	w.file, w.fn, w.until = f, &goFunc{file: f}, min(maxGoSteps, w.steps+maxGoFunc)
	for _, d := range f.tree.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			spec, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			for _, value := range spec.Values {
				ast.Inspect(value, func(n ast.Node) bool {
					lit, ok := n.(*ast.FuncLit)
					if ok {
						w.body(goVal{lit: lit, home: f}, (*goScope)(nil).inner())
					}
					return !ok
				})
			}
		}
	}
}
