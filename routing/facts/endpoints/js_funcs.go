package endpoints

// jsFn is a function of a file.
type jsFn struct {
	name       string
	params     [][]string // names each parameter binds: one, or those of a pattern
	start, end int        // tokens of the body, end exclusive
	parent     int        // the function around it, -1 for none
	class      int        // the class it is a method of, -1 for none
	brief      bool       // the body is one expression
	over       *jsExpr    // what its first parameter goes over, in a loop
	returns    []jsExpr
}

// jsClass is a class of a file.
type jsClass struct {
	name       string
	start, end int
}

// functions finds every function and class of the file.
func (p *jsParser) functions() {
	for i := range p.toks {
		if len(p.fns) >= maxJSItems {
			return
		}
		t := p.toks[i]
		switch {
		case t.says("class") && !p.at(i-1).is("."):
			p.class(i)
		case t.says("function") && !p.at(i-1).is("."):
			p.function(i)
		case t.is("=>"):
			p.arrow(i)
		case t.is("(") && p.at(i-1).kind == kWord && !p.at(i-2).says("function") && !p.at(i-2).is("*") &&
			!p.at(i-1).says("if", "for", "while", "switch", "catch", "with", "function", "return"):
			if body := p.body(p.after(i)); body > 0 {
				p.fn(i-1, p.at(i-1).text, i, body, p.after(body), false)
			}
		case t.says("for") && p.at(i+1).is("("):
			p.loop(i)
		}
	}
}

func (p *jsParser) class(i int) {
	c := jsClass{start: i}
	if p.at(i+1).kind == kWord && !p.at(i+1).says("extends") {
		c.name = p.clone(p.at(i + 1).text)
	}
	for j := i + 1; j < i+maxJSBack; j++ {
		if p.at(j).is("{") {
			c.start, c.end = j, p.after(j)
			p.classes = append(p.classes, c)
			return
		}
		if p.at(j).is("(") {
			j = p.after(j) - 1
		}
	}
}

func (p *jsParser) function(i int) {
	j, name := i+1, ""
	if p.at(j).is("*") {
		j++
	}
	if p.at(j).kind == kWord {
		name = p.at(j).text
		j++
	}
	if p.at(j).is("<") {
		j = p.generic(j)
	}
	if !p.at(j).is("(") {
		return
	}
	if body := p.body(p.after(j)); body > 0 {
		start := i
		if p.at(i - 1).says("async") {
			start--
		}
		p.fn(start, name, j, body, p.after(body), false)
	}
}

// body returns the brace that opens a function's body behind its parameters, and
// perhaps its type; 0 when there is none.
func (p *jsParser) body(i int) int {
	if p.at(i).is("{") {
		return i
	}
	if !p.at(i).is(":") {
		return 0
	}
	for j := i + 1; j < i+maxJSBack; j++ {
		t := p.at(j)
		switch {
		case t.is("{") && !p.at(j-1).is(":") && !p.at(j-1).is("|") && !p.at(j-1).is("<"):
			return j
		case t.is("{") || t.is("(") || t.is("["):
			j = p.after(j) - 1
		case t.kind == kWord || t.kind == kText || t.is("<") || t.is(">") || t.is(",") || t.is("|") || t.is(".") || t.is("]"):
		default:
			return 0
		}
	}
	return 0
}

func (p *jsParser) arrow(i int) {
	open := i - 1
	for j := i - 1; j >= 0 && j > i-maxJSBack; j-- { // over the type of what is returned
		t := p.at(j)
		if t.is(")") && (j == i-1 || p.at(j+1).is(":")) {
			open = t.mate
			break
		}
		if t.is("=>") || t.is("(") || t.is("{") || t.is(";") || t.is("=") || t.is("==") {
			break
		}
		if t.is("]") || t.is("}") {
			j = min(j, max(t.mate, 0))
		}
	}
	start := open
	if p.at(start - 1).is(">") { // <T>(a) =>
		return
	}
	if p.at(start - 1).says("async") {
		start--
	}
	if !p.at(open).is("(") && p.at(open).kind != kWord {
		return
	}
	if p.at(i + 1).is("{") {
		p.fn(start, "", open, i+1, p.after(i+1), false)
		return
	}
	end := i + 1
	for end < len(p.toks) && end < i+maxJSBody {
		t := p.at(end)
		if t.is(",") || t.is(")") || t.is("]") || t.is("}") || t.is(";") {
			break
		}
		if t.is("(") || t.is("[") || t.is("{") {
			end = p.after(end)
			continue
		}
		if t.says("const", "let", "var", "import", "export", "return") {
			break
		}
		end++
	}
	p.fn(start, "", open, i, end, true)
}

// loop takes the body of "for (const x of list) {" for a function of x.
func (p *jsParser) loop(i int) {
	of := i + 4
	if !p.at(i+2).says("const", "let", "var") || !p.at(of).says("of") || !p.at(p.after(i+1)).is("{") {
		return
	}
	body := p.after(i + 1)
	p.fns = append(p.fns, jsFn{
		params: [][]string{{p.clone(p.at(i + 3).text)}}, start: body, end: p.after(body), parent: -1, class: -1,
	})
	p.loops = append(p.loops, jsLoop{fn: len(p.fns) - 1, over: of + 1})
}

// jsLoop is a loop whose list is read when all functions are known.
type jsLoop struct{ fn, over int }

func (p *jsParser) fn(start int, name string, params, body, end int, brief bool) {
	if _, ok := p.starts[start]; ok {
		return
	}
	f := jsFn{name: p.clone(name), start: body, end: end, parent: -1, class: -1, brief: brief}
	if p.at(params).is("(") {
		f.params = p.params(params)
	} else {
		f.params = [][]string{{p.clone(p.at(params).text)}}
	}
	p.starts[start] = len(p.fns)
	p.fns = append(p.fns, f)
}

// params reads the names of parameters.
func (p *jsParser) params(open int) [][]string {
	end := min(p.at(open).mate, len(p.toks))
	var all [][]string
	for i := open + 1; i < end && len(all) < 20; {
		stop := p.comma(i, end)
		var names []string
		for j := i; j < stop; j++ {
			t := p.at(j)
			if t.is("{") {
				for k := j + 1; k < p.after(j)-1 && len(names) < 20; k++ {
					if p.at(k).kind == kWord && !p.at(k-1).is(":") {
						names = append(names, p.clone(p.at(k).text))
					}
				}
				break
			}
			if t.kind == kWord && !t.says("public", "private", "readonly", "protected") {
				names = []string{p.clone(t.text)}
				break
			}
		}
		all = append(all, names)
		i = stop + 1
	}
	return all
}
