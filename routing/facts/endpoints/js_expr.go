package endpoints

import "strings"

// Kinds of expressions.
const (
	jsText     = 's' // text
	jsTemplate = 't' // text, raw, with ${...}
	jsName     = 'n' // text
	jsMember   = '.' // recv . text
	jsCall     = 'c' // recv ( list )
	jsNew      = 'w' // new recv ( list )
	jsArray    = 'a' // list
	jsObject   = 'o' // keys and list
	jsFunc     = 'f' // fn
	jsPlus     = '+' // list
	jsOr       = '|' // list
)

const (
	maxJSDepth = 8   // expressions within one another that are kept
	maxJSList  = 400 // arguments or elements that are kept
	maxJSBack  = 40  // tokens looked back or forward over for a type
	maxJSBody  = 300 // tokens of a function that is one expression
)

// jsExpr is what is kept of an expression.
type jsExpr struct {
	kind byte
	text string
	recv *jsExpr
	list []jsExpr
	keys []string
	fn   int // number of the function in its file
	at   int // number of its first token: with the file's name, it is unique
	line int
}

// dotted returns a.b.c for names and members, "" for anything else.
func (e *jsExpr) dotted() string {
	switch {
	case e == nil:
		return ""
	case e.kind == jsName:
		return e.text
	case e.kind == jsMember:
		if before := e.recv.dotted(); before != "" {
			return before + "." + e.text
		}
	}
	return ""
}

// field returns the value of an object's key.
func (e *jsExpr) field(key string) *jsExpr {
	if e.kind != jsObject {
		return nil
	}
	for i, k := range e.keys {
		if k == key {
			return &e.list[i]
		}
	}
	return nil
}

// expr reads an expression at token i and returns the number of the token after it.
// Of operators it knows +, || and ??; it ends before any other.
func (p *jsParser) expr(i, depth int) (e jsExpr, next int) {
	e, i = p.operand(i, depth)
	for depth < maxJSDepth {
		t := p.at(i)
		var kind byte
		switch {
		case t.is("+"):
			kind = jsPlus
		case t.is("||"), t.is("??"):
			kind = jsOr
		default:
			return e, i
		}
		var right jsExpr
		right, i = p.operand(i+1, depth+1)
		if e.kind != kind {
			e = jsExpr{kind: kind, list: []jsExpr{e}, at: e.at, line: e.line}
		}
		if len(e.list) < maxJSList {
			e.list = append(e.list, right)
		}
	}
	return e, i
}

func (p *jsParser) operand(i, depth int) (e jsExpr, next int) {
	made := false
	for p.at(i).says("await", "new", "void") {
		made = made || p.at(i).says("new")
		i++
	}
	e, i = p.primary(i, depth)
	for depth < maxJSDepth {
		t := p.at(i)
		switch {
		case t.is(".") && p.at(i+1).kind == kWord:
			recv := e
			e = jsExpr{kind: jsMember, text: p.clone(p.at(i + 1).text), recv: &recv, at: i, line: p.at(i + 1).line}
			i += 2
		case t.is("!") && (p.at(i+1).is(".") || p.at(i+1).is(")")):
			i++
		case t.is("[") && p.at(i+1).kind == kText && p.at(i+2).is("]"):
			recv := e
			e = jsExpr{kind: jsMember, text: p.clone(p.at(i + 1).text), recv: &recv, at: i, line: t.line}
			i += 3
		case t.is("["):
			e, i = jsExpr{at: i, line: t.line}, p.after(i)
		case t.is("<") && p.generic(i) > 0:
			i = p.generic(i)
		case t.is("("):
			recv := e
			e = jsExpr{kind: jsCall, recv: &recv, at: i, line: e.line, list: p.list(i, depth+1)}
			if made {
				e.kind, made = jsNew, false
			}
			i = p.after(i)
		default:
			if made {
				recv := e
				e = jsExpr{kind: jsNew, recv: &recv, at: i, line: e.line}
			}
			return e, i
		}
	}
	return e, i
}

// generic returns the token after <...> when a call follows it, 0 otherwise.
func (p *jsParser) generic(i int) int {
	depth := 0
	for j := i; j < i+maxJSBack && j < len(p.toks); j++ {
		switch t := p.at(j); {
		case t.is("<"):
			depth++
		case t.is(">"):
			if depth--; depth == 0 {
				if p.at(j + 1).is("(") {
					return j + 1
				}
				return 0
			}
		case t.is("{") || t.is("[") || t.is("("):
			j = p.after(j) - 1
		case t.is(";") || t.is("&&") || t.is(")") || t.is("}"):
			return 0
		}
	}
	return 0
}

