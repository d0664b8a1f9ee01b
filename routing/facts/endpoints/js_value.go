package endpoints

import (
	"maps"
	"slices"
	"strings"
)

// value returns what is known of an expression. It is read once: a long chain of
// calls asks for its beginning at every link.
func (l *jsLink) value(e *jsExpr, c jsCtx) jsVal {
	if e == nil {
		return jsVal{}
	}
	kept := l.vals
	if c.bound != nil {
		kept = l.inLoop
	}
	if v, ok := kept[e]; ok {
		return v
	}
	if !l.bump() {
		return jsVal{}
	}
	cuts := l.cuts
	l.depth++
	v := l.read(e, c)
	l.depth--
	if l.keeps(v, cuts) {
		kept[e] = v
	}
	return v
}

func (l *jsLink) read(e *jsExpr, c jsCtx) jsVal {
	switch e.kind {
	case jsText:
		return jsVal{str: e.text, known: true}
	case jsTemplate:
		return jsVal{str: l.template(e.text, c), known: true}
	case jsName:
		return l.lookup(e, c)
	case jsMember:
		return l.member(e, c)
	case jsArray, jsObject, jsFunc:
		return jsVal{expr: e, in: c}
	case jsPlus:
		return l.plus(e, c)
	case jsOr:
		for i := range e.list {
			if v := l.value(&e.list[i], c); v.known || v.key != "" || v.expr != nil {
				return v
			}
		}
	case jsCall, jsNew:
		return l.called(e, c)
	}
	return jsVal{}
}

// plus adds texts; what is not known is left out where it comes first, and is a
// parameter elsewhere.
func (l *jsLink) plus(e *jsExpr, c jsCtx) jsVal {
	var out strings.Builder
	some := false
	for i := range e.list {
		v := l.value(&e.list[i], c)
		switch {
		case v.known:
			some = true
			out.WriteString(v.str)
		case i > 0:
			out.WriteString("${" + lastWord(&e.list[i]) + "}")
		}
	}
	return jsVal{str: out.String(), known: some && out.Len() <= maxText}
}

// template fills the expressions of a template that are names with known values.
func (l *jsLink) template(text string, c jsCtx) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "${")
		out.WriteString(before)
		if !ok || out.Len() > maxText {
			return out.String()
		}
		n := closing("{"+rest, '{', '}') - 1
		inner := strings.TrimSpace(strings.TrimSuffix(rest[:n], "}"))
		text = rest[n:]
		v := jsVal{}
		if e := dottedExpr(inner); e != nil {
			v = l.value(e, c)
		}
		if v.known {
			out.WriteString(v.str)
			continue
		}
		out.WriteString("${" + lastName(inner) + "}")
	}
}

// dottedExpr makes an expression of a.b.c, nil of anything else.
func dottedExpr(text string) *jsExpr {
	var e *jsExpr
	for i, part := range strings.SplitN(text, ".", 6) {
		if part == "" || strings.Trim(part, "$") == "" || nameLen(strings.ReplaceAll(part, "$", "_")) != len(part) {
			return nil
		}
		if i == 0 {
			e = &jsExpr{kind: jsName, text: part, at: -1}
			continue
		}
		e = &jsExpr{kind: jsMember, text: part, recv: e, at: -1}
	}
	return e
}

// lookup finds what a name stands for: a parameter, a declaration, an import.
func (l *jsLink) lookup(e *jsExpr, c jsCtx) jsVal {
	if v, ok := c.bound[e.text]; ok {
		return v
	}
	for scope := c.scope; ; scope = c.file.fns[scope].parent {
		if v, ok := l.declared(e.text, scope, c); ok {
			if v.empty() {
				v = l.fallback(e.text, scope, c)
			}
			return v
		}
		if scope < 0 {
			break
		}
		for i, names := range c.file.fns[scope].params {
			for _, n := range names {
				if n == e.text {
					key := jsKey("param "+n, c.file, scope, i)
					l.router(key, "", n)
					return jsVal{key: key}
				}
			}
		}
	}
	if imp, ok := c.file.imports[e.text]; ok {
		return l.imported(c.file, imp)
	}
	for i, class := range c.file.classes {
		if class.name == e.text {
			return jsVal{proto: i + 1, in: jsCtx{file: c.file, scope: -1, class: i}}
		}
	}
	if strictRouter(e.text) {
		key := "name " + e.text + "|" + c.file.path
		l.router(key, "", e.text)
		return jsVal{key: key}
	}
	return jsVal{}
}

// declared returns the value a name is given in a scope, the last that says something.
func (l *jsLink) declared(name string, scope int, c jsCtx) (v jsVal, ok bool) {
	for _, i := range c.file.byScope[jsSlot{name, scope}] {
		if one := l.decl(i, c.file); !ok || !one.empty() {
			v = one
		}
		ok = true
	}
	return v, ok
}

