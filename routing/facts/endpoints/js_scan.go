package endpoints

import (
	"slices"
	"strings"
)

// maxJSItems bounds the functions, declarations and calls kept of one file.
const maxJSItems = 20_000

// maxJSSame bounds the declarations of one name that are looked at.
const maxJSSame = 60

// jsDecl is a name that is given a value.
type jsDecl struct {
	scope int // function, -1 for the module
	class int // of this.name, -1 otherwise
	name  string
	value jsExpr
}

// jsUse is a call that may say something about routes.
type jsUse struct {
	scope, class int
	expr         jsExpr
}

// jsImport is what a local name stands for: an export of a module; name is
// "default", "*" for all of it, or the export's name.
type jsImport struct{ module, name string }

// jsParsed is all that is kept of a file.
type jsParsed struct {
	path    string
	fns     []jsFn
	classes []jsClass
	decls   []jsDecl
	uses    []jsUse
	imports map[string]jsImport
	exports map[string]jsExpr   // "default" for module.exports and export default
	passes  map[string]jsImport // exports of another module handed on; "*" is all
	nest    []nestRoute
	boots   bool             // an application of NestJS begins here
	byName  map[string][]int // declarations by name
	byScope map[jsSlot][]int // those that are of no class, by name and scope
}

// jsSlot is a name in a scope.
type jsSlot struct {
	name  string
	scope int
}

// jsParser reads one file.
type jsParser struct {
	jsParsed
	toks   []tok
	starts map[int]int // function by its first token
	words  map[string]string
	loops  []jsLoop
	open   []jsOpen
}

// jsOpen is a function or class that is being read.
type jsOpen struct {
	fn, class, end int
	inFn, inClass  int // the innermost ones here, this one included
}

func parseJS(path string, text []byte) *jsParsed {
	p := &jsParser{starts: map[int]int{}, words: map[string]string{}, toks: jsLex(strings.TrimPrefix(string(text), "\ufeff"))}
	p.path = path
	p.imports, p.exports, p.passes = map[string]jsImport{}, map[string]jsExpr{}, map[string]jsImport{}
	p.functions()
	for _, l := range p.loops {
		over, _ := p.expr(l.over, 0)
		p.fns[l.fn].over = &over
	}
	p.scan()
	p.nests()
	p.byName, p.byScope = map[string][]int{}, map[jsSlot][]int{}
	for i, d := range p.decls {
		if len(p.byName[d.name]) < maxJSSame {
			p.byName[d.name] = append(p.byName[d.name], i)
		}
		if slot := (jsSlot{d.name, d.scope}); d.class < 0 && len(p.byScope[slot]) < maxJSSame {
			p.byScope[slot] = append(p.byScope[slot], i)
		}
	}
	return &p.jsParsed
}

// scan walks the tokens once and keeps declarations, calls, imports and exports.
func (p *jsParser) scan() {
	starts := map[int][]jsOpen{}
	for i, f := range p.fns {
		starts[f.start] = append(starts[f.start], jsOpen{fn: i, class: -1, end: f.end})
	}
	for i, c := range p.classes {
		starts[c.start] = append(starts[c.start], jsOpen{fn: -1, class: i, end: c.end})
	}
	for i := 0; i < len(p.toks); i++ {
		for len(p.open) > 0 && p.open[len(p.open)-1].end <= i {
			p.open = p.open[:len(p.open)-1]
		}
		for _, o := range starts[i] {
			if o.fn >= 0 {
				p.fns[o.fn].parent, p.fns[o.fn].class = p.scope()
				if f := p.fns[o.fn]; f.name != "" {
					p.declare(f.name, jsExpr{kind: jsFunc, fn: o.fn, at: i})
				}
			}
			o.inFn, o.inClass = p.scope()
			if o.fn >= 0 {
				o.inFn = o.fn
			}
			if o.class >= 0 {
				o.inClass = o.class
			}
			p.open = append(p.open, o)
			if o.fn >= 0 && p.fns[o.fn].brief {
				e, _ := p.expr(i+1, 0)
				p.fns[o.fn].returns = append(p.fns[o.fn].returns, e)
			}
		}
		if len(p.decls)+len(p.uses) < maxJSItems {
			i = max(i, p.statement(i))
		}
	}
}

