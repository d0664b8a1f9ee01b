package endpoints

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

const (
	maxJSSteps  = 3_000_000 // expressions looked at in one repository
	maxJSChain  = 60        // names resolved one after another
	maxJSRoutes = 20_000
	maxJSCuts   = 20_000
	maxJSBoots  = 50 // applications in one repository
)

// jsCtx is where an expression stands.
type jsCtx struct {
	file         *jsParsed
	scope, class int
	bound        map[string]jsVal // what a loop's name stands for
}

// jsVal is what is known of an expression.
type jsVal struct {
	key   string // a router
	str   string
	known bool    // str is meant
	expr  *jsExpr // an array, an object or a function, in its place:
	in    jsCtx
	inst  int // the class it is an instance of, plus one
	proto int // the class it is, plus one
}

// jsRouter is a router of the graph.
type jsRouter struct {
	kind string // the framework, "" for one that is only named like a router
	own  string // its own prefix
	up   []jsUp
	name string
	used bool // a router was passed to it
}

type jsUp struct{ parent, prefix string }

type jsRoute struct {
	key, method, path, file string
	line                    int
}

// jsLink puts the files of a repository together.
type jsLink struct {
	r       *jsReader
	routers map[string]*jsRouter
	routes  []jsRoute
	memo    map[string]jsVal
	vals    map[*jsExpr]jsVal
	inLoop  map[*jsExpr]jsVal // the same, for one round of a loop
	busy    map[string]bool
	known   map[string][]string
	modules map[string]jsImport // of names, by "name|file"
	steps   int
	depth   int
	cuts    int // questions left open, as they were being answered or too deep
	global  []jsGlobal
	boots   []string // files that start an application of NestJS
}

// jsGlobal is what app.setGlobalPrefix and app.enableVersioning say, in a folder.
type jsGlobal struct {
	file, prefix, version string
	mark                  string // what stands before a version: "v"
	versioned             bool
	exclude               []string
}

func newJSLink(r *jsReader) *jsLink {
	return &jsLink{
		r: r, routers: map[string]*jsRouter{}, memo: map[string]jsVal{}, vals: map[*jsExpr]jsVal{}, inLoop: map[*jsExpr]jsVal{}, busy: map[string]bool{}, known: map[string][]string{},
		modules: map[string]jsImport{},
	}
}

// router returns the router of a key, making it.
func (l *jsLink) router(key, kind, name string) *jsRouter {
	if n := l.routers[key]; n != nil {
		return n
	}
	n := &jsRouter{kind: kind, name: name}
	l.routers[key] = n
	return n
}

// hang says that child lies below parent.
func (l *jsLink) hang(child, parent, prefix string) {
	n := l.routers[child]
	if n == nil || child == parent || len(n.up) >= maxGoPrefixes {
		return
	}
	n.used = true
	if !slices.Contains(n.up, jsUp{parent, prefix}) {
		n.up = append(n.up, jsUp{parent, prefix})
	}
}

// prefixes returns the prefixes of a router.
func (l *jsLink) prefixes(key string, depth int, on map[string]bool) []string {
	if known, ok := l.known[key]; ok {
		return known
	}
	n := l.routers[key]
	if n == nil || depth > maxGoDepth || on[key] {
		return []string{""}
	}
	on[key] = true
	var all []string
	for _, e := range n.up {
		if on[e.parent] {
			continue
		}
		for _, p := range l.prefixes(e.parent, depth+1, on) {
			p = join(join(p, e.prefix), n.own)
			if !slices.Contains(all, p) && len(all) < maxGoPrefixes && len(p) <= maxPath {
				all = append(all, p)
			}
		}
	}
	delete(on, key)
	if len(all) == 0 {
		all = []string{n.own}
	}
	l.known[key] = all
	return all
}

func (l *jsLink) found() []Found {
	l.loops()
	for _, name := range l.r.order {
		f := l.r.files[name]
		if f.boots && len(l.boots) < maxJSBoots {
			l.boots = append(l.boots, name)
		}
		for i := range f.uses {
			u := &f.uses[i]
			l.use(&u.expr, jsCtx{file: f, scope: u.scope, class: u.class})
		}
		for i := range f.decls { // new Hono().get("/x", f)
			d := &f.decls[i]
			if d.value.kind == jsCall && d.value.recv.kind == jsMember {
				l.use(&d.value, jsCtx{file: f, scope: d.scope, class: d.class})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(f.exports)) {
			e := f.exports[name]
			if e.kind == jsCall && e.recv.kind == jsMember {
				l.use(&e, jsCtx{file: f, scope: -1, class: -1})
			}
		}
	}
	var all []Found
	for _, r := range l.routes {
		n := l.routers[r.key]
		if n == nil || n.kind == "" && !n.used && !strictRouter(n.name) {
			continue
		}
		for _, prefix := range l.prefixes(r.key, 0, map[string]bool{}) {
			all = append(all, Found{
				Method: r.method, Path: normalise(dropHead(join(prefix, r.path))), Framework: l.framework(r.key, 0), File: r.file, Line: r.line,
			})
			if len(all) > maxJSRoutes {
				return all
			}
		}
	}
	return all
}

// framework returns the kind of a router, or of those it hangs in.
func (l *jsLink) framework(key string, depth int) string {
	n := l.routers[key]
	if n == nil || depth > maxGoDepth {
		return "express"
	}
	if n.kind != "" {
		return n.kind
	}
	for _, e := range n.up {
		return l.framework(e.parent, depth+1)
	}
	if n.name == "fastify" {
		return "fastify"
	}
	return "express"
}

// strictRouter tells whether a name alone makes a router of a variable.
func strictRouter(name string) bool {
	switch low := strings.ToLower(name); low {
	case "app", "server", "fastify", "route", "routes", "express", "instance":
		return true
	default:
		return strings.HasSuffix(low, "router") || strings.HasSuffix(name, "App")
	}
}

// dropHead leaves out an expression that a path begins with: a base that is configured.
func dropHead(path string) string {
	trimmed := strings.TrimLeft(path, "/")
	if strings.HasPrefix(trimmed, "${") {
		n := 1 + closing(trimmed[1:], '{', '}')
		if rest := trimmed[n:]; rest == "" || rest[0] == '/' {
			return rest
		}
	}
	return path
}

func (l *jsLink) bump() bool {
	l.steps++
	if l.depth >= maxJSChain {
		l.cuts++
		return false
	}
	return l.steps < maxJSSteps
}

// keeps tells whether a value may be kept for the next time it is asked for: not when
// nothing was found because the question came up while it was being answered.
func (l *jsLink) keeps(v jsVal, cuts int) bool {
	return !v.empty() || l.cuts == cuts || l.cuts > maxJSCuts
}

func jsKey(kind string, f *jsParsed, parts ...int) string {
	var b strings.Builder
	b.WriteString(kind)
	b.WriteByte('|')
	b.WriteString(f.path)
	for _, p := range parts {
		b.WriteByte('|')
		b.WriteString(strconv.Itoa(p))
	}
	return b.String()
}
