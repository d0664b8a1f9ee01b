package endpoints

import (
	"path"
	"slices"
	"strings"
)

// csharpReader reads ASP.NET: attributes on controllers, minimal APIs with their
// groups, conventional routes, and FastEndpoints.
type csharpReader struct {
	consts  *constants
	classes []*csClass
	byName  map[string][]*csClass
	routes  []csRoute
	calls   map[string][]csGroup // by the name of the extension method: where it is called
	pattern []csPattern          // conventional routes
	hands   map[string][]csGroup // interface -> the group its classes are handed
	kebab   map[string]bool      // projects that part the words of their names
}

// csClass is a type that may be a controller.
type csClass struct {
	name, file, area string
	abstract, api    bool
	prefixes         []expr
	uses             []csUse
	ctors            []csCtor
	supers           []string
	methods          []csMethod
	end              int
}

type csMethod struct {
	name     string
	verbs    []string // of attributes without a path
	routes   []csVerb // one per attribute with a path
	uses     []csUse
	prefixes []expr // [Route("x")] beside [HttpGet]
	returns  bool   // public, and answers like an action
	line     int
}

type csVerb struct {
	verb string
	path expr
	line int
}

// csGroup is a prefix that may begin with what the caller of a method says.
type csGroup struct {
	method string // the method whose parameter it begins with, "" for none
	parts  []expr
	scope  string
}

type csRoute struct {
	group csGroup
	verbs []string
	path  expr
	file  string
	line  int
}

// csPattern is a conventional route.
type csPattern struct{ file, text string }

func newCSharp() reader {
	return &csharpReader{consts: newConstants(), byName: map[string][]*csClass{}, calls: map[string][]csGroup{}, hands: map[string][]csGroup{}, kebab: map[string]bool{}}
}

func (r *csharpReader) wants(file string) bool {
	if path.Ext(file) != ".cs" || strings.HasSuffix(file, ".g.cs") || strings.HasSuffix(file, ".Designer.cs") {
		return false
	}
	stem := strings.TrimSuffix(path.Base(file), ".cs")
	if strings.HasSuffix(stem, "Tests") || strings.HasSuffix(stem, "Test") {
		return false
	}
	for part := range strings.SplitSeq(path.Dir(file), "/") {
		if p := strings.ToLower(part); strings.HasSuffix(p, "tests") || strings.HasSuffix(p, ".test") || p == "obj" || p == "bin" {
			return false
		}
	}
	return true
}

// csScan walks the tokens of one file.
type csScan struct {
	*source
	r       *csharpReader
	open    []*csClass
	pending []csMark
	vars    map[string]csGroup
	method  string // the method around the present place
	param   string // and its first parameter

	builders     []string // all that routes are added to
	grouped      []csGroup
	mentions     []string
	returnsGroup bool
	statics      []string // whose names are imported
}

// csMark is an attribute.
type csMark struct {
	name string
	args int // index of its opening bracket, 0 without
	line int
}

func (r *csharpReader) read(file string, data []byte) {
	c := &csScan{source: tokenise("csharp", file, data), r: r, vars: map[string]csGroup{}}
	for i := 0; i < len(c.toks); i++ {
		i = c.step(i)
	}
	c.finish()
}

func (c *csScan) top() *csClass {
	if len(c.open) == 0 {
		return nil
	}
	return c.open[len(c.open)-1]
}

func (c *csScan) scope() string {
	if t := c.top(); t != nil {
		return t.name
	}
	return path.Base(c.path)
}

// step looks at the token at i and returns the last one it took.
func (c *csScan) step(i int) int {
	for len(c.open) > 0 && i >= c.top().end {
		c.open = c.open[:len(c.open)-1]
	}
	t := c.toks[i]
	switch {
	case t.is("[") && c.begins(i):
		return c.marks(i)
	case t.says("class", "record", "struct", "interface") && c.at(i+1).kind == kWord && !c.at(i-1).is(":") && !c.at(i-1).is(","):
		return c.class(i)
	case t.kind == kWord && c.at(i+1).is("=") && c.at(i-1).says("string", "String", "var"):
		c.r.consts.read(c.source, i, t.text, c.scope())
		c.assign(i)
		c.pending = nil
	case t.kind == kWord && c.at(i+1).is("=") && c.at(i-1).kind == kWord:
		c.assign(i)
	case t.kind == kWord && c.at(i+1).is("(") && c.declares(i):
		c.declare(i)
	case t.kind == kWord && c.at(i+1).is("<") && c.declares(i) && c.generic(i) > 0:
		c.declare(i)
	case t.says("using") && c.at(i+1).says("static"):
		c.static(i)
	case t.kind == kWord && (strings.HasPrefix(t.text, "Map") || strings.HasPrefix(t.text, "Use")) && c.at(i-1).is("."):
		c.mapped(i)
	case t.kind == kWord && c.at(i+1).is("(") && c.top() != nil && c.top().fast() && !c.at(i-1).is("."):
		c.fastEndpoint(i)
	case t.kind == kWord && c.at(i-1).is(".") && c.at(i+1).is("(") && c.handed(i):
		c.handOn(i, i+1)
	case t.says("RouteTokenTransformerConvention"):
		c.r.kebab[csProject(c.path)] = true
	case t.kind == kWord:
		c.mention(t.text)
	case t.is(";"), t.is("}"):
		c.pending = nil
	}
	return i
}

