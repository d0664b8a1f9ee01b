// Package git reads git repositories where they lie: work trees and bare
// repositories on this machine, straight from their objects, without a git
// binary. It finds repositories below a folder, names the commit a branch points
// to, and walks the files of one commit.
//
// It imports bot, routing and go-git. It never writes to a repository, never runs a
// hook, never follows a symbolic link or submodule inside one, and never dials.
// Only Mirrors does: it fetches full histories, and writes below its own folder.
package git
