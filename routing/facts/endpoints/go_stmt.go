package endpoints

import (
	"go/ast"
	"go/token"
	"strconv"
)

// maxGoRows bounds the rows of a table of routes that a loop is walked for.
const maxGoRows = 300

func itoa(i int) string { return strconv.Itoa(i) }

func (w *goWalk) block(list []ast.Stmt, s *goScope) {
	for _, one := range list {
		w.stmt(one, s)
	}
}

func (w *goWalk) stmt(one ast.Stmt, s *goScope) {
	if w.nested > maxGoNest || w.steps > w.until {
		return
	}
	w.nested++
	defer func() { w.nested-- }()
	switch st := one.(type) {
	case *ast.ExprStmt:
		w.eval(st.X, s)
	case *ast.AssignStmt:
		w.assign(st.Lhs, st.Rhs, s, st.Tok == token.DEFINE)
	case *ast.DeclStmt:
		w.decl(st, s)
	case *ast.ReturnStmt:
		w.returned(st, s)
	case *ast.BlockStmt:
		w.block(st.List, s.inner())
	case *ast.IfStmt:
		in := s.inner()
		w.stmt(st.Init, in)
		truth := w.eval(st.Cond, in).truth
		if truth != goFalse {
			w.block(st.Body.List, in.inner())
		}
		if truth != goTrue {
			w.stmt(st.Else, in)
		}
	case *ast.ForStmt:
		in := s.inner()
		w.stmt(st.Init, in)
		w.block(st.Body.List, in)
	case *ast.RangeStmt:
		w.ranged(st, s)
	case *ast.SwitchStmt:
		in := s.inner()
		w.stmt(st.Init, in)
		w.block(st.Body.List, in)
	case *ast.TypeSwitchStmt:
		w.block(st.Body.List, s.inner())
	case *ast.SelectStmt:
		w.block(st.Body.List, s.inner())
	case *ast.CaseClause:
		w.block(st.Body, s.inner())
	case *ast.CommClause:
		w.block(st.Body, s.inner())
	case *ast.LabeledStmt:
		w.stmt(st.Stmt, s)
	case *ast.GoStmt:
		w.eval(st.Call, s)
	case *ast.DeferStmt:
		w.eval(st.Call, s)
	}
}

func (w *goWalk) decl(st *ast.DeclStmt, s *goScope) {
	gen, ok := st.Decl.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range gen.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, n := range spec.Names {
			v := goVal{}
			if len(spec.Values) == len(spec.Names) {
				v = w.eval(spec.Values[i], s)
			} else if kind := goRouterType(w.file, spec.Type); kind != "" {
				v.node = w.node(kind)
			}
			if v.typ == "" && spec.Type != nil {
				v.typ = w.typeName(w.file, spec.Type)
			}
			s.set(n.Name, v, true)
		}
	}
}

func (w *goWalk) assign(left, right []ast.Expr, s *goScope, define bool) {
	var vals []goVal
	for _, r := range right {
		vals = append(vals, w.eval(r, s))
	}
	for i, l := range left {
		v := goVal{}
		if i < len(vals) && (i == 0 || len(left) == len(right)) {
			v = vals[i]
			v.truth = 0 // it may change
		}
		switch l := l.(type) {
		case *ast.Ident:
			if place := w.fields[w.file.dir+"."+l.Name]; place != 0 && !define && v.node != 0 {
				if _, local := s.get(l.Name); !local {
					w.alias(place, v.node)
					continue
				}
			}
			s.set(l.Name, v, define)
		case *ast.SelectorExpr:
			w.body(v, s)
			if v.node != 0 {
				place := w.selector(l, s).node
				if place == 0 {
					place = w.field(w.file.dir, l.Sel.Name, w.nodes[v.node].kind)
				}
				w.alias(place, v.node)
			}
		}
	}
}

func (w *goWalk) returned(st *ast.ReturnStmt, s *goScope) {
	for i, r := range st.Results {
		v := w.eval(r, s)
		w.body(v, s)
		if i == 0 && w.fn.alone && w.nested < 3 && w.fn.back.own == nil {
			w.fn.back = v
		}
		if i > 0 || v.node == 0 {
			continue
		}
		if w.fn.result == 0 && w.nested < 3 {
			w.fn.result = w.node(w.nodes[v.node].kind)
		}
		w.alias(w.fn.result, v.node)
		if w.fn.result != 0 && w.nodes[w.fn.result].kind == "handler" {
			w.nodes[w.fn.result].kind = w.nodes[v.node].kind
		}
	}
}

// ranged walks the body of a loop once for every row of a known table.
func (w *goWalk) ranged(st *ast.RangeStmt, s *goScope) {
	over := w.eval(st.X, s)
	name := ""
	if id, ok := st.Value.(*ast.Ident); ok {
		name = id.Name
	}
	var each []goVal
	for _, row := range over.rows {
		each = append(each, goVal{rows: []goRow{row}})
	}
	each = append(each, over.list...)
	if name == "" || len(each) == 0 {
		each = []goVal{{}}
	}
	for _, v := range each[:min(len(each), maxGoRows)] {
		in := s.inner()
		if name != "" {
			in.set(name, v, true)
		}
		w.block(st.Body.List, in)
	}
}
