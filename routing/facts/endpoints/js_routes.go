package endpoints

import (
	"path"
	"strings"
)

// use reads a chain of calls, innermost first.
func (l *jsLink) use(e *jsExpr, c jsCtx) {
	for _, bound := range l.bindings(c) {
		c.bound = bound
		clear(l.inLoop)
		l.chain(e, c, 0)
	}
}

func (l *jsLink) chain(e *jsExpr, c jsCtx, depth int) {
	if e == nil || depth > maxJSChain || !l.bump() || len(l.routes) > maxJSRoutes {
		return
	}
	switch e.kind {
	case jsMember:
		l.chain(e.recv, c, depth+1)
	case jsCall, jsNew:
		l.chain(e.recv, c, depth+1)
		l.emit(e, c)
	}
}

// emit reads one call.
func (l *jsLink) emit(e *jsExpr, c jsCtx) {
	if e.recv.kind != jsMember {
		l.pass(e, c)
		return
	}
	name := e.recv.text
	if name == "setGlobalPrefix" || name == "enableVersioning" {
		l.globally(name, e, c)
		return
	}
	key := l.value(e.recv.recv, c).key
	if key == "" || l.routers[key] == nil {
		if !l.loosely(e, c) {
			l.pass(e, c)
		}
		return
	}
	switch verb := jsVerb(name); {
	case verb != "" || name == "all" || name == "any":
		l.verb(e, verb, key, c)
	case name == "use" || name == "mount" || name == "route" && len(e.list) > 1:
		l.mounted(e, key, c)
	case name == "route" && len(e.list) == 1:
		l.described(&e.list[0], key, c, 0)
	case name == "register" || name == "group":
		l.registered(e, key, c)
	default:
		l.pass(e, c)
	}
}

// verb reads router.get("/path", ..., handler).
func (l *jsLink) verb(e *jsExpr, verb, key string, c jsCtx) {
	r := jsRoute{key: key, method: verb, file: c.file.path, line: e.line}
	if strings.HasPrefix(key, "route|") {
		if len(e.list) > 0 {
			l.routes = append(l.routes, r)
		}
		return
	}
	if len(e.list) < 2 {
		return
	}
	paths := l.texts(l.value(&e.list[0], c))
	if len(e.list) > 2 && len(paths) == 1 && !strings.Contains(paths[0], "/") {
		if named := l.value(&e.list[1], c); named.known && strings.HasPrefix(named.str, "/") {
			paths = []string{named.str} // koa: a name comes first
		}
	}
	loose := l.routers[key].kind == ""
	if last := e.list[len(e.list)-1].kind; loose && (last == jsText || last == jsTemplate || last == jsObject) {
		return
	}
	for _, p := range paths {
		if loose && p != "" && !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "*") && !strings.HasPrefix(p, "${") || strings.Contains(p, "://") {
			continue
		}
		r.path = p
		l.routes = append(l.routes, r)
	}
}

// texts returns the text of a value, or those of a list.
func (l *jsLink) texts(v jsVal) []string {
	if v.known {
		return []string{v.str}
	}
	var all []string
	if v.expr != nil && v.expr.kind == jsArray {
		for i := range v.expr.list {
			if one := l.value(&v.expr.list[i], v.in); one.known {
				all = append(all, one.str)
			}
		}
	}
	return all
}

// mounted reads router.use("/prefix", ..., child).
func (l *jsLink) mounted(e *jsExpr, key string, c jsCtx) {
	prefixes, from := []string{""}, 0
	if len(e.list) > 0 {
		first := l.value(&e.list[0], c)
		if p := l.texts(first); len(p) > 0 {
			prefixes, from = p, 1
		} else if len(e.list) > 1 && first.empty() && e.list[0].kind != jsFunc && e.list[0].kind != jsCall {
			from = 1 // a prefix that is configured, most likely
		}
	}
	for i := from; i < len(e.list); i++ {
		if children, below := l.mount(&e.list[i], c); len(children) > 0 {
			for _, p := range below {
				for _, before := range prefixes {
					l.hang(children[0], key, join(before, p))
				}
			}
			continue
		}
		for _, child := range l.children(l.value(&e.list[i], c)) {
			for _, p := range prefixes {
				l.hang(child, key, p)
			}
		}
	}
}

// children returns the routers of a value: itself, or those of a list.
func (l *jsLink) children(v jsVal) []string {
	if v.key != "" {
		return []string{v.key}
	}
	var all []string
	if v.expr != nil && v.expr.kind == jsArray {
		for i := range v.expr.list {
			if one := l.value(&v.expr.list[i], v.in); one.key != "" {
				all = append(all, one.key)
			}
		}
	}
	return all
}

