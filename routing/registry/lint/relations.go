package lint

import (
	"fmt"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// relations looks at declared siblings: without a rule that tells them apart a
// ticket that meets both can only be put to both.
func (c *checker) relations() {
	told := map[[2]int]bool{}
	replaced := map[int]bool{}
	for i := range c.reg.Repos {
		for _, s := range c.repo(i).Siblings {
			j, ok := c.at[s.Repo]
			if !ok {
				continue
			}
			if alive(s.Tell) {
				told[[2]int{min(i, j), max(i, j)}] = true
			}
			switch s.Relation {
			case "replacedBy":
				replaced[i] = true
			case "replaces":
				replaced[j] = true
			}
		}
	}
	said, marks := map[[2]int]bool{}, c.marks()
	for i := range c.reg.Repos {
		for k, s := range c.repo(i).Siblings {
			c.tells(i, k, s, marks)
			j, ok := c.at[s.Repo]
			pair := [2]int{min(i, j), max(i, j)}
			if !ok || i == j || told[pair] || said[pair] {
				continue
			}
			said[pair] = true
			c.add(i, "sibling-untold", Warning, `add "tell": [{"ask": "Which ...?", "matches": {"hosts": ["..."]}}] to one of the two`,
				fmt.Sprintf("nothing tells it from %s: a ticket that meets both stays undecided", s.Repo), "siblings", k)
		}
		if c.repo(i).Archived && !replaced[i] {
			c.add(i, "archived-alone", Note, `add "siblings": [{"repo": "...", "relation": "replacedBy"}], so that its tickets go there`,
				"it is archived, and no entry replaces it", "archived")
		}
	}
}

func alive(tells []routing.Tell) bool {
	for _, t := range tells {
		m := t.Matches
		if len(m.Hosts)+len(m.Words)+len(m.Labels)+len(m.Components)+len(m.Environment)+len(m.ReporterGroups) > 0 {
			return true
		}
	}
	return false
}

// tells reports rules that can never match.
func (c *checker) tells(i, k int, s routing.Sibling, marks map[pair]map[string]bool) {
	for n, t := range s.Tell {
		if !alive([]routing.Tell{t}) {
			c.add(i, "tell-dead", Warning, `add "matches" with hosts, words, labels, components or environment that a ticket would hold`,
				"this rule holds no mark and never matches", "siblings", k, "tell", n)
		}
		for _, h := range t.Matches.Hosts {
			if strings.ContainsAny(h, "/ @") {
				c.add(i, "tell-dead", Warning, `write the host alone, as "shop.example.com"`, fmt.Sprintf("%q is no host and never matches", h),
					"siblings", k, "tell", n, "matches", "hosts", h)
			}
		}
		for _, w := range t.Matches.Words {
			if len(split(w)) == 0 {
				c.add(i, "tell-dead", Warning, "write a word that a ticket would hold", fmt.Sprintf("%q holds neither letter nor digit and never matches", w),
					"siblings", k, "tell", n, "matches", "words", w)
			}
		}
		c.bothHold(i, k, n, s.Repo, t, marks)
	}
}

// pair is two entries: the one that speaks, and the one that it speaks of.
type pair struct{ from, of int }

// marks tables the words and hosts of the rules that an entry has against one that
// stands before it.
func (c *checker) marks() map[pair]map[string]bool {
	table := map[pair]map[string]bool{}
	for j := range c.reg.Repos {
		for _, s := range c.repo(j).Siblings {
			i, ok := c.at[s.Repo]
			if !ok || i >= j {
				continue
			}
			p := pair{j, i}
			if table[p] == nil {
				table[p] = map[string]bool{}
			}
			for _, t := range s.Tell {
				for _, list := range [][]string{t.Matches.Words, t.Matches.Hosts} {
					for _, w := range list {
						table[p][strings.ToLower(w)] = true
					}
				}
			}
		}
	}
	return table
}

// bothHold reports marks that the sibling's own rules hold as well: whatever they
// match favours both. It is said once, in the first of the two.
func (c *checker) bothHold(i, k, n int, other string, t routing.Tell, marks map[pair]map[string]bool) {
	j, ok := c.at[other]
	theirs := marks[pair{j, i}]
	if !ok || len(theirs) == 0 {
		return
	}
	for _, list := range []struct {
		key   string
		words []string
	}{{"words", t.Matches.Words}, {"hosts", t.Matches.Hosts}} {
		for _, w := range list.words {
			if theirs[strings.ToLower(w)] {
				c.add(i, "tell-both", Warning, "leave it to the one that it speaks for", fmt.Sprintf("%q speaks for %s as well", w, other),
					"siblings", k, "tell", n, "matches", list.key, w)
			}
		}
	}
}
