package endpoints

import (
	"strings"
)

// found puts prefixes, constants, base classes and interfaces together.
func (r *javaReader) found() []Found {
	r.settle()
	var out []Found
	for _, c := range r.classes {
		if c.iface || c.abstract || c.annotation || c.client {
			continue
		}
		out = r.ofClass(out, c)
		if len(out) > maxFound {
			return out
		}
	}
	for _, route := range r.routes {
		whole, ok := "", true
		for _, p := range append(route.prefix, route.path) {
			s, good := r.consts.resolve(p, route.owner)
			whole, ok = join(whole, s), ok && good
		}
		if whole, good := r.holders(route.file, whole); ok && good {
			out = append(out, Found{Method: route.verb, Path: normalise(join(r.base(route.file), whole)), Framework: "spring", File: route.file, Line: route.line})
		}
	}
	return out
}

// settle puts in what the application's own annotations stand for: @GetJson("/x") on a
// method, @ApiV1 on a class.
func (r *javaReader) settle() {
	for _, c := range r.classes {
		for _, name := range c.marks {
			if a := r.mapping(name); a != nil && !c.prefixed && !c.annotation {
				c.prefixes, c.prefixed = a.prefixes, true
			}
		}
		for i := range c.methods {
			m := &c.methods[i]
			a := r.mapping(m.mark)
			if a == nil || m.mark == "" {
				continue
			}
			var paths []expr
			for _, head := range a.prefixes {
				for _, tail := range m.paths {
					if len(paths) < 16 {
						paths = append(paths, joined(head, a.name, tail))
					}
				}
			}
			m.verbs, m.framework, m.paths, m.mark = a.verbs, "spring", paths, ""
		}
	}
}

// mapping returns the annotation of a name that stands for a mapping.
func (r *javaReader) mapping(name string) *javaClass {
	for _, a := range r.byName[name] {
		if a.annotation && a.prefixed && len(a.verbs) > 0 {
			return a
		}
	}
	return nil
}

// joined puts one path behind another whose names belong to owner.
func joined(head expr, owner string, tail expr) expr {
	if len(head) == 0 || len(head) == 1 && head[0].text == "" {
		return tail
	}
	out := make(expr, 0, len(head)+len(tail)+1)
	for _, p := range head {
		if p.ref && !strings.Contains(p.text, ".") {
			p.text = owner + "." + p.text
		}
		out = append(out, p)
	}
	if len(tail) > 0 && (tail[0].ref || tail[0].text != "" && !strings.HasPrefix(tail[0].text, "/")) {
		out = append(out, part{text: "/"})
	}
	return append(out, tail...)
}

// ofClass adds the routes of one class: its own and those it inherits.
func (r *javaReader) ofClass(out []Found, c *javaClass) []Found {
	family := r.family(c)
	framework := ""
	var home *javaClass // who says the prefix
	for _, f := range family {
		if framework == "" {
			framework = r.served(f, 4)
		}
		if home == nil && f.prefixed {
			home = f
		}
	}
	own := false
	for _, m := range c.methods {
		own = own || m.framework == "spring"
	}
	if framework == "" && !own {
		return out
	}
	prefixes, scope := []expr{lit("")}, c.name
	if home != nil {
		prefixes, scope = home.prefixes, home.name
	}
	for _, f := range family {
		if f.client && f != c && !f.iface {
			continue
		}
		for _, m := range f.methods {
			for _, p := range prefixes {
				head, ok := r.consts.resolve(p, scope)
				if !ok {
					continue
				}
				out = r.ofMethod(out, c, f, m, head)
			}
		}
	}
	return out
}

func (r *javaReader) ofMethod(out []Found, c, f *javaClass, m javaMethod, head string) []Found {
	for _, p := range m.paths {
		tail, ok := r.consts.resolve(p, f.name)
		if !ok {
			continue
		}
		whole, ok := r.holders(f.file, join(head, tail))
		if !ok {
			continue
		}
		whole = join(r.before(c, m.framework), whole)
		for _, v := range m.verbs {
			out = append(out, Found{Method: v, Path: normalise(whole), Framework: m.framework, File: f.file, Line: m.line})
		}
	}
	return out
}

// family returns a class and all it extends or implements, itself first.
func (r *javaReader) family(c *javaClass) []*javaClass {
	all := []*javaClass{c}
	seen := map[*javaClass]bool{c: true}
	for i := 0; i < len(all) && len(all) < 32; i++ {
		for _, name := range all[i].supers {
			if up := r.find(name, all[i].file); up != nil && !seen[up] {
				seen[up] = true
				all = append(all, up)
			}
		}
	}
	return all
}