// static reads "using static A.B;".
func (c *csScan) static(i int) {
	for i += 2; c.at(i+1).is(".") && c.at(i+2).kind == kWord; {
		i += 2
	}
	if len(c.statics) < 16 {
		c.statics = append(c.statics, strings.Clone(c.at(i).text))
	}
}

// begins tells whether a square bracket opens attributes, not an index or a list.
func (c *csScan) begins(i int) bool {
	before := c.at(i - 1)
	return c.at(i+1).kind == kWord && (i == 0 || before.is("{") || before.is("}") || before.is(";") || before.is("]"))
}

// generic returns the index of the bracket after "name<T>", 0 when there is none.
func (c *csScan) generic(i int) int {
	depth := 0
	for k := i + 1; k < len(c.toks) && k < i+24; k++ {
		switch t := c.toks[k]; {
		case t.is("<"):
			depth++
		case t.is(">"):
			if depth--; depth == 0 {
				if c.at(k + 1).is("(") {
					return k + 1
				}
				return 0
			}
		case t.is("("), t.is(";"), t.is("{"):
			return 0
		}
	}
	return 0
}

// marks reads [A, B("x")].
func (c *csScan) marks(i int) int {
	end := min(c.toks[i].mate, len(c.toks)-1)
	for _, a := range c.args(i) {
		m := csMark{name: c.at(a[0]).text, line: c.at(a[0]).line}
		k := a[0]
		for c.at(k+1).is(".") && c.at(k+2).kind == kWord {
			k += 2
			m.name = c.at(k).text
		}
		m.name = strings.TrimSuffix(m.name, "Attribute")
		if c.at(k + 1).is("(") {
			m.args = k + 1
		}
		if len(c.pending) < 64 {
			c.pending = append(c.pending, m)
		}
	}
	return end
}

// class reads the head of a type.
func (c *csScan) class(i int) int {
	one := &csClass{name: strings.Clone(c.at(i + 1).text), file: c.path}
	for k := i - 1; k > i-6 && c.at(k).kind == kWord; k-- {
		one.abstract = one.abstract || c.at(k).says("abstract")
	}
	one.abstract = one.abstract || c.at(i).says("interface")
	marks := c.pending
	c.pending = nil
	body, supers := 0, false
	for k := i + 2; k < len(c.toks) && k < i+400; k++ {
		t := c.toks[k]
		if t.is("{") {
			body = k
			break
		}
		if t.is(";") || t.is("}") || t.is("=") {
			break
		}
		switch {
		case t.is("("):
			if !supers {
				one.ctors = []csCtor{{params: c.params(k)}}
			} else if len(one.ctors) == 1 && len(one.supers) == 1 {
				one.ctors[0].base = c.exprs(k)
			}
			k = min(t.mate, len(c.toks))
		case t.is(":"):
			supers = true
		case t.says("where"):
			supers = false
		case t.kind == kWord && supers && len(one.supers) < 32:
			one.supers = append(one.supers, strings.Clone(t.text))
		}
	}
	c.describe(one, marks)
	if body == 0 {
		return i + 1
	}
	for _, from := range slices.Concat(c.statics, one.supers) {
		c.r.consts.borrow(one.name, from)
	}
	one.end = c.toks[body].mate
	if len(c.r.classes) < maxClasses {
		c.r.classes = append(c.r.classes, one)
		c.r.byName[one.name] = append(c.r.byName[one.name], one)
	}
	c.open = append(c.open, one)
	return body
}

// describe puts the attributes of a type into its description.
func (c *csScan) describe(one *csClass, marks []csMark) {
	for _, m := range marks {
		switch m.name {
		case "Route", "RoutePrefix":
			if e := c.path1(m); e != nil {
				one.prefixes = append(one.prefixes, e)
			}
		case "ApiController", "Controller":
			one.api = true
		case "Area":
			if e := c.path1(m); len(e) == 1 {
				one.area = e[0].text
			}
		default:
			if len(one.uses) < 16 {
				one.uses = append(one.uses, c.use(m))
			}
		}
	}
}

// path1 returns the path among an attribute's arguments, nil when there is none.
func (c *csScan) path1(m csMark) expr {
	if m.args == 0 {
		return nil
	}
	for n, a := range c.args(m.args) {
		from := a[0]
		named := c.at(from).kind == kWord && (c.at(from+1).is("=") || c.at(from+1).is(":"))
		if named && !c.at(from).says("template", "Template") || n > 0 && !named {
			continue
		}
		if named {
			from += 2
		}
		if e, ok := c.expr(from, a[1]); ok {
			return e
		}
		return expr{{text: "?", ref: true}} // there is one, and nobody knows it
	}
	return nil
}
