// Package jira is Pointsman's door to one Jira site, Cloud or self-hosted: it
// proves webhooks genuine, turns them into tickets, lists the tickets of the past,
// and puts one comment in wiki markup on an issue and keeps it up to date, through
// REST version 2, which both flavours have.
//
// It imports bot, routing and go-jira. It never decides anything, never retries,
// never writes to more than its own comment, and never puts a credential into an
// error or a log line.
package jira
