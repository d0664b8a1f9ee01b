package endpoints

import (
	"slices"
	"strings"
)

// declares tells whether the name at i is that of a method being declared.
func (c *csScan) declares(i int) bool {
	before := c.at(i - 1)
	if before.kind == kWord && !before.says("return", "await", "async", "static", "new", "throw", "is", "as", "in", "else", "yield", "case", "when", "and", "or", "not", "out", "ref") {
		return true
	}
	return before.is(">") || before.is("?") || before.is("]") && len(c.pending) == 0 && c.at(i-2).is("[")
}

// declare reads the head of a method: attributes, name, first parameter.
func (c *csScan) declare(i int) {
	open := i + 1
	if !c.at(open).is("(") {
		open = c.generic(i)
	}
	after := c.at(c.at(open).mate + 1)
	if !after.is("{") && !after.is("=>") && !after.is(";") && !after.is(":") && !after.says("where") {
		return
	}
	if after.is(";") && len(c.pending) == 0 { // a call, or a head without a body
		return
	}
	c.finish()
	c.method = strings.Clone(c.at(i).text)
	c.param, c.builders = "", c.builds(open)
	c.returnsGroup = c.at(i-1).says("RouteGroupBuilder", "IEndpointRouteBuilder")
	c.constructor(open)
	if a := c.args(open); len(a) > 0 {
		c.param = strings.Clone(c.at(a[0][1] - 1).text)
	}
	clear(c.vars)
	marks := c.pending
	c.pending = nil
	one := c.top()
	if one == nil || len(one.methods) > 2000 {
		return
	}
	m := csMethod{name: c.method, line: c.at(i).line}
	for k := i - 1; k > i-24 && k >= 0 && !c.at(k).is(";") && !c.at(k).is("}") && !c.at(k).is("{") && !c.at(k).is("]"); k-- {
		m.returns = m.returns || c.at(k).says("IActionResult", "ActionResult", "ViewResult", "JsonResult", "FileResult", "IResult")
	}
	public := false
	for k := i - 1; k > i-24 && k >= 0 && !c.at(k).is(";") && !c.at(k).is("}") && !c.at(k).is("{"); k-- {
		public = public || c.at(k).says("public")
	}
	m.returns = m.returns && public
	if !c.attributes(&m, marks) && (m.returns || len(m.verbs)+len(m.routes)+len(m.prefixes)+len(m.uses) > 0) {
		one.methods = append(one.methods, m)
	}
}

// attributes puts a method's attributes into it; it returns true for what is no action.
func (c *csScan) attributes(m *csMethod, marks []csMark) (none bool) {
	for _, a := range marks {
		verb := ""
		if rest, ok := strings.CutPrefix(a.name, "Http"); ok {
			verb = httpMethod(rest)
		}
		switch {
		case verb != "":
			if e := c.path1(a); e != nil {
				m.routes = append(m.routes, csVerb{verb, e, a.line})
			} else {
				m.verbs = append(m.verbs, verb)
			}
			m.line = a.line
		case a.name == "AcceptVerbs" && a.args > 0:
			for _, x := range c.args(a.args) {
				if v := httpMethod(c.at(x[0]).text); v != "" {
					m.verbs = append(m.verbs, v)
				}
			}
		case a.name == "Route":
			if e := c.path1(a); e != nil {
				m.prefixes = append(m.prefixes, e)
			}
		case a.name == "ActionName" && a.args > 0:
			if e := c.path1(a); len(e) == 1 && !e[0].ref {
				m.name = e[0].text
			}
		case a.name == "NonAction":
			return true
		case len(m.uses) < 8:
			m.uses = append(m.uses, c.use(a))
		}
	}
	return false
}

// fast tells whether a class is one of FastEndpoints'.
func (c *csClass) fast() bool {
	for _, s := range c.supers {
		if s == "Endpoint" || s == "EndpointWithoutRequest" || s == "Ep" {
			return true
		}
	}
	return false
}

// fastEndpoint reads Get("/x") in Configure.
func (c *csScan) fastEndpoint(i int) {
	verb := httpMethod(c.at(i).text)
	if c.method != "Configure" || verb == "" || c.at(i).text == strings.ToUpper(c.at(i).text) {
		return
	}
	for _, a := range c.args(i + 1) {
		if e, ok := c.expr(a[0], a[1]); ok {
			c.route(csRoute{group: csGroup{scope: c.scope()}, verbs: []string{verb}, path: e, file: c.path, line: c.at(i).line})
		}
	}
}

func (c *csScan) route(one csRoute) {
	if len(c.r.routes) < maxClasses {
		c.r.routes = append(c.r.routes, one)
	}
}

