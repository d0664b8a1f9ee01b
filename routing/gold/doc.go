// Package gold holds tickets with known answers: the cases of a gold file, read,
// checked, labelled, compared and written, and read from the tables that people
// and trackers make.
//
// It imports routing and the standard library. It never guesses an answer, and
// what it reads as an answer never reaches a ranker.
package gold
