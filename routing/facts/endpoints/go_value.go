package endpoints

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// eval returns what is known of an expression, and notes the routes it declares.
func (w *goWalk) eval(e ast.Expr, s *goScope) goVal {
	w.steps++
	if e == nil || w.nested > maxGoNest || w.steps > w.until {
		return goVal{}
	}
	w.nested++
	defer func() { w.nested-- }()
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return goVal{str: text, known: err == nil}
		}
	case *ast.Ident:
		return w.ident(e, s)
	case *ast.SelectorExpr:
		return w.selector(e, s)
	case *ast.BinaryExpr:
		a, b := w.eval(e.X, s), w.eval(e.Y, s)
		if e.Op == token.ADD && (a.known || b.known) {
			return goVal{str: a.str + b.str, known: a.known && b.known || !a.known && strings.HasPrefix(b.str, "/")}
		}
	case *ast.ParenExpr:
		return w.eval(e.X, s)
	case *ast.UnaryExpr:
		v := w.eval(e.X, s)
		if e.Op == token.NOT {
			v.truth = -v.truth
		}
		return v
	case *ast.StarExpr:
		return w.eval(e.X, s)
	case *ast.TypeAssertExpr:
		return w.eval(e.X, s)
	case *ast.CallExpr:
		return w.call(e, s)
	case *ast.FuncLit:
		return goVal{lit: e, env: s, home: w.file}
	case *ast.CompositeLit:
		return w.composite(e, s)
	case *ast.IndexExpr:
		w.eval(e.X, s)
	case *ast.KeyValueExpr:
		return w.eval(e.Value, s)
	}
	return goVal{}
}

func (w *goWalk) ident(e *ast.Ident, s *goScope) goVal {
	if v, ok := s.get(e.Name); ok {
		return v
	}
	switch e.Name {
	case "true":
		return goVal{truth: goTrue}
	case "false":
		return goVal{truth: goFalse}
	}
	key := w.file.dir + "." + e.Name
	if n := w.fields[key]; n != 0 {
		return goVal{node: n}
	}
	if fn := w.byName[key]; fn != nil {
		return goVal{fn: fn}
	}
	return w.constant(key)
}

// constant reads the value of a package's constant or variable in its own file.
func (w *goWalk) constant(key string) goVal {
	c, ok := w.r.consts[key]
	if !ok {
		return goVal{}
	}
	if call, ok := c.expr.(*ast.CallExpr); ok && !isSprintf(call) {
		v := goVal{}
		file := w.file
		w.file = c.file
		if made := w.construct(call); made != 0 { // var router = mux.NewRouter()
			dot := strings.LastIndexByte(key, '.')
			v.node = w.field(key[:dot], key[dot+1:], w.nodes[made].kind)
		}
		w.file = file
		return v
	}
	if _, ok := c.expr.(*ast.FuncLit); ok {
		return goVal{}
	}
	file, fn := w.file, w.fn
	w.file = c.file
	v := w.eval(c.expr, nil)
	w.file, w.fn = file, fn
	return v
}

func isSprintf(call *ast.CallExpr) bool { return lastOf(call.Fun) == "Sprintf" }

// selector reads x.y: a constant of a package, a field, a method.
func (w *goWalk) selector(e *ast.SelectorExpr, s *goScope) goVal {
	if id, ok := e.X.(*ast.Ident); ok {
		if _, local := s.get(id.Name); !local {
			if target, ok := w.file.imports[id.Name]; ok {
				return w.imported(target, e.Sel.Name)
			}
		}
	}
	x := w.eval(e.X, s)
	if n := x.own[e.Sel.Name]; n != 0 {
		return goVal{node: n}
	}
	if len(x.rows) == 1 {
		return x.rows[0][e.Sel.Name]
	}
	typ := ""
	if st, ok := w.structs[x.typ]; ok {
		typ = st.types[e.Sel.Name]
		if n := w.fields[x.typ[:strings.LastIndexByte(x.typ, '.')]+"."+e.Sel.Name]; n != 0 {
			if _, has := st.types[e.Sel.Name]; has {
				return goVal{node: n, typ: typ}
			}
		}
	}
	if fn := w.byName[x.typ+"."+e.Sel.Name]; fn != nil && x.typ != "" {
		return goVal{fn: fn}
	}
	if n := w.fields[w.file.dir+"."+e.Sel.Name]; n != 0 {
		return goVal{node: n, typ: typ}
	}
	if all := w.named[e.Sel.Name]; len(all) == 1 && x.typ == "" {
		return goVal{node: all[0], typ: typ}
	}
	return goVal{typ: typ}
}

