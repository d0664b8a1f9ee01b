// Package mine links the commits of many repositories to the tickets their
// messages cite, and makes gold cases of them: which repositories had to change
// for a ticket, by which commits, in which files. docs/gold.md explains the rules.
//
// It imports routing, routing/gold and routing/text. It never reads a repository
// or a clock: histories and changes are handed in. It never guesses: a commit
// that a rule cannot place is left out and counted.
package mine