// described reads router.route({ method, url, handler }), or a list of such.
func (l *jsLink) described(e *jsExpr, key string, c jsCtx, depth int) {
	v := l.value(e, c)
	if v.expr == nil || depth > 2 {
		return
	}
	if v.expr.kind == jsArray {
		for i := range v.expr.list {
			l.described(&v.expr.list[i], key, v.in, depth+1)
		}
		return
	}
	path := l.value(v.expr.field("url"), v.in)
	if !path.known {
		path = l.value(v.expr.field("path"), v.in)
	}
	if !path.known {
		return
	}
	for _, m := range l.texts(l.value(v.expr.field("method"), v.in)) {
		l.routes = append(l.routes, jsRoute{key: key, method: httpMethod(m), path: path.str, file: v.in.file.path, line: v.expr.line})
	}
}

// registered reads fastify.register(plugin, { prefix }) and group("/prefix", plugin).
func (l *jsLink) registered(e *jsExpr, key string, c jsCtx) {
	if len(e.list) == 0 {
		return
	}
	prefix, plugin := "", &e.list[0]
	if v := l.value(plugin, c); v.known && len(e.list) > 1 {
		prefix, plugin = v.str, &e.list[len(e.list)-1]
	} else if len(e.list) > 1 {
		options := l.value(&e.list[1], c)
		if options.expr != nil {
			prefix = l.value(options.expr.field("prefix"), options.in).str
			if dir := options.expr.field("dir"); dir != nil {
				l.autoloaded(dir, options, key)
				return
			}
		}
	}
	v := l.value(plugin, c)
	if v.key != "" {
		l.hang(v.key, key, prefix)
		return
	}
	if v.expr != nil && v.expr.kind == jsFunc {
		l.param(v, 0, "", key, prefix)
	}
}

// autoloaded reads fastify.register(autoload, { dir }): every file below dir is a
// plug-in whose prefix is its folder.
func (l *jsLink) autoloaded(dir *jsExpr, options jsVal, key string) {
	for (dir.kind == jsCall || dir.kind == jsPlus) && len(dir.list) > 0 {
		dir = &dir.list[len(dir.list)-1]
	}
	base := l.value(options.expr.field("options"), options.in)
	prefix := ""
	if base.expr != nil {
		prefix = l.value(base.expr.field("prefix"), base.in).str
	}
	_, text, cut := strings.Cut(dir.text, "}")
	if !cut {
		text = dir.text
	}
	root := path.Join(path.Dir(options.in.file.path), "./"+text) + "/"
	for _, name := range l.r.order {
		rest, ok := strings.CutPrefix(name, root)
		if !ok || text == "" {
			continue
		}
		folder := strings.ReplaceAll("/"+path.Dir(rest), "/_", "/:")
		if folder == "/." {
			folder = ""
		}
		if v := l.imported(options.in.file, jsImport{"./" + relative(options.in.file.path, name), "default"}); v.expr != nil && v.expr.kind == jsFunc {
			l.param(v, 0, "", key, join(prefix, folder))
		}
	}
}

// relative returns a file below the folder of another, as seen from there.
func relative(from, file string) string {
	return strings.TrimPrefix(file, path.Dir(from)+"/")
}

// param hangs the router that a function's parameter is in the one it is given.
func (l *jsLink) param(fn jsVal, i int, only, parent, prefix string) {
	f := fn.in.file.fns[fn.expr.fn]
	if i >= len(f.params) {
		return
	}
	for _, name := range f.params[i] {
		if only != "" && name != only {
			continue
		}
		key := jsKey("param "+name, fn.in.file, fn.expr.fn, i)
		l.router(key, "", name)
		l.hang(key, parent, prefix)
	}
}

// pass reads a call that hands routers to a function of the repository.
func (l *jsLink) pass(e *jsExpr, c jsCtx) {
	fn := jsVal{}
	for i := range e.list {
		v := l.value(&e.list[i], c)
		if v.key == "" && (v.expr == nil || v.expr.kind != jsObject) {
			continue
		}
		if fn.empty() {
			fn = l.function(e, c)
		}
		if fn.expr == nil || fn.expr.kind != jsFunc {
			return
		}
		if v.key != "" {
			l.param(fn, i, "", v.key, "")
			continue
		}
		for k, name := range v.expr.keys {
			if one := l.value(&v.expr.list[k], v.in); one.key != "" {
				l.param(fn, i, name, one.key, "")
			}
		}
	}
}

// function returns the function that is called: of a class, its constructor.
func (l *jsLink) function(e *jsExpr, c jsCtx) jsVal {
	v := l.value(e.recv, c)
	if v.proto == 0 {
		return v
	}
	for _, i := range v.in.file.byName["constructor"] {
		if d := &v.in.file.decls[i]; d.class == v.proto-1 {
			return jsVal{expr: &d.value, in: v.in}
		}
	}
	return jsVal{}
}
