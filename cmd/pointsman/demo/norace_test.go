//go:build !race

package demo

// slower is how much longer a test may take than the program.
const slower = 1
