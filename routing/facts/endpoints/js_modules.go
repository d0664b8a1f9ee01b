package endpoints

// importing reads an import declaration.
func (p *jsParser) importing(i int) int {
	end := i + 1
	// One that never ends is cut off by the next: a search to the end of the file
	// for each of many would take the square of its length.
	for end < len(p.toks) && p.at(end).kind != kText && !p.at(end).is(";") && !p.at(end).says("import") {
		end++
	}
	if p.at(end).kind != kText {
		return i
	}
	module := p.clone(p.at(end).text)
	names, _ := p.names(i+1, end)
	for local, name := range names {
		p.imports[local] = jsImport{module, name}
	}
	return end
}

// names reads "a, { b, c as d }, * as e" and returns the export by local name; all is
// set by a bare star.
func (p *jsParser) names(i, end int) (names map[string]string, all bool) {
	names = map[string]string{}
	for braces := false; i < end; i++ {
		t := p.at(i)
		switch {
		case t.is("{"):
			braces = true
		case t.is("*") && p.at(i+1).says("as"):
			names[p.clone(p.at(i+2).text)] = "*"
			i += 2
		case t.is("*"):
			all = true
		case t.kind == kWord && !t.says("from", "type"):
			from, local := p.clone(t.text), p.clone(t.text)
			if !braces {
				from = "default"
			}
			if p.at(i + 1).says("as") {
				local = p.clone(p.at(i + 2).text)
				i += 2
			}
			names[local] = from
		}
	}
	return names, all
}

// exporting reads an export declaration.
func (p *jsParser) exporting(i int) int {
	t := p.at(i + 1)
	switch {
	case t.says("default"):
		if p.at(i + 2).says("class") {
			p.exports["default"] = jsExpr{kind: jsName, text: p.clone(p.at(i + 3).text), at: i}
			return i + 1
		}
		p.exports["default"], _ = p.expr(i+2, 0)
		return i + 1
	case t.is("="):
		p.exports["default"], _ = p.expr(i+2, 0)
		return i + 1
	case t.is("{") || t.is("*"):
		end := p.after(i + 1)
		if t.is("*") {
			for end = i + 2; end < i+6 && !p.at(end).says("from"); end++ {
			}
		}
		names, all := p.names(i+1, end)
		from := p.at(end).says("from") && p.at(end+1).kind == kText
		for local, name := range names {
			if from {
				p.passes[local] = jsImport{p.clone(p.at(end + 1).text), name}
				continue
			}
			p.exports[local] = jsExpr{kind: jsName, text: name, at: i}
		}
		if all && from {
			p.passes["*"+p.clone(p.at(end+1).text)] = jsImport{p.clone(p.at(end + 1).text), "*"}
		}
		return end
	}
	return i
}
