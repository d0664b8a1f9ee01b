// Package document is the routing document's own view of a routed ticket: its
// confidence, cap and shortcut over the registry ranker's points, the ROUTING
// DECISION and ROUTING CONTEXT blocks that agents read, and the aggregate of the
// specialists' verdicts.
//
// It imports routing, routing/rank and the standard library. It scores nothing
// itself, and never prints a name or a reason in a way that could end its line.
package document
