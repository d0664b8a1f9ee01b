package endpoints

import (
	"path"
	"strings"
)

// describe puts the annotations of a type into its description.
func (j *javaScan) describe(c *javaClass, marks []javaMark) {
	for _, m := range marks {
		c.marks = append(c.marks, strings.Clone(m.name))
		switch m.name {
		case "RestController", "Controller":
			c.controller = "spring"
			if paths, ok := j.paths(m, "value", "uri"); ok && len(paths) > 0 && j.micronaut() {
				c.controller, c.prefixes, c.prefixed = "micronaut", paths, true
			}
		case "RequestMapping":
			c.prefixes, c.prefixed = j.paths(m, "value", "path")
			c.verbs = j.verbs(m)
		case "GetMapping", "PostMapping", "PutMapping", "PatchMapping", "DeleteMapping":
			c.prefixes, c.prefixed = j.paths(m, "value", "path")
			c.verbs = []string{httpMethod(strings.TrimSuffix(m.name, "Mapping"))}
		case "Path":
			c.prefixes, c.prefixed = j.paths(m, "value")
			c.controller = "jax-rs"
		case "ApplicationPath":
			if all, ok := j.paths(m, "value"); ok && len(all) == 1 {
				j.r.rest[javaModule(j.path)] = all[0]
			}
		case "FeignClient", "HttpExchange", "RegisterRestClient", "ReactiveFeignClient", "Client":
			c.client = true
		}
	}
}

// micronaut tells whether the file imports Micronaut.
func (j *javaScan) micronaut() bool {
	for i := 0; i < len(j.toks) && i < 2000; i++ {
		if j.toks[i].says("micronaut") {
			return true
		}
	}
	return false
}

// method turns the annotations before a method into routes of its class.
func (j *javaScan) method() {
	var verb string
	var sub []expr
	line, known := 0, true
	c := j.top()
	add := func(framework, line1 string, m javaMark, names ...string) {
		paths, ok := j.paths(m, names...)
		if !ok {
			return
		}
		verbs := []string{line1}
		if line1 == "" {
			verbs = j.verbs(m)
		}
		c.methods = append(c.methods, javaMethod{verbs: verbs, paths: paths, framework: framework, line: m.line})
	}
	for _, m := range j.pending {
		switch {
		case m.name == "RequestMapping":
			add("spring", "", m, "value", "path")
		case strings.HasSuffix(m.name, "Mapping") && httpMethod(strings.TrimSuffix(m.name, "Mapping")) != "":
			add("spring", httpMethod(strings.TrimSuffix(m.name, "Mapping")), m, "value", "path")
		case httpMethod(m.name) == m.name && m.args == 0:
			verb, line = m.name, m.line
		case m.name == "Path":
			sub, known = j.paths(m, "value")
		case httpMethod(m.name) != "" && c.controller == "micronaut":
			add("micronaut", httpMethod(m.name), m, "value", "uri", "uris")
		case len(c.methods) < 5000 && m.name != "Override":
			if paths, ok := j.paths(m, "value", "path"); ok {
				c.methods = append(c.methods, javaMethod{paths: paths, line: m.line, mark: strings.Clone(m.name)})
			}
		}
	}
	if verb != "" && known {
		if sub == nil {
			sub = []expr{lit("")}
		}
		c.methods = append(c.methods, javaMethod{verbs: []string{strings.Clone(verb)}, paths: sub, framework: "jax-rs", line: line})
	}
}

