package registry

import (
	"cmp"
	"slices"

	"github.com/pointsman/pointsman/routing"
)

// byName maps names and aliases to positions in repos.
func byName(repos []routing.Repo) map[string]int {
	at := map[string]int{}
	for i, r := range repos {
		for _, alias := range r.Aliases {
			at[alias] = i
		}
	}
	for i, r := range repos {
		at[r.Name] = i
	}
	return at
}

// Groups returns the declared sibling groups: the relation is symmetric, and
// siblings of siblings belong together. Names are sorted within a group, groups
// by their first name. A repository without siblings is in none.
func Groups(repos []routing.Repo) [][]string {
	at := byName(repos)
	root := make([]int, len(repos))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for i, r := range repos {
		for _, s := range r.Siblings {
			if j, ok := at[s.Repo]; ok {
				root[find(i)] = find(j)
			}
		}
	}
	members := map[int][]string{}
	for i, r := range repos {
		members[find(i)] = append(members[find(i)], r.Name)
	}
	var groups [][]string
	for _, names := range members {
		if len(names) > 1 {
			slices.Sort(names)
			groups = append(groups, names)
		}
	}
	slices.SortFunc(groups, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	return groups
}
