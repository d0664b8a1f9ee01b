package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pointsman/pointsman/routing/registry"
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
	words []int // in the order of the text, each once
	stems []int32
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

// contents stems the descriptions, each word of all of them once; stems are
// numbered by how rare they are.
func (c *checker) contents() []prose {
	v := newVocabulary(c.stop)
	out := make([]prose, len(c.reg.Repos))
	for i := range out {
		out[i].entry = i
		out[i].words = v.read(c.repo(i).Description)
		out[i].stems = make([]int32, 0, len(out[i].words))
		for _, w := range out[i].words {
			if stem := v.stem[w]; v.last[stem] != i {
				v.last[stem] = i
				v.count[stem]++
				out[i].stems = append(out[i].stems, int32(stem))
			}
		}
	}
	number := v.byRarity()
	for i := range out {
		for k, stem := range out[i].stems {
			out[i].stems[k] = int32(number[stem])
		}
		slices.Sort(out[i].stems)
	}
	c.vocabulary = v
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
				c.readsLike(words[i], words[j], share, "description-sibling")
			}
		}
	}
	return reported
}

// alikeDescriptions reports any others that read alike, each with the first such
// entry before it. Two sets that overlap by a share t have one of their
// n - ceil(t n) + 1 rarest members in common: only those are looked up.
func (c *checker) alikeDescriptions(words []prose, reported map[[2]int]bool) {
	table := make([][]int, len(c.vocabulary.count))
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
				m := len(words[j].stems)
				if float64(min(n, m))/float64(max(n, m)) < alike || best >= 0 && best <= j {
					continue // too unlike in length, or another came first
				}
				if reaches(p.stems, words[j].stems, alike) {
					best = j
				}
			}
		}
		if best >= 0 && !reported[[2]int{best, i}] {
			c.readsLike(p, words[best], overlap(p.stems, words[best].stems), "description-alike")
		}
		for _, s := range prefix {
			table[s] = append(table[s], i)
		}
	}
}

// readsLike says what two descriptions share, and asks for what differs.
func (c *checker) readsLike(p, other prose, share float64, rule string) {
	theirs := make(map[int]bool, len(other.words))
	for _, w := range other.words {
		theirs[w] = true
	}
	var both, only []string
	for _, w := range p.words {
		if theirs[w] {
			both = append(both, c.vocabulary.words[w])
		} else {
			only = append(only, c.vocabulary.words[w])
		}
	}
	has := "nothing of its own"
	if len(only) > 0 {
		has = "of its own only " + listed(only)
	}
	c.add(p.entry, rule, Warning, "say in each who uses it and what the other does not do",
		fmt.Sprintf("its description shares %.0f%% of its words with that of %s (%s) and has %s", 100*share, c.repo(other.entry).Name, listed(both), has), "description")
}

func listed(words []string) string {
	const shown = 8
	text := strings.Join(words[:min(len(words), shown)], ", ")
	if len(words) > shown {
		text += ", ..."
	}
	return text
}

// reaches says that overlap is no less than a share of at least a half. It stops
// when too few are left: of nearly all pairs the first words differ.
func reaches(a, b []int32, share float64) bool {
	// both / (len(a) + len(b) - both) >= share, solved for the members that one set
	// may have and the other not.
	lack := int(float64(len(a)+len(b))*(1-share)/(1+share) + 1e-9)
	i, j := 0, 0
	for i < len(a) && j < len(b) && lack >= 0 {
		switch {
		case a[i] == b[j]:
			i, j = i+1, j+1
		case a[i] < b[j]:
			i, lack = i+1, lack-1
		default:
			j, lack = j+1, lack-1
		}
	}
	return lack >= (len(a)-i)+(len(b)-j)
}

// overlap is the share of two sorted sets that is in both (Jaccard).
func overlap(a, b []int32) float64 {
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
