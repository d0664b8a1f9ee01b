package endpoints

import (
	"slices"
	"strings"
)

// part is a piece of a path: text, or the name of a constant that holds it.
type part struct {
	text string
	ref  bool
}

// expr is a path put together of pieces.
type expr []part

// lit is the expression of a plain text.
func lit(s string) expr { return expr{{text: s}} }

const (
	// maxConstants bounds the constants kept of one repository.
	maxConstants = 50_000
	// maxDepth bounds how far constants, routers and includes are followed.
	maxDepth = 12
	// maxSteps bounds the look-ups for one path.
	maxSteps = 200
)

// constants are the string constants of a repository, by name and by owner.
type constants struct {
	exact map[string]expr     // "Owner.NAME"
	loose map[string][]expr   // "NAME"
	also  map[string][]string // owner -> whose names it may use as its own: static imports, base types
	count int
	steps int // spent on the present path
}

func newConstants() *constants {
	return &constants{exact: map[string]expr{}, loose: map[string][]expr{}, also: map[string][]string{}}
}

// add notes a constant. owner is the type or the module that holds it.
func (c *constants) add(owner, name string, e expr) {
	if c.count >= maxConstants || len(e) == 0 {
		return
	}
	c.count++
	owned := make(expr, len(e))
	for i, p := range e {
		if p.ref && !strings.Contains(p.text, ".") {
			p.text = owner + "." + p.text // names of the same owner
		}
		p.text = strings.Clone(p.text)
		owned[i] = p
	}
	name = strings.Clone(name)
	c.exact[strings.Clone(owner)+"."+name] = owned
	if all := c.loose[name]; len(all) < 8 {
		c.loose[name] = append(all, owned)
	}
}

// borrow lets an owner use the names of another as its own.
func (c *constants) borrow(owner, from string) {
	if all := c.also[owner]; owner != from && len(all) < 16 && len(c.also) < maxConstants && !slices.Contains(all, from) {
		c.also[strings.Clone(owner)] = append(all, strings.Clone(from))
	}
}

// owned finds a name of an owner, or of those it borrows from.
func (c *constants) owned(owner, name string, depth int) (e expr, who string) {
	if c.steps++; depth == 0 || c.steps > maxSteps {
		return nil, ""
	}
	if e, ok := c.exact[owner+"."+name]; ok {
		return e, owner
	}
	for _, from := range c.also[owner] {
		if e, who := c.owned(from, name, depth-1); e != nil {
			return e, who
		}
	}
	return nil, ""
}

// resolve puts a path together. scope is where it is written: names without an
// owner are looked up there first. It fails when a name has no one value.
func (c *constants) resolve(e expr, scope string) (string, bool) {
	c.steps = 0
	return c.follow(e, scope, maxDepth)
}

func (c *constants) follow(e expr, scope string, depth int) (string, bool) {
	if c.steps++; depth == 0 || c.steps > maxSteps {
		return "", false
	}
	var out strings.Builder
	for _, p := range e {
		s := p.text
		if p.ref {
			var ok bool
			if s, ok = c.lookup(p.text, scope, depth); !ok {
				return "", false
			}
		}
		if out.Len()+len(s) > maxPath {
			return "", false
		}
		out.WriteString(s)
	}
	return out.String(), true
}

func (c *constants) lookup(ref, scope string, depth int) (string, bool) {
	names := strings.Split(ref, ".")
	name := names[len(names)-1]
	owner := scope
	if len(names) > 1 {
		owner = names[len(names)-2]
	}
	if e, who := c.owned(owner, name, 4); e != nil {
		return c.follow(e, who, depth-1)
	}
	value, found := "", false
	for _, e := range c.loose[name] {
		s, ok := c.follow(e, scope, depth-1)
		if !ok || found && s != value {
			return "", false
		}
		value, found = s, true
	}
	return value, found
}

// args cuts what stands in the brackets at open into its arguments: ranges of
// tokens, from and to.
func (s *source) args(open int) [][2]int {
	if open < 0 || open >= len(s.toks) {
		return nil
	}
	return s.split(open+1, min(s.toks[open].mate, len(s.toks)))
}

// split cuts a range of tokens at its commas, brackets left whole.
func (s *source) split(from, to int) [][2]int {
	var out [][2]int
	start := from
	for i := from; i < to; i++ {
		t := s.toks[i]
		switch {
		case t.mate > i:
			i = t.mate
		case t.is(","):
			if i > start {
				out = append(out, [2]int{start, i})
			}
			start = i + 1
		}
	}
	if start < to {
		out = append(out, [2]int{start, to})
	}
	return out
}

// expr reads a range of tokens as a path: strings and constants, added up.
func (s *source) expr(from, to int) (expr, bool) {
	for from < to && s.at(from).is("(") && s.at(from).mate == to-1 {
		from, to = from+1, to-1
	}
	var out expr
	for i := from; i < to; i++ {
		t := s.toks[i]
		switch {
		case t.kind == kLine || t.is("+"):
		case t.kind == kText, t.kind == kNumber && s.lang == "python" && len(t.text) < 4: // a version
			out = append(out, part{text: strings.Clone(t.text)})
		case t.kind == kSpliced:
			out = append(out, splice(s.lang, t.text)...)
		case t.kind == kWord:
			name := t.text
			for s.at(i+1).is(".") && s.at(i+2).kind == kWord && i+2 < to {
				if len(name) <= maxText {
					name += "." + s.at(i+2).text
				}
				i += 2
			}
			if i+1 < to && s.at(i+1).is("(") {
				return nil, false
			}
			out = append(out, part{text: strings.Clone(name), ref: true})
		default:
			return nil, false
		}
	}
	return out, len(out) > 0 && len(out) <= 32
}

// splice cuts a string with expressions in it: "${A.B}/x" of Kotlin, "{A}/x" of C#
// and Python, "#{a}/x" of Ruby.
func splice(lang, s string) expr {
	open := map[string]string{"kotlin": "$", "ruby": "#{"}[lang]
	if open == "" {
		open = "{"
	}
	var out expr
	for s != "" {
		before, rest, ok := strings.Cut(s, open)
		if before != "" {
			out = append(out, part{text: strings.Clone(before)})
		}
		if !ok {
			break
		}
		var name string
		switch {
		case lang == "kotlin" && !strings.HasPrefix(rest, "{"):
			n := nameLen(rest)
			name, s = rest[:n], rest[n:]
		case open == "{" && strings.HasPrefix(rest, "{"): // {{ is a brace
			inner, after, _ := strings.Cut(rest[1:], "}")
			out = append(out, part{text: "{" + strings.Clone(inner) + "}"})
			s = strings.TrimPrefix(after, "}")
			continue
		default:
			name, s, _ = strings.Cut(strings.TrimPrefix(rest, "{"), "}")
		}
		inner, _, _ := strings.Cut(name, ":")
		out = append(out, part{text: strings.Clone(strings.TrimSpace(inner)), ref: true})
	}
	return out
}

// read reads "name = expression" at the token before the sign, up to a semicolon or the
// end of the line, and notes it.
func (c *constants) read(s *source, i int, name, owner string) {
	from := i + 2
	to := from
	for to < len(s.toks) && to < from+16 && !s.toks[to].is(";") && !s.toks[to].is("}") && s.toks[to].kind != kLine {
		if s.lang == "kotlin" && to > from && s.toks[to].line > s.toks[to-1].line && !s.toks[to-1].is("+") && !s.toks[to].is("+") {
			break
		}
		to++
	}
	if e, ok := s.expr(from, to); ok {
		c.add(owner, name, e)
	}
}
