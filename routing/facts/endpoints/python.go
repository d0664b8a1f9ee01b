package endpoints

import (
	"path"
	"strings"
)

// pythonReader reads FastAPI, Flask (with its REST extensions) and Django (with
// REST framework). Routers, blueprints and lists of patterns are noted by file
// and name, and what mounts what is followed at the end, by the files' imports.
type pythonReader struct {
	consts  *constants
	files   map[string]*pyFile
	byLast  map[string][]*pyFile // by the last name of the module
	nodes   map[pyKey]*pyNode
	order   []pyKey // of nodes, as they were met
	mounts  []pyMount
	classes map[pyKey]*pyClass
	lists   map[pyKey]*pyList
	funcs   map[pyKey][]string // the methods that a function's decorators name
	makers  map[pyKey]string   // function -> the name of the blueprint it returns
	made    map[pyKey]pyRef    // name -> the function that was called for it
	listed  []pyKey
	roots   []string // ROOT_URLCONF
	steps   int
}

// pyKey names what a file defines.
type pyKey struct{ file, name string }

// pyFile is a module: its dotted name and what its names mean.
type pyFile struct {
	path, dotted string
	imports      map[string]string // name -> dotted
	stars        []string
}

// pyRef is a name as it stands in a file.
type pyRef struct{ file, name string }

// pyNode is an application, a router, a blueprint, a namespace.
type pyNode struct {
	kind    string // "fastapi", "flask", "restx", "drf"
	file    string
	scope   string
	prefix  expr
	routes  []pyRoute
	parents []pyParent
	known   []string // the prefixes, once they are worked out
	state   int      // 0 untouched, 1 being worked out, 2 done
	made    bool     // a router or a blueprint, not an application
	nested  pyRef    // of a nested router of REST framework: the one above
	lookup  string   // and the name of its parameter
}

type pyParent struct {
	node   *pyNode
	prefix string
	given  bool
}

type pyRoute struct {
	path  expr
	verbs []string // nil: ask the class
	class pyRef
	line  int
}

// pyMount says that a child is served below a parent.
type pyMount struct {
	parent, child pyRef
	prefix        expr
	given         bool
	scope         string
}

// pyClass is what a class tells of the requests it serves.
type pyClass struct {
	file, name string
	bases      []pyRef
	methods    map[string]bool
	actions    []pyAction
	only       []string // http_method_names
	lookup     string
}

// pyAction is an extra route of a view set.
type pyAction struct {
	name, path string
	detail     bool
	verbs      []string
	line       int
}

const (
	maxPyNodes = 20_000
	maxPySteps = 200_000
)

func newPython() reader {
	return &pythonReader{
		consts: newConstants(), files: map[string]*pyFile{}, byLast: map[string][]*pyFile{},
		nodes: map[pyKey]*pyNode{}, classes: map[pyKey]*pyClass{}, lists: map[pyKey]*pyList{},
		funcs: map[pyKey][]string{}, makers: map[pyKey]string{}, made: map[pyKey]pyRef{},
	}
}

func (r *pythonReader) wants(file string) bool {
	base := path.Base(file)
	return path.Ext(base) == ".py" && !strings.HasPrefix(base, "test_") && base != "conftest.py" && base != "tests.py" &&
		!strings.Contains(file, "/migrations/") && !strings.Contains(file, "site-packages/")
}

// pyScan walks the lines of one file.
type pyScan struct {
	*source
	r       *pythonReader
	f       *pyFile
	marks   []int // the decorators that wait for their function: index of the @
	classes []*pyOpen
	loops   map[string][]string
	flask   bool              // the file speaks of a web framework
	within  string            // the function at the margin around the present line
	locals  map[string]string // its blueprints: name -> name in the reader's books
}

type pyOpen struct {
	class *pyClass
	col   int
	body  int // column of its first line, -1 before
}

func (r *pythonReader) read(file string, data []byte) {
	if len(r.files) > maxClasses {
		return
	}
	dotted := strings.ReplaceAll(strings.TrimSuffix(file, ".py"), "/", ".")
	f := &pyFile{path: file, dotted: strings.TrimSuffix(dotted, ".__init__"), imports: map[string]string{}}
	r.files[file] = f
	last := f.dotted[strings.LastIndexByte(f.dotted, '.')+1:]
	r.byLast[last] = append(r.byLast[last], f)
	p := &pyScan{source: tokenise("python", file, data), r: r, f: f, loops: map[string][]string{}, locals: map[string]string{}}
	whole := string(data)
	for _, w := range []string{"fastapi", "flask", "Blueprint", "APIRouter", "quart", "sanic"} {
		p.flask = p.flask || strings.Contains(whole, w)
	}
	for from := 0; from < len(p.toks); {
		to := from
		for to < len(p.toks) && p.toks[to].kind != kLine {
			if m := p.toks[to].mate; m > to {
				to = m
				continue
			}
			to++
		}
		to = min(to, len(p.toks))
		if to > from {
			p.line(from, to)
		}
		from = to + 1
	}
}

// line reads one logical line.
func (p *pyScan) line(from, to int) {
	t := p.toks[from]
	p.close(t)
	if t.col == 0 && p.within != "" && !t.is(")") {
		p.within = ""
		clear(p.locals)
	}
	switch {
	case t.is("@"):
		if len(p.marks) < 32 {
			p.marks = append(p.marks, from)
		}
		return
	case t.says("from", "import"):
		p.imports(from, to)
	case t.says("class"):
		p.class(from)
	case t.says("def"), t.says("async") && p.at(from+1).says("def"):
		p.def(from)
	case t.says("return") && p.within != "":
		p.returns(from, to)
	case t.says("for"):
		p.loop(from, to)
	case t.kind == kWord:
		p.assign(from, to)
	}
	p.marks = nil
	p.calls(from, to)
}

