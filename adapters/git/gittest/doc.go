// Package gittest writes small real git repositories, the same ones every time:
// fixed author, fixed times, so that commit hashes are known beforehand. It also
// writes the damaged ones that readers must survive.
//
// It imports go-git and never the testing package, so that the embedded sample
// organisation can use it too. It never reads outside the folder it is given.
package gittest
