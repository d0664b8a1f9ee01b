package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/index"
	"github.com/pointsman/pointsman/routing/text"
)

// vague words may match, but tell a reader nothing: reasons leave them out while
// there are better ones.
const vague = `able across actually again ago almost along already always another anybody anyone anything anyway around away
	back bad begin behind best better between big bit both bring came change changed come comes comes correct correctly
	could day days different does doesn done easy either else empty end enough especially even every everybody everyone
	everything exactly example fact far feel few find fine first five follow following found four full gave give given gives
	go goes going gone good great half happened hard help here high hour however idea instead keep kept kind know large last
	late later least leave left less let like likely line list little long look looking lot low made many may maybe mean
	might minute minutes missing much must name names near need needed needs never new next night nobody none normal nothing
	number odd often old one open order others out part people perhaps place please point possible probably put quite rather
	really right saw say saying second seen send set several she short show shows side simple simply since six small someone
	something sometimes somewhere soon start started still stop stopped sure take taken takes tell text ten three time times
	today together told too took toward tried try trying turn twice two type unless until upon used usually way week well
	went whole without word words world write wrong year years yesterday yet`

// maxQueryTerms bounds a query. Beyond it a ticket is a log, and its head has
// said what it is about.
const maxQueryTerms = 400

// titleWeight is how many times a word counts that stands in the title: reporters
// put there what the ticket is about.
const titleWeight = 3

// stopWords carry no topic. They are left out of queries, never out of the index.
const stopWords = `a about after all also am an and any are as at be because been before being but by can cannot could
	did do does doing don down each else even few for from further get gets got had has have having he her here hers him his
	how i if in into is isn it its itself just like ll made make makes me more most my no nor not now of off on once only or
	other our out over own per please re s same say says see seem seems shall she should since so some still such t than
	thank thanks that the their them then there these they thing things this those though through to too under until up us
	use used uses using ve very via want wants was wasn way we were what when where which while who whom why will with won
	would yet you your https www`

// boilerplate words fill ticket templates. They count little: they say that
// something is wrong, not where.
const boilerplate = `actual attach attached behavior behaviour bug bugs description environment expected hello hi issue
	issues problem reproduce reproduced regression report reported result results steps summary ticket version versions
	work working works happen happens`

// boilerplateWeight is what a template word keeps of its weight.
const boilerplateWeight = 0.3

// Queries turns tickets into query terms.
type Queries struct {
	stop, boiler, vague map[string]bool
}

// NewQueries returns the default Queries.
func NewQueries() *Queries {
	q := &Queries{stop: map[string]bool{}, boiler: map[string]bool{}, vague: map[string]bool{}}
	for _, w := range strings.Fields(vague + " " + boilerplate) {
		q.vague[w] = true
	}
	for _, w := range strings.Fields(stopWords) {
		q.stop[w] = true
	}
	stemmer := text.NewStemmer()
	for _, w := range strings.Fields(boilerplate) {
		q.boiler[stemmer.Stem([]byte(w))] = true
	}
	return q
}

// Term is one stem of a ticket, and a word as the ticket wrote it.
type Term struct {
	index.QueryTerm
	Word string
}

// Of returns the terms of a ticket in order of first appearance, title first.
// A term's weight is 1 + ln of its count, in which the title counts
// titleWeight times.
func (q *Queries) Of(t routing.Ticket) []Term { return q.weigh(t, titleWeight) }

// weigh is Of with another weight of the title.
func (q *Queries) weigh(t routing.Ticket, title float64) []Term {
	var splitter text.Splitter
	stemmer := text.NewStemmer()
	at := map[string]int{}
	var terms []Term
	var counts []float64
	take := func(s string, weight float64) {
		splitter.Split([]byte(s), func(word []byte) {
			if q.stop[string(word)] {
				return
			}
			stem := stemmer.Stem(word)
			i, ok := at[stem]
			if !ok {
				if len(terms) == maxQueryTerms {
					return
				}
				i = len(terms)
				at[stem] = i
				terms = append(terms, Term{QueryTerm: index.QueryTerm{Stem: stem}, Word: string(word)})
				counts = append(counts, 0)
			}
			counts[i] += weight
		})
	}
	take(t.Title, title)
	take(t.Body, 1)
	written := newSpeller(t.Title + "\n" + t.Body)
	for i := range terms {
		terms[i].Word = written.as(terms[i].Word)
		terms[i].Weight = 1 + math.Log(counts[i])
		if q.boiler[terms[i].Stem] {
			terms[i].Weight *= boilerplateWeight
		}
	}
	return terms
}

// speller gives words back as the ticket wrote them, for people to read.
type speller struct{ text, lower string }

func newSpeller(s string) speller {
	lower := strings.ToLower(s)
	if len(lower) != len(s) { // some capitals change their size: offsets would lie
		s = lower
	}
	return speller{text: s, lower: lower}
}

// as returns the ticket's spelling of a lower-case word, or the word itself when
// it nowhere stands alone: a part of a compound has no spelling of its own.
func (s speller) as(word string) string {
	for from := 0; ; {
		i := strings.Index(s.lower[from:], word)
		if i < 0 {
			return word
		}
		start, end := from+i, from+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(s.text[:start])
		after, _ := utf8.DecodeRuneInString(s.text[end:])
		if !wordRune(before) && !wordRune(after) {
			return s.text[start:end]
		}
		from = end
	}
}

// Useful counts the distinct words of a ticket that carry a topic. A compound
// identifier is one word; so is each pair of CJK characters.
func (q *Queries) Useful(t routing.Ticket) int {
	seen := map[string]bool{}
	var splitter text.Splitter
	for _, field := range strings.FieldsFunc(t.Title+"\n"+t.Body, func(r rune) bool { return !wordRune(r) }) {
		wide := utf8.RuneCountInString(field) < len(field)
		if !wide {
			if word := strings.ToLower(field); len(word) > 1 && !q.stop[word] {
				seen[word] = true
			}
			continue
		}
		splitter.Split([]byte(field), func(term []byte) { seen[string(term)] = true })
	}
	return len(seen)
}

// Words returns the first words of a ticket that carry a topic.
func (q *Queries) Words(t routing.Ticket) []string {
	var words []weighted
	for _, term := range q.Of(t) {
		words = append(words, weighted{term.Word, term.Weight})
	}
	return q.telling(words, keywordsKept)
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// sortHits orders hits best first, ties by name.
func sortHits(hits []routing.Hit) {
	slices.SortFunc(hits, func(a, b routing.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Repo, b.Repo))
	})
}