func (w *goWalk) imported(target, name string) goVal {
	if target == "net/http" || goFramework(target) == "echo" || goFramework(target) == "fiber" {
		if m, ok := strings.CutPrefix(name, "Method"); ok && httpMethod(m) != "" {
			return goVal{str: httpMethod(m), known: true}
		}
		if target == "net/http" && name == "DefaultServeMux" {
			return goVal{node: w.mux}
		}
		if httpMethod(name) == name { // echo.GET
			return goVal{str: name, known: name != ""}
		}
	}
	dir := w.dirOf(target)
	if dir == "" {
		return goVal{}
	}
	key := dir + "." + name
	if n := w.fields[key]; n != 0 {
		return goVal{node: n}
	}
	if fn := w.byName[key]; fn != nil {
		return goVal{fn: fn}
	}
	return w.constant(key)
}

// composite reads a literal: a table of routes, or a struct with routers in it.
func (w *goWalk) composite(e *ast.CompositeLit, s *goScope) goVal {
	v := goVal{}
	switch t := e.Type.(type) {
	case *ast.ArrayType:
		for _, el := range e.Elts {
			if len(v.rows)+len(v.list) >= maxGoRows {
				break
			}
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			if u, ok := el.(*ast.UnaryExpr); ok {
				el = u.X
			}
			if lit, ok := el.(*ast.CompositeLit); ok {
				v.rows = append(v.rows, w.row(lit, t.Elt, s))
				continue
			}
			v.list = append(v.list, w.eval(el, s))
		}
		return v
	case *ast.MapType:
		for _, el := range e.Elts {
			w.eval(el, s)
		}
		return v
	case nil:
		return v
	}
	v.typ = w.typeName(w.file, e.Type)
	if strings.HasSuffix(v.typ, "."+"Routes") && len(e.Elts) > 0 { // type Routes []Route
		if rows := w.namedRows(e, s); rows != nil {
			return goVal{rows: rows}
		}
	}
	row := w.row(e, e.Type, s)
	dir := v.typ[:max(0, strings.LastIndexByte(v.typ, '.'))]
	for name, field := range row {
		if field.node != 0 && dir != "" {
			w.alias(w.field(dir, name, w.nodes[field.node].kind), field.node)
			if w.wrappers[v.typ] == name {
				v.own = map[string]int{name: field.node}
				w.fn.wraps = true
			}
		}
	}
	if len(row) > 0 {
		v.rows = []goRow{row}
		if _, declared := w.structs[v.typ]; declared {
			v.rows = nil
		}
	}
	return v
}

// namedRows reads a literal of a named slice type.
func (w *goWalk) namedRows(e *ast.CompositeLit, s *goScope) []goRow {
	var rows []goRow
	for _, el := range e.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		if lit, ok := el.(*ast.CompositeLit); ok && len(rows) < maxGoRows {
			elem := lit.Type
			if elem == nil {
				elem = &ast.Ident{Name: "Route"}
			}
			rows = append(rows, w.row(lit, elem, s))
		}
	}
	return rows
}

// row reads the fields of a struct literal, keyed or in order.
func (w *goWalk) row(lit *ast.CompositeLit, t ast.Expr, s *goScope) goRow {
	row := goRow{}
	if lit.Type != nil {
		t = lit.Type
	}
	var names []string
	if st, ok := t.(*ast.StructType); ok {
		for _, f := range st.Fields.List {
			for _, n := range f.Names {
				names = append(names, n.Name)
			}
		}
	} else {
		names = w.structs[w.typeName(w.file, t)].names
	}
	for i, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok {
				row[key.Name] = w.eval(kv.Value, s)
				w.body(row[key.Name], s)
			}
			continue
		}
		v := w.eval(el, s)
		if i < len(names) {
			row[names[i]] = v
		}
	}
	return row
}
