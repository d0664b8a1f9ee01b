package rank

import (
	"strings"
	"unicode/utf8"

	"github.com/pointsman/pointsman/routing"
)

// minInside is the least width of a keyword that counts when it stands inside a
// ticket's word: people choose short keywords (zip, csv), tickets are full of
// short words that mean nothing.
const minInside = 3

// ownsMatch is what a ticket says about one keyword.
type ownsMatch struct {
	exact bool
	token string // the ticket's word, or the expansion
	from  string // the ticket's word that was expanded, or ""
}

// saidKeyword is a keyword of an entry and what the ticket says about it.
type saidKeyword struct {
	keyword string
	key     string // in the form that makes equal keywords equal
	match   ownsMatch
}

// keyword is the form under which a keyword is compared: lower case, single spaces.
func keyword(s string) string {
	gap := true // a space here would be one too many
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf || c < ' ' || c == ' ' && gap {
			return strings.ToLower(strings.Join(strings.Fields(s), " "))
		}
		gap = c == ' '
	}
	if gap {
		return strings.TrimSuffix(s, " ")
	}
	return s
}

// owns fires the rows of owns for one entry: each keyword once, at its best.
func (v *ticketView) owns(r *routing.Repo, c *card) (sum float64, said []saidKeyword) {
	for _, text := range r.Owns {
		k := keyword(text)
		m, ok := v.match(k)
		if !ok {
			continue
		}
		rule := RulePartial
		if m.exact {
			rule = RuleOwns
		}
		if seen(said, k) {
			continue
		}
		if points := c.fire(rule, text); points > 0 {
			sum += points
			said = append(said, saidKeyword{text, k, m})
		}
	}
	return sum, said
}

func seen(said []saidKeyword, key string) bool {
	for _, s := range said {
		if s.key == key {
			return true
		}
	}
	return false
}

// match meets one keyword: word for word in the ticket, word for word among the
// expansions, in part.
func (v *ticketView) match(k string) (ownsMatch, bool) {
	if v.own.inRow(k, v.tables.stop) >= 0 {
		return ownsMatch{exact: true, token: k}, true
	}
	if words := v.expansionOf(k); words != "" {
		return ownsMatch{exact: true, token: words, from: v.from[words]}, true
	}
	part, ok := v.parts.of(k)
	return ownsMatch{token: part.word, from: part.from}, ok
}

// expansionOf returns the expansion that a keyword is, without its punctuation and
// stop words, or "".
func (v *ticketView) expansionOf(k string) string {
	if h, ok := firstHash(k); len(v.from) == 0 || ok && !v.begins.has(h) && !v.own.begins.has(h) {
		return "" // a stop word in front is among those of own
	}
	start, end := nextKept(k, 0, v.tables.stop)
	if start < 0 {
		return ""
	}
	words := k[start:end]
	for start, end = nextKept(k, end, v.tables.stop); start >= 0; start, end = nextKept(k, end, v.tables.stop) {
		if !v.phrases {
			return ""
		}
		words += " " + k[start:end]
	}
	if _, ok := v.from[words]; !ok {
		return ""
	}
	return words
}
