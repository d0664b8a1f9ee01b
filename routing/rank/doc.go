// Package rank holds the rankers, one file each: every one orders repositories
// for a ticket by one kind of evidence, and declares which repositories it can
// rank at all.
//
// It imports routing, routing/text, routing/index, the standard library and pure
// libraries. A ranker never looks at another's answer, never guesses about a
// repository it cannot see, and never logs.
package rank
