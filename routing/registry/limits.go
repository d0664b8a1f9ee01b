package registry

import (
	"strings"
	"unicode/utf8"
)

// Limits against stuffing an entry with words until it meets every ticket. They
// hold where a registry is read, so that everything that scores sees bounded lists.
const (
	maxElements        = 100  // of a list that routing reads: RepoOrch's own cap
	maxKeyword         = 80   // characters of a keyword in owns
	maxWords           = 8    // words of one
	maxElement         = 500  // characters of an element of another list
	longestDescription = 2000 // characters
)

// limit is what is read of a list. Zero means no limit.
type limit struct {
	elements, runes, words int
	fold                   bool // the same word in another case or spacing counts once
	loose                  bool // a hyphen or underscore parts words as a space does
}

// limitOf returns the limit of a list by its key. Lists that say who may see or
// correct something, and lists of names, are read whole: cutting them would change
// what they allow.
func limitOf(key string) limit {
	switch key {
	case "owns":
		return limit{maxElements, maxKeyword, maxWords, true, true}
	case "endpoints", "emits", "consumes", "languages", "frameworks", "components", "labels", "hosts", "packages",
		"filedIn", "codes", "requires", "issues", "scopes", "envVars", "featureFlags",
		"words", "environment", "reporterGroups":
		return limit{maxElements, maxElement, 0, true, false}
	case "aliases", "siblings", "tell":
		return limit{elements: maxElements}
	}
	return limit{}
}

// limited reads at most what a limit lets through.
type limited struct {
	limit
	c    *checker
	path *where
	seen *seen
	n    int // read so far
	over int // left out for being too many

	twice     int // left out for standing there already, and the first of those
	first     string
	firstAt   int
	firstPath where
}

// takes says whether an element of a list of strings is read.
func (l *limited) takes(word string, n node, at *where) bool {
	switch {
	case l.runes > 0 && len(word) > l.runes && utf8.RuneCountInString(word) > l.runes:
		l.c.warn(n.start, at, "write it shorter", "it is longer than %d characters and left out", l.runes)
		return false
	case l.words > 0 && len(word) > 2*l.words && len(strings.Fields(word)) > l.words:
		l.c.warn(n.start, at, "write keywords that a ticket would use, and sentences into the description", "it has more than %d words and is left out", l.words)
		return false
	}
	if l.fold {
		if l.seen.add(word, l.loose) {
			if l.twice++; l.twice == 1 {
				l.first, l.firstAt, l.firstPath = word, n.start, *at
			}
			return false
		}
	}
	return l.more()
}

// more counts an element, and says whether there is room for it.
func (l *limited) more() bool {
	if l.elements > 0 && l.n == l.elements {
		l.over++
		return false
	}
	l.n++
	return true
}

// done warns of what was left out of a list.
func (l *limited) done(n node) {
	switch {
	case l.twice == 1:
		l.c.warn(l.firstAt, &l.firstPath, "remove it", "%q stands in the list already and counts once", clip(l.first))
	case l.twice > 1:
		l.c.warn(l.firstAt, &l.firstPath, "remove them", "%q and %d more stand in the list already, and each counts once", clip(l.first), l.twice-1)
	}
	if l.over > 0 {
		l.c.warn(n.start, l.path, "keep those that tell this repository from the others",
			"%d of its elements are left out: %d are read", l.over, l.elements)
	}
}
