package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// generic are keywords that a ticket about anything may hold.
const generic = `api app application backend bug client code core data error feature fix frontend issue library
module page platform product project repo repository server service services software support system team test
tests tool tools user users web website`

// empty are words without a topic.
const empty = `a about all an and any are as at be by can do does for from get has have how i in is it its my new no not
of on or our set that the their this to use was we what when will with you your`

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// keyword is one keyword as it is compared, and the entries that hold it.
type keyword struct {
	words   []string
	holders []int
}

// owns looks at the keywords of all entries.
func (c *checker) owns() {
	table, order := c.keywords()
	inside := c.inside(table)
	everyday := setOf(generic)
	for _, key := range order {
		k := table[key]
		switch {
		case len(k.holders) >= c.widely():
			c.each(k, key, "owns-everywhere", Warning, "write what this repository alone does",
				fmt.Sprintf("%d of %d entries hold this keyword, so that it tells nothing", len(k.holders), len(c.reg.Repos)))
		case len(k.words) == 1 && everyday[key]:
			c.each(k, key, "owns-generic", Warning, "add the word that says of what, as in \"refund service\"",
				"a ticket about anything may hold this keyword")
		case allIn(k.words, c.stop):
			c.each(k, key, "owns-stopwords", Warning, "write a word that names a thing or an act", "it holds no word that says anything")
		case utf8.RuneCountInString(key) < c.o.MinPartial:
			c.each(k, key, "owns-short", Note, "add the longer word that tickets use as well",
				fmt.Sprintf("it is shorter than %d characters and meets a ticket only as a word of its own", c.o.MinPartial))
		case len(inside[key]) >= c.widely():
			c.each(k, key, "owns-inside", Warning, "write a longer keyword",
				fmt.Sprintf("it is a part of keywords of %d other entries (%s)", len(inside[key]), c.someOf(inside[key])))
		case len(k.holders) > 1:
			c.shared(k, key)
		}
	}
}

// keywords tables the keywords, and reports entries that have none.
func (c *checker) keywords() (table map[string]*keyword, order []string) {
	table = map[string]*keyword{}
	for i := range c.reg.Repos {
		r := c.repo(i)
		if len(r.Owns) == 0 && !r.Archived {
			c.add(i, "owns-empty", Warning, `add to "owns" three to eight words that a ticket about it would use`,
				"it owns no keyword, and tickets find it by its other fields only", "owns")
		}
		for _, word := range r.Owns {
			words := split(word)
			key := strings.Join(words, " ")
			k := table[key]
			if k == nil {
				k = &keyword{words: words}
				table[key] = k
				order = append(order, key)
			}
			if n := len(k.holders); n == 0 || k.holders[n-1] != i {
				k.holders = append(k.holders, i)
			}
		}
	}
	return table, order
}

// each reports a keyword in every entry that holds it.
func (c *checker) each(k *keyword, key, rule string, s Severity, mend, text string) {
	for _, i := range k.holders {
		for _, word := range c.repo(i).Owns {
			if word == key || strings.Join(split(word), " ") == key {
				c.add(i, rule, s, mend, fmt.Sprintf("%q: %s", word, text), "owns", word)
				break
			}
		}
	}
}

// shared reports a keyword that two or more entries hold, once, in the second.
func (c *checker) shared(k *keyword, key string) {
	first := k.holders[0]
	rest := &keyword{words: k.words, holders: k.holders[1:]}
	c.each(rest, key, "owns-shared", Note, "leave it to the one that is meant, or add the word that tells them apart",
		fmt.Sprintf("%s holds this keyword as well", c.repo(first).Name))
}

// inside finds the one-word keywords that are parts of words in other entries'
// keywords. Only lengths that occur are looked at, and only short ones: a long
// word is a part of few.
func (c *checker) inside(table map[string]*keyword) map[string][]int {
	const longest = 8
	var lengths []int
	for key, k := range table {
		if n := len(key); len(k.words) == 1 && n >= c.o.MinPartial && n <= longest && !slices.Contains(lengths, n) {
			lengths = append(lengths, n)
		}
	}
	slices.Sort(lengths)
	found := map[string][]int{}
	for _, k := range table {
		for _, word := range k.words {
			for _, n := range lengths {
				for at := 0; at+n <= len(word); at++ {
					part := word[at : at+n]
					short, ok := table[part]
					if !ok || len(short.words) != 1 || short == k {
						continue
					}
					for _, i := range k.holders {
						if !slices.Contains(short.holders, i) && len(found[part]) <= len(c.reg.Repos) {
							found[part] = append(found[part], i)
						}
					}
				}
			}
		}
	}
	for part, entries := range found {
		slices.Sort(entries)
		found[part] = slices.Compact(entries)
	}
	return found
}

// split cuts a keyword into lower-case words.
func split(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func allIn(words []string, set map[string]bool) bool {
	for _, w := range words {
		if !set[w] {
			return false
		}
	}
	return true
}
