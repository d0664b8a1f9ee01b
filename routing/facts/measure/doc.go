// Package measure compares the facts read off an application with a list that a
// person counted in its source: precision and recall of endpoints, settings,
// frameworks and events.
//
// It imports routing/facts. It never reads a repository itself, and never changes
// what is expected.
package measure
