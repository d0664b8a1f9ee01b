// Command pointsman answers one question: which repository does this ticket
// belong in? One file per command; each reads flags, calls the rooms, prints.
//
// It may import everything. It never decides anything itself.
package main
