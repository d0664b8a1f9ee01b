package endpoints

import (
	"path"
	"slices"
	"strings"
)

// javaReader reads Spring (annotations, router functions, Kotlin), JAX-RS and
// Micronaut. Classes meet their constants, base classes and interfaces at the end.
type javaReader struct {
	consts  *constants
	classes []*javaClass
	byName  map[string][]*javaClass
	routes  []javaRoute
	props   map[string]map[string]string // by the folder of the module
	global  []javaPrefix
	rest    map[string]expr // folder -> @ApplicationPath
}

// javaClass is a type that may carry routes.
type javaClass struct {
	name, file, pkg string
	abstract, iface bool
	annotation      bool
	client          bool     // its methods are calls, not routes
	controller      string   // the framework that serves it, "" when nothing says so
	marks           []string // its annotations
	prefixes        []expr
	prefixed        bool
	verbs           []string // of an annotation that stands for a mapping
	supers          []string
	methods         []javaMethod
	end             int // index of the token that ends it
}

type javaMethod struct {
	verbs     []string
	paths     []expr
	framework string
	line      int
	mark      string // the application's own annotation that may say the rest
}

// javaRoute is a route of a router function.
type javaRoute struct {
	verb   string
	prefix []expr
	path   expr
	owner  string
	file   string
	line   int
}

// javaPrefix is what configurePathMatch puts before controllers.
type javaPrefix struct {
	path     expr
	owner    string
	packages []expr
	file     string
}

// maxClasses bounds the types and the free routes kept of one repository.
const maxClasses = 20_000

func newJava() reader {
	return &javaReader{
		consts: newConstants(), byName: map[string][]*javaClass{},
		props: map[string]map[string]string{}, rest: map[string]expr{},
	}
}

func (r *javaReader) wants(file string) bool {
	switch path.Ext(file) {
	case ".java", ".kt":
		return !javaTest(file)
	case ".properties", ".yml", ".yaml":
		base := path.Base(file)
		return strings.TrimSuffix(base, path.Ext(base)) == "application" && !javaTest(file)
	}
	return false
}

// javaTest tells what the shared rules cannot: FooTest.java, FooIT.kt, src/integrationTest.
func javaTest(file string) bool {
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	if strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") || strings.HasSuffix(stem, "IT") {
		return true
	}
	for part := range strings.SplitSeq(path.Dir(file), "/") {
		if strings.HasSuffix(part, "Test") || strings.HasPrefix(part, "test-") || strings.HasSuffix(part, "-test") || strings.HasSuffix(part, "-tests") {
			return true
		}
	}
	return false
}

func (r *javaReader) read(file string, data []byte) {
	switch path.Ext(file) {
	case ".java":
		r.scan(tokenise("java", file, data), data)
	case ".kt":
		r.scan(tokenise("kotlin", file, data), data)
	default:
		r.properties(file, string(data))
	}
}

// javaScan walks the tokens of one file.
type javaScan struct {
	*source
	r       *javaReader
	open    []*javaClass
	pending []javaMark
	pkg     string
	statics []string // whose names are imported
}

// javaMark is an annotation: its name and the index of its opening bracket, 0 without.
type javaMark struct {
	name string
	args int
	line int
}

func (r *javaReader) scan(s *source, data []byte) {
	j := &javaScan{source: s, r: r}
	for i := 0; i < len(j.toks); i++ {
		i = j.step(i)
	}
	if has := string(data); strings.Contains(has, "RouterFunction") || s.lang == "kotlin" && (strings.Contains(has, "outer {") || strings.Contains(has, "router{")) {
		j.functions()
	}
}

// top returns the class around the present place, nil outside of all.
func (j *javaScan) top() *javaClass {
	if len(j.open) == 0 {
		return nil
	}
	return j.open[len(j.open)-1]
}

func (j *javaScan) owner() string {
	if c := j.top(); c != nil {
		return c.name
	}
	return path.Base(j.path)
}

