package endpoints

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
)

const (
	// maxGoBytes bounds the Go text of one repository whose syntax trees are kept.
	maxGoBytes = 48 << 20
	// maxGoConsts bounds the constants kept of one repository.
	maxGoConsts = 100_000
)

// goReader reads routes of net/http, gin, echo, chi, gorilla/mux, httprouter,
// gofiber and routegroup. It keeps the syntax trees of files that could have to do with routing
// and walks them at the end, when every package is known.
type goReader struct {
	set    *token.FileSet
	files  []*goFile
	consts map[string]goConst // by "dir.name"
	dirs   map[string]bool    // that hold Go files
	bytes  int
}

type goFile struct {
	path, dir string
	tree      *ast.File
	imports   map[string]string // import path by local name
}

// goConst is a constant or variable of a package, with the file whose imports its value is read with.
type goConst struct {
	expr ast.Expr
	file *goFile
}

func newGo() reader {
	return &goReader{set: token.NewFileSet(), consts: map[string]goConst{}, dirs: map[string]bool{}}
}

func (r *goReader) wants(file string) bool { return path.Ext(file) == ".go" }

func (r *goReader) read(file string, text []byte) {
	if r.bytes > maxGoBytes {
		return
	}
	tree, _ := parser.ParseFile(r.set, file, text, parser.SkipObjectResolution) // what could be read of a broken file is kept
	if tree == nil {
		return
	}
	f := &goFile{path: file, dir: path.Dir(file), tree: tree, imports: map[string]string{}}
	for _, imp := range tree.Imports {
		target, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			continue
		}
		name := importName(target)
		if imp.Name != nil {
			name = imp.Name.Name
		}
		f.imports[name] = target
	}
	r.keepConsts(f)
	r.dirs[f.dir] = true
	if f.routes() || bytes.Contains(text, []byte("Router")) || bytes.Contains(text, []byte(".Group(")) ||
		bytes.Contains(text, []byte("Mux")) || bytes.Contains(text, []byte("egister")) {
		r.files = append(r.files, f)
		r.bytes += len(text)
	}
}

// routes tells whether the file imports what serves routes.
func (f *goFile) routes() bool {
	for _, target := range f.imports {
		if target == "net/http" || goFramework(target) != "" {
			return true
		}
	}
	return false
}

func (r *goReader) keepConsts(f *goFile) {
	for _, d := range f.tree.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.CONST && gen.Tok != token.VAR {
			continue
		}
		for _, s := range gen.Specs {
			spec, ok := s.(*ast.ValueSpec)
			if !ok || len(spec.Names) != len(spec.Values) {
				continue
			}
			for i, name := range spec.Names {
				if len(r.consts) < maxGoConsts && name.Name != "_" {
					r.consts[f.dir+"."+name.Name] = goConst{expr: spec.Values[i], file: f}
				}
			}
		}
	}
}

// importName guesses a package's name from its path: "chi" of "github.com/go-chi/chi/v5".
func importName(target string) string {
	base := path.Base(target)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(target))
	}
	base, _, _ = strings.Cut(base, ".v") // gopkg.in/x.v2
	base = strings.TrimPrefix(base, "go-")
	return base
}

// goFramework names the framework an import path belongs to, "" for none.
func goFramework(target string) string {
	for _, known := range []struct{ prefix, name string }{
		{"github.com/gin-gonic/gin", "gin"},
		{"github.com/labstack/echo", "echo"},
		{"github.com/go-chi/chi", "chi"},
		{"github.com/pressly/chi", "chi"},
		{"github.com/gorilla/mux", "gorilla"},
		{"github.com/gofiber/fiber", "fiber"},
		{"github.com/julienschmidt/httprouter", "httprouter"},
		{"github.com/go-pkgz/routegroup", "routegroup"},
	} {
		rest, ok := strings.CutPrefix(target, known.prefix)
		if ok && (rest == "" || rest[0] == '/' && len(rest) > 1 && rest[1] == 'v' && !strings.Contains(rest[1:], "/")) {
			return known.name
		}
	}
	return ""
}

// goRouterType names the framework whose router a type is, "" for none.
func goRouterType(f *goFile, t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return goRouterType(f, t.X)
	case *ast.Ellipsis:
		return goRouterType(f, t.Elt)
	case *ast.SelectorExpr:
		pkg, ok := t.X.(*ast.Ident)
		if !ok {
			return ""
		}
		target := f.imports[pkg.Name]
		if target == "net/http" && t.Sel.Name == "ServeMux" {
			return "net/http"
		}
		switch t.Sel.Name {
		case "Engine", "RouterGroup", "IRouter", "IRoutes", "Echo", "Group", "Router", "Mux", "App", "Bundle":
			return goFramework(target)
		}
	}
	return ""
}

func (r *goReader) found() []Found {
	w := newGoWalk(r)
	w.walk()
	if again := w.inlines(); len(again) > 0 {
		w = newGoWalk(r)
		w.inline = again
		w.walk()
	}
	return w.found()
}
