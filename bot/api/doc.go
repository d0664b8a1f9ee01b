// Package api answers programs: the decision as data under /api/v1, whether the
// process is up and ready, and who may ask at all.
//
// It imports bot, bot/store, routing and gin. It never decides anything and
// never changes a row: asking is free of effects.
package api
