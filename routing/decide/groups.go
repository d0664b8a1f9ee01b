package decide

import (
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// Groups returns the declared sibling groups: the relation is symmetric, and
// siblings of siblings belong together. Groups and members are in order of name.
func Groups(repos []routing.Repo) [][]string {
	next := map[string][]string{}
	known := map[string]bool{}
	for _, r := range repos {
		known[r.Name] = true
	}
	for _, r := range repos {
		for _, s := range r.Siblings {
			if known[s.Repo] && s.Repo != r.Name {
				next[r.Name] = append(next[r.Name], s.Repo)
				next[s.Repo] = append(next[s.Repo], r.Name)
			}
		}
	}
	var groups [][]string
	seen := map[string]bool{}
	for _, r := range repos {
		if seen[r.Name] || len(next[r.Name]) == 0 {
			continue
		}
		group := []string{r.Name}
		seen[r.Name] = true
		for i := 0; i < len(group); i++ {
			for _, n := range next[group[i]] {
				if !seen[n] {
					seen[n] = true
					group = append(group, n)
				}
			}
		}
		slices.Sort(group)
		groups = append(groups, group)
	}
	slices.SortFunc(groups, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return groups
}
