package endpoints

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

const (
	maxGoSteps = 4_000_000 // expressions looked at in one repository
	maxGoFunc  = 200_000   // expressions looked at from one function on
	maxGoNest  = 200       // calls and operators inside one another
	maxGoCalls = 100_000
)

// goVal is what is known of an expression.
type goVal struct {
	node  int    // a router
	str   string // a text, with holes for parameters
	known bool   // str is meant
	typ   string // "dir.Type"
	route *goRoute
	truth goTruth
	strip bool // a router behind http.StripPrefix(str, ...)
	rows  []goRow
	list  []goVal
	fn    *goFunc // a function of the repository
	lit   *ast.FuncLit
	env   *goScope       // what lit sees
	home  *goFile        // where lit stands
	own   map[string]int // routers of a struct's fields, of this value alone
}

// goRow is one element of a table: its fields by name.
type goRow map[string]goVal

type goFunc struct {
	file      *goFile
	decl      *ast.FuncDecl
	params    []int // the router of each parameter, 0 for none
	result    int
	returns   string // type of the first result
	templates []*goRoute
	next      []*goRoute
	own       []string // by parameter: the field that holds the router of a wrapper
	prefixes  bool     // a parameter is part of a group's prefix
	serves    bool     // it passes requests on to a router: a middleware
	wraps     bool     // it makes a wrapper of a router
	alone     bool     // walked for one call
	back      goVal    // what that call gives back
}

type goCall struct {
	from, to *goFunc
	args     []goVal
	at       goAt
}

// goWeak is a router passed to a method that was found by its name alone.
type goWeak struct{ param, arg int }

// goMount is a router that a helper function mounts where its caller says.
type goMount struct {
	fn            *goFunc
	child, parent int
	prefix        string
}

// goScope is the variables of a block.
type goScope struct {
	vars map[string]goVal
	over *goScope
}

func (s *goScope) get(name string) (goVal, bool) {
	for ; s != nil; s = s.over {
		if v, ok := s.vars[name]; ok {
			return v, true
		}
	}
	return goVal{}, false
}

func (s *goScope) set(name string, v goVal, define bool) {
	if name == "_" {
		return
	}
	if !define {
		for at := s; at != nil; at = at.over {
			if _, ok := at.vars[name]; ok {
				at.vars[name] = v
				return
			}
		}
	}
	s.vars[name] = v
}

func (s *goScope) inner() *goScope { return &goScope{vars: map[string]goVal{}, over: s} }

// goWalk walks the functions of a repository and builds the graph of its routers.
type goWalk struct {
	r       *goReader
	nodes   []goNode
	known   map[int][]string
	routes  []*goRoute
	calls   []goCall
	weak    []goWeak
	mounts  []goMount
	funcs   []*goFunc
	byName  map[string]*goFunc   // "dir.name", "dir.Type.name"
	methods map[string][]*goFunc // by name alone
	fields  map[string]int       // router of a field, by "dir.field"
	named   map[string][]int     // the same by field alone
	structs map[string]goStruct  // by "dir.Type"
	dirs    map[string][]string  // directories by their last element
	mux     int                  // http.DefaultServeMux
	steps   int
	until   int // steps the function being walked may take the count to

	inline   map[*ast.FuncDecl]goInline
	wrappers map[string]string // field with the router, by "dir.Type"
	stack    []*ast.FuncDecl   // functions being inlined
	lits     []*ast.FuncLit    // function literals being walked
	pin      *goAt             // where the routes of an inlined function are said to be

	file   *goFile // being walked
	fn     *goFunc
	nested int
}

// goStruct is the fields of a struct type: names in order, and types.
type goStruct struct {
	names   []string
	types   map[string]string
	routers map[string]bool // fields that are routers
}

func newGoWalk(r *goReader) *goWalk {
	w := &goWalk{
		r: r, known: map[int][]string{}, byName: map[string]*goFunc{}, methods: map[string][]*goFunc{},
		fields: map[string]int{}, named: map[string][]int{}, structs: map[string]goStruct{}, dirs: map[string][]string{}, wrappers: map[string]string{},
	}
	w.nodes = make([]goNode, 1)
	w.mux = w.node("net/http")
	return w
}

func (w *goWalk) walk() {
	for dir := range w.r.dirs {
		last := dir[strings.LastIndexByte(dir, '/')+1:]
		w.dirs[last] = append(w.dirs[last], dir)
	}
	for _, all := range w.dirs {
		slices.Sort(all)
	}
	for _, f := range w.r.files {
		w.declare(f)
	}
	for _, f := range w.r.files {
		for _, d := range f.tree.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				w.declareFunc(f, d)
			}
		}
	}
	w.wrap()
	for _, f := range w.funcs {
		if !w.inline[f.decl].called {
			w.function(f)
		}
	}
	for _, f := range w.r.files {
		w.variables(f)
	}
}

// declare notes the struct types of a file and the routers among their fields.
func (w *goWalk) declare(f *goFile) {
	for _, d := range f.tree.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range gen.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if st, ok := s.Type.(*ast.StructType); ok {
					w.declareStruct(f, s.Name.Name, st)
				}
			case *ast.ValueSpec:
				if kind := goRouterType(f, s.Type); kind != "" {
					for _, n := range s.Names {
						w.field(f.dir, n.Name, kind)
					}
				}
			}
		}
	}
}

