package endpoints

import (
	"strconv"
	"strings"
)

const (
	maxGoPrefixes = 24 // prefixes of one router: what is mounted more often is cut short
	maxGoDepth    = 24 // routers mounted in one another
	maxGoRoutes   = 20_000
	hole          = "\x01" // begins a parameter of the surrounding function in a text: \x01 number \x02
	holeEnd       = "\x02"
)

// goNode is a router: a variable, a parameter, a field or a result. Routers hang in
// those they are mounted in or grouped from.
type goNode struct {
	kind string
	up   []goEdge
	root bool // made by a constructor
}

type goEdge struct {
	parent int
	prefix string
}

// goRoute is a route on a router. Path and method may hold holes.
type goRoute struct {
	node    int
	methods []string
	path    string
	at      goAt
	live    bool // a handler is attached
	prefix  bool // made by PathPrefix
	child   int  // the router that is its handler
	fn      *goFunc
}

type goAt struct {
	file string
	line int
}

// node makes a router and returns its number; 0 is no router.
func (w *goWalk) node(kind string, up ...goEdge) int {
	w.nodes = append(w.nodes, goNode{kind: kind, up: up})
	return len(w.nodes) - 1
}

// hang says that child lies below parent.
func (w *goWalk) hang(child, parent int, prefix string) {
	if child == 0 || parent == 0 || child == parent || len(w.nodes[child].up) >= maxGoPrefixes {
		return
	}
	for _, e := range w.nodes[child].up {
		if e.parent == parent && e.prefix == prefix {
			return
		}
	}
	w.nodes[child].up = append(w.nodes[child].up, goEdge{parent, prefix})
}

// alias says that two names mean one router: the place (a field, a result) and what
// was put there. A router fresh from its constructor takes its prefixes from the place.
func (w *goWalk) alias(place, value int) {
	if place == 0 || value == 0 {
		return
	}
	if w.nodes[value].root && len(w.nodes[value].up) == 0 {
		w.hang(value, place, "")
		return
	}
	w.hang(place, value, "")
}

// prefixes returns the prefixes of a router, [""] for one that hangs nowhere.
func (w *goWalk) prefixes(node, depth int, on map[int]bool) []string {
	if known, ok := w.known[node]; ok {
		return known
	}
	up := w.nodes[node].up
	if len(up) == 0 || depth > maxGoDepth || on[node] {
		return []string{""}
	}
	on[node] = true
	seen := map[string]bool{}
	var all []string
	for _, e := range up {
		if on[e.parent] {
			continue
		}
		for _, p := range w.prefixes(e.parent, depth+1, on) {
			p = join(p, e.prefix)
			if !seen[p] && len(all) < maxGoPrefixes && len(p) <= maxPath {
				seen[p] = true
				all = append(all, p)
			}
		}
	}
	delete(on, node)
	if len(all) == 0 {
		all = []string{""}
	}
	w.known[node] = all // within a ring this may be short of one; it is never wrong
	return all
}

// fill replaces the holes of a text by what the caller passed; ok is false when a
// hole stays that is not the caller's own.
func fill(text string, args []goVal) (filled string, ok bool) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, hole)
		out.WriteString(before)
		if !found {
			return out.String(), out.Len() <= maxPath
		}
		number, after, _ := strings.Cut(rest, holeEnd)
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 || i >= len(args) || !args[i].known {
			return "", false
		}
		out.WriteString(args[i].str)
		text = after
	}
}

// instantiate turns the routes of helper functions into those of their callers.
func (w *goWalk) instantiate() {
	for range 4 {
		var next []*goRoute
		for _, c := range w.calls {
			for _, t := range c.to.templates {
				if len(w.routes) >= maxGoRoutes {
					continue
				}
				made := *t
				made.at = c.at
				path, ok := fill(t.path, c.args)
				if !ok {
					continue
				}
				made.path, made.methods = path, nil
				for _, m := range t.methods {
					if m, ok = fill(m, c.args); ok {
						made.methods = append(made.methods, m)
					}
				}
				if len(made.methods) != len(t.methods) {
					continue
				}
				for i, p := range c.to.params {
					if p != 0 && p == t.node && i < len(c.args) && c.args[i].node != 0 {
						made.node = c.args[i].node
					}
				}
				if made.holes() {
					if c.from != nil && len(c.from.next) < 500 {
						c.from.next = append(c.from.next, &made)
						next = append(next, &made)
					}
					continue
				}
				w.routes = append(w.routes, &made)
			}
		}
		if len(next) == 0 {
			return
		}
		for _, f := range w.funcs {
			f.templates, f.next = f.next, nil
		}
	}
}

func (r *goRoute) holes() bool {
	return strings.Contains(r.path, hole) || strings.Contains(strings.Join(r.methods, ""), hole)
}

func (w *goWalk) found() []Found {
	w.settle()
	w.instantiate()
	serving := w.serving()
	var all []Found
	for _, r := range w.routes {
		if !r.live || r.holes() || r.child != 0 && serving[r.child] || len(all) >= maxGoRoutes {
			continue
		}
		kind := w.nodes[r.node].kind
		methods := r.methods
		path := r.path
		if len(methods) == 0 {
			methods = []string{""}
		}
		if kind == "net/http" || kind == "go" || kind == "routegroup" {
			if m, rest, ok := strings.Cut(path, " "); ok && httpMethod(m) != "" {
				methods, path = []string{httpMethod(m)}, strings.TrimSpace(rest)
			}
			if i := strings.IndexByte(path, '/'); i > 0 && kind == "net/http" { // a host
				path = path[i:]
			}
			path = strings.ReplaceAll(path, "{$}", "")
		}
		for _, prefix := range w.prefixes(r.node, 0, map[int]bool{}) {
			for _, m := range methods {
				all = append(all, Found{
					Method: httpMethod(m), Path: normalise(join(prefix, path)),
					Framework: kind, File: r.at.file, Line: r.at.line,
				})
			}
		}
	}
	return all
}
