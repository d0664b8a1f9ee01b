package endpoints

import (
	"bytes"
	"path"
	"strings"
)

// graph gathers the object types of all GraphQL schemas of a repository, since one
// file may name the roots and others extend them.
type graph struct {
	fields map[string][]Found // by type
	roots  map[string]string  // type by method, where a schema says so
	size   int
}

// found lists the fields of the root types.
func (g *graph) found() []Found {
	var all []Found
	add := func(method, name string) {
		for _, f := range g.fields[name] {
			f.Method = method
			all = append(all, f)
		}
	}
	for method, usual := range map[string]string{"QUERY": "Query", "MUTATION": "Mutation", "SUBSCRIPTION": "Subscription"} {
		add(method, usual)
	}
	for name, method := range g.roots {
		add(method, name)
	}
	return all
}

// readCode looks for schemas in the long strings of code, typeDefs as a rule.
func (g *graph) readCode(file string, text []byte) {
	told := false
	for _, word := range []string{"type Query", "type Mutation", "type Subscription"} {
		told = told || bytes.Contains(text, []byte(word))
	}
	if !told || strings.HasSuffix(file, ".go") && bytes.Contains(text, []byte("DO NOT EDIT")) {
		return
	}
	lang := "js"
	if path.Ext(file) == ".go" {
		lang = "go"
	}
	syntax, starts := syntaxOf(lang), newLines(text)
	for i := 0; i < len(text); {
		n, _, _ := syntax.token(text, i)
		if n == 0 {
			i++
			continue
		}
		if text[i] == '`' && n > 2 {
			g.read(file, insertions(text[i+1:i+n-1]), starts.at(i))
		}
		i += n
	}
}

// insertions makes blank what a template string inserts: ${...}.
func insertions(text []byte) []byte {
	out := bytes.Clone(text)
	for i := 0; i+1 < len(out); i++ {
		if out[i] != '$' || out[i+1] != '{' {
			continue
		}
		for ; i < len(out) && out[i] != '}'; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
		if i < len(out) {
			out[i] = ' '
		}
	}
	return out
}

// read takes the types of a document; its first line is the given one.
func (g *graph) read(file string, text []byte, line int) {
	p := words{text: bare("graphql", text), line: line}
	for word := p.next(); word != ""; word = p.next() {
		switch word {
		case "schema":
			g.schema(&p)
		case "type":
			g.object(&p, file)
		case "{", "(":
			p.skip(word)
		}
	}
}

// schema reads { query: Root mutation: Changes }.
func (g *graph) schema(p *words) {
	if !p.open() {
		return
	}
	for word := p.next(); word != "" && word != "}"; word = p.next() {
		if p.peek() != ":" {
			continue
		}
		p.next()
		name := p.next()
		switch method := strings.ToUpper(word); method {
		case "QUERY", "MUTATION", "SUBSCRIPTION":
			if len(g.roots) < 100 {
				g.roots[name] = method
			}
		}
	}
}

// object reads Name ... { field(argument: Type): Type @directive(...) }.
func (g *graph) object(p *words, file string) {
	name := p.next()
	if name == "" || !isName(name[0]) || !p.open() {
		return
	}
	for word := p.next(); word != "" && word != "}"; word = p.next() {
		switch {
		case word == "{" || word == "(" || word == "[":
			if word != "[" {
				p.skip(word)
			}
			continue
		case word == "@" || word == ":":
			p.next() // a directive's name; the first word of a type
			if word == ":" {
				for next := p.peek(); next == "!" || next == "]" || next == "["; next = p.peek() {
					p.next()
				}
			}
			continue
		case !isName(word[0]) || word[0] == '_':
			continue
		}
		line := p.line
		if p.peek() == "(" {
			p.next()
			p.skip("(")
		}
		if p.peek() == ":" && g.size < 4*maxFound {
			g.size++
			g.fields[name] = append(g.fields[name], Found{Path: "/" + word, Framework: "GraphQL", File: file, Line: line})
		}
	}
}

// words reads names and marks one by one; text in quotes is passed over.
type words struct {
	text []byte
	at   int
	line int
}

// next returns a name with its dots, or a mark; "" at the end.
func (w *words) next() string {
	for w.at < len(w.text) {
		c := w.text[w.at]
		start := w.at
		switch {
		case c == '\n':
			w.line++
		case isName(c) || c == '.':
			for w.at < len(w.text) && (isName(w.text[w.at]) || w.text[w.at] == '.') {
				w.at++
			}
			return string(w.text[start:w.at])
		case c != ' ' && c != '\t' && c != '\r' && c != ',' && c != '"':
			w.at++
			return string(w.text[start:w.at])
		}
		w.at++
	}
	return ""
}

// peek returns what next would.
func (w *words) peek() string {
	before := *w
	word := w.next()
	*w = before
	return word
}

// open passes everything up to the brace that opens a body. It tells whether one
// does before the next definition begins.
func (w *words) open() bool {
	for word := w.peek(); word != ""; word = w.peek() {
		switch word {
		case "{":
			w.next()
			return true
		case "(":
			w.next()
			w.skip("(")
			continue
		case "type", "extend", "input", "enum", "scalar", "union", "interface", "directive", "schema", "}":
			return false
		}
		w.next()
	}
	return false
}

// skip passes what stands between brackets; the first is passed already.
func (w *words) skip(open string) {
	shut := "}"
	if open == "(" {
		shut = ")"
	}
	depth := 1
	for word := w.next(); word != ""; word = w.next() {
		switch word {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return
			}
		}
	}
}
