package facts

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pointsman/pointsman/routing/registry"
)

// codeownersPlaces are where a host looks for the file, in its order.
func codeownersPlaces() []string {
	return []string{".github/CODEOWNERS", ".gitlab/CODEOWNERS", ".bitbucket/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"}
}

func catalogPlaces() []string {
	return []string{"catalog-info.yaml", "catalog-info.yml", ".backstage/catalog-info.yaml", ".backstage/catalog-info.yml"}
}

// declares returns where the text of a file that says something about the
// repository as a whole is kept, or nil.
func (s *Scan) declares(path string) map[string][]byte {
	switch {
	case registry.IsReadme(path):
		return s.readmes
	case slices.Contains(codeownersPlaces(), path):
		return s.codeowners
	case slices.Contains(catalogPlaces(), path):
		return s.catalogs
	}
	return nil
}

// first returns the text that comes first in the order, or nil.
func first(texts map[string][]byte, order func(a, b string) int) []byte {
	if len(texts) == 0 {
		return nil
	}
	return texts[slices.MinFunc(slices.Collect(maps.Keys(texts)), order)]
}

func byPlace(places []string) func(a, b string) int {
	return func(a, b string) int {
		return cmp.Compare(slices.Index(places, a), slices.Index(places, b))
	}
}
