package endpoints

import (
	"slices"
	"strings"
)

func (r *csharpReader) found() []Found {
	r.settle()
	var out []Found
	for _, c := range r.classes {
		if len(out) > maxFound {
			return out
		}
		if !c.abstract {
			out = r.ofClass(out, c)
		}
	}
	for _, route := range r.routes {
		tail, ok := r.consts.resolve(route.path, route.group.scope)
		if !ok {
			continue
		}
		for _, head := range r.groups(route.group, 6) {
			for _, v := range route.verbs {
				out = append(out, Found{Method: v, Path: normalise(join(head, tail)), Framework: "aspnet", File: route.file, Line: route.line})
			}
		}
		if len(out) > maxFound {
			break
		}
	}
	return out
}

// groups returns the prefixes of a group, through the methods that are handed it.
func (r *csharpReader) groups(g csGroup, depth int) []string {
	heads := []string{""}
	if calls := r.callers(g); len(calls) > 0 && depth > 0 {
		heads = nil
		for _, up := range calls {
			for _, h := range r.groups(up, depth-1) {
				if len(heads) < 16 && !slices.Contains(heads, h) {
					heads = append(heads, h)
				}
			}
		}
	}
	whole := ""
	for _, p := range g.parts {
		s, ok := r.consts.resolve(p, g.scope)
		if !ok {
			s = ""
		}
		whole = join(whole, s)
	}
	for i := range heads {
		heads[i] = join(heads[i], whole)
	}
	return heads
}

// family returns a class and those it extends.
func (r *csharpReader) family(c *csClass) []*csClass {
	all := []*csClass{c}
	seen := map[*csClass]bool{c: true}
	for i := 0; i < len(all) && len(all) < 16; i++ {
		for _, name := range all[i].supers {
			var best *csClass
			near := -1
			for n, up := range r.byName[name] {
				if n == 64 {
					break
				}
				if d := shared(up.file, all[i].file); d > near {
					best, near = up, d
				}
			}
			if best != nil && !seen[best] {
				seen[best] = true
				all = append(all, best)
			}
		}
	}
	return all
}

// ofClass adds the actions of a controller: its own and those it inherits.
func (r *csharpReader) ofClass(out []Found, c *csClass) []Found {
	family := r.family(c)
	controller, area := strings.HasSuffix(c.name, "Controller"), ""
	var prefixes []expr
	scope := c.name
	for _, f := range family {
		controller = controller || f.api
		for _, s := range f.supers {
			controller = controller || s == "Controller" || s == "ControllerBase" || s == "ApiController" || s == "EndpointBaseAsync" || s == "EndpointBaseSync"
		}
		if len(prefixes) == 0 && len(f.prefixes) > 0 {
			prefixes, scope = f.prefixes, f.name
		}
		if area == "" {
			area = f.area
		}
	}
	if !controller {
		return out
	}
	t := csTokens{controller: strings.TrimSuffix(c.name, "Controller"), area: area}
	parted := r.kebab[csProject(c.file)]
	if parted {
		t.controller = kebab(t.controller)
	}
	for _, f := range family {
		for _, m := range f.methods {
			t.action = strings.TrimSuffix(m.name, "Async")
			if parted {
				t.action = kebab(t.action)
			}
			for _, v := range m.paths(len(prefixes) > 0) {
				out = r.action(out, f, v, prefixes, scope, t)
			}
			if len(prefixes) == 0 && len(m.routes)+len(m.prefixes) == 0 {
				out = r.conventional(out, c, f, m, t)
			}
		}
	}
	return out
}

// csTokens are what [controller], [action] and [area] stand for.
type csTokens struct{ controller, action, area string }

func (t csTokens) fill(s string) string {
	return strings.NewReplacer("[controller]", t.controller, "[action]", t.action, "[area]", t.area,
		"[Controller]", t.controller, "[Action]", t.action).Replace(s)
}

// paths returns the method's own routes: what its attributes say, put together.
func (m csMethod) paths(prefixed bool) []csVerb {
	out := append([]csVerb(nil), m.routes...)
	verbs := m.verbs
	if len(verbs) == 0 && len(m.routes) == 0 && len(m.prefixes) > 0 {
		verbs = []string{""}
	}
	if len(verbs) == 0 && len(m.routes) == 0 && prefixed && m.returns {
		verbs = []string{""}
	}
	for _, v := range verbs {
		for _, p := range m.prefixes {
			out = append(out, csVerb{v, p, m.line})
		}
		if len(m.prefixes) == 0 && prefixed {
			out = append(out, csVerb{v, lit(""), m.line})
		}
	}
	return out
}

func (r *csharpReader) action(out []Found, f *csClass, v csVerb, prefixes []expr, scope string, t csTokens) []Found {
	tail, ok := r.consts.resolve(v.path, f.name)
	if !ok {
		return out
	}
	add := func(whole string) {
		out = append(out, Found{Method: v.verb, Path: normalise(t.fill(whole)), Framework: "aspnet", File: f.file, Line: v.line})
	}
	if rest, ok := strings.CutPrefix(tail, "~/"); ok || strings.HasPrefix(tail, "/") {
		if !ok {
			rest = tail
		}
		add(join("", rest))
		return out
	}
	if len(prefixes) == 0 {
		add(join("", tail))
	}
	for _, p := range prefixes {
		if head, ok := r.consts.resolve(p, scope); ok {
			add(join(strings.TrimPrefix(head, "~"), tail))
		}
	}
	return out
}

// conventional adds an action that only a conventional route serves.
func (r *csharpReader) conventional(out []Found, c, f *csClass, m csMethod, t csTokens) []Found {
	if !m.returns || !strings.HasSuffix(c.name, "Controller") {
		return out
	}
	verbs := m.verbs
	if len(verbs) == 0 {
		verbs = []string{""}
	}
	for _, p := range r.pattern {
		if csProject(p.file) != csProject(c.file) || strings.Contains(p.text, "{area") != (t.area != "") {
			continue
		}
		var whole string
		for part := range strings.SplitSeq(p.text, "/") {
			switch {
			case strings.HasPrefix(part, "{controller"):
				part = t.controller
			case strings.HasPrefix(part, "{action"):
				part = t.action
			case strings.HasPrefix(part, "{area"):
				part = t.area
			case strings.HasSuffix(part, "?}"):
				part = ""
			}
			whole = join(whole, part)
		}
		for _, v := range verbs {
			out = append(out, Found{Method: v, Path: normalise(whole), Framework: "aspnet", File: f.file, Line: m.line})
		}
	}
	return out
}

// csProject returns the project a file lies in: its path up to the second slash.
func csProject(file string) string {
	a, rest, _ := strings.Cut(file, "/")
	if a == "src" || a == "Src" {
		b, _, _ := strings.Cut(rest, "/")
		return a + "/" + b
	}
	return a
}
