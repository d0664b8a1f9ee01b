//go:build race

package demo

// slower is how much longer the race detector may take for what a limit of time is on.
const slower = 6
