package index

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"sort"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/text"
)

// chunkLines is the height of a chunk: a window of this many lines of one file.
const chunkLines = 40

// Identity is the state of a repository that a segment describes.
type Identity struct {
	Repo   string `json:"repo"`
	Branch string `json:"branch"`
	Commit string `json:"commit"`
}

// Builder collects the documents of one repository at one commit. It is not
// safe for concurrent use.
type Builder struct {
	id       Identity
	rules    *Rules
	splitter text.Splitter
	stemmer  *text.Stemmer

	files    []string
	chunks   []chunk
	failures []routing.Failure
	bytes    int64

	ids      map[string]int // stem to term number
	terms    []string
	postings [][]byte // by term: pairs (chunk delta, frequency) as uvarints
	last     []int    // by term: the last chunk written
	df       []int    // by term: chunks that hold it
	counts   map[int]int
	pathTF   map[int]int
}

// chunk is a window of lines of one file.
type chunk struct {
	file        int
	start, end  int    // lines, from 1, inclusive
	length      int    // terms
	fingerprint uint64 // of its terms in order: equal windows have equal ones
}

// NewBuilder returns a Builder for one state of one repository.
func NewBuilder(id Identity) *Builder {
	return &Builder{
		id: id, rules: NewRules(), stemmer: text.NewStemmer(),
		ids: make(map[string]int), counts: make(map[int]int), pathTF: make(map[int]int),
	}
}

// Want reports whether the file is to be indexed; see Rules.Want.
func (b *Builder) Want(path string, size int64) bool { return b.rules.Want(path, size) }

// Fail records something that could not be read or parsed.
func (b *Builder) Fail(f routing.Failure) { b.failures = append(b.failures, f) }

// Add indexes one document. Binary, minified and machine-written files and
// changelogs are passed over. The text is not kept.
func (b *Builder) Add(d routing.Document) {
	if !b.rules.Keep(d) {
		return
	}
	b.bytes += int64(len(d.Text))
	file := len(b.files)
	b.files = append(b.files, d.Path)
	clear(b.pathTF)
	b.splitter.Split([]byte(d.Path), func(t []byte) { b.pathTF[b.term(t)]++ })

	rest, line := d.Text, 1
	for len(rest) > 0 {
		window, lines := cutLines(rest, chunkLines)
		b.addChunk(file, line, line+lines-1, window)
		rest, line = rest[len(window):], line+lines
	}
}

// cutLines returns the first n lines of s (or all of it) and their number.
func cutLines(s []byte, n int) (window []byte, lines int) {
	end := 0
	for lines < n && end < len(s) {
		lines++
		i := bytes.IndexByte(s[end:], '\n')
		if i < 0 {
			return s, lines
		}
		end += i + 1
	}
	return s[:end], lines
}

func (b *Builder) addChunk(file, start, end int, window []byte) {
	clear(b.counts)
	length := 0
	hash := fnv.New64a()
	b.splitter.Split(window, func(t []byte) {
		b.counts[b.term(t)]++
		length++
		_, _ = hash.Write(t) // a hash never fails
		_, _ = hash.Write([]byte{' '})
	})
	if length == 0 {
		return
	}
	// Every chunk also carries the words of its path: a file's name says what it is about.
	for term, n := range b.pathTF {
		b.counts[term] += n
		length += n
	}
	number := len(b.chunks)
	b.chunks = append(b.chunks, chunk{file: file, start: start, end: end, length: length, fingerprint: hash.Sum64()})
	for term, n := range b.counts {
		buf := binary.AppendUvarint(b.postings[term], uint64(number-b.last[term]))
		b.postings[term] = binary.AppendUvarint(buf, uint64(n))
		b.last[term] = number
		b.df[term]++
	}
}

// term returns the number of a term's stem.
func (b *Builder) term(t []byte) int {
	stem := b.stemmer.Stem(t)
	id, ok := b.ids[stem]
	if !ok {
		id = len(b.terms)
		b.ids[stem] = id
		b.terms = append(b.terms, stem)
		b.postings = append(b.postings, nil)
		b.last = append(b.last, 0)
		b.df = append(b.df, 0)
	}
	return id
}

// order returns the term numbers sorted by term, without those that only a path
// outside every chunk mentioned.
func (b *Builder) order() []int {
	order := make([]int, 0, len(b.terms))
	for i := range b.terms {
		if b.df[i] > 0 {
			order = append(order, i)
		}
	}
	sort.Slice(order, func(i, j int) bool { return b.terms[order[i]] < b.terms[order[j]] })
	return order
}
