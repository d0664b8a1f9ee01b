package endpoints

import (
	"slices"
	"strings"
)

// verb works through get, post, match and their like.
func (w *rails) verb(c rbCall, p rbPlace) {
	verbs := []string{strings.ToUpper(c.name)}
	if c.name == "match" {
		verbs = nil
		for _, v := range w.names(c.opts["via"], p) {
			if v == "all" {
				verbs = []string{""}
				break
			}
			verbs = append(verbs, httpMethod(v))
		}
		if verbs == nil {
			verbs = []string{""}
		}
	}
	at := p.path
	switch on, _ := w.option(c, "on", p); on {
	case "member":
		at = p.member
	case "collection":
		at = p.whole
	case "new":
		at = join(p.whole, "new")
	}
	paths := c.args
	if c.arrow[1] > 0 {
		paths = append(paths, c.arrow)
	}
	for _, a := range paths {
		name, ok := w.word(a, p)
		if !ok {
			continue
		}
		if s, given := w.option(c, "path", p); given {
			name = s
		}
		for _, v := range verbs {
			w.emit(v, join(at, name), c)
		}
	}
}

func (w *rails) namespace(c rbCall, p rbPlace, depth int) {
	name, ok := w.arg(c, 0, p)
	if s, given := w.option(c, "path", p); given {
		name, ok = s, true
	}
	if !ok {
		return
	}
	w.block(c, p.below(name), depth)
}

// below returns the place below a prefix.
func (p rbPlace) below(name string) rbPlace {
	p.path = join(p.path, name)
	if p.within == "" {
		p.base = join(p.base, name)
	} else { // a namespace in a resource: what it holds is no longer of the resource
		p.member, p.whole = join(p.member, name), join(p.whole, name)
	}
	return p
}

func (w *rails) scope(c rbCall, p rbPlace, depth int) {
	for i := range c.args {
		name, ok := w.arg(c, i, p)
		if !ok {
			if w.s.at(c.args[i][0]).kind == kSpliced {
				return
			}
			continue
		}
		p = p.below(name)
	}
	if a, given := c.opts["path"]; given {
		s, ok := w.option(c, "path", p)
		if !ok && w.s.at(a[0]).kind != kWord {
			return
		}
		p = p.below(s)
	}
	if s, given := w.option(c, "shallow_path", p); given {
		p.base = s
	}
	if a, ok := c.opts["shallow"]; ok {
		p.shallow = w.s.at(a[0]).says("true")
	}
	w.block(c, p, depth)
}

// resources works through resources and resource.
func (w *rails) resources(c rbCall, p rbPlace, depth int) {
	one := c.name == "resource"
	for i := range c.args {
		for _, name := range w.names(c.args[i], p) {
			w.resource(c, name, one, p, depth)
		}
	}
}

func (w *rails) resource(c rbCall, name string, one bool, p rbPlace, depth int) {
	segment := name
	if s, given := w.option(c, "path", p); given {
		segment = s
	}
	param := "id"
	if s, given := w.option(c, "param", p); given {
		param = s
	}
	shallow := p.shallow
	if a, ok := c.opts["shallow"]; ok {
		shallow = w.s.at(a[0]).says("true")
	}
	in := p
	in.within = "nested"
	in.shallow = shallow
	in.whole = join(p.path, segment)
	in.member, in.path = in.whole, in.whole
	if !one {
		low := in.whole
		if p.within == "nested" && shallow {
			low = join(p.base, segment)
		}
		in.member = join(low, "{"+param+"}")
		if param == "id" {
			in.path = join(low, "{"+singular(path1(name))+"_id}")
		} else {
			in.path = join(low, "{"+singular(path1(name))+"_"+param+"}")
		}
	}
	w.actions(c, in, one, p)
	if a, ok := c.opts["concerns"]; ok {
		w.use(w.names(a, p), rbLimits{}, in, depth)
	}
	w.block(c, in, depth)
}

