package endpoints

import (
	"path"
	"strings"
)

// rbPlace is where a statement stands: the path before it, the resource around it.
type rbPlace struct {
	path    string // before what is declared here
	base    string // of the namespaces alone: where shallow resources begin
	member  string // of the resource around, "" outside of one
	whole   string // the path of its collection
	within  string // "member", "collection", "nested", "" outside of a resource
	shallow bool
	limits  rbLimits
	options string // what a concern calls the options it is handed
	handed  rbLimits
	with    string // the name that with_options gives its block
	vars    map[string]string
}

// rails works through the routes of one application.
type rails struct {
	r        *rubyReader
	s        *source
	root     string
	plain    bool
	concerns map[string]rbBlock
	lists    map[*source]map[string]int // constants, by the file that gives them
	defs     map[string]rbBlock
	out      []Found
	steps    *int
}

// rbBlock is a block to be worked through later.
type rbBlock struct {
	s        *source
	from, to int
	turn     string // the name of the options it is handed
}

func (r *rubyReader) rails(out []Found) []Found {
	steps := 0
	for _, pass := range []bool{false, true} { // mounts are known after the first
		for _, file := range sortedKeys(r.routes) {
			if !strings.HasSuffix("/"+file, "/config/routes.rb") {
				continue
			}
			w := &rails{
				r: r, s: r.routes[file], root: rbApp(file), plain: r.plain[rbApp(file)],
				concerns: map[string]rbBlock{}, defs: map[string]rbBlock{}, steps: &steps,
				lists: map[*source]map[string]int{},
			}
			at := r.mounts[w.drawn()]
			w.run(0, len(w.s.toks), rbPlace{path: at, base: at}, maxDepth)
			if pass {
				out = append(out, w.out...)
			}
		}
	}
	return out
}

// drawn returns the name of the engine whose routes the file draws, "" for the
// application's own.
func (w *rails) drawn() string {
	for i := 3; i < len(w.s.toks) && i < 200; i++ {
		if !w.s.toks[i].says("draw") || !w.s.at(i-2).says("routes") {
			continue
		}
		from := i - 3
		for from > 0 && (w.s.at(from-1).kind == kWord || w.s.at(from-1).is("::")) {
			from--
		}
		if name := w.engine([2]int{from, i - 3}); strings.HasSuffix(name, "Engine") {
			return name
		}
	}
	return ""
}

// run works through a range of statements.
func (w *rails) run(from, to int, p rbPlace, depth int) {
	for i := from; i < to && depth > 0; {
		if *w.steps++; *w.steps > maxStatements || len(w.out) > maxFound {
			return
		}
		t := w.s.toks[i]
		if t.kind == kLine || t.is(";") || t.says("else", "end", "then") {
			i++
			continue
		}
		c := statement(w.s, i, to)
		if t.kind == kWord && t.mate > i && t.text != "do" {
			w.control(t, i, min(t.mate, to), p, depth)
			i = min(t.mate, to) + 1
			continue
		}
		w.call(c, p, depth)
		i = c.next
	}
}

// control works through what stands in if, module and their like.
func (w *rails) control(t tok, i, end int, p rbPlace, depth int) {
	body := i + 1
	for body < end && w.s.at(body).kind != kLine {
		body++
	}
	switch t.text {
	case "def":
		w.defs[w.s.at(i+1).text] = rbBlock{s: w.s, from: body, to: end}
	case "class":
	default:
		w.run(body, end, p, depth-1)
	}
}

// call works through one statement.
func (w *rails) call(c rbCall, p rbPlace, depth int) {
	switch c.name {
	case "get", "post", "put", "patch", "delete", "options", "match":
		w.verb(c, p)
	case "root":
		w.emit("GET", p.path, c)
	case "resources", "resource":
		w.resources(c, p, depth)
	case "with_options":
		p.limits, p.with = w.limits(c, p), c.turn
		w.block(c, p, depth)
	case "namespace":
		p.limits = w.limits(c, p)
		w.namespace(c, p, depth)
	case "scope":
		p.limits = w.limits(c, p)
		w.scope(c, p, depth)
	case "member":
		p.path, p.within = p.member, "member"
		w.block(c, p, depth)
	case "collection":
		p.path, p.within = p.whole, "collection"
		w.block(c, p, depth)
	case "new":
		p.path, p.within = join(p.whole, "new"), "collection"
		w.block(c, p, depth)
	case "nested":
		w.block(c, p, depth)
	case "shallow":
		p.shallow = true
		w.block(c, p, depth)
	case "concern":
		if name, ok := w.arg(c, 0, p); ok && c.from > 0 {
			w.concerns[name] = rbBlock{w.s, c.from, c.to, c.turn}
		}
	case "concerns":
		for _, a := range c.args {
			w.use(w.names(a, p), w.limits(c, rbPlace{}), p, depth)
		}
	case "draw":
		w.draw(c, p, depth)
	case "mount":
		w.mount(c, p)
	case "devise_for":
		w.deviseFor(c, p)
	case "each":
		w.each(c, p, depth)
	case "direct", "resolve":
	default:
		w.other(c, p, depth)
	}
}