// close ends the classes that the line at t is no longer in.
func (p *pyScan) close(t tok) {
	for len(p.classes) > 0 && t.col <= p.classes[len(p.classes)-1].col {
		p.classes = p.classes[:len(p.classes)-1]
	}
	if n := len(p.classes); n > 0 && p.classes[n-1].body < 0 {
		p.classes[n-1].body = t.col
	}
}

// top returns the class whose body a column stands in directly, or nil.
func (p *pyScan) top(col int) *pyClass {
	if n := len(p.classes); n > 0 && p.classes[n-1].body == col {
		return p.classes[n-1].class
	}
	return nil
}

// scope names the owner of constants: the class, or the module.
func (p *pyScan) scope() string {
	if n := len(p.classes); n > 0 {
		return p.classes[n-1].class.name
	}
	return p.f.dotted[strings.LastIndexByte(p.f.dotted, '.')+1:]
}

// dotted reads a dotted name at i and returns it with the index after it.
func (p *pyScan) dotted(i int) (string, int) {
	if p.at(i).kind != kWord {
		return "", i
	}
	name := p.at(i).text
	for i++; p.at(i).is(".") && p.at(i+1).kind == kWord; i += 2 {
		if len(name) <= maxText {
			name += "." + p.at(i+1).text
		}
	}
	return strings.Clone(name), i
}

// imports reads "import a.b as c" and "from .a import b as c, d".
func (p *pyScan) imports(from, to int) {
	if p.at(from).says("import") {
		for _, a := range p.split(from+1, to) {
			name, next := p.dotted(a[0])
			if p.at(next).says("as") && next+1 < a[1] {
				p.f.imports[strings.Clone(p.at(next+1).text)] = name
			} else if head, _, more := strings.Cut(name, "."); !more {
				p.f.imports[head] = name
			} else {
				p.f.imports[head] = head
			}
		}
		return
	}
	i, up := from+1, 0
	for p.at(i).is(".") {
		up++
		i++
	}
	base, i := "", i
	if !p.at(i).says("import") {
		base, i = p.dotted(i)
	}
	if up > 0 {
		base = p.above(up, base)
	}
	if !p.at(i).says("import") {
		return
	}
	i++
	if p.at(i).is("*") {
		p.f.stars = append(p.f.stars, base)
		return
	}
	if p.at(i).is("(") {
		i, to = i+1, min(p.at(i).mate, to)
	}
	for _, a := range p.split(i, to) {
		name := p.at(a[0]).text
		as := name
		if p.at(a[0] + 1).says("as") {
			as = p.at(a[0] + 2).text
		}
		if name == strings.ToUpper(name) && as == name { // a constant
			p.r.consts.borrow(p.scope(), base[strings.LastIndexByte(base, '.')+1:])
		}
		p.f.imports[strings.Clone(as)] = strings.TrimPrefix(base+"."+strings.Clone(name), ".")
	}
}

// above resolves a relative import: up counts its dots.
func (p *pyScan) above(up int, base string) string {
	pkg := strings.ReplaceAll(path.Dir(p.path), "/", ".")
	for range up - 1 {
		i := strings.LastIndexByte(pkg, '.')
		pkg = pkg[:max(i, 0)]
	}
	if pkg == "." {
		pkg = ""
	}
	return strings.Trim(pkg+"."+base, ".")
}

// loop notes "for x in [a, b]:".
func (p *pyScan) loop(from, to int) {
	if p.at(from+1).kind != kWord || !p.at(from+2).says("in") {
		return
	}
	name := strings.Clone(p.at(from + 1).text)
	if t := p.at(from + 3); t.is("[") || t.is("(") {
		p.loops[name] = p.names(from + 3)
	} else if all, ok := p.loops["="+t.text]; ok && to > from {
		p.loops[name] = all
	} else {
		delete(p.loops, name)
	}
}

// names reads the dotted names of a list.
func (p *pyScan) names(open int) []string {
	var all []string
	for _, a := range p.args(open) {
		if name, next := p.dotted(a[0]); name != "" && next == a[1] && len(all) < 200 {
			all = append(all, name)
		}
	}
	return all
}

// refs returns what a name may stand for: itself, or each turn of its loop.
func (p *pyScan) refs(name string) []pyRef {
	head, tail, more := strings.Cut(name, ".")
	all, ok := p.loops[head]
	if !ok {
		return []pyRef{p.ref(name)}
	}
	out := make([]pyRef, 0, len(all))
	for _, one := range all {
		if more {
			one += "." + tail
		}
		out = append(out, p.ref(one))
	}
	return out
}

// ref notes a name with what it means at this place: imports inside functions
// reuse names.
func (p *pyScan) ref(name string) pyRef {
	head, tail, more := strings.Cut(name, ".")
	if to, ok := p.f.imports[head]; ok {
		if more {
			to += "." + tail
		}
		return pyRef{name: to, file: p.path}
	}
	if local, ok := p.locals[head]; ok && !more {
		name = local
	}
	return pyRef{file: p.path, name: "." + name} // a leading dot: the file's own
}
