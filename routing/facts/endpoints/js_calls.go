package endpoints

import "strings"

// called returns what a call gives: a router from a constructor, the router a chain
// of calls began with, what a function returns.
func (l *jsLink) called(e *jsExpr, c jsCtx) jsVal {
	if module, ok := requires(e); ok {
		return l.imported(c.file, jsImport{module, "default"})
	}
	if kind := l.constructor(e.recv, c); kind != "" {
		key := jsKey("made", c.file, e.at)
		n := l.router(key, kind, "")
		if len(e.list) > 0 {
			if p := l.value(e.list[0].field("prefix"), c); p.known && kind != "fastify" {
				n.own = p.str
			}
		}
		return jsVal{key: key}
	}
	if e.recv.kind == jsMember {
		if recv := l.value(e.recv.recv, c); recv.key != "" {
			if v := l.chained(e, recv.key, c); v.key != "" {
				return v
			}
		}
	}
	v := l.value(e.recv, c)
	switch {
	case e.kind == jsNew && v.proto > 0:
		return jsVal{inst: v.proto, in: v.in}
	case v.expr != nil && v.expr.kind == jsFunc:
		if made := l.returned(v); !made.empty() {
			return made
		}
	}
	for i := range e.list[:min(len(e.list), 4)] { // a wrapper around a router or a plug-in
		if a := l.value(&e.list[i], c); a.key != "" || a.expr != nil && a.expr.kind == jsFunc {
			return a
		}
	}
	return jsVal{}
}

// chained returns the router that a method of a router gives back.
func (l *jsLink) chained(e *jsExpr, key string, c jsCtx) jsVal {
	name := e.recv.text
	text := jsVal{}
	if len(e.list) > 0 {
		text = l.value(&e.list[0], c)
	}
	switch {
	case (name == "route" || name == "basePath" || name == "group") && len(e.list) == 1 && text.known:
		sub := jsKey(name, c.file, e.at)
		l.router(sub, l.routers[key].kind, l.routers[key].name)
		l.hang(sub, key, text.str)
		l.routers[sub].used = l.routers[key].used
		return jsVal{key: sub}
	case name == "prefix" && text.known:
		l.routers[key].own = text.str
	case jsVerb(name) == "" && !l.method(name) && l.routers[key].kind == "" && !strictRouter(l.routers[key].name):
		return jsVal{}
	}
	return jsVal{key: key}
}

// method tells whether a router has a method of this name that gives it back.
func (l *jsLink) method(name string) bool {
	switch name {
	case "use", "route", "routes", "middleware", "register", "all", "basePath", "withTypeProvider", "param", "allowedMethods", "openapi":
		return true
	}
	return false
}

// returned reads what a function gives back.
func (l *jsLink) returned(v jsVal) jsVal {
	fn := v.in.file.fns[v.expr.fn]
	key := jsKey("return", v.in.file, v.expr.fn)
	if made, ok := l.memo[key]; ok {
		return made
	}
	if l.busy[key] {
		l.cuts++
		return jsVal{}
	}
	cuts := l.cuts
	l.busy[key] = true
	made := jsVal{}
	for i := range fn.returns {
		made = l.value(&fn.returns[i], jsCtx{file: v.in.file, scope: v.expr.fn, class: fn.class})
		if !made.empty() {
			break
		}
	}
	delete(l.busy, key)
	if l.keeps(made, cuts) {
		l.memo[key] = made
	}
	return made
}

// constructor returns the framework whose router a callee makes, "" for any other.
func (l *jsLink) constructor(callee *jsExpr, c jsCtx) string {
	module, member := l.module(callee, c, 0)
	switch module {
	case "express", "ultimate-express", "express-promise-router", "router", "polka", "@tinyhttp/app", "hyper-express", "itty-router":
		switch member {
		case "", "Router", "App", "Server", "AutoRouter", "IttyRouter":
			return "express"
		}
	case "koa", "koa-router", "@koa/router", "koa-joi-router", "koa-tree-router", "@koa-better-modules/joi-router":
		return "koa"
	case "fastify":
		if member == "" || member == "fastify" || member == "Fastify" {
			return "fastify"
		}
	case "hono", "hono/tiny", "hono/quick", "@hono/zod-openapi":
		if strings.HasSuffix(member, "Hono") {
			return "hono"
		}
	case "elysia":
		if member == "Elysia" || member == "" {
			return "elysia"
		}
	case "restify":
		if member == "createServer" {
			return "restify"
		}
	case "@hapi/hapi", "hapi":
		if strings.EqualFold(member, "server") {
			return "hapi"
		}
	}
	return ""
}

// module returns the module and the export that a callee is, "" for one's own.
func (l *jsLink) module(e *jsExpr, c jsCtx, depth int) (module, member string) {
	if e == nil || depth > 6 || !l.bump() {
		return "", ""
	}
	if m, ok := requires(e); ok {
		return m, ""
	}
	switch e.kind {
	case jsMember:
		m, before := l.module(e.recv, c, depth+1)
		if m == "" || before != "" {
			return "", ""
		}
		if e.text == "default" {
			return m, ""
		}
		return m, e.text
	case jsName:
		if imp, ok := c.file.imports[e.text]; ok {
			if imp.name == "default" || imp.name == "*" {
				return imp.module, ""
			}
			return imp.module, imp.name
		}
		key := e.text + "|" + c.file.path
		if imp, ok := l.modules[key]; ok {
			return imp.module, imp.name
		}
		l.modules[key] = jsImport{}
		for _, i := range c.file.byName[e.text] {
			d := &c.file.decls[i]
			if module, member = l.module(&d.value, c, depth+1); module != "" {
				break
			}
		}
		l.modules[key] = jsImport{module, member}
	}
	return module, member
}

// loops notes the functions that go over a list.
func (l *jsLink) loops() {
	for _, name := range l.r.order {
		f := l.r.files[name]
		for i := range f.uses {
			e := &f.uses[i].expr
			if e.kind == jsCall && e.recv.kind == jsMember && (e.recv.text == "forEach" || e.recv.text == "map") &&
				len(e.list) > 0 && e.list[0].kind == jsFunc {
				f.fns[e.list[0].fn].over = e.recv.recv
			}
		}
	}
}

// bindings returns what the names of the loop around a scope stand for, once for
// every element of its list; one without any when there is no loop.
func (l *jsLink) bindings(c jsCtx) []map[string]jsVal {
	for scope := c.scope; scope >= 0; scope = c.file.fns[scope].parent {
		fn := c.file.fns[scope]
		if fn.over == nil || len(fn.params) == 0 {
			continue
		}
		list := l.value(fn.over, jsCtx{file: c.file, scope: fn.parent, class: fn.class})
		if list.expr == nil || list.expr.kind != jsArray {
			break
		}
		var all []map[string]jsVal
		for i := range list.expr.list {
			v := l.value(&list.expr.list[i], list.in)
			bound := map[string]jsVal{}
			for _, name := range fn.params[0] {
				bound[name] = v
				if v.expr != nil && v.expr.kind == jsObject && len(fn.params[0]) > 1 {
					bound[name] = l.value(v.expr.field(name), v.in)
				}
			}
			all = append(all, bound)
		}
		if len(all) > 0 {
			return all
		}
		break
	}
	return []map[string]jsVal{nil}
}
