package eval

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/gold"
)

// Leak is a place in the indexed text where a ticket's title stands word for
// word: the answer may have leaked into what is searched.
type Leak struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Repo   string `json:"repo"`
	Path   string `json:"path"`
	Answer bool   `json:"answer"` // the place is in a repository of the answer
}

// minTitleWords is the length from which a title that stands somewhere word for
// word is hardly there by chance.
const minTitleWords = 5

// Leaks finds the titles of tickets in documents. Titles of fewer than
// minTitleWords words are not looked for. It serves one goroutine.
type Leaks struct {
	heads map[uint64][]wanted // by the hash of a title's first words
	Found []Leak
}

type wanted struct {
	id, title string
	words     []string
	repos     []string
}

// NewLeaks returns a finder for the titles of cases; clean is what the engine
// does to a ticket before it is read.
func NewLeaks(cases []gold.Case, clean func(routing.Ticket) routing.Ticket) *Leaks {
	l := &Leaks{heads: map[uint64][]wanted{}}
	for _, c := range cases {
		title := clean(c.Ticket()).Title
		words := plainWords(title)
		if len(words) < minTitleWords {
			continue
		}
		h := headHash(words)
		l.heads[h] = append(l.heads[h], wanted{c.ID, title, words, c.Repos})
	}
	return l
}

// Look searches one document of a repository.
func (l *Leaks) Look(repo string, d routing.Document) {
	words := plainWords(string(d.Text))
	seen := map[string]bool{}
	for i := 0; i+minTitleWords <= len(words); i++ {
		for _, w := range l.heads[headHash(words[i:])] {
			if i+len(w.words) <= len(words) && slices.Equal(words[i:i+len(w.words)], w.words) && !seen[w.id] {
				seen[w.id] = true
				l.Found = append(l.Found, Leak{w.id, w.title, repo, d.Path, slices.Contains(w.repos, repo)})
			}
		}
	}
}

// headHash hashes the first minTitleWords words.
func headHash(words []string) uint64 {
	h := fnv.New64a()
	for _, w := range words[:minTitleWords] {
		_, _ = h.Write([]byte(w)) // a hash never fails
		_, _ = h.Write([]byte{' '})
	}
	return h.Sum64()
}

// plainWords are the runs of letters and digits, lower case.
func plainWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
