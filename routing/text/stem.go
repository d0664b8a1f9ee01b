package text

import "github.com/kljensen/snowball/english"

// Stemmer reduces English words to stems (Porter2), remembering what it has
// seen. One Stemmer serves one goroutine.
type Stemmer struct {
	seen map[string]string
}

// stemMemory bounds the words remembered; beyond it they are stemmed anew.
const stemMemory = 1 << 18

// NewStemmer returns an empty Stemmer.
func NewStemmer() *Stemmer { return &Stemmer{seen: make(map[string]string)} }

// Stem returns the stem of a lower-case term. Terms with digits or beyond ASCII
// are their own stems.
func (s *Stemmer) Stem(term []byte) string {
	if stem, ok := s.seen[string(term)]; ok {
		return stem
	}
	word := string(term)
	stem := word
	if plainASCII(term) {
		stem = english.Stem(word, false)
	}
	if len(s.seen) < stemMemory {
		s.seen[word] = stem
	}
	return stem
}

func plainASCII(term []byte) bool {
	for _, c := range term {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}
