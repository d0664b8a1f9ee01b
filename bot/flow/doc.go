// Package flow walks a delivery to its comment, one file per step: receive, open,
// route, speak. Each step ends in one transaction that holds its result and the
// job for the next, so a crash anywhere repeats at most one step; and each step
// may be repeated, because it asks the store before it acts.
//
// It imports bot, bot/store, bot/queue and routing. Adapters, the engine and the
// renderer are handed in. It never retries and never waits: the queue does.
package flow