func (w *goWalk) declareStruct(f *goFile, name string, st *ast.StructType) {
	made := goStruct{types: map[string]string{}, routers: map[string]bool{}}
	for _, field := range st.Fields.List {
		names := field.Names
		if len(names) == 0 { // embedded
			names = []*ast.Ident{{Name: lastOf(field.Type)}}
		}
		kind := goRouterType(f, field.Type)
		if kind == "" && len(field.Names) == 0 && names[0].Name == "Handler" {
			kind = "handler"
		}
		for _, n := range names {
			made.names = append(made.names, n.Name)
			made.types[n.Name] = w.typeName(f, field.Type)
			if kind == "" {
				continue
			}
			w.field(f.dir, n.Name, kind)
			made.routers[n.Name] = kind != "handler"
			if len(field.Names) == 0 {
				made.types[""] = n.Name
			}
		}
	}
	w.structs[f.dir+"."+name] = made
}

// field returns the router of a field or package variable.
func (w *goWalk) field(dir, name, kind string) int {
	key := dir + "." + name
	if n, ok := w.fields[key]; ok {
		return n
	}
	n := w.node(kind)
	w.fields[key] = n
	w.named[name] = append(w.named[name], n)
	return n
}

func (w *goWalk) declareFunc(f *goFile, d *ast.FuncDecl) {
	if d.Body == nil {
		return
	}
	fn := &goFunc{file: f, decl: d}
	for _, p := range d.Type.Params.List {
		kind := goRouterType(f, p.Type)
		if isHandler(p.Type) {
			kind = "handler"
		}
		for range max(1, len(p.Names)) {
			n := 0
			if kind != "" {
				n = w.node(kind)
			}
			fn.params = append(fn.params, n)
		}
	}
	if d.Type.Results != nil && len(d.Type.Results.List) > 0 {
		t := d.Type.Results.List[0].Type
		fn.returns = w.typeName(f, t)
		kind := goRouterType(f, t)
		if isHandler(t) {
			kind = "handler"
		}
		if kind != "" {
			fn.result = w.node(kind)
			w.nodes[fn.result].root = lastOf(t) != "RouterGroup" && lastOf(t) != "Group" && !w.anyParam(fn)
		}
	}
	w.funcs = append(w.funcs, fn)
	key := f.dir + "."
	if d.Recv != nil && len(d.Recv.List) > 0 {
		key += lastOf(d.Recv.List[0].Type) + "."
		w.methods[d.Name.Name] = append(w.methods[d.Name.Name], fn)
	}
	w.byName[key+d.Name.Name] = fn
}

// isHandler tells whether a type is http.Handler.
func isHandler(t ast.Expr) bool {
	sel, ok := t.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Handler"
}

// anyParam tells whether a router is passed to the function.
func (w *goWalk) anyParam(fn *goFunc) bool {
	for _, p := range fn.params {
		if p != 0 && w.nodes[p].kind != "handler" {
			return true
		}
	}
	return false
}

// lastOf returns the bare name of a type: "Server" of *api.Server[T].
func lastOf(t ast.Expr) string {
	for {
		switch at := t.(type) {
		case *ast.StarExpr:
			t = at.X
		case *ast.IndexExpr:
			t = at.X
		case *ast.IndexListExpr:
			t = at.X
		case *ast.SelectorExpr:
			return at.Sel.Name
		case *ast.Ident:
			return at.Name
		default:
			return ""
		}
	}
}

// typeName returns "dir.Type" for a type of the repository.
func (w *goWalk) typeName(f *goFile, t ast.Expr) string {
	for {
		switch at := t.(type) {
		case *ast.StarExpr:
			t = at.X
		case *ast.SelectorExpr:
			pkg, ok := at.X.(*ast.Ident)
			if !ok {
				return ""
			}
			if dir := w.dirOf(f.imports[pkg.Name]); dir != "" {
				return dir + "." + at.Sel.Name
			}
			return ""
		case *ast.Ident:
			return f.dir + "." + at.Name
		default:
			return ""
		}
	}
}

// dirOf returns the directory of an imported package: the one that shares the
// longest tail with the import path, "" for a package from elsewhere.
func (w *goWalk) dirOf(target string) string {
	if target == "" {
		return ""
	}
	best, most := "", 0
	for _, dir := range w.dirs[target[strings.LastIndexByte(target, '/')+1:]] {
		a, b := len(target), len(dir)
		for a > 0 && b > 0 && target[a-1] == dir[b-1] {
			a, b = a-1, b-1
		}
		if shared := len(target) - a; (b == 0 || a == 0 || dir[b-1] == '/' || dir[b] == '/') && shared > most {
			best, most = dir, shared
		}
	}
	return best
}

// function walks one function with its parameters unknown.
func (w *goWalk) function(f *goFunc) {
	w.file, w.fn, w.until = f.file, f, min(maxGoSteps, w.steps+maxGoFunc)
	s := (*goScope)(nil).inner()
	for _, n := range f.receiver() {
		s.set(n.Name, goVal{typ: w.typeName(f.file, f.decl.Recv.List[0].Type)}, true)
	}
	i := 0
	for _, p := range f.decl.Type.Params.List {
		for _, n := range p.Names {
			v := w.param(f, i, p.Type)
			if id, ok := p.Type.(*ast.Ident); ok && id.Name == "string" {
				v.str, v.known = hole+itoa(i)+holeEnd, true
			}
			s.set(n.Name, v, true)
			i++
		}
		if len(p.Names) == 0 {
			i++
		}
	}
	w.block(f.decl.Body.List, s)
}

func (w *goWalk) at(pos token.Pos) goAt {
	if w.pin != nil {
		return *w.pin
	}
	return goAt{file: w.file.path, line: w.r.set.Position(pos).Line}
}
