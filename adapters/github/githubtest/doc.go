// Package githubtest is a small GitHub that lives in the process: repositories,
// code and checks, issues and comments with their history, the calls that adapters/github makes,
// signed webhooks, faults on demand, and a page per issue for people.
//
// It imports bot, goldmark and a JWT library. It never leaves the loopback
// interface, and production code never imports it; the demo does.
package githubtest
