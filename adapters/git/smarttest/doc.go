// Package smarttest is a git host for tests: it serves the bare repositories of a
// folder over git's smart HTTP protocol, asks for a password where it is told to,
// breaks answers off, and remembers what it was asked.
//
// It imports go-git and never the testing package. It never writes to a
// repository, and never dials.
package smarttest
