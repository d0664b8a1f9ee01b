// Package facts reads off the files of one commit what a registry entry can say
// without asking anybody: languages, frameworks, packages, endpoints, events,
// settings, error codes, token claims.
//
// It imports routing, routing/index, routing/registry, routing/facts/endpoints,
// the standard library and pure libraries. It never opens a file, never runs what
// it reads, never guesses: what it cannot read is listed as a failure.
package facts
