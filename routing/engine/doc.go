// Package engine is the one walk from a ticket to a decision: clean, rank, fuse,
// decide, stamp. The command line, the bot, the evaluation and the agents' tools
// all call Engine.Route; there is no second way.
//
// It imports routing and its sub-packages. It opens no file, dials no host and
// writes no log: what it saw is in the Decision.
package engine
