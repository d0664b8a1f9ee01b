// Package console shows people what the service decided, and counts for
// machines what it did: pages of decisions under /, and /metrics.
//
// It imports bot, bot/store, routing, gin and the metrics library. It never
// changes anything, and it shows text from tickets and repositories only escaped.
package console
