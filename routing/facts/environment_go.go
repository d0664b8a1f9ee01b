package facts

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// isTag tells a struct's tag that names a setting: `env:"A"`, `envconfig:"A"`.
// Where prefixes are tagged as well, the structs are read whole.
func isTag(f *source, token string, end int) bool {
	if end+1 > len(f.raw) || f.raw[end] != '"' || f.lang == "go" && f.taggedPrefix() {
		return false
	}
	switch token {
	case "env:", "envconfig:", "envvar:":
		return true
	}
	return f.lang == "go" && strings.HasSuffix(token, "env:")
}

func (f *source) taggedPrefix() bool {
	return f.mentions("envPrefix:|,prefix=|env-prefix:|env-namespace:")
}

// flagVariables reads the variables of a flag: EnvVars: []string{"A", "B"}, EnvVar: "A,B".
func (s *Scan) flagVariables(f *source, at, end int) {
	text := f.text()
	next := skipSpace(text, end)
	value := ""
	switch {
	case bytes.HasPrefix(text[next:], []byte("[]string{")):
		if inner, _, ok := group(text, next+len("[]string")); ok {
			value = "[]string{" + inner + "}"
		}
	case next < len(text) && (text[next] == '"' || text[next] == '`'):
		value = string(text[next:min(len(text), quoteEnd(text, next)+1)])
	default:
		line, _, _ := bytes.Cut(text[next:min(len(text), next+300)], []byte{'\n'})
		value = strings.TrimRight(strings.TrimSpace(string(line)), ",})")
	}
	for _, t := range terms(value) {
		if t.ref {
			t.text, _ = f.constant(t.text)
		}
		for one := range strings.SplitSeq(t.text, ",") {
			s.keep(kindEnv, "cli", strings.TrimSpace(one), f.place(at))
		}
	}
}

// readGoSettings reads structs whose settings have prefixes, and viper's.
func (s *Scan) readGoSettings(f *source) {
	if f.mentions("SetEnvPrefix(|BindEnv(") {
		s.readViper(f)
	}
	processes := f.mentions("envconfig.Process(|envconfig.MustProcess(")
	if !processes && !f.taggedPrefix() {
		return
	}
	set := token.NewFileSet()
	tree, _ := parser.ParseFile(set, f.path, f.raw, parser.SkipObjectResolution)
	if tree == nil {
		return
	}
	g := goSettings{scan: s, file: f, set: set, structs: map[string]*ast.StructType{}}
	ast.Inspect(tree, func(n ast.Node) bool {
		if t, ok := n.(*ast.TypeSpec); ok {
			if st, ok := t.Type.(*ast.StructType); ok {
				g.structs[t.Name.Name] = st
			}
		}
		return true
	})
	if f.taggedPrefix() {
		g.tagged()
	}
	if processes {
		g.processed(tree)
	}
}

// goSettings reads the structs of one file.
type goSettings struct {
	scan    *Scan
	file    *source
	set     *token.FileSet
	structs map[string]*ast.StructType
	fields  int // looked at so far: structs may hold one another
}

// maxFields bounds the fields of a file's settings.
const maxFields = 5_000

// tagged reads structs with `env:"A"` fields, those of others under their prefix.
func (g *goSettings) tagged() {
	inner := map[string]bool{}
	for _, st := range g.structs {
		for _, field := range st.Fields.List {
			if prefix, ok := prefixOf(tagOf(field)); ok && prefix != "" {
				inner[typeOf(field.Type)] = true
			}
		}
	}
	for name, st := range g.structs {
		if !inner[name] {
			g.tags(st, "", 0)
		}
	}
}

func (g *goSettings) tags(st *ast.StructType, prefix string, depth int) {
	if depth > 8 {
		return
	}
	for _, field := range st.Fields.List {
		if g.fields++; g.fields > maxFields {
			return
		}
		tag := tagOf(field)
		if more, ok := prefixOf(tag); ok {
			if of := g.structOf(field.Type); of != nil {
				g.tags(of, prefix+more, depth+1)
			}
			continue
		}
		name, _, _ := strings.Cut(tag.Get("env"), ",")
		if name == "" && len(field.Names) > 0 {
			if of, ok := field.Type.(*ast.StructType); ok {
				g.tags(of, prefix, depth+1)
			}
			continue
		}
		if name != "" && name != "-" {
			g.keep("env", prefix+name, field.Pos())
		}
	}
}

// prefixOf reads `envPrefix:"A_"`, `env-prefix:"A_"`, `env-namespace:"A"` and `env:",prefix=A_"`.
func prefixOf(tag reflect.StructTag) (string, bool) {
	for _, key := range []string{"envPrefix", "env-prefix"} {
		if prefix, ok := tag.Lookup(key); ok {
			return prefix, true
		}
	}
	if space := tag.Get("env-namespace"); space != "" {
		return space + "_", true
	}
	_, prefix, ok := strings.Cut(tag.Get("env"), "prefix=")
	prefix, _, _ = strings.Cut(prefix, ",")
	return prefix, ok
}

