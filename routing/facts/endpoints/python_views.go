package endpoints

import (
	"slices"
	"strings"
)

// demanded returns the methods that the decorators of a function ask for, nil when
// none does: @require_POST, @api_view(["GET"]), or an application's own decorator
// whose arguments are methods.
func (p *pyScan) demanded() []string {
	for _, m := range p.marks {
		name, open := p.dotted(m + 1)
		called := p.at(open).is("(")
		switch name[strings.LastIndexByte(name, '.')+1:] {
		case "require_GET", "require_safe":
			return []string{"GET"}
		case "require_POST":
			return []string{"POST"}
		case "require_http_methods", "api_view":
			if called {
				if all := p.methods(open+1, min(p.at(open).mate, len(p.toks))); all != nil {
					return all
				}
			}
			return []string{"GET"}
		}
		if a := p.args(open); called && len(a) > 0 && !strings.HasSuffix(name, "route") {
			if all := p.spoken(a); all != nil {
				return all
			}
		}
	}
	return nil
}

// spoken returns the methods that the arguments of a decorator are, nil when one is
// something else.
func (p *pyScan) spoken(a [][2]int) []string {
	var out []string
	for _, one := range a {
		t := p.at(one[0])
		if t.kind == kWord && p.at(one[0]+1).is("=") {
			continue
		}
		if t.is("[") || t.is("(") {
			inner := p.spoken(p.args(one[0]))
			if inner == nil {
				return nil
			}
			out = append(out, inner...)
			continue
		}
		m := httpMethod(t.text)
		if t.kind != kText || one[1] != one[0]+1 || m != t.text || m == "" || len(out) > 8 {
			return nil
		}
		out = append(out, m)
	}
	return out
}

// viewed reads the view of a pattern through what is wrapped around it:
// login_required(views.orders), cache_page(60)(Orders.as_view()).
func (p *pyScan) viewed(e *pyURL, from, to, depth int) {
	name, open := p.dotted(from)
	if name == "" || depth == 0 {
		return
	}
	class, isClass := strings.CutSuffix(name, ".as_view")
	switch {
	case isClass:
		e.serve = p.ref(class)
		if a := p.args(open); p.at(open).is("(") && len(a) > 0 && p.at(a[0][0]).is("{") { // {"get": "list"}
			for _, one := range p.args(a[0][0]) {
				if m := httpMethod(p.at(one[0]).text); m != "" && len(e.verbs) < 9 {
					e.verbs = append(e.verbs, m)
				}
			}
		}
	case open == to:
		e.serve = p.ref(name)
	case p.at(open).is("("):
		for next := p.at(open).mate + 1; next < to && p.at(next).is("("); next = p.at(open).mate + 1 {
			open = next
		}
		if p.at(open).mate != to-1 {
			return
		}
		if a := p.args(open); len(a) > 0 {
			p.viewed(e, a[0][0], a[0][1], depth-1)
		}
	}
}

// returns notes which blueprint a function gives back.
func (p *pyScan) returns(from, to int) {
	name, end := p.dotted(from + 1)
	if local, ok := p.locals[name]; ok && end == to && len(p.r.makers) < maxPyNodes {
		p.r.makers[pyKey{p.path, p.within}] = local
	}
}

// node finds the router that a name stands for: it may be what a function returned.
func (r *pythonReader) node(ref pyRef) *pyNode {
	has := func(k pyKey) bool {
		_, made := r.made[k]
		return r.nodes[k] != nil || r.makers[k] != "" || made
	}
	for range 4 {
		k, ok := r.locate(ref, has)
		if !ok {
			return nil
		}
		if n := r.nodes[k]; n != nil {
			return n
		}
		if local := r.makers[k]; local != "" {
			return r.nodes[pyKey{k.file, local}]
		}
		ref = r.made[k]
	}
	return nil
}

