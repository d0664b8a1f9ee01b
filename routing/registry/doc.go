// Package registry reads registry.json, the list of repositories in the words of
// the people who own them, checks it, finds the git data of its entries on this
// machine, and drafts entries for repositories that have none.
//
// It imports routing, the standard library and pure libraries. It never opens a
// repository, never dials, never logs: what it has to say is in its errors and
// in Registry.Warnings.
package registry
