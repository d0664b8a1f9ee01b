package endpoints

import "strings"

// globally reads app.setGlobalPrefix and app.enableVersioning of NestJS.
func (l *jsLink) globally(name string, e *jsExpr, c jsCtx) {
	g := jsGlobal{file: c.file.path, mark: "v"}
	if len(e.list) > 0 && name == "setGlobalPrefix" {
		g.prefix = l.value(&e.list[0], c).str
		g.prefix = g.prefix[strings.LastIndexByte(g.prefix, '}')+1:] // behind what is configured
		if len(e.list) > 1 {
			options := l.value(&e.list[1], c)
			if options.expr != nil {
				g.exclude = l.excluded(l.value(options.expr.field("exclude"), options.in))
			}
		}
	}
	if name == "enableVersioning" {
		g.versioned = true
		if len(e.list) > 0 {
			options := l.value(&e.list[0], c)
			if options.expr != nil {
				how := options.expr.field("type").dotted()
				g.versioned = how == "" || strings.HasSuffix(how, "URI")
				if mark := l.value(options.expr.field("prefix"), options.in); mark.known {
					g.mark = mark.str[strings.LastIndexByte(mark.str, '}')+1:] // behind what is configured
				}
				g.version = l.value(options.expr.field("defaultVersion"), options.in).str
			}
		}
	}
	l.global = append(l.global, g)
}

func (l *jsLink) excluded(v jsVal) []string {
	all := l.texts(v)
	if v.expr != nil && v.expr.kind == jsArray {
		for i := range v.expr.list {
			if one := l.value(&v.expr.list[i], v.in); one.expr != nil {
				all = append(all, l.texts(l.value(one.expr.field("path"), one.in))...)
			}
		}
	}
	for i := range all {
		all[i] = nameless(normalise(all[i]))
	}
	return all
}

// nested returns the routes of decorated classes.
func (l *jsLink) nested() []Found {
	var all []Found
	for _, name := range l.r.order {
		f := l.r.files[name]
		c := jsCtx{file: f, scope: -1, class: -1}
		for i := range f.nest {
			n := &f.nest[i]
			class := l.value(n.class, c)
			bases := l.texts(class)
			if class.expr != nil && class.expr.kind == jsObject {
				if bases = l.texts(l.value(class.expr.field("path"), class.in)); class.expr.field("path") == nil {
					bases = []string{""}
				}
			}
			paths := []string{""}
			if n.path != nil && n.path.kind != jsObject {
				paths = l.texts(l.value(n.path, c))
			}
			for _, base := range bases {
				for _, p := range paths {
					for _, full := range l.versioned(f, n, dropHead(join(base, p)), c) {
						all = append(all, Found{Method: n.method, Path: normalise(full), Framework: "nestjs", File: f.path, Line: n.line})
					}
				}
			}
			if len(all) > maxJSRoutes {
				return all
			}
		}
	}
	return all
}

// versioned puts the global prefix and the versions before a path.
func (l *jsLink) versioned(f *jsParsed, n *nestRoute, path string, c jsCtx) []string {
	prefix, version := jsGlobal{}, jsGlobal{}
	near := l.bootNear(f)
	nearer := near
	for _, g := range l.global {
		if s := sharedFolders(g.file, f.path); g.prefix != "" && (s > near || s == near && (prefix.prefix == "" || above(g.file, prefix.file))) {
			prefix, near = g, s
		} else if g.versioned && (s > nearer || s == nearer && (!version.versioned || above(g.file, version.file))) {
			version, nearer = g, s
		}
	}
	for _, x := range prefix.exclude {
		if x == nameless(normalise(path)) {
			return []string{path}
		}
	}
	if !version.versioned {
		return []string{join(prefix.prefix, path)}
	}
	said := n.versions
	if said == nil {
		said = n.classVersion
	}
	versions := l.texts(l.value(said, c))
	if said == nil && version.version != "" {
		versions = []string{version.version}
	}
	var all []string
	for _, v := range versions {
		all = append(all, join(join(prefix.prefix, version.mark+v), path))
	}
	if len(all) == 0 {
		all = []string{join(prefix.prefix, path)}
	}
	return all
}

// above tells which of two starts of one application is the nearer to a file that lies
// as far from both: the one in fewer folders.
func above(a, b string) bool { return strings.Count(a, "/") < strings.Count(b, "/") }

// nameless leaves out what a path calls its parameters.
func nameless(path string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(path, "{")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		out.WriteString("{}")
		_, path, _ = strings.Cut(rest, "}")
	}
}

// bootNear returns how many folders a file has in common with the nearest one that
// starts an application: what another application says is not meant for it.
func (l *jsLink) bootNear(f *jsParsed) int {
	near := -1
	for _, file := range l.boots {
		near = max(near, sharedFolders(file, f.path))
	}
	return near
}
