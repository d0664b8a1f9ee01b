package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pointsman/pointsman/routing/registry"
	"github.com/pointsman/pointsman/routing/text"
)

const (
	shortProse = 4   // words with a topic, below which a description says little
	longProse  = 800 // characters
	alike      = 0.8 // share of the content words from which on two descriptions read alike
	// siblingsAlike is lower: whoever declares siblings says that they are mixed up.
	siblingsAlike = 0.6
	// maxCompared bounds the pairs looked at for one description.
	maxCompared = 64
)

// prose is the content of a description: its stems, numbered from the rarest on.
type prose struct {
	entry int
	stems []int
}

// descriptions looks at what the entries say of themselves.
func (c *checker) descriptions() {
	words := c.contents()
	for _, p := range words {
		r := c.repo(p.entry)
		n := utf8.RuneCountInString(r.Description)
		switch {
		case strings.TrimSpace(r.Description) == "" && r.Archived:
		case strings.TrimSpace(r.Description) == "":
			c.add(p.entry, "description-missing", Warning, "say in a sentence or two what it is and who uses it", "it has no description", "description")
		case r.DescriptionSource == registry.Generated:
			c.add(p.entry, "description-generated", Note, `read it, mend it, and write "descriptionSource": "human"`,
				"its description was drafted by a program and no person has read it", "description")
		case len(p.stems) < shortProse:
			c.add(p.entry, "description-short", Note, "say what it does and for whom, in the words of its users",
				fmt.Sprintf("its description has %d words that say anything", len(p.stems)), "description")
		case n > longProse:
			c.add(p.entry, "description-long", Note, "keep what tells it from the others",
				fmt.Sprintf("its description has %d characters, more than %d water down what it says", n, longProse), "description")
		}
	}
	reported := c.siblingDescriptions(words)
	c.alikeDescriptions(words, reported)
}

// contents stems the descriptions; stems are numbered by how rare they are.
func (c *checker) contents() []prose {
	stemmer := text.NewStemmer()
	all := make([][]string, len(c.reg.Repos))
	count := map[string]int{}
	for i := range c.reg.Repos {
		for _, w := range split(c.repo(i).Description) {
			if !c.stop[w] {
				all[i] = append(all[i], stemmer.Stem([]byte(w)))
			}
		}
		slices.Sort(all[i])
		all[i] = slices.Compact(all[i])
		for _, s := range all[i] {
			count[s]++
		}
	}
	order := make([]string, 0, len(count))
	for s := range count {
		order = append(order, s)
	}
	slices.SortFunc(order, func(a, b string) int { return cmp.Or(cmp.Compare(count[a], count[b]), cmp.Compare(a, b)) })
	number := make(map[string]int, len(order))
	for i, s := range order {
		number[s] = i
	}
	out := make([]prose, len(all))
	for i, stems := range all {
		out[i].entry = i
		for _, s := range stems {
			out[i].stems = append(out[i].stems, number[s])
		}
		slices.Sort(out[i].stems)
	}
	return out
}

// siblingDescriptions reports declared siblings that read alike.
func (c *checker) siblingDescriptions(words []prose) map[[2]int]bool {
	reported := map[[2]int]bool{}
	for i := range c.reg.Repos {
		for _, s := range c.repo(i).Siblings {
			j, ok := c.at[s.Repo]
			pair := [2]int{min(i, j), max(i, j)}
			if !ok || i == j || reported[pair] {
				continue
			}
			if share := overlap(words[i].stems, words[j].stems); share >= siblingsAlike {
				reported[pair] = true
				c.readsLike(i, j, share, "description-sibling")
			}
		}
	}
	return reported
}

// alikeDescriptions reports any others that read alike, each with the first such
// entry before it. Two sets that overlap by a share t have one of their
// n - ceil(t n) + 1 rarest members in common: only those are looked up.
func (c *checker) alikeDescriptions(words []prose, reported map[[2]int]bool) {
	table := map[int][]int{}
	for i, p := range words {
		n := len(p.stems)
		if n < shortProse {
			continue
		}
		prefix := p.stems[:n-int(alike*float64(n)+0.999)+1]
		best, compared := -1, 0
	search:
		for _, s := range prefix {
			for _, j := range table[s] {
				if compared++; compared > maxCompared {
					break search
				}
				if overlap(p.stems, words[j].stems) >= alike && (best < 0 || j < best) {
					best = j
				}
			}
		}
		if best >= 0 && !reported[[2]int{best, i}] {
			c.readsLike(i, best, overlap(p.stems, words[best].stems), "description-alike")
		}
		for _, s := range prefix {
			table[s] = append(table[s], i)
		}
	}
}

// readsLike says what two descriptions share, and asks for what differs.
func (c *checker) readsLike(i, j int, share float64, rule string) {
	mine, others := c.topicWords(i), c.topicWords(j)
	both, only := []string{}, []string{}
	for _, w := range mine {
		if slices.Contains(others, w) {
			both = append(both, w)
		} else {
			only = append(only, w)
		}
	}
	has := "nothing of its own"
	if len(only) > 0 {
		has = "of its own only " + listed(only)
	}
	c.add(i, rule, Warning, "say in each who uses it and what the other does not do",
		fmt.Sprintf("its description shares %.0f%% of its words with that of %s (%s) and has %s", 100*share, c.repo(j).Name, listed(both), has), "description")
}

// topicWords are the words of a description that say something, each once.
func (c *checker) topicWords(i int) []string {
	var out []string
	for _, w := range split(c.repo(i).Description) {
		if !c.stop[w] && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

func listed(words []string) string {
	const shown = 8
	text := strings.Join(words[:min(len(words), shown)], ", ")
	if len(words) > shown {
		text += ", ..."
	}
	return text
}

// overlap is the share of two sorted sets that is in both (Jaccard).
func overlap(a, b []int) float64 {
	both, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			both, i, j = both+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	if len(a)+len(b) == both {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