func (p *jsParser) primary(i, depth int) (e jsExpr, next int) {
	t := p.at(i)
	e = jsExpr{at: i, line: t.line}
	if fn, ok := p.starts[i]; ok {
		e.kind, e.fn = jsFunc, fn
		return e, p.fns[fn].end
	}
	switch {
	case depth >= maxJSDepth:
		if t.is("(") || t.is("[") || t.is("{") {
			return e, p.after(i)
		}
	case t.kind == kText:
		e.kind, e.text = jsText, p.clone(t.text)
	case t.kind == kSpliced:
		e.kind, e.text = jsTemplate, p.clone(t.text)
	case t.kind == kWord:
		e.kind, e.text = jsName, p.clone(t.text)
	case t.is("["):
		e.kind, e.list = jsArray, p.list(i, depth+1)
		return e, p.after(i)
	case t.is("{"):
		e.kind = jsObject
		p.object(&e, i, depth+1)
		return e, p.after(i)
	case t.is("("):
		e, _ = p.expr(i+1, depth+1)
		return e, p.after(i)
	case t.is("..."):
		return p.operand(i+1, depth+1)
	case t.is(")") || t.is("]") || t.is("}") || t.is(",") || t.is(";"):
		return e, i
	}
	return e, i + 1
}

// list reads what stands between brackets, parted by commas.
func (p *jsParser) list(open, depth int) []jsExpr {
	end := min(p.at(open).mate, len(p.toks))
	var all []jsExpr
	for i := open + 1; i < end && len(all) < maxJSList; {
		e, next := p.expr(i, depth)
		stop := p.comma(next, end)
		if stop > next && !p.at(next).says("as", "satisfies") {
			if e.kind != jsFunc && e.kind != jsObject {
				e = jsExpr{at: i, line: e.line} // more follows: a comparison, a choice
			}
		}
		all = append(all, e)
		i = stop + 1
	}
	return all
}

// object reads the keys and values of an object.
func (p *jsParser) object(e *jsExpr, open, depth int) {
	end := min(p.at(open).mate, len(p.toks))
	for i := open + 1; i < end && len(e.list) < maxJSList; {
		t := p.at(i)
		var stop int
		switch {
		case (t.kind == kWord || t.kind == kText) && p.at(i+1).is(":"):
			v, next := p.expr(i+2, depth)
			stop = p.comma(next, end)
			e.keys, e.list = append(e.keys, p.clone(t.text)), append(e.list, v)
		case t.kind == kWord && (p.at(i+1).is(",") || i+1 >= end):
			stop = i + 1
			e.keys, e.list = append(e.keys, p.clone(t.text)), append(e.list, jsExpr{kind: jsName, text: p.clone(t.text), at: i, line: t.line})
		case t.kind == kWord && p.at(i+1).is("("):
			stop = p.comma(i+1, end)
			if fn, ok := p.starts[i]; ok {
				e.keys, e.list = append(e.keys, p.clone(t.text)), append(e.list, jsExpr{kind: jsFunc, fn: fn, at: i, line: t.line})
			}
		default:
			stop = p.comma(i, end)
		}
		i = stop + 1
	}
}

// comma returns the number of the comma at this level from i on, end when there is none.
func (p *jsParser) comma(i, end int) int {
	for ; i < end; i++ {
		t := p.at(i)
		if t.is(",") {
			return i
		}
		if t.is("(") || t.is("[") || t.is("{") {
			i = p.after(i) - 1
		}
	}
	return end
}

// after returns the number of the token after the bracket that closes the one at i.
func (p *jsParser) after(i int) int { return min(max(p.at(i).mate, i)+1, len(p.toks)) }

func (p *jsParser) at(i int) tok {
	if i < 0 || i >= len(p.toks) {
		return tok{}
	}
	return p.toks[i]
}

// clone keeps a word without the text of the file it is from.
func (p *jsParser) clone(s string) string {
	if kept, ok := p.words[s]; ok {
		return kept
	}
	kept := strings.Clone(s)
	p.words[kept] = kept
	return kept
}