// paths reads the paths among an annotation's arguments: those with one of these
// names, or without a name. Without any the path is empty. It fails on a path that
// is more than strings and constants.
func (j *javaScan) paths(m javaMark, names ...string) ([]expr, bool) {
	var out []expr
	ok := true
	for _, a := range j.args(m.args) {
		from, to := a[0], a[1]
		if m.args == 0 {
			break
		}
		if j.at(from).kind == kWord && j.at(from+1).is("=") {
			if !j.at(from).says(names...) {
				continue
			}
			from += 2
		}
		for _, one := range j.list(from, to) {
			e, good := j.expr(one[0], one[1])
			if !good {
				ok = false
				continue
			}
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		return []expr{lit("")}, ok
	}
	return out, true
}

// list returns the members of {a, b}, [a, b] or arrayOf(a, b), or the one value.
func (j *javaScan) list(from, to int) [][2]int {
	t := j.at(from)
	switch {
	case t.says("arrayOf") && j.at(from+1).is("("):
		return j.args(from + 1)
	case t.is("{"), t.is("["):
		return j.args(from)
	}
	return [][2]int{{from, to}}
}

// verbs reads method = {RequestMethod.GET, ...}; none means any.
func (j *javaScan) verbs(m javaMark) []string {
	var out []string
	if m.args == 0 {
		return []string{""}
	}
	for _, a := range j.args(m.args) {
		if !j.at(a[0]).says("method") || !j.at(a[0]+1).is("=") {
			continue
		}
		for i := a[0] + 2; i < a[1] && len(out) < 9; i++ {
			if t := j.at(i); t.kind == kWord && httpMethod(t.text) == t.text {
				out = append(out, strings.Clone(t.text))
			}
		}
	}
	if len(out) == 0 {
		return []string{""}
	}
	return out
}

// prefix reads addPathPrefix("/x", predicate).
func (j *javaScan) prefix(open int) {
	args := j.args(open)
	if len(args) != 2 {
		return
	}
	e, ok := j.expr(args[0][0], args[0][1])
	if !ok || len(j.r.global) >= 16 {
		return
	}
	p := javaPrefix{path: e, owner: j.owner(), file: j.path}
	rest := false
	for i := args[1][0]; i < args[1][1]; i++ {
		switch t := j.at(i); {
		case t.says("RestController", "Controller"):
			rest = true
		case t.says("forBasePackage") && j.at(i+1).is("("):
			for _, a := range j.args(i + 1) {
				if e, ok := j.expr(a[0], a[1]); ok {
					p.packages = append(p.packages, e)
				}
			}
		}
	}
	if rest || len(p.packages) > 0 {
		j.r.global = append(j.r.global, p)
	}
}

// functions reads router functions: GET("/x", ...) within nest(path("/a"), ...),
// path("/a", builder -> ...) or "/a".nest { ... }.
func (j *javaScan) functions() {
	type scope struct {
		end    int
		prefix expr
	}
	var open []scope
	j.open = nil
	for i := 0; i < len(j.toks); i++ {
		for len(open) > 0 && i >= open[len(open)-1].end {
			open = open[:len(open)-1]
		}
		t := j.toks[i]
		if t.says("class", "object", "interface") && j.at(i+1).kind == kWord {
			j.open = []*javaClass{{name: j.at(i + 1).text}}
		}
		if e, end := j.nest(i); end > 0 && len(open) < 32 {
			open = append(open, scope{end, e})
			continue
		}
		if t.kind != kWord || httpMethod(t.text) != t.text || !j.at(i+1).is("(") || len(j.r.routes) >= maxClasses {
			continue
		}
		args := j.args(i + 1)
		if len(args) == 0 {
			continue
		}
		if e, ok := j.expr(args[0][0], args[0][1]); ok {
			route := javaRoute{verb: strings.Clone(t.text), path: e, owner: strings.Clone(j.owner()), file: j.path, line: t.line}
			for _, o := range open {
				route.prefix = append(route.prefix, o.prefix)
			}
			j.r.routes = append(j.r.routes, route)
		}
	}
}

// nest tells what opens a scope with a prefix at i, and where the scope ends.
func (j *javaScan) nest(i int) (expr, int) {
	t := j.toks[i]
	args := func(open int) [][2]int { return j.args(open) }
	switch {
	case t.says("nest") && j.at(i+1).is("("):
		a := args(i + 1)
		for k := i + 2; len(a) > 1 && k < a[0][1]; k++ {
			if j.at(k).says("path") && j.at(k+1).is("(") {
				if e, ok := j.expr(k+2, j.at(k+1).mate); ok {
					return e, j.at(i + 1).mate
				}
			}
		}
	case t.says("path") && j.at(i+1).is("("):
		if a := args(i + 1); len(a) == 2 {
			if e, ok := j.expr(a[0][0], a[0][1]); ok {
				return e, j.at(i + 1).mate
			}
		}
	case j.lang == "kotlin" && t.says("nest") && j.at(i+1).is("{") && j.at(i-1).is("."):
		from := i - 2
		if j.at(from).kind == kText || j.at(from).kind == kWord {
			if e, ok := j.expr(from, from+1); ok {
				return e, j.at(i + 1).mate
			}
		}
		for k := from; k > 0 && k > from-24 && j.at(k).line == t.line; k-- {
			if j.at(k).kind == kText && strings.HasPrefix(j.at(k).text, "/") {
				return lit(strings.Clone(j.at(k).text)), j.at(i + 1).mate
			}
		}
	}
	return nil, 0
}

// javaModule returns the folder of the module a file belongs to: what stands before src/.
func javaModule(file string) string {
	dir := "/" + path.Dir(file) + "/"
	if i := strings.LastIndex(dir, "/src/"); i >= 0 {
		return strings.Trim(dir[:i], "/.")
	}
	return strings.Trim(dir, "/.")
}