// find returns the class of a name that lies nearest to a file.
func (r *javaReader) find(name, file string) *javaClass {
	var best *javaClass
	near := -1
	for i, c := range r.byName[name] {
		if i == 64 {
			break
		}
		if n := shared(c.file, file); n > near {
			best, near = c, n
		}
	}
	return best
}

// shared returns the length of what two paths begin with.
func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// served tells which framework serves a class, by its annotations and those that
// its annotations carry.
func (r *javaReader) served(c *javaClass, depth int) string {
	if c.controller != "" || depth == 0 {
		return c.controller
	}
	for _, m := range c.marks {
		for _, a := range r.byName[m] {
			if !a.annotation {
				continue
			}
			if f := r.served(a, depth-1); f != "" {
				if !c.prefixed && a.prefixed {
					c.prefixes, c.prefixed = a.prefixes, true
				}
				return f
			}
		}
	}
	return ""
}

// before returns what the module puts before every route of a class.
func (r *javaReader) before(c *javaClass, framework string) string {
	base := r.base(c.file)
	if framework == "jax-rs" {
		if e, ok := r.rest[javaModule(c.file)]; ok {
			if s, ok := r.consts.resolve(e, ""); ok {
				return join(base, s)
			}
		}
		return base
	}
	for _, p := range r.global {
		if javaModule(p.file) != javaModule(c.file) {
			continue
		}
		applies := len(p.packages) == 0
		for _, e := range p.packages {
			s, ok := r.consts.resolve(e, p.owner)
			applies = applies || ok && (c.pkg == s || strings.HasPrefix(c.pkg, s+"."))
		}
		if s, ok := r.consts.resolve(p.path, p.owner); ok && applies {
			if s, ok = r.holders(p.file, s); ok {
				return join(base, s)
			}
		}
	}
	return base
}

// base returns the context path of a file's module.
func (r *javaReader) base(file string) string {
	props := r.props[javaModule(file)]
	out := ""
	for _, key := range []string{"server.servlet.context-path", "server.servlet.contextPath", "server.context-path", "spring.webflux.base-path", "spring.mvc.servlet.path", "micronaut.server.context-path", "quarkus.http.root-path", "quarkus.rest.path"} {
		if s, ok := r.holders(file, props[key]); ok && s != "/" {
			out = join(out, s)
		}
	}
	return out
}

// holders fills in ${key:default}; it fails when nothing says the value.
func (r *javaReader) holders(file, s string) (string, bool) {
	for range 8 {
		before, rest, ok := strings.Cut(s, "${")
		if !ok {
			return s, true
		}
		inner, after, ok := strings.Cut(rest, "}")
		if !ok {
			return "", false
		}
		key, value, given := strings.Cut(inner, ":")
		if v, ok := r.props[javaModule(file)][key]; ok {
			value, given = v, true
		}
		if !given || len(value) > maxPath {
			return "", false
		}
		s = before + value + after
	}
	return "", false
}

// properties keeps what application.properties or application.yml say.
func (r *javaReader) properties(file, data string) {
	if !strings.Contains("/"+file, "/resources/") && !strings.Contains("/"+file, "/config/") {
		return
	}
	m := r.props[javaModule(file)]
	if m == nil {
		m = map[string]string{}
		r.props[javaModule(file)] = m
	}
	var keys []string
	var cols []int
	for row := range strings.SplitSeq(data, "\n") {
		row = strings.TrimRight(row, " \t\r")
		line := strings.TrimLeft(row, " ")
		if strings.HasPrefix(line, "---") && len(m) > 0 {
			return // another profile
		}
		if line == "" || line[0] == '#' || line[0] == '!' || line[0] == '-' || len(m) > 2000 {
			continue
		}
		if strings.HasSuffix(file, ".properties") {
			if k, v, ok := strings.Cut(line, "="); ok {
				m[strings.TrimSpace(k)] = strings.Clone(strings.TrimSpace(v))
			}
			continue
		}
		k, v, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		col := len(row) - len(line)
		for len(cols) > 0 && cols[len(cols)-1] >= col {
			keys, cols = keys[:len(keys)-1], cols[:len(cols)-1]
		}
		if len(keys) > 16 {
			continue
		}
		keys, cols = append(keys, strings.Clone(k)), append(cols, col)
		if v, _, _ = strings.Cut(strings.TrimSpace(v), " #"); v != "" {
			m[strings.Join(keys, ".")] = strings.Clone(strings.Trim(strings.TrimSpace(v), `"'`))
		}
	}
}
