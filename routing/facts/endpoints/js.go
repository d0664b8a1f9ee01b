package endpoints

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// maxJSItemsAll bounds the declarations and calls kept of one repository.
const maxJSItemsAll = 400_000

// jsReader reads routes of Express, Koa, Fastify, Hono, hapi, restify, NestJS and of
// frameworks whose paths are those of files: Next.js, Nuxt and SvelteKit.
type jsReader struct {
	files map[string]*jsParsed
	order []string
	bases map[string][]string // files by name without folder and extension
	paths []Found             // routes that are files
	items int
}

func newJS() reader {
	return &jsReader{files: map[string]*jsParsed{}, bases: map[string][]string{}}
}

func (r *jsReader) wants(file string) bool {
	switch path.Ext(file) {
	case ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".tsx", ".jsx":
		return true
	}
	return false
}

func (r *jsReader) read(file string, text []byte) {
	r.paths = append(r.paths, fileRoutes(file, text)...)
	if r.items > maxJSItemsAll || r.files[file] != nil || isClient(text) {
		return
	}
	p := parseJS(file, text)
	r.items += len(p.decls) + len(p.uses) + len(p.fns)
	r.files[file] = p
	r.order = append(r.order, file)
	base := stem(file)
	if base == "index" {
		base = path.Base(path.Dir(file))
	}
	r.bases[base] = append(r.bases[base], file)
}

// stem returns the name of a file without folder and extension.
func stem(file string) string {
	base := path.Base(file)
	return strings.TrimSuffix(base, path.Ext(base))
}

// isClient tells whether a file is of a page in a browser, where "app" and "router"
// mean other things.
func isClient(text []byte) bool {
	for _, module := range []string{"react", "vue", "@angular/core", "vue-router", "react-router-dom", "msw", "svelte", "next/router", "next/navigation"} {
		for _, q := range []string{`"`, `'`} {
			if bytes.Contains(text, []byte("from "+q+module+q)) {
				return true
			}
		}
	}
	return false
}

// resolve returns the file that a module's name means to another file, nil for one
// from elsewhere.
func (r *jsReader) resolve(from, module string) *jsParsed {
	if strings.HasPrefix(module, ".") {
		return r.file(path.Join(path.Dir(from), module))
	}
	rest, alias := module, false
	for _, head := range []string{"@/", "~/", "#/", "@@/", "#", "@", "/"} {
		if cut, ok := strings.CutPrefix(module, head); ok {
			rest, alias = cut, true
			break
		}
	}
	if !alias && !strings.Contains(module, "/") || rest == "" {
		return nil
	}
	best, most := (*jsParsed)(nil), -1
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(rest), ".js"), ".ts")
	for _, file := range r.bases[base][:min(len(r.bases[base]), 500)] {
		short := strings.TrimSuffix(strings.TrimSuffix(file, path.Ext(file)), "/index")
		if want := strings.TrimSuffix(rest, ".js"); short != want && !strings.HasSuffix(short, "/"+want) {
			continue
		}
		if n := sharedFolders(file, from); n > most {
			best, most = r.files[file], n
		}
	}
	return best
}

// sharedFolders returns the number of folders two files have in common.
func sharedFolders(a, b string) int {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// file finds a file by its path without extension, or as a folder's index.
func (r *jsReader) file(name string) *jsParsed {
	if f := r.files[name]; f != nil {
		return f
	}
	bare := name
	switch path.Ext(name) {
	case ".js", ".mjs", ".cjs", ".jsx":
		bare = strings.TrimSuffix(name, path.Ext(name))
	}
	for _, end := range []string{".ts", ".js", ".tsx", ".mjs", ".cjs", ".mts", ".jsx", "/index.ts", "/index.js", "/index.mjs", "/index.cjs"} {
		if f := r.files[bare+end]; f != nil {
			return f
		}
	}
	return nil
}

func (r *jsReader) found() []Found {
	slices.Sort(r.order)
	l := newJSLink(r)
	return slices.Concat(l.found(), l.nested(), r.paths)
}
