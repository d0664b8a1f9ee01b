package endpoints

import "strings"

// nestRoute is a route of a class of NestJS, routing-controllers and their like:
// the arguments of the class's decorator and of the method's.
type nestRoute struct {
	method                 string
	class, path            *jsExpr
	classVersion, versions *jsExpr
	line                   int
}

// nests reads the decorated classes of the file in one walk.
func (p *jsParser) nests() {
	var class, classVersion, version *jsExpr
	inside := false
	for i := 0; i+1 < len(p.toks) && len(p.nest) < maxJSItems; i++ {
		t := p.at(i + 1)
		if p.at(i).says("NestFactory") && t.is(".") {
			p.boots = true
		}
		if t.says("class") && !p.at(i).is(".") && p.at(i).kind != kOpaque && !inside {
			class = nil // a class without the decorator
		}
		if t.says("class") {
			inside = false
		}
		if !p.at(i).is("@") || t.kind != kWord || !p.at(i+2).is("(") {
			continue
		}
		var arg *jsExpr
		if list := p.list(i+2, 0); len(list) > 0 {
			arg = &list[0]
		}
		switch name := t.text; {
		case name == "Controller" || name == "JsonController" || name == "RestController":
			if arg == nil {
				arg = &jsExpr{kind: jsText}
			}
			class, classVersion, version, inside = arg, version, nil, true
			if v := arg.field("version"); v != nil {
				classVersion = v
			}
		case name == "Version":
			version = arg
		case class != nil && nestVerb(name) != "-":
			p.nest = append(p.nest, nestRoute{
				method: nestVerb(name), class: class, path: arg, classVersion: classVersion, versions: version, line: t.line,
			})
			version = nil
		}
	}
}

// nestVerb returns the HTTP method of a decorator: "" for any, "-" for none.
func nestVerb(name string) string {
	switch name {
	case "Get", "Post", "Put", "Patch", "Delete", "Head", "Options":
		return strings.ToUpper(name)
	case "All":
		return ""
	case "Sse":
		return "GET"
	}
	return "-"
}