// processed reads envconfig.Process("app", &c): A of app is APP_A.
func (g *goSettings) processed(tree *ast.File) {
	ast.Inspect(tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Process" && sel.Sel.Name != "MustProcess" || typeOf(sel.X) != "envconfig" {
			return true
		}
		lit, ok := call.Args[0].(*ast.BasicLit)
		if !ok {
			return true
		}
		prefix, err := strconv.Unquote(lit.Value)
		if of := g.bound(tree, call.Args[1]); err == nil && prefix != "" && of != nil {
			g.plain(of, prefix, 0)
		}
		return true
	})
}

// bound finds the struct of the variable &c.
func (g *goSettings) bound(tree *ast.File, arg ast.Expr) *ast.StructType {
	if u, ok := arg.(*ast.UnaryExpr); ok {
		arg = u.X
	}
	name, found := typeOf(arg), ""
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for _, id := range n.Names {
				if id.Name == name && n.Type != nil {
					found = typeOf(n.Type)
				}
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if typeOf(l) == name && i < len(n.Rhs) {
					found = madeType(n.Rhs[i])
				}
			}
		}
		return true
	})
	return g.structs[found]
}

// madeType is T of T{}, &T{} and new(T).
func madeType(e ast.Expr) string {
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = u.X
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return typeOf(e.Type)
	case *ast.CallExpr:
		if len(e.Args) == 1 && typeOf(e.Fun) == "new" {
			return typeOf(e.Args[0])
		}
	}
	return ""
}

// plain reads the fields of a struct, named after themselves and what they lie in.
func (g *goSettings) plain(st *ast.StructType, prefix string, depth int) {
	if depth > 8 {
		return
	}
	for _, field := range st.Fields.List {
		if g.fields++; g.fields > maxFields {
			return
		}
		tag := tagOf(field)
		if tag.Get("ignored") == "true" {
			continue
		}
		names := field.Names
		if len(names) == 0 {
			if of := g.structOf(field.Type); of != nil {
				g.plain(of, prefix, depth+1)
			}
			continue
		}
		for _, id := range names {
			key := id.Name
			if tag.Get("split_words") == "true" {
				key = splitWords(key)
			}
			own := tag.Get("envconfig")
			if own != "" {
				key = own
			}
			key = prefix + "_" + key
			if of := g.structOf(field.Type); of != nil {
				g.plain(of, key, depth+1)
				continue
			}
			if own != "" && depth > 0 {
				continue // read by its own name, as people write it
			}
			g.keep("envconfig", strings.ToUpper(key), field.Pos())
		}
	}
}

func (g *goSettings) structOf(t ast.Expr) *ast.StructType {
	if st, ok := t.(*ast.StructType); ok {
		return st
	}
	return g.structs[typeOf(t)]
}

func (g *goSettings) keep(how, name string, at token.Pos) {
	g.scan.keep(kindEnv, how, name, Place{g.file.path, g.set.Position(at).Line})
}

// typeOf is the bare name of a type or variable of this file.
func typeOf(e ast.Expr) string {
	if p, ok := e.(*ast.StarExpr); ok {
		e = p.X
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

func tagOf(field *ast.Field) reflect.StructTag {
	if field.Tag == nil {
		return ""
	}
	text, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return ""
	}
	return reflect.StructTag(text)
}

// splitWords makes Db_Host of DbHost.
func splitWords(name string) string {
	var out strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			out.WriteByte('_')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// readViper reads the keys that viper binds to the environment: BindEnv("port")
// under SetEnvPrefix("app") is APP_PORT. With AutomaticEnv those that have a default
// are bound as well.
func (s *Scan) readViper(f *source) {
	prefix, dots := "", f.mentions("SetEnvKeyReplacer(")
	f.eachCall("SetEnvPrefix(", func(_ int, args []string) {
		prefix, _ = literal(args[0])
	})
	bound := func(at int, args []string) {
		key, ok := literal(args[0])
		if !ok || !dots && strings.ContainsAny(key, ".-") {
			return
		}
		if prefix != "" {
			key = prefix + "_" + key
		}
		s.keep(kindEnv, "viper", strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key)), f.place(at))
	}
	f.eachCall("BindEnv(", func(at int, args []string) {
		if len(args) > 1 { // named in full
			for _, a := range args[1:] {
				if name, ok := literal(a); ok {
					s.keep(kindEnv, "viper", name, f.place(at))
				}
			}
			return
		}
		bound(at, args)
	})
	if prefix != "" && f.mentions("AutomaticEnv(") {
		f.eachCall("SetDefault(", bound)
	}
}

// eachCall calls emit for every call that has arguments.
func (f *source) eachCall(call string, emit func(at int, args []string)) {
	f.each(call, func(at int) {
		if inner, _, ok := group(f.text(), at+len(call)-1); ok {
			if args := split(inner); len(args) > 0 {
				emit(at, args)
			}
		}
	})
}
