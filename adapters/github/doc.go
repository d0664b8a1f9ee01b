// Package github is Pointsman's door to GitHub, github.com and Enterprise
// alike: it proves webhooks genuine, turns them into tickets, lists the tickets
// of the past, and puts one comment on an issue and keeps it up to date.
//
// It imports bot, routing, go-github, ghinstallation and goldmark. It never
// decides anything, never retries, never writes to more than its own comment,
// and never puts a credential into an error or a log line.
package github
