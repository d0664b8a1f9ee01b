// Package sync compares a registry with the repositories as they are now, says
// what has changed and who changed it, and turns what a person agreed to into
// edits of the registry.
//
// It imports routing, routing/registry and the standard library. It never reads a
// file, never asks a host, and never lets a draft overwrite what a person wrote.
package sync