// scope returns the innermost function and class.
func (p *jsParser) scope() (fn, class int) {
	if len(p.open) == 0 {
		return -1, -1
	}
	o := p.open[len(p.open)-1]
	return o.inFn, o.inClass
}

// declare keeps that a name has a value in the present scope.
func (p *jsParser) declare(name string, value jsExpr) {
	fn, class := p.scope()
	own := -1
	if len(p.open) > 0 && p.open[len(p.open)-1].class >= 0 { // a method or property
		own = class
	}
	if rest, ok := strings.CutPrefix(name, "this."); ok {
		name, own = rest, class
	}
	p.decls = append(p.decls, jsDecl{scope: fn, class: own, name: name, value: value})
}

// statement reads what begins at token i, and returns the last token that needs no other look.
func (p *jsParser) statement(i int) int {
	t := p.at(i)
	if t.kind != kWord || p.at(i-1).is(".") {
		return i
	}
	switch {
	case t.says("import") && !p.at(i+1).is("(") && !p.at(i+1).is("."):
		return p.importing(i)
	case t.says("export"):
		return p.exporting(i)
	case t.says("const", "let", "var"):
		p.variable(i + 1)
		return i
	case t.says("enum") && p.at(i+2).is("{"):
		p.enum(i)
		return i + 1
	case t.says("return"):
		if fn, _ := p.scope(); fn >= 0 && len(p.fns[fn].returns) < 20 {
			e, _ := p.expr(i+1, 0)
			p.fns[fn].returns = append(p.fns[fn].returns, e)
		}
		return i
	case t.says("await", "new", "async", "function", "class", "if", "for", "while", "else", "typeof", "case"):
		if !t.says("new") {
			return i
		}
	}
	if len(p.open) > 0 && p.open[len(p.open)-1].class >= 0 {
		p.property(i)
		return i
	}
	if p.at(i - 1).says("new") {
		return i
	}
	e, next := p.operand(i, 0)
	if p.at(next).is("=") {
		p.assigned(&e, next+1)
	} else if next > i+1 && p.telling(&e) {
		fn, class := p.scope()
		p.uses = append(p.uses, jsUse{scope: fn, class: class, expr: e})
	}
	return i
}

// enum reads "enum A { B = value }" as an object.
func (p *jsParser) enum(i int) {
	e := jsExpr{kind: jsObject, at: i}
	end := p.after(i+2) - 1
	for j := i + 3; j < end && len(e.list) < maxJSList; j = p.comma(j, end) + 1 {
		if p.at(j).kind == kWord && p.at(j+1).is("=") {
			v, _ := p.expr(j+2, 1)
			e.keys, e.list = append(e.keys, p.clone(p.at(j).text)), append(e.list, v)
		}
	}
	p.declare(p.clone(p.at(i+1).text), e)
}

// property reads "router: Router = Router()" of a class.
func (p *jsParser) property(i int) {
	j := i + 1
	if p.at(j).is(":") {
		for j++; j < i+maxJSBack && !p.at(j).is("=") && !p.at(j).is(";") && !p.at(j).is("(") && !p.breaks(j); j++ {
		}
	}
	if p.at(j).is("=") {
		e, _ := p.expr(j+1, 0)
		p.declare(p.clone(p.at(i).text), e)
	}
}

// breaks tells whether a type ends before token j, which begins a line: where nobody
// writes semicolons, the next property or statement.
func (p *jsParser) breaks(j int) bool {
	t, before := p.at(j), p.at(j-1)
	return t.kind == kWord && t.line > before.line &&
		(before.kind == kWord || before.is(">") || before.is("]") || before.is("}"))
}

