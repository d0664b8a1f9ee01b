package endpoints

import (
	"strings"
)

// class reads the head of a class, and the routes its decorators give it.
func (p *pyScan) class(from int) {
	c := &pyClass{file: p.path, name: strings.Clone(p.at(from + 1).text), methods: map[string]bool{}}
	if open := from + 2; p.at(open).is("(") {
		for _, a := range p.args(open) {
			name, end := p.dotted(a[0])
			if name != "" && !p.at(end).is("=") && len(c.bases) < 16 {
				c.bases = append(c.bases, p.ref(name))
			}
		}
	}
	if len(p.r.classes) < maxClasses {
		p.r.classes[pyKey{p.path, c.name}] = c
	}
	p.classes = append(p.classes, &pyOpen{class: c, col: p.at(from).col, body: -1})
	p.decorated(pyRef{p.path, "." + c.name}, true)
}

// def notes a method of a class, and reads the decorators.
func (p *pyScan) def(from int) {
	i := from + 1
	if p.at(from).says("async") {
		i++
	}
	name := p.at(i).text
	if c := p.top(p.at(from).col); c != nil && len(c.methods) < 500 {
		c.methods[strings.Clone(name)] = true
		for _, m := range p.marks {
			p.action(c, m, name)
		}
	}
	p.decorated(pyRef{}, false)
	if p.at(from).col == 0 {
		p.within = strings.Clone(name)
		if verbs := p.demanded(); verbs != nil && len(p.r.funcs) < maxConstants {
			p.r.funcs[pyKey{p.path, p.within}] = verbs
		}
	}
}

// decorated reads the route decorators of a function or a class.
func (p *pyScan) decorated(class pyRef, isClass bool) {
	for _, m := range p.marks {
		name, open := p.dotted(m + 1)
		p.wrapped(open)
		i := strings.LastIndexByte(name, '.')
		if i < 0 || !p.at(open).is("(") {
			continue
		}
		head, what := name[:i], name[i+1:]
		switch {
		case what == "route" || what == "api_route":
			p.routes(head, open, class, isClass)
		case httpMethod(what) != "" && what == strings.ToLower(what) && p.flask:
			if e := p.first(open); e != nil {
				p.route(head, pyRoute{path: e, verbs: []string{httpMethod(what)}, line: p.at(open).line}, "fastapi")
			}
		}
	}
}

// wrapped reads an application's own decorator that is handed the router's:
// @guarded(router.get, "/x").
func (p *pyScan) wrapped(open int) {
	a := p.args(open)
	if len(a) < 2 || !p.flask || !p.at(open).is("(") {
		return
	}
	name, end := p.dotted(a[0][0])
	i := strings.LastIndexByte(name, '.')
	verb := httpMethod(name[i+1:])
	if i < 0 || end != a[0][1] || verb == "" || name[i+1:] != strings.ToLower(verb) {
		return
	}
	at := a[1]
	if kw := p.keyword(open, "path"); kw[1] > 0 {
		at = kw
	} else if p.at(at[0] + 1).is("=") {
		return
	}
	if e := p.value(at); e != nil {
		p.route(name[:i], pyRoute{path: e, verbs: []string{verb}, line: p.at(open).line}, "fastapi")
	}
}

// first returns the path of a route decorator.
func (p *pyScan) first(open int) expr {
	for _, name := range []string{"path", "rule"} {
		if kw := p.keyword(open, name); kw[1] > 0 {
			return p.value(kw)
		}
	}
	a := p.args(open)
	if len(a) == 0 || p.at(a[0][0]+1).is("=") {
		return nil
	}
	return p.value(a[0])
}

// routes reads @x.route("/a", "/b", methods=[...]).
func (p *pyScan) routes(head string, open int, class pyRef, isClass bool) {
	verbs := p.verbs(open)
	if verbs == nil && !isClass {
		verbs = []string{"GET"}
	}
	found := false
	for _, a := range p.args(open) {
		if p.at(a[0]+1).is("=") && p.at(a[0]).kind == kWord {
			continue
		}
		if e := p.value(a); e != nil {
			p.route(head, pyRoute{path: e, verbs: verbs, class: class, line: p.at(open).line}, "flask")
			found = true
		}
		if !isClass {
			break
		}
	}
	if e := p.first(open); !found && e != nil {
		p.route(head, pyRoute{path: e, verbs: verbs, class: class, line: p.at(open).line}, "flask")
	}
}

// action reads @action(detail=True, methods=["post"], url_path="x") of a view set.
func (p *pyScan) action(c *pyClass, at int, name string) {
	what, open := p.dotted(at + 1)
	what = what[strings.LastIndexByte(what, '.')+1:]
	if what != "action" && what != "detail_route" && what != "list_route" || len(c.actions) >= 200 {
		return
	}
	a := pyAction{name: strings.Clone(name), path: strings.Clone(name), detail: what == "detail_route", line: p.at(at).line, verbs: []string{"GET"}}
	if p.at(open).is("(") {
		if v := p.verbs(open); v != nil {
			a.verbs = v
		}
		if kw := p.keyword(open, "detail"); kw[1] > 0 {
			a.detail = p.at(kw[0]).says("True")
		}
		if kw := p.keyword(open, "url_path"); kw[1] > 0 && p.at(kw[0]).kind == kText {
			a.path = strings.Clone(p.at(kw[0]).text)
		}
	}
	c.actions = append(c.actions, a)
}
