// Package jiratest is a small Jira site that lives in the process: projects,
// issues and comments with their history, the REST version 2 calls that
// adapters/jira makes, signed webhooks, faults on demand, and a page per issue for
// people.
//
// It imports bot and the standard library. It never leaves the loopback interface,
// and production code never imports it; the demo does.
package jiratest