// other works through what is no word of Rails' own: calls of with_options, an
// application's methods, blocks around routes.
func (w *rails) other(c rbCall, p rbPlace, depth int) {
	if c.name != "" && c.name == p.with && w.s.at(c.at+1).is(".") { // each call of with_options
		if inner := statement(w.s, c.at+2, c.next); inner.name != p.with {
			w.call(inner, p, depth)
		}
		return
	}
	if b, ok := w.defs[c.name]; ok && depth > 1 {
		w.replay(b, p, depth-1)
		return
	}
	if strings.HasSuffix(c.name, "_resources") && len(c.args) > 0 { // an application's own word
		w.resources(c, p, depth)
		return
	}
	w.block(c, p, depth)
}

func (w *rails) block(c rbCall, p rbPlace, depth int) {
	if c.from > 0 {
		w.run(c.from, c.to, p, depth-1)
	}
}

// replay works through a block of any file.
func (w *rails) replay(b rbBlock, p rbPlace, depth int) {
	was := w.s
	w.s = b.s
	w.run(b.from, b.to, p, depth)
	w.s = was
}

// use works through concerns. What is left of a resource is handed to those that ask
// for options.
func (w *rails) use(names []string, handed rbLimits, p rbPlace, depth int) {
	for _, n := range names {
		if b, ok := w.concerns[n]; ok && depth > 1 {
			p.options, p.handed = b.turn, handed
			w.replay(b, p, depth-1)
		}
	}
}

func (w *rails) emit(verb, path string, c rbCall) {
	if len(w.out) <= maxFound && len(path) <= maxPath {
		w.out = append(w.out, Found{Method: verb, Path: normalise(rbPath(path)), Framework: "rails", File: w.s.path, Line: w.s.at(c.at).line})
	}
}

// rbPath leaves optional parts of a path out.
func rbPath(s string) string {
	var out strings.Builder
	depth := 0
	for i := range len(s) {
		switch {
		case s[i] == '(':
			depth++
		case s[i] == ')':
			depth = max(0, depth-1)
		case depth == 0:
			out.WriteByte(s[i])
		}
	}
	return out.String()
}

// word returns what a range says: a symbol, a text, a variable whose value is known.
func (w *rails) word(a [2]int, p rbPlace) (string, bool) {
	if a = w.trim(a); a[1] != a[0]+1 {
		return "", false
	}
	switch t := w.s.at(a[0]); t.kind {
	case kText, kSymbol:
		return t.text, true
	case kWord:
		v, ok := p.vars[t.text]
		return v, ok
	case kSpliced:
		var out strings.Builder
		for _, piece := range splice("ruby", t.text) {
			s := piece.text
			if piece.ref {
				v, ok := p.vars[piece.text]
				if !ok {
					return "", false
				}
				s = v
			}
			out.WriteString(s)
		}
		return out.String(), true
	default:
		return "", false
	}
}

// trim leaves out the ends of lines around a value.
func (w *rails) trim(a [2]int) [2]int {
	for a[0] < a[1] && w.s.at(a[0]).kind == kLine {
		a[0]++
	}
	for a[1] > a[0] && w.s.at(a[1]-1).kind == kLine {
		a[1]--
	}
	return a
}

func (w *rails) arg(c rbCall, i int, p rbPlace) (string, bool) {
	if i >= len(c.args) {
		return "", false
	}
	return w.word(c.args[i], p)
}

// option returns a named argument's value.
func (w *rails) option(c rbCall, name string, p rbPlace) (string, bool) {
	a, ok := c.opts[name]
	if !ok {
		return "", false
	}
	if w.s.at(a[0]).says("nil") {
		return "", true
	}
	return w.word(a, p)
}

// names reads a symbol, a list of them, or %i[a b].
func (w *rails) names(a [2]int, p rbPlace) []string {
	a = w.trim(a)
	t := w.s.at(a[0])
	switch {
	case t.kind == kWords:
		return strings.Fields(t.text)
	case t.is("["):
		var out []string
		for _, one := range w.s.args(a[0]) {
			out = append(out, w.names(one, p)...)
		}
		return out
	}
	if s, ok := w.word(a, p); ok {
		return []string{s}
	}
	if i, ok := w.constant(t); ok && a[1] > a[0] {
		return w.names([2]int{i, i + 1}, p)
	}
	return nil
}

// each works through a block once for each member of a list.
func (w *rails) each(c rbCall, p rbPlace, depth int) {
	at := c.list
	var all []string
	switch t := w.s.at(at); {
	case t.kind == kWords:
		all = strings.Fields(t.text)
	case t.is("["):
		for _, one := range w.s.args(at) {
			all = append(all, w.names(one, p)...)
		}
	}
	if len(all) == 0 {
		w.block(c, p, depth)
		return
	}
	for n, one := range all {
		if n == 50 {
			return
		}
		vars := map[string]string{c.turn: one}
		for k, v := range p.vars {
			if k != c.turn && len(vars) < 16 {
				vars[k] = v
			}
		}
		inner := p
		inner.vars = vars
		w.block(c, inner, depth)
	}
}

// draw works through config/routes/NAME.rb.
func (w *rails) draw(c rbCall, p rbPlace, depth int) {
	name, ok := w.arg(c, 0, p)
	if !ok {
		w.block(c, p, depth)
		return
	}
	file := path.Join(w.root, "config/routes", name+".rb")
	if s := w.r.routes[file]; s != nil && depth > 1 {
		w.replay(rbBlock{s: s, to: len(s.toks)}, p, depth-1)
	}
}
