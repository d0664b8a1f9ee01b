package endpoints

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
)

const (
	// maxFile is the size in bytes above which a file is not looked at: written by a
	// person, none is as long.
	maxFile = 1 << 20
	// maxLine is the length in bytes of a line above which a file is taken for minified.
	maxLine = 20_000
	// maxFound bounds what is returned of one repository.
	maxFound = 5_000
	// maxPath is the length in bytes above which a path is taken for something else.
	maxPath = 300
)

// Found is one endpoint. Method is upper case, "" for any; Path begins with a slash,
// names its parameters in braces ("/users/{id}") and has every prefix in front of it.
// For remote calls Method is "RPC" and Path "/package.Service/Method"; for GraphQL
// Method is "QUERY", "MUTATION" or "SUBSCRIPTION" and Path "/field". Line counts from 1.
type Found struct {
	Method, Path, Framework, File string
	Line                          int
}

// Event is a channel that an AsyncAPI document names. Direction is "emits" or
// "consumes", as the application that carries the document sees it.
type Event struct {
	Name, Direction, File string
	Line                  int
}

// reader reads one ecosystem: every file once, in any order, then the whole.
type reader interface {
	wants(path string) bool
	read(path string, text []byte) // text is valid only during the call
	found() []Found
}

// Reader reads the files of one repository. It is not safe for concurrent use.
type Reader struct {
	all   []reader
	specs *specs
}

// NewReader returns a Reader that has seen nothing yet.
func NewReader() *Reader {
	s := newSpecs()
	return &Reader{all: append(readers(), s), specs: s}
}

func readers() []reader {
	return []reader{newJS(), newGo(), newJava(), newCSharp(), newPython(), newRuby()}
}

// Want tells whether a file could hold endpoints, by its path alone.
func (r *Reader) Want(path string) bool {
	if isTest(path) {
		return false
	}
	return slices.ContainsFunc(r.all, func(one reader) bool { return one.wants(path) })
}

// Read looks at one file. What is binary, minified or huge is passed over.
func (r *Reader) Read(path string, text []byte) {
	if isTest(path) || !readable(text) {
		return
	}
	for _, one := range r.all {
		if one.wants(path) {
			one.read(path, text)
		}
	}
}

// Found returns the endpoints of all files read so far, sorted, each once.
func (r *Reader) Found() []Found {
	type key struct{ method, path string }
	var all []Found
	for _, one := range r.all {
		all = append(all, one.found()...)
	}
	slices.SortStableFunc(all, func(a, b Found) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	seen := map[key]bool{}
	kept := all[:0]
	for _, f := range all {
		k := key{f.Method, f.Path}
		if f.Path == "" || len(f.Path) > maxPath || seen[k] || len(kept) >= maxFound {
			continue
		}
		seen[k] = true
		kept = append(kept, f)
	}
	return kept
}

// Events returns the channels of all AsyncAPI documents read so far, sorted, each once.
func (r *Reader) Events() []Event {
	all := r.specs.events()
	slices.SortStableFunc(all, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Direction, b.Direction),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return slices.CompactFunc(all, func(a, b Event) bool { return a.Name == b.Name && a.Direction == b.Direction })
}

// readable tells whether text could have been written by a person.
func readable(text []byte) bool {
	if len(text) > maxFile || bytes.IndexByte(text, 0) >= 0 {
		return false
	}
	for rest := text; len(rest) > 0; {
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			return len(rest) <= maxLine
		}
		if n > maxLine {
			return false
		}
		rest = rest[n+1:]
	}
	return true
}

// isTest tells whether a file serves tests, or was written elsewhere.
func isTest(file string) bool {
	dir, base := path.Split(file)
	described := isDescription(file) // spec/api.json and api-spec.yaml are specifications
	for part := range strings.SplitSeq(dir, "/") {
		switch strings.ToLower(part) {
		case "spec":
			if !described {
				return true
			}
		case "test", "tests", "__tests__", "__mocks__", "testdata", "e2e", "cypress", "node_modules", "vendor", "third_party", "fixtures":
			return true
		}
	}
	low := strings.ToLower(base)
	stem := strings.TrimSuffix(low, path.Ext(low))
	for _, end := range []string{"_test", ".test", ".spec", "_spec", "-test", "-spec", ".e2e-spec", ".d", ".min", ".stories", ".mock"} {
		if strings.HasSuffix(stem, end) && stem != end && (!described || !strings.HasSuffix(end, "spec")) {
			return true
		}
	}
	return false
}
