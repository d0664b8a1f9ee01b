// Package demo is Pointsman on an embedded sample organisation: eight git
// repositories of an invented company, six tickets with their settled answers, a
// small GitHub and a small Jira in the process, and the real server between them.
//
// It may import everything but cmd/pointsman itself. It never dials anything but
// the loopback interface, never decides an outcome itself, and leaves nothing
// behind but what it was told to keep.
package demo
