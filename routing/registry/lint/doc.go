// Package lint says what makes a registry route worse than it could: keywords that
// meet every ticket or none, descriptions that read alike, siblings that nothing
// tells apart, entries that are stale or that nobody can reach.
//
// It imports routing, routing/text and routing/registry. It never reads a file,
// a repository or the clock, and never changes the registry: every finding says
// what a person could write instead.
package lint
