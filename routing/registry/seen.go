package registry

import "strings"

// manyWords is the length of a list from which on a table of its words is quicker
// than looking at all of them.
const manyWords = 64

// seen holds the words of the list at hand, as they are compared.
type seen struct {
	hashes []uint32 // of a short list
	words  []string
	keys   map[string]bool // of a long one
}

// reset begins a list of n words.
func (s *seen) reset(n int) {
	s.hashes, s.words, s.keys = s.hashes[:0], s.words[:0], nil
	if n > manyWords {
		s.keys = make(map[string]bool, n)
	}
}

// add says whether a word was there already. With loose, a hyphen or underscore
// parts words as a space does.
func (s *seen) add(word string, loose bool) bool {
	if s.keys != nil {
		key := folded(word, loose)
		was := s.keys[key]
		s.keys[key] = true
		return was
	}
	h, ok := foldedHash(word, loose)
	if !ok {
		h = hashOf(folded(word, loose))
	}
	for i, before := range s.hashes {
		if before == h && folded(s.words[i], loose) == folded(word, loose) {
			return true
		}
	}
	s.hashes, s.words = append(s.hashes, h), append(s.words, word)
	return false
}

// folded is a word in lower case and with single spaces.
func folded(word string, loose bool) string {
	if loose && strings.ContainsAny(word, "-_") {
		word = strings.NewReplacer("-", " ", "_", " ").Replace(word)
	}
	if strings.Contains(word, "  ") || !plainASCII(word) || strings.HasPrefix(word, " ") || strings.HasSuffix(word, " ") {
		word = strings.Join(strings.Fields(word), " ")
	}
	return strings.ToLower(word)
}

// The constants of FNV-1a.
const (
	hashStart = 2166136261
	hashTimes = 16777619
)

func hashOf(s string) uint32 {
	h := uint32(hashStart)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * hashTimes
	}
	return h
}

// foldedHash is hashOf(folded(word)) of what nearly every word is: printable ASCII
// with single spaces.
func foldedHash(word string, loose bool) (uint32, bool) {
	h, before := uint32(hashStart), byte(' ')
	for i := range len(word) {
		b := word[i]
		switch {
		case b < ' ' || b > '~':
			return 0, false
		case b >= 'A' && b <= 'Z':
			b += 'a' - 'A'
		case loose && (b == '-' || b == '_'):
			b = ' '
		}
		if b == ' ' && before == ' ' {
			return 0, false
		}
		h, before = (h^uint32(b))*hashTimes, b
	}
	return h, before != ' '
}