// variable reads "name = value" and "{ a, b: c } = value" behind const, let and var.
func (p *jsParser) variable(i int) {
	j := i + 1
	if p.at(i).is("{") {
		j = p.after(i)
	}
	if p.at(j).is(":") {
		for k := j; j < k+2*maxJSBack && !p.at(j).is("=") && !p.at(j).is(";") && !p.breaks(j); j++ {
			if p.at(j).is("{") || p.at(j).is("(") {
				j = p.after(j) - 1
			}
		}
	}
	if !p.at(j).is("=") {
		return
	}
	e, _ := p.expr(j+1, 0)
	if p.at(i).kind == kWord {
		p.declare(p.clone(p.at(i).text), e)
		return
	}
	for k := i + 1; k < j-1 && p.at(i).is("{"); k++ {
		if p.at(k).kind != kWord {
			continue
		}
		from, name := p.clone(p.at(k).text), p.clone(p.at(k).text)
		if p.at(k+1).is(":") && p.at(k+2).kind == kWord {
			name = p.clone(p.at(k + 2).text)
			k += 2
		}
		value := e
		p.declare(name, jsExpr{kind: jsMember, text: from, recv: &value, at: k, line: p.at(k).line})
		k = p.comma(k, j-1)
	}
}

// assigned reads the value of an assignment: exports, this.x, names.
func (p *jsParser) assigned(to *jsExpr, i int) {
	e, next := p.expr(i, 0)
	if p.at(next).is("=") { // module.exports = exports = x
		p.assigned(&e, next+1)
		e, _ = p.expr(next+1, 0)
	}
	name := to.dotted()
	switch rest, ok := strings.CutPrefix(strings.TrimPrefix(name, "module."), "exports."); {
	case name == "module.exports" || name == "exports" || name == "exports.default" || name == "module.exports.default":
		p.exports["default"] = e
	case ok:
		p.exports[rest] = e
	case name != "" && (!strings.Contains(name, ".") || strings.HasPrefix(name, "this.")):
		p.declare(name, e)
	}
}

// telling tells whether a chain of calls may say something about routes.
func (p *jsParser) telling(e *jsExpr) bool {
	for at := e; at != nil; at = at.recv {
		if at.kind != jsCall && at.kind != jsNew {
			continue
		}
		if at.recv.kind == jsMember && (jsVerb(at.recv.text) != "" || slices.Contains(jsWords(), at.recv.text)) {
			return true
		}
		if len(at.list) > 2 && at.list[0].kind == jsText && httpMethod(at.list[0].text) != "" {
			return true
		}
		for _, a := range at.list {
			if routerWord(lastWord(&a)) || slices.ContainsFunc(a.keys, routerWord) || a.kind == jsFunc && at.recv.kind == jsMember {
				return true
			}
		}
	}
	return false
}

// jsWords returns the methods of routers that are no verbs.
func jsWords() []string {
	return []string{"use", "route", "register", "all", "any", "mount", "group", "basePath", "prefix", "setGlobalPrefix", "enableVersioning", "forEach"}
}

// lastWord returns b of a.b, and of b.
func lastWord(e *jsExpr) string {
	if e.kind == jsName || e.kind == jsMember {
		return e.text
	}
	return ""
}

// routerWord tells whether a name is one that people give to routers.
func routerWord(name string) bool {
	low := strings.ToLower(name)
	for _, end := range []string{"app", "router", "routes", "route", "server", "fastify", "api", "express", "koa", "instance"} {
		if strings.HasSuffix(low, end) {
			return true
		}
	}
	return low == "r"
}

// jsVerb returns the HTTP method a router's method registers, "" for none.
func jsVerb(name string) string {
	switch name {
	case "get", "post", "put", "patch", "delete", "head", "options":
		return strings.ToUpper(name)
	case "del":
		return "DELETE"
	}
	return ""
}