// assign notes a variable that holds a group: x = y.MapGroup("/a").
func (c *csScan) assign(i int) {
	end := i + 2
	for end < len(c.toks) && !c.toks[end].is(";") && end < i+400 {
		if m := c.toks[end].mate; m > end {
			end = m
			continue
		}
		end++
	}
	end = min(end, len(c.toks))
	grouped, choice := false, false
	for k := i + 2; k < end; k++ {
		grouped = grouped || c.toks[k].says("MapGroup") || c.toks[k].kind == kWord && strings.HasPrefix(c.toks[k].text, "Map") && k > i+2 && c.at(k-1).is(".")
		if c.toks[k].is("?") { // group is null ? app : group
			choice = true
		}
		if m := c.toks[k].mate; m > k {
			k = m
		}
	}
	from := i + 2
	for k := end - 1; choice && k > i+2; k-- {
		if c.at(k).kind == kWord && c.isGroup(c.at(k).text) && !c.at(k-1).is(".") {
			from = k
			break
		}
	}
	if root := c.at(from).text; !grouped && !c.isGroup(root) {
		return
	}
	if len(c.vars) < 200 {
		g := c.chain(from, end)
		c.vars[strings.Clone(c.at(i).text)] = g
		if grouped && len(c.grouped) < 4 {
			c.grouped = append(c.grouped, g)
		}
	}
}

// chain reads what "x.MapGroup("/a").MapGroup("/b")" stands below, up to the token at to.
func (c *csScan) chain(from, to int) csGroup {
	root := c.at(from).text
	g, ok := c.vars[root]
	if !ok {
		g = csGroup{scope: c.scope()}
		if c.isGroup(root) && c.method != "" {
			g.method = c.method
		}
	}
	g.parts = slices.Clip(slices.Clone(g.parts))
	for k := from; k < to; k++ {
		t := c.toks[k]
		if t.says("MapGroup") && c.at(k+1).is("(") {
			if a := c.args(k + 1); len(a) > 0 {
				if e, ok := c.expr(a[0][0], a[0][1]); ok && len(g.parts) < 16 {
					g.parts = append(g.parts, e)
					c.helper(e)
				}
			}
		} else if t.kind == kWord && strings.HasPrefix(t.text, "Map") && c.at(k-1).is(".") && c.at(k+1).is("(") && len(g.parts) < 16 {
			g.parts = append(g.parts, expr{{text: "()." + strings.Clone(t.text), ref: true}}) // a method that returns a group
		}
		if t.mate > k {
			k = t.mate
		}
	}
	return g
}

// maxLinks bounds the calls of a chain that are looked at.
const maxLinks = 64

// start returns where the chain that ends at i begins.
func (c *csScan) start(i int) int {
	k := i
	for links := 0; k > 1 && links < maxLinks; links++ {
		switch {
		case c.at(k-1).is(".") && c.at(k-2).kind == kWord:
			k -= 2
		case c.at(k-1).is(".") && c.at(k-2).is(")"):
			open := c.at(k - 2).mate
			if open < 1 {
				return k
			}
			k = open - 1
			if c.at(k).is(">") { // a generic call
				for far := k - 32; k > 0 && k > far && !c.at(k).is("<"); {
					k--
				}
				k--
			}
			if c.at(k).kind != kWord {
				return k
			}
		default:
			return k
		}
	}
	return k
}

// mapped reads app.MapGet("/x", ...), app.MapOrders(), MapControllerRoute.
func (c *csScan) mapped(i int) {
	name := c.at(i).text
	open := i + 1
	if !c.at(open).is("(") {
		if open = c.generic(i); open == 0 {
			return
		}
	}
	a := c.args(open)
	verb := httpMethod(strings.TrimPrefix(name, "Map"))
	switch {
	case verb != "" || name == "MapMethods":
		if len(a) < 2 {
			return
		}
		e, ok := c.expr(a[0][0], a[0][1])
		if !ok {
			return
		}
		verbs := []string{verb}
		if verb == "" {
			verbs = nil
			for k := a[1][0]; k < a[1][1] && len(verbs) < 9; k++ {
				if v := httpMethod(c.at(k).text); v != "" {
					verbs = append(verbs, v)
				}
			}
		}
		c.route(csRoute{group: c.chain(c.start(i), i), verbs: verbs, path: e, file: c.path, line: c.at(i).line})
	case name == "MapGroup":
		c.chain(c.start(i), min(c.at(open).mate+1, len(c.toks)))
	case name == "MapControllerRoute", name == "MapAreaControllerRoute", name == "MapRoute":
		for k := open; k < c.at(open).mate && k < len(c.toks); k++ {
			if t := c.at(k); t.kind == kText && strings.Contains(t.text, "{action") && len(c.r.pattern) < 16 {
				c.r.pattern = append(c.r.pattern, csPattern{c.path, strings.Clone(t.text)})
			}
		}
	case name == "MapDefaultControllerRoute", name == "UseMvcWithDefaultRoute":
		c.r.pattern = append(c.r.pattern, csPattern{c.path, "{controller=Home}/{action=Index}/{id?}"})
	default:
		c.handOn(i, open)
	}
}
