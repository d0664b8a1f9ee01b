package endpoints

import (
	"strings"
)

// csUse is an attribute that may be an application's own kind of route.
type csUse struct {
	name string
	args []expr
	line int
}

// csCtor is a constructor that hands something on to its base.
type csCtor struct {
	params []csParam
	base   []expr
}

type csParam struct {
	name string
	def  expr // its default value, nil without
}

// use keeps an attribute with its arguments.
func (c *csScan) use(m csMark) csUse {
	return csUse{name: strings.Clone(m.name), args: c.exprs(m.args), line: m.line}
}

// exprs reads the arguments in the brackets at open, nil for those that are no paths.
func (c *csScan) exprs(open int) []expr {
	if open == 0 {
		return nil
	}
	var out []expr
	for _, a := range c.args(open) {
		if c.at(a[0]).kind == kWord && c.at(a[0]+1).is("=") || len(out) == 8 {
			continue
		}
		e, _ := c.expr(a[0], a[1])
		out = append(out, e)
	}
	return out
}

// params reads the parameters in the brackets at open.
func (c *csScan) params(open int) []csParam {
	var out []csParam
	for _, a := range c.args(open) {
		if len(out) == 8 {
			break
		}
		p := csParam{name: strings.Clone(c.at(a[1] - 1).text)}
		for k := a[0]; k < a[1]; k++ {
			if c.at(k).is("=") {
				p.name = strings.Clone(c.at(k - 1).text)
				p.def, _ = c.expr(k+1, a[1])
				break
			}
		}
		out = append(out, p)
	}
	return out
}

// constructor notes what a constructor hands on: ApiRoute(string t) : base("api/" + t).
func (c *csScan) constructor(open int) {
	one, shut := c.top(), c.at(open).mate
	if one == nil || one.name != c.method || !c.at(shut+1).is(":") || !c.at(shut+2).says("base") || !c.at(shut+3).is("(") || len(one.ctors) == 8 {
		return
	}
	one.ctors = append(one.ctors, csCtor{c.params(open), c.exprs(shut + 3)})
}

// settle turns attributes of the application's own kind into routes.
func (r *csharpReader) settle() {
	for _, c := range r.classes {
		for _, u := range c.uses {
			if verb, e, ok := r.own(u, 4); ok && verb == "" && e != nil && len(c.prefixes) < 16 {
				c.prefixes = append(c.prefixes, e)
			}
		}
		c.uses = nil
		for i := range c.methods {
			m := &c.methods[i]
			for _, u := range m.uses {
				verb, e, ok := r.own(u, 4)
				switch {
				case !ok:
				case verb == "" && e != nil:
					m.prefixes = append(m.prefixes, e)
				case verb != "" && e != nil:
					m.routes = append(m.routes, csVerb{verb, e, u.line})
				case verb != "":
					m.verbs = append(m.verbs, verb)
				}
			}
			m.uses = nil
		}
	}
}

// own tells what an attribute says whose class the application defines: the method
// ("" for a bare route) and the path, nil without one.
func (r *csharpReader) own(u csUse, depth int) (verb string, e expr, ok bool) {
	if u.name == "Route" {
		return "", first1(u.args), true
	}
	if rest, is := strings.CutPrefix(u.name, "Http"); is && httpMethod(rest) != "" {
		return httpMethod(rest), first1(u.args), true
	}
	all := r.byName[u.name+"Attribute"]
	if all == nil {
		all = r.byName[u.name]
	}
	if len(all) == 0 || depth == 0 {
		return "", nil, false
	}
	c := all[0]
	up := csUse{line: u.line}
	for _, ctor := range c.ctors {
		if len(u.args) > len(ctor.params) {
			continue
		}
		up.args = up.args[:0]
		for _, b := range ctor.base {
			up.args = append(up.args, fillIn(b, c.name, ctor.params, u.args))
		}
		if len(u.args) == len(ctor.params) {
			break
		}
	}
	for n, name := range c.supers { // among them the parts of a full name
		if up.name = strings.TrimSuffix(name, "Attribute"); n < 6 {
			if verb, e, ok = r.own(up, depth-1); ok {
				return verb, e, true
			}
		}
	}
	return "", nil, false
}

func first1(all []expr) expr {
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// fillIn puts arguments where an expression names the parameters; other names belong
// to owner.
func fillIn(e expr, owner string, params []csParam, args []expr) expr {
	var out expr
	for _, p := range e {
		if !p.ref || strings.Contains(p.text, ".") {
			out = append(out, p)
			continue
		}
		known := false
		for i, param := range params {
			if param.name != p.text {
				continue
			}
			known = true
			if i < len(args) {
				out = append(out, args[i]...)
			} else {
				out = append(out, param.def...)
			}
		}
		if !known {
			out = append(out, part{text: owner + "." + p.text, ref: true})
		}
	}
	if len(out) > 64 {
		return nil
	}
	return out
}

// kebab parts the words of a name: OrderItems becomes order-items.
func kebab(s string) string {
	var out strings.Builder
	for i := range len(s) {
		if upper := s[i] >= 'A' && s[i] <= 'Z'; upper && i > 0 && (s[i-1] < 'A' || s[i-1] > 'Z') {
			out.WriteByte('-')
		}
		out.WriteByte(s[i])
	}
	return strings.ToLower(out.String())
}
