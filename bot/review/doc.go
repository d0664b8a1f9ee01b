// Package review says what a change to the registry would do: what is wrong with it,
// line by line, and which entries it adds, removes and changes.
//
// It imports bot, bot/comment for escaping, routing, routing/rank for its tables,
// routing/registry and its lint. It is pure: bytes in, a check out. It never reads,
// dials or decides what is in force, and never repeats an address that a registry
// holds.
package review