// step looks at the token at i and returns the last one it took.
func (j *javaScan) step(i int) int {
	for len(j.open) > 0 && i >= j.top().end {
		j.open = j.open[:len(j.open)-1]
	}
	t := j.toks[i]
	switch {
	case t.is("@") && !j.at(i+1).says("interface"):
		return j.mark(i)
	case t.says("package") && i < 40 && j.pkg == "":
		for i++; j.at(i).kind == kWord || j.at(i).is("."); i++ {
			if j.at(i).kind == kWord && j.at(i).line != t.line {
				break
			}
			j.pkg += j.at(i).text
		}
		j.pkg = strings.Clone(j.pkg)
		return i - 1
	case t.says("import") && len(j.open) == 0:
		return j.imported(i)
	case t.says("class", "interface", "object", "record", "enum") && j.at(i+1).kind == kWord && !j.at(i-1).is(".") && !j.at(i-1).is("::"):
		return j.class(i)
	case t.kind == kWord && j.at(i+1).is("=") && j.constant(i) != "":
		j.r.consts.read(j.source, i, j.constant(i), j.owner())
		j.pending = nil
	case t.says("addPathPrefix") && j.at(i+1).is("("):
		j.prefix(i + 1)
	case t.is("(") && len(j.pending) > 0 && j.top() != nil && j.at(i-1).kind == kWord:
		j.method()
		j.pending = nil
		return min(t.mate, len(j.toks)) - 1
	case t.is(";"), t.is("{"), t.is("}"), t.is("="):
		j.pending = nil
	}
	return i
}

// constant returns the name of the string that is declared at i, before its "=".
func (j *javaScan) constant(i int) string {
	switch before := j.at(i - 1); {
	case before.says("String", "val", "var"):
		return j.at(i).text
	case j.at(i).says("String") && before.is(":") && j.at(i-2).kind == kWord: // val NAME: String =
		return j.at(i - 2).text
	}
	return ""
}

// imported notes whose constants a file takes over: import static a.Paths.ORDERS.
func (j *javaScan) imported(i int) int {
	line := j.toks[i].line
	static := j.at(i + 1).says("static")
	var names []string
	for k := i + 1; k < len(j.toks) && j.toks[k].line == line && !j.toks[k].is(";") && len(names) < 32; k++ {
		if t := j.toks[k]; t.kind == kWord || t.is("*") {
			names = append(names, t.text)
		}
		i = k
	}
	if n := len(names); n > 2 && len(j.statics) < 16 {
		owner := names[n-2]
		if owner == "Companion" {
			owner = names[n-3]
		}
		if static || j.lang == "kotlin" && owner[0] >= 'A' && owner[0] <= 'Z' {
			j.statics = append(j.statics, strings.Clone(owner))
		}
	}
	return i
}

// mark reads an annotation.
func (j *javaScan) mark(i int) int {
	m := javaMark{line: j.toks[i].line}
	i++
	if j.at(i).kind == kWord && j.at(i+1).is(":") && j.at(i+2).kind == kWord { // @get:Name
		i += 2
	}
	for j.at(i).kind == kWord {
		m.name = j.at(i).text
		if !j.at(i + 1).is(".") {
			break
		}
		i += 2
	}
	if j.at(i + 1).is("(") {
		m.args = i + 1
		i = min(j.toks[i+1].mate, len(j.toks)-1)
	}
	if len(j.pending) < 64 {
		j.pending = append(j.pending, m)
	}
	return i
}

// class reads the head of a type.
func (j *javaScan) class(i int) int {
	c := &javaClass{name: strings.Clone(j.at(i + 1).text), file: j.path, pkg: j.pkg, iface: j.at(i).says("interface")}
	c.annotation = j.at(i-1).is("@") || j.at(i-1).says("annotation")
	for k := i - 1; k > i-6 && j.at(k).kind == kWord; k-- {
		c.abstract = c.abstract || j.at(k).says("abstract", "sealed")
	}
	marks := j.pending
	j.pending = nil
	body, head := 0, i+2
	supers := j.lang == "java"
	for k := head; k < len(j.toks) && k < head+400; k++ {
		t := j.toks[k]
		if t.is("{") {
			body = k
			break
		}
		if t.is(";") || t.is("}") || t.is("=") || t.says("fun", "class", "val", "var", "interface", "object", "import") && !j.at(k-1).is(".") {
			break
		}
		switch {
		case t.is("("):
			k = min(t.mate, len(j.toks))
		case t.is(":") || t.says("extends", "implements"):
			supers = true
			head = k
		case t.kind == kWord && supers && k > head && !t.says("by") && len(c.supers) < 64:
			c.supers = append(c.supers, strings.Clone(t.text))
		}
	}
	for _, from := range slices.Concat(j.statics, c.supers) {
		j.r.consts.borrow(c.name, from)
	}
	if len(j.r.classes) < maxClasses {
		j.describe(c, marks)
		j.r.classes = append(j.r.classes, c)
		j.r.byName[c.name] = append(j.r.byName[c.name], c)
	}
	if body == 0 {
		return i + 1
	}
	c.end = j.toks[body].mate
	j.open = append(j.open, c)
	return body
}
