package registry

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/pointsman/pointsman/routing"
)

// relations are the words that Sibling.Relation knows.
func relations() []string { return []string{"replaces", "replacedBy", "variant", "fork"} }

// siblings checks that relations point to other entries, in words that are known.
func (c *checker) siblings(repos []routing.Repo) {
	const another = "write the name of another entry"
	known := byName(repos)
	names := sync.OnceValue(func() []string { return namesOf(repos) })
	for i, r := range repos {
		list, _ := c.entries[i].get("siblings")
		for j, s := range r.Siblings {
			n, path := c.entries[i], (*where)(nil).field("repos").item(i).field("siblings").item(j)
			if j < len(list.items()) { // always, unless a null follows the list under the same key
				n = list.items()[j]
			}
			name, has := n.get("repo")
			other, ok := known[s.Repo]
			switch {
			case !has || s.Repo == "":
				c.warn(n.start, path, another, `it has no "repo", and the relation is left out`)
			case !ok:
				c.warn(name.start, path.field("repo"), "write "+nearest(s.Repo, names(), "the name or an alias of another entry"), "no entry is named %q, and the relation is left out", s.Repo)
			case other == i:
				c.warn(name.start, path.field("repo"), another, "%q is the entry itself, and the relation is left out", s.Repo)
			}
			if s.Relation != "" && !slices.Contains(relations(), s.Relation) {
				v, _ := n.get("relation")
				c.warn(v.start, path.field("relation"), "write "+nearest(s.Relation, relations(), "one of "+strings.Join(relations(), ", ")), "%q is not known", s.Relation)
			}
		}
	}
}

// ours says that a struct is of Pointsman's own making: nobody else puts keys
// into it, so one that is not known is a slip.
func ours(t reflect.Type) bool {
	return t == reflect.TypeFor[routing.Sibling]() || t == reflect.TypeFor[routing.Tell]() || t == reflect.TypeFor[routing.Match]()
}

// unknown warns of a key that nothing reads.
func (c *checker) unknown(f field, path *where, known map[string]int) {
	var names []string
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	c.warn(f.start, path.field(f.name), "write "+nearest(f.name, names, "one of "+strings.Join(names, ", ")), "it is not known and not read")
}

func namesOf(repos []routing.Repo) []string {
	names := make([]string, 0, len(repos))
	for _, r := range repos {
		names = append(names, r.Name)
	}
	return names
}

// nearest quotes the word of which s is most likely a misspelling, or gives
// otherwise when there is none.
func nearest(s string, words []string, otherwise string) string {
	best, least := "", 3
	for _, w := range words {
		if d := distance(strings.ToLower(s), strings.ToLower(w), least); d < least && d < len(w)/2+1 {
			best, least = w, d
		}
	}
	if best == "" {
		return otherwise
	}
	return fmt.Sprintf("%q", best)
}

// distance counts the letters to change, add, drop or swap with their neighbour
// to get from a to b; most or more is most.
func distance(a, b string, most int) int {
	if len(a) > maxName || len(b) > maxName || len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		earlier := before
		before, row = row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(before[j]+1, row[j-1]+1, before[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], earlier[j-2]+1)
			}
		}
	}
	return min(row[len(b)], most)
}
