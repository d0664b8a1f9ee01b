package endpoints

import (
	"slices"
	"strings"
)

// loosely reads a route of a router that nothing is known of: of another framework,
// or of one's own. What its handler takes, or a method and a path as the first of
// three arguments, tells it from the call of a client.
func (l *jsLink) loosely(e *jsExpr, c jsCtx) bool {
	n := len(e.list)
	if n < 2 || e.recv.kind != jsMember || mocking(e.recv.recv.dotted()) {
		return false
	}
	method, at := jsVerb(e.recv.text), 0
	switch {
	case method != "":
		if last := &e.list[n-1]; last.kind != jsFunc || !answers(c.file.fns[last.fn].params) {
			return false
		}
	case e.recv.text == "route" || e.recv.text == "add" || e.recv.text == "addRoute":
		first := l.value(&e.list[0], c)
		if method, at = httpMethod(first.str), 1; !first.known || method == "" || n < 3 {
			return false
		}
	default:
		return false
	}
	for _, p := range l.texts(l.value(&e.list[at], c)) {
		if strings.HasPrefix(p, "/") {
			key := jsKey("loose "+e.recv.recv.dotted(), c.file)
			l.router(key, "", "router")
			l.routes = append(l.routes, jsRoute{key: key, method: method, path: p, file: c.file.path, line: e.line})
		}
	}
	return true
}

// answers tells whether parameters are those of a handler: a request and a response.
func answers(params [][]string) bool {
	if len(params) < 2 || len(params) > 3 || len(params[0]) != 1 || len(params[1]) != 1 {
		return false
	}
	if len(params) == 3 && slices.Contains(params[2], "ctx") { // a mock's
		return false
	}
	first, second := strings.Trim(params[0][0], "_"), strings.Trim(params[1][0], "_")
	return (first == "req" || first == "request") && (second == "res" || second == "response" || second == "reply")
}

// mocking tells whether a name is one of libraries that answer in place of a server.
func mocking(name string) bool {
	low := strings.ToLower(name)
	return slices.ContainsFunc([]string{"rest", "http", "msw", "nock", "mock", "axios", "cy", "pretender"}, func(word string) bool {
		return low == word || strings.HasPrefix(low, "mock") || strings.HasSuffix(low, "mock")
	})
}

// fallback returns a router for a name whose value nothing is known of, when it was
// made by something named like a router: new SwaggerRouter().
func (l *jsLink) fallback(name string, scope int, c jsCtx) jsVal {
	if !strictRouter(name) || name == "instance" {
		return jsVal{}
	}
	for _, i := range c.file.byScope[jsSlot{name, scope}] {
		e := &c.file.decls[i].value
		if e.kind != jsNew && e.kind != jsCall {
			continue
		}
		made := lastWord(e.recv)
		if !routerWord(made) || strings.HasPrefix(made, "use") {
			continue
		}
		key := jsKey("unknown "+name, c.file, scope)
		l.router(key, "", name)
		return jsVal{key: key}
	}
	return jsVal{}
}

// mount returns the router and the prefix of koa's mount("/prefix", router).
func (l *jsLink) mount(e *jsExpr, c jsCtx) (children []string, prefixes []string) {
	if e.kind != jsCall || lastWord(e.recv) != "mount" || len(e.list) != 2 {
		return nil, nil
	}
	if prefixes = l.texts(l.value(&e.list[0], c)); len(prefixes) == 0 {
		return nil, nil
	}
	return l.children(l.value(&e.list[1], c)), prefixes
}
