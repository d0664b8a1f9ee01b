package endpoints

import (
	"strings"
)

// django walks the lists of patterns from the roots; without a known root, from
// every list that no other includes.
func (r *pythonReader) django() []Found {
	w := &pyWalk{r: r, on: map[pyKey]bool{}}
	for _, l := range r.lists {
		l.used = false
	}
	for _, root := range r.roots {
		if f := r.module(root, ""); f != nil {
			w.list(pyKey{f.path, "urlpatterns"}, "")
		}
	}
	if len(w.out) > 0 {
		return w.out
	}
	for _, k := range r.listed { // find who is included
		w.mute = true
		for _, e := range r.lists[k].entries {
			for _, n := range e.names {
				w.included(n)
			}
			for _, s := range e.subs {
				for _, n := range s.names {
					w.included(n)
				}
			}
		}
	}
	w.mute = false
	for _, k := range r.listed {
		if k.name == "urlpatterns" && !r.lists[k].used {
			w.list(k, "")
		}
	}
	return w.out
}

// pyWalk follows includes.
type pyWalk struct {
	r     *pythonReader
	out   []Found
	on    map[pyKey]bool // the lists above the present one
	mute  bool
	steps int
}

func (w *pyWalk) included(ref pyRef) {
	if k, ok := w.r.locate(ref, w.known); ok && w.r.lists[w.as(k)] != nil {
		w.r.lists[w.as(k)].used = true
	}
}

// known tells whether a name is a list, a router, or a module with patterns.
func (w *pyWalk) known(k pyKey) bool {
	return w.r.lists[w.as(k)] != nil || w.r.nodes[k] != nil || w.router(k) != nil
}

// as turns a module into its list of patterns.
func (w *pyWalk) as(k pyKey) pyKey {
	if k.name == "" {
		k.name = "urlpatterns"
	}
	return k
}

// router returns the router that "router.urls" speaks of.
func (w *pyWalk) router(k pyKey) *pyNode {
	if name, ok := strings.CutSuffix(k.name, ".urls"); ok {
		if n := w.r.nodes[pyKey{k.file, name}]; n != nil && n.kind == "drf" {
			return n
		}
	}
	if k.name == "" || k.name == "urls" { // urlpatterns = router.urls
		return nil
	}
	return nil
}

func (w *pyWalk) list(k pyKey, prefix string) {
	l := w.r.lists[k]
	if l == nil || w.on[k] || len(w.on) > 16 {
		return
	}
	w.on[k] = true
	l.used = true
	w.entries(l, l.entries, prefix)
	delete(w.on, k)
}

func (w *pyWalk) entries(l *pyList, all []pyURL, prefix string) {
	for _, e := range all {
		if w.steps++; w.steps > maxPySteps || len(w.out) > maxFound {
			return
		}
		whole := prefix
		if e.path != nil {
			s, ok := w.r.consts.resolve(e.path, l.scope)
			if !ok {
				continue
			}
			if e.regex {
				s = pyRegex(s)
			}
			whole = join(prefix, s)
			if strings.HasSuffix(prefix, "/") || prefix == "" {
				whole = prefix + s
			} else if !strings.HasPrefix(s, "/") && prefix != "" && s != "" {
				whole = prefix + s
			}
		}
		if e.view {
			verbs := e.verbs
			if verbs == nil {
				verbs = w.r.asked(e.serve)
			}
			for _, v := range verbs {
				w.out = append(w.out, Found{Method: v, Path: normalise(whole), Framework: "django", File: l.file, Line: e.line})
			}
			continue
		}
		if len(e.subs) > 0 {
			w.entries(l, e.subs, whole)
		}
		for _, n := range e.names {
			w.follow(n, whole)
		}
	}
}

func (w *pyWalk) follow(ref pyRef, prefix string) {
	k, ok := w.r.locate(ref, w.known)
	if !ok {
		return
	}
	if n := w.router(k); n != nil {
		w.viewsets(n, prefix)
		return
	}
	if n := w.r.nodes[k]; n != nil && n.kind == "drf" {
		w.viewsets(n, prefix)
		return
	}
	w.list(w.as(k), prefix)
}

// viewsets adds what a router of REST framework serves.
func (w *pyWalk) viewsets(n *pyNode, prefix string) {
	if n.nested.name != "" {
		s, _ := w.r.consts.resolve(n.prefix, n.scope)
		prefix = join(prefix, join(s, "{"+n.lookup+"}")) + "/"
	}
	for _, reg := range n.routes {
		s, ok := w.r.consts.resolve(reg.path, n.scope)
		if !ok && (len(reg.path) != 1 || reg.path[0].ref) {
			continue
		}
		at := prefix + pyRegex(s)
		list, detail, pk, actions := w.viewset(reg.class)
		add := func(verb, path string, file string, line int) {
			if len(w.out) <= maxFound {
				w.out = append(w.out, Found{Method: verb, Path: normalise(path), Framework: "django", File: file, Line: line})
			}
		}
		for _, v := range list {
			add(v, at, n.file, reg.line)
		}
		for _, v := range detail {
			add(v, join(at, "{"+pk+"}"), n.file, reg.line)
		}
		for _, a := range actions {
			path := at
			if a.detail {
				path = join(at, "{"+pk+"}")
			}
			for _, v := range a.verbs {
				add(v, join(path, pyRegex(a.path)), n.file, reg.line)
			}
		}
	}
}

// pyRegex turns the pattern of a URL into a path: groups become parameters,
// anchors and optional parts go.
func pyRegex(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '^', c == '$', c == '?', c == '+':
		case c == '\\' && i+1 < len(s):
			i++
			if strings.IndexByte(`/.-_@~:+`, s[i]) >= 0 {
				out.WriteByte(s[i])
			}
		case c == '(':
			n := group(s[i:])
			inner, after := s[i:i+n], i+n
			switch {
			case strings.HasPrefix(inner, "(?P<"):
				name, _, _ := strings.Cut(inner[4:], ">")
				out.WriteString("{" + paramName(name) + "}")
			case strings.HasPrefix(inner, "(?"):
				if after < len(s) && (s[after] == '?' || s[after] == '*') {
					break
				}
				if _, body, ok := strings.Cut(inner, ":"); ok && strings.HasPrefix(inner, "(?:") && !strings.ContainsAny(body, "(|[\\") {
					out.WriteString(strings.TrimSuffix(body, ")"))
				}
			default:
				out.WriteString("{param}")
			}
			i = after - 1
		case c == '[':
			n := strings.IndexByte(s[i:], ']')
			if n < 0 {
				n = len(s) - i - 1
			}
			i += n
		case c == '.' && i+1 < len(s) && (s[i+1] == '*' || s[i+1] == '+'):
			i++
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// group measures a group of a regular expression.
func group(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			if n := strings.IndexByte(s[i+1:], ']'); n > 0 {
				i += n + 1
			}
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}
