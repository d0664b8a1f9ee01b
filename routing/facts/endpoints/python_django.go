package endpoints

import (
	"strings"
)

// pyList is a list of URL patterns.
type pyList struct {
	file    string
	scope   string
	entries []pyURL
	used    bool
}

// pyURL is one pattern: a view, or what it includes.
type pyURL struct {
	path  expr
	regex bool
	view  bool
	verbs []string
	serve pyRef   // the view: a function, or a class
	subs  []pyURL // included on the spot
	names []pyRef // lists, routers and modules that are included
	line  int
}

// patterns keeps a list of patterns that is given to a name.
func (p *pyScan) patterns(name string, from, to int, plus bool) {
	entries := p.urls(from, to, 6)
	if len(entries) == 0 || len(p.r.lists) >= maxPyNodes {
		return
	}
	key := pyKey{p.path, name}
	l := p.r.lists[key]
	if l == nil {
		l = &pyList{file: p.path, scope: p.scope()}
		p.r.lists[key] = l
		p.r.listed = append(p.r.listed, key)
	}
	if !plus && name != "urlpatterns" {
		l.entries = nil
	}
	if len(l.entries) < maxFound {
		l.entries = append(l.entries, entries...)
	}
}

// urls reads an expression as patterns: [path(...), ...] + more, wrappers around
// such a list, router.urls.
func (p *pyScan) urls(from, to, depth int) []pyURL {
	var out []pyURL
	if depth == 0 {
		return nil
	}
	for i := from; i < to; i++ {
		t := p.toks[i]
		switch {
		case t.is("[") || t.is("("):
			for _, a := range p.args(i) {
				out = append(out, p.url(a[0], a[1], depth-1)...)
			}
		case t.is("+"):
			continue
		case t.kind == kWord:
			name, next := p.dotted(i)
			if p.at(next).is("(") && next < to {
				out = append(out, p.wrapper(name, next, depth)...)
			} else if strings.HasSuffix(name, ".urls") || strings.HasSuffix(name, "patterns") || p.at(next).is("+") && next < to || p.at(i-1).is("+") && i > from {
				out = append(out, pyURL{names: []pyRef{p.ref(name)}, line: t.line})
			}
			i = next - 1
			if p.at(next).is("(") {
				i = next
			}
		default:
			return out
		}
		if m := p.at(i).mate; m > i {
			i = m
		}
	}
	return out
}

// wrapper reads what stands around patterns: i18n_patterns(...), list(...).
func (p *pyScan) wrapper(name string, open, depth int) []pyURL {
	short := name[strings.LastIndexByte(name, '.')+1:]
	var out []pyURL
	switch {
	case strings.HasSuffix(short, "patterns"), short == "list", short == "tuple":
		for _, a := range p.args(open) {
			if p.at(a[0]).kind == kWord && p.at(a[0]+1).is("=") {
				continue
			}
			out = append(out, p.url(a[0], a[1], depth-1)...)
		}
	}
	return out
}

// url reads one member of a list of patterns.
func (p *pyScan) url(from, to, depth int) []pyURL {
	if p.at(from).is("*") {
		return p.urls(from+1, to, depth)
	}
	name, open := p.dotted(from)
	short := name[strings.LastIndexByte(name, '.')+1:]
	if !p.at(open).is("(") || p.at(open).mate >= to {
		if name != "" || p.at(from).is("[") {
			return p.urls(from, to, depth)
		}
		return nil
	}
	switch {
	case short == "url", strings.HasSuffix(short, "path"), short == "register_urls":
	case short == "include":
		e := pyURL{line: p.at(from).line}
		p.include(&e, open, depth)
		return []pyURL{e}
	default:
		return p.wrapper(name, open, depth)
	}
	a := p.args(open)
	if len(a) < 1 {
		return nil
	}
	route := a[0]
	if kw := p.keyword(open, "route"); kw[1] > 0 {
		route = kw
	} else if kw := p.keyword(open, "regex"); kw[1] > 0 {
		route = kw
	}
	e := pyURL{path: p.translated(route), regex: short == "url" || strings.HasPrefix(short, "re_"), line: p.at(from).line, view: true}
	if e.path == nil {
		return nil
	}
	if len(a) > 1 {
		p.target(&e, a[1], depth)
	}
	if short == "rest_path" {
		e.verbs = p.keywords(a)
	}
	return []pyURL{e}
}

// translated reads a route that may stand in a translation call: _("orders/").
func (p *pyScan) translated(a [2]int) expr {
	if name, open := p.dotted(a[0]); name != "" && p.at(open).is("(") && p.at(open).mate == a[1]-1 {
		return p.value([2]int{open + 1, a[1] - 1})
	}
	return p.value(a)
}

// keywords returns the HTTP methods among the names of arguments.
func (p *pyScan) keywords(a [][2]int) []string {
	var out []string
	for _, one := range a {
		if m := p.at(one[0]).text; p.at(one[0]+1).is("=") && httpMethod(m) == m && m != "" {
			out = append(out, strings.Clone(m))
		}
	}
	return out
}

// target reads the second argument of a pattern: a view or an include.
func (p *pyScan) target(e *pyURL, a [2]int, depth int) {
	name, open := p.dotted(a[0])
	if p.at(open).is("(") && strings.HasSuffix(name, "include") {
		e.view = false
		p.include(e, open, depth)
		return
	}
	p.viewed(e, a[0], a[1], 6)
}

// include reads what include(...) holds.
func (p *pyScan) include(e *pyURL, open, depth int) {
	a := p.args(open)
	if len(a) == 0 {
		return
	}
	from, to := a[0][0], a[0][1]
	if p.at(from).is("(") { // (patterns, "namespace")
		inner := p.args(from)
		if len(inner) == 0 {
			return
		}
		from, to = inner[0][0], inner[0][1]
	}
	switch t := p.at(from); {
	case t.kind == kText && to == from+1:
		e.names = append(e.names, pyRef{p.path, strings.Clone(t.text)})
	case t.kind == kWord:
		if name, next := p.dotted(from); next == to {
			e.names = append(e.names, p.ref(name))
			return
		}
		e.subs = p.urls(from, to, depth-1)
	default:
		e.subs = p.urls(from, to, depth-1)
	}
}

// register reads router.register("orders", OrderViewSet) of REST framework, and
// parent routers that take a whole router are left alone.
func (p *pyScan) register(head string, open int, a [][2]int) {
	if len(a) < 2 || p.flask {
		return
	}
	at, of := a[0], a[1]
	if kw := p.keyword(open, "prefix"); kw[1] > 0 {
		at = kw
	}
	if kw := p.keyword(open, "viewset"); kw[1] > 0 {
		of = kw
	}
	e := p.value(at)
	name, end := p.dotted(of[0])
	if e == nil && p.at(at[0]).kind == kText && p.at(at[0]).text == "" {
		e = lit("")
	}
	if e == nil || name == "" || end != of[1] || p.at(at[0]).kind == kWord && at[1] == at[0]+1 {
		return
	}
	key := pyKey{p.path, head}
	if n := p.r.nodes[key]; n == nil {
		if _, imported := p.f.imports[head]; !imported {
			if !strings.Contains(strings.ToLower(head), "router") {
				return
			}
			p.node(head, &pyNode{kind: "drf", file: p.path, scope: p.scope()})
		}
	}
	p.route(head, pyRoute{path: e, class: p.ref(name), line: p.at(open).line}, "drf")
}