func (v jsVal) empty() bool {
	return v.key == "" && !v.known && v.expr == nil && v.inst == 0 && v.proto == 0
}

// decl reads a declaration's value once.
func (l *jsLink) decl(i int, f *jsParsed) jsVal {
	key := jsKey("decl", f, i)
	if v, ok := l.memo[key]; ok {
		return v
	}
	if l.busy[key] {
		l.cuts++
		return jsVal{}
	}
	cuts := l.cuts
	l.busy[key] = true
	d := &f.decls[i]
	v := l.value(&d.value, jsCtx{file: f, scope: d.scope, class: d.class})
	delete(l.busy, key)
	if l.keeps(v, cuts) {
		l.memo[key] = v
	}
	return v
}

// member reads a.b: a field of an object, of a class, an export of a module.
func (l *jsLink) member(e *jsExpr, c jsCtx) jsVal {
	if e.recv.kind == jsName {
		if e.recv.text == "this" {
			return l.field(c.file, c.class, e.text)
		}
		if imp, ok := c.file.imports[e.recv.text]; ok && imp.name == "*" {
			return l.imported(c.file, jsImport{imp.module, e.text})
		}
		if v, ok := l.enum(e.recv.text, e.text, c); ok {
			return v
		}
	}
	if module, ok := requires(e.recv); ok {
		return l.imported(c.file, jsImport{module, e.text})
	}
	v := l.value(e.recv, c)
	switch {
	case v.expr != nil && v.expr.kind == jsObject:
		if field := v.expr.field(e.text); field != nil {
			return l.value(field, v.in)
		}
	case v.inst > 0:
		return l.field(v.in.file, v.inst-1, e.text)
	case v.proto > 0:
		return l.field(v.in.file, v.proto-1, e.text)
	case v.key != "" && (e.text == "default" || e.text == "router" || e.text == "routes" || e.text == "app" || e.text == "server"):
		return jsVal{key: v.key}
	}
	return jsVal{}
}

// enum reads A.b of "const { A } = require(...)", which is an export of A's module.
func (l *jsLink) enum(name, member string, c jsCtx) (jsVal, bool) {
	for _, i := range c.file.byName[name] {
		if module, ok := requires(&c.file.decls[i].value); ok {
			v := l.imported(c.file, jsImport{module, member})
			return v, !v.empty()
		}
	}
	return jsVal{}, false
}

// field returns what this.name of a class stands for.
func (l *jsLink) field(f *jsParsed, class int, name string) jsVal {
	for _, i := range f.byName[name] {
		if d := &f.decls[i]; d.class == class && class >= 0 {
			if v := l.decl(i, f); !v.empty() {
				return v
			}
		}
	}
	if routerWord(name) && class >= 0 {
		key := jsKey("field "+name, f, class)
		l.router(key, "", name)
		return jsVal{key: key}
	}
	return jsVal{}
}

// requires returns the module of require("x") and import("x").
func requires(e *jsExpr) (module string, ok bool) {
	if e == nil || e.kind != jsCall || len(e.list) != 1 || e.list[0].kind != jsText {
		return "", false
	}
	name := e.recv.dotted()
	return e.list[0].text, name == "require" || name == "import"
}

// imported returns what a module of the repository exports under a name.
func (l *jsLink) imported(from *jsParsed, imp jsImport) jsVal {
	f := l.r.resolve(from.path, imp.module)
	if f == nil || !l.bump() {
		return jsVal{}
	}
	key := "export " + imp.name + "|" + f.path
	if l.busy[key] {
		l.cuts++
		return jsVal{}
	}
	l.busy[key] = true
	l.depth++
	defer func() { delete(l.busy, key); l.depth-- }()
	c := jsCtx{file: f, scope: -1, class: -1}
	if imp.name == "*" {
		imp.name = "default"
	}
	if e, ok := f.exports[imp.name]; ok {
		return l.value(&e, c)
	}
	if pass, ok := f.passes[imp.name]; ok {
		return l.imported(f, pass)
	}
	if v, ok := l.declared(imp.name, -1, c); ok {
		return v
	}
	for i, class := range f.classes {
		if class.name == imp.name {
			return jsVal{proto: i + 1, in: jsCtx{file: f, scope: -1, class: i}}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.passes)) {
		if strings.HasPrefix(name, "*") {
			if v := l.imported(f, jsImport{f.passes[name].module, imp.name}); !v.empty() {
				return v
			}
		}
	}
	if e, ok := f.exports["default"]; ok && imp.name != "default" { // const { a } = require("./x")
		if v := l.value(&e, c); v.expr != nil && v.expr.kind == jsObject {
			if field := v.expr.field(imp.name); field != nil {
				return l.value(field, v.in)
			}
		}
	}
	return jsVal{}
}