// asked returns the methods that a view of Django answers, "" where that is not plain.
func (r *pythonReader) asked(ref pyRef) []string {
	anyMethod := []string{""}
	if ref.name == "" {
		return anyMethod
	}
	k, ok := r.locate(ref, func(k pyKey) bool { return r.funcs[k] != nil || r.classes[k] != nil })
	if verbs := r.funcs[k]; ok && verbs != nil {
		return verbs
	}
	if !ok {
		return anyMethod
	}
	all, outside := r.family(ref)
	got := map[string]bool{}
	for _, o := range outside {
		verbs, plain := genericView(o)
		if !plain {
			return anyMethod
		}
		for _, v := range verbs {
			got[v] = true
		}
	}
	if len(outside) == 0 { // a class that is no view by name
		return anyMethod
	}
	for _, c := range all {
		for _, m := range restVerbs() {
			got[m] = got[m] || c.methods[strings.ToLower(m)]
		}
	}
	if out := allowed(got, all); len(out) > 0 {
		return out
	}
	return anyMethod
}

func restVerbs() []string { return []string{"GET", "POST", "PUT", "PATCH", "DELETE"} }

// allowed puts methods in order, less those that http_method_names leaves out.
func allowed(got map[string]bool, all []*pyClass) []string {
	var only []string
	for _, c := range all {
		if only == nil {
			only = c.only
		}
	}
	var out []string
	for _, m := range restVerbs() {
		if got[m] && (only == nil || slices.Contains(only, m)) {
			out = append(out, m)
		}
	}
	return out
}

// genericView returns what a class of Django or of REST framework answers by itself;
// plain is false for pages and for what is not known.
func genericView(name string) (verbs []string, plain bool) {
	switch name {
	case "View", "APIView", "GenericAPIView", "object", "ABC":
		return nil, true
	case "ListModelMixin", "CreateModelMixin", "RetrieveModelMixin", "UpdateModelMixin", "DestroyModelMixin":
		return nil, true
	}
	does, ok := strings.CutSuffix(name, "APIView")
	if !ok {
		return nil, strings.HasSuffix(name, "RequiredMixin") || name == "PermissionRequiredMixin"
	}
	for does != "" {
		switch {
		case strings.HasPrefix(does, "List"), strings.HasPrefix(does, "Retrieve"):
			verbs = append(verbs, "GET")
		case strings.HasPrefix(does, "Create"):
			verbs = append(verbs, "POST")
		case strings.HasPrefix(does, "Update"):
			verbs = append(verbs, "PUT", "PATCH")
		case strings.HasPrefix(does, "Destroy"):
			verbs = append(verbs, "DELETE")
		default:
			return nil, false
		}
		n := 1
		for n < len(does) && (does[n] < 'A' || does[n] > 'Z') {
			n++
		}
		does = does[n:]
	}
	return verbs, true
}

// viewset tells with which methods a view set serves its list and one of its members.
func (w *pyWalk) viewset(ref pyRef) (list, detail []string, pk string, actions []pyAction) {
	all, outside := w.r.family(ref)
	pk = "pk"
	can := map[string]bool{}
	for _, c := range all {
		if c.lookup != "" && pk == "pk" {
			pk = paramName(c.lookup)
		}
		actions = append(actions, c.actions...)
		for m := range c.methods {
			can[m] = true
		}
	}
	for _, o := range outside {
		switch o {
		case "ModelViewSet":
			for _, a := range []string{"list", "create", "retrieve", "update", "partial_update", "destroy"} {
				can[a] = true
			}
		case "ReadOnlyModelViewSet":
			can["list"], can["retrieve"] = true, true
		case "ListModelMixin":
			can["list"] = true
		case "CreateModelMixin":
			can["create"] = true
		case "RetrieveModelMixin":
			can["retrieve"] = true
		case "UpdateModelMixin":
			can["update"], can["partial_update"] = true, true
		case "DestroyModelMixin":
			can["destroy"] = true
		case "GenericViewSet", "ViewSet", "GenericAPIView", "APIView", "object":
		default:
			if strings.HasSuffix(o, "ViewSet") || len(all) == 0 {
				return []string{""}, []string{""}, pk, actions
			}
		}
	}
	list = allowed(map[string]bool{"GET": can["list"], "POST": can["create"]}, all)
	detail = allowed(map[string]bool{"GET": can["retrieve"], "PUT": can["update"], "PATCH": can["partial_update"], "DELETE": can["destroy"]}, all)
	return list, detail, pk, actions
}
