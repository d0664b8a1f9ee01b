package lint

import (
	"fmt"
	"slices"
	"strconv"
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
	inside := c.inside(table, order)
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
			meets := "meets a ticket only as a word of its own"
			if utf8.RuneCountInString(key) >= minInside {
				meets = "meets tickets inside other words as well"
			}
			c.each(k, key, "owns-short", Note, "add the longer word that tickets use as well",
				fmt.Sprintf("it is shorter than %d characters and %s", c.o.MinPartial, meets))
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
	table = make(map[string]*keyword, 4*len(c.reg.Repos))
	c.keys = make([][]string, len(c.reg.Repos))
	for i := range c.reg.Repos {
		r := c.repo(i)
		if len(r.Owns) == 0 && !r.Archived {
			c.add(i, "owns-empty", Warning, `add to "owns" three to eight words that a ticket about it would use`,
				"it owns no keyword, and tickets find it by its other fields only", "owns")
		}
		c.keys[i] = make([]string, len(r.Owns))
		for j, word := range r.Owns {
			key := joined(word)
			c.keys[i][j] = key
			k := table[key]
			if k == nil {
				k = &keyword{words: strings.Fields(key)}
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
		for j, word := range c.repo(i).Owns {
			if c.keys[i][j] == key {
				c.add(i, rule, s, mend, strconv.Quote(word)+": "+text, "owns", word)
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
		c.repo(first).Name+" holds this keyword as well")
}

// inside finds the one-word keywords that are parts of words in other entries'
// keywords. Only lengths that occur are looked at, and only short ones: a long
// word is a part of few.
func (c *checker) inside(table map[string]*keyword, order []string) map[string][]int {
	const longest = 8
	singles := map[string]*keyword{}
	begins := make([]uint16, 1<<16) // by the first two bytes: a bit for each length of a keyword that begins so
	for _, key := range order {
		k := table[key]
		// One that stands everywhere is reported for that alone.
		if n := len(key); len(k.words) == 1 && n >= max(c.o.MinPartial, 2) && n <= longest && len(k.holders) < c.widely() {
			singles[key] = k
			begins[int(key[0])<<8|int(key[1])] |= 1 << n
		}
	}
	found := map[string][]int{}
	for _, key := range order {
		k := table[key]
		for _, word := range k.words {
			for at := 0; at+1 < len(word); at++ {
				lengths := begins[int(word[at])<<8|int(word[at+1])]
				for n := 2; lengths>>n != 0 && at+n <= len(word); n++ {
					if lengths>>n&1 == 0 {
						continue
					}
					part := word[at : at+n]
					if short := singles[part]; short != nil && short != k {
						found[part] = appendOthers(found[part], k.holders, short.holders)
						if len(found[part]) > 2*len(c.reg.Repos) { // the same entries again and again
							found[part] = inSet(found[part])
						}
					}
				}
			}
		}
	}
	for part, entries := range found {
		found[part] = inSet(entries)
	}
	return found
}

func inSet(entries []int) []int {
	slices.Sort(entries)
	return slices.Compact(entries)
}

// appendOthers adds the entries that are not among some; both are in order.
func appendOthers(out, entries, some []int) []int {
	for _, i := range entries {
		if _, ok := slices.BinarySearch(some, i); !ok {
			out = append(out, i)
		}
	}
	return out
}

// joined is a keyword in lower-case words with single spaces, as most are written.
func joined(keyword string) string {
	before := byte(' ')
	for i := range len(keyword) {
		b := keyword[i]
		if b == ' ' && before == ' ' || b != ' ' && (b < '0' || b > '9') && (b < 'a' || b > 'z') {
			return strings.Join(split(keyword), " ")
		}
		before = b
	}
	if before == ' ' {
		return strings.Join(split(keyword), " ")
	}
	return keyword
}

// split cuts a keyword into lower-case words.
func split(s string) []string {
	var out []string
	eachWord(s, nil, func(word []byte) { out = append(out, string(word)) })
	return out
}

// eachWord visits the lower-case words of a text; they last for the visit. It works
// in buf, and returns it for the next text.
func eachWord(s string, buf []byte, visit func(word []byte)) []byte {
	buf = append(buf[:0], s...)
	for i, b := range buf {
		switch {
		case b >= utf8.RuneSelf:
			for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				visit([]byte(w))
			}
			return buf
		case b >= 'A' && b <= 'Z':
			buf[i] = b + ('a' - 'A')
		}
	}
	start := -1
	for i, b := range buf {
		switch word := b >= 'a' && b <= 'z' || b >= '0' && b <= '9'; {
		case word && start < 0:
			start = i
		case !word && start >= 0:
			visit(buf[start:i])
			start = -1
		}
	}
	if start >= 0 {
		visit(buf[start:])
	}
	return buf
}

func allIn(words []string, set map[string]bool) bool {
	for _, w := range words {
		if !set[w] {
			return false
		}
	}
	return true
}