// path1 returns the last segment of a name.
func path1(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// actions adds the seven routes of a resource, less what only and except leave out.
func (w *rails) actions(c rbCall, in rbPlace, one bool, p rbPlace) {
	want := []string{"index", "create", "new", "edit", "show", "update", "destroy"}
	limits := w.limits(c, p)
	explicit := limits.given
	if explicit {
		want = limits.only
	}
	want = slices.DeleteFunc(slices.Clone(want), func(s string) bool { return slices.Contains(limits.except, s) })
	names := map[string]string{"new": "new", "edit": "edit"}
	w.pathNames(c, p, names)
	for _, action := range want {
		switch action {
		case "index":
			if !one {
				w.emit("GET", in.whole, c)
			}
		case "create":
			w.emit("POST", in.whole, c)
		case "new":
			if !w.plain || explicit {
				w.emit("GET", join(in.whole, names["new"]), c)
			}
		case "edit":
			if !w.plain || explicit {
				w.emit("GET", join(in.member, names["edit"]), c)
			}
		case "show":
			w.emit("GET", in.member, c)
		case "update":
			w.emit("PATCH", in.member, c)
			w.emit("PUT", in.member, c)
		case "destroy":
			w.emit("DELETE", in.member, c)
		}
	}
}

// singular names one of many, well enough for a parameter's name.
func singular(s string) string {
	switch {
	case s == "people":
		return "person"
	case strings.HasSuffix(s, "ies") && len(s) > 4:
		return s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "sses"), strings.HasSuffix(s, "xes"), strings.HasSuffix(s, "ches"), strings.HasSuffix(s, "shes"), strings.HasSuffix(s, "uses"):
		return s[:len(s)-2]
	case strings.HasSuffix(s, "ss"), strings.HasSuffix(s, "us"):
		return s
	}
	return strings.TrimSuffix(s, "s")
}

// mount notes where an engine is mounted.
func (w *rails) mount(c rbCall, p rbPlace) {
	name, at := "", ""
	switch {
	case c.arrow[1] > 0:
		name, at = w.engine(c.arrow), ""
		if s, ok := w.option(c, "to", p); ok {
			at = s
		}
	case len(c.args) > 0:
		name = w.engine(c.args[0])
	}
	if s, ok := w.option(c, "at", p); ok {
		at = s
	}
	if name != "" && len(w.r.mounts) < 200 {
		w.r.mounts[name] = join(p.path, at)
	}
}

// engine reads "Name::Engine" or "Name::Engine.routes".
func (w *rails) engine(a [2]int) string {
	name := ""
	for i := a[0]; i < a[1]; i++ {
		switch t := w.s.at(i); {
		case t.kind == kWord && !t.says("routes"):
			name += "::" + t.text
		case t.is("::"):
		default:
			return strings.TrimPrefix(name, "::")
		}
	}
	return strings.TrimPrefix(name, "::")
}

// deviseFor adds what Devise serves for a model: what its modules ask for.
func (w *rails) deviseFor(c rbCall, p rbPlace) {
	name, ok := w.arg(c, 0, p)
	if !ok {
		return
	}
	segment := name
	if s, given := w.option(c, "path", p); given {
		segment = s
	}
	at := join(p.path, segment)
	skip := w.names(c.opts["skip"], p)
	only, limited := c.opts["only"]
	words := map[string]string{"sign_in": "sign_in", "sign_out": "sign_out", "sign_up": "sign_up"}
	w.pathNames(c, p, words)
	modules := w.r.devise[singular(path1(name))]
	add := func(part, module string, routes ...string) {
		if limited && !slices.Contains(w.names(only, p), part) || slices.Contains(skip, part) || slices.Contains(skip, "all") || module != "" && !slices.Contains(modules, module) {
			return
		}
		for _, r := range routes {
			verb, tail, _ := strings.Cut(r, " ")
			if s, ok := words[tail]; ok {
				tail = s
			}
			w.emit(verb, join(at, tail), c)
		}
	}
	session := "" // a model that is not known is taken to have a password
	if len(modules) > 0 && !slices.ContainsFunc(modules, func(m string) bool { return strings.HasSuffix(m, "authenticatable") }) {
		session = "database_authenticatable"
	}
	add("sessions", session, "GET sign_in", "POST sign_in", "DELETE sign_out")
	add("passwords", "recoverable", "GET password/new", "GET password/edit", "POST password", "PATCH password", "PUT password")
	add("registrations", "registerable", "GET sign_up", "GET edit", "GET cancel", "POST ", "PATCH ", "PUT ", "DELETE ")
	add("confirmations", "confirmable", "GET confirmation/new", "GET confirmation", "POST confirmation")
	add("unlocks", "lockable", "GET unlock/new", "GET unlock", "POST unlock")
}
