package endpoints

import (
	"slices"
	"strings"
)

// finish notes, at the end of a method, which group the classes of an interface are
// handed there: those that are found by reflection, or asked of the container.
func (c *csScan) finish() {
	if len(c.grouped) == 1 {
		for _, name := range c.mentions {
			if all := c.r.hands[name]; len(all) < 4 {
				c.r.hands[strings.Clone(name)] = append(all, c.grouped[0])
			}
		}
	}
	c.grouped, c.mentions = nil, nil
}

// mention notes a name that may be that of an interface.
func (c *csScan) mention(name string) {
	if len(name) > 2 && name[0] == 'I' && name[1] >= 'A' && name[1] <= 'Z' && name[2] >= 'a' && len(c.mentions) < 32 && !slices.Contains(c.mentions, name) {
		c.mentions = append(c.mentions, name)
	}
}

// isGroup tells whether a name is a group's, or that of a parameter that routes are added to.
func (c *csScan) isGroup(name string) bool {
	_, known := c.vars[name]
	return known || name != "" && (name == c.param || slices.Contains(c.builders, name))
}

// builds returns the parameters in the brackets at open that routes are added to.
func (c *csScan) builds(open int) []string {
	var out []string
	for _, a := range c.args(open) {
		for k := a[0]; k < a[1] && k < a[0]+8; k++ {
			if c.at(k).says("RouteGroupBuilder", "IEndpointRouteBuilder", "WebApplication") {
				name := k + 1
				if c.at(name).is("?") {
					name++
				}
				out = append(out, strings.Clone(c.at(name).text))
				break
			}
		}
	}
	return out
}

// handed tells whether the call at i may add routes to a group: group.AddOrders(),
// Orders.Register(group).
func (c *csScan) handed(i int) bool {
	a := c.args(i + 1)
	if len(a) > 0 && a[0][1] == a[0][0]+1 && c.at(a[0][0]).kind == kWord {
		if _, known := c.vars[c.at(a[0][0]).text]; known || slices.Contains(c.builders, c.at(a[0][0]).text) {
			return true
		}
	}
	_, known := c.vars[c.at(i-2).text]
	return known && len(a) == 0
}

// handOn notes what a method that adds routes is handed: the group it is called on,
// or its first argument.
func (c *csScan) handOn(i, open int) {
	name, key := c.at(i).text, c.at(i).text
	g := c.chain(c.start(i), i)
	if a := c.args(open); len(a) > 0 && a[0][1] == a[0][0]+1 && c.at(a[0][0]).kind == kWord && c.isGroup(c.at(a[0][0]).text) {
		g = c.chain(a[0][0], a[0][1])
		if up := c.at(i - 2); up.kind == kWord && up.text[0] >= 'A' && up.text[0] <= 'Z' {
			key = up.text + "." + name
		}
	} else if name == "Map" {
		return
	}
	if all := c.r.calls[key]; len(all) < 16 && len(c.r.calls) < maxClasses && g.method != name {
		c.r.calls[strings.Clone(key)] = append(all, g)
	}
}

// callers returns the groups that the method a group begins with is handed.
func (r *csharpReader) callers(g csGroup) []csGroup {
	if g.method == "" {
		return nil
	}
	if all := r.calls[g.scope+"."+g.method]; len(all) > 0 {
		return all
	}
	for i, c := range r.byName[g.scope] {
		if i == 8 {
			break
		}
		for _, name := range c.supers {
			if all := r.hands[name]; len(all) > 0 {
				return all
			}
		}
	}
	return r.calls[g.method]
}

// helper notes what a method that returns a group puts before it: the first prefix.
func (c *csScan) helper(e expr) {
	if !c.returnsGroup {
		return
	}
	c.returnsGroup = false
	c.r.consts.add("()", c.method, e)
}
