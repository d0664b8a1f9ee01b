package facts

import (
	"slices"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/index"
	"github.com/pointsman/pointsman/routing/registry"
)

// Scan gathers the facts of one commit: Want is asked for every file, Add is
// given the wanted ones, Facts tells the sum. It is not safe for concurrent use.
type Scan struct {
	rules    *index.Rules
	paths    []string
	failures []routing.Failure

	readmes, codeowners, catalogs map[string][]byte
}

// NewScan returns a scan that has seen nothing.
func NewScan() *Scan {
	return &Scan{
		rules:   index.NewRules(),
		readmes: map[string][]byte{}, codeowners: map[string][]byte{}, catalogs: map[string][]byte{},
	}
}

// Want reports whether a file is to be read, judged by its path and its size in
// bytes. It also counts the file among the commit's, so that it is asked once for
// every file.
func (s *Scan) Want(path string, size int64) bool {
	s.paths = append(s.paths, path)
	return size > 0 && size <= maxDeclared && s.declares(path) != nil
}

// Add reads a file. Its text is not kept beyond the call.
func (s *Scan) Add(d routing.Document) {
	if kind := s.declares(d.Path); kind != nil {
		kind[d.Path] = slices.Clone(d.Text)
	}
}

// Facts tells what was found so far.
func (s *Scan) Facts() Facts {
	paths := slices.Clone(s.paths)
	slices.Sort(paths)
	return Facts{
		Languages:  registry.Languages(paths),
		Readme:     first(s.readmes, registry.BetterReadme),
		Codeowners: first(s.codeowners, byPlace(codeownersPlaces())),
		Catalog:    first(s.catalogs, byPlace(catalogPlaces())),
		Paths:      paths,
		Failures:   s.failures,
	}
}
