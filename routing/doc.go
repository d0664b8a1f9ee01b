// Package routing holds the nouns of the question "which repository does this
// ticket belong in?": Ticket, Repo, Evidence, Ranking, Decision, Correction, and
// the Ranker interface. They are read once, passed on, and never changed.
//
// It imports the standard library only. It never opens a file, dials a host,
// reads a clock or logs: the packages below it compute, the packages outside it act.
package routing
