// Package store is the memory of the service: deliveries, tickets, decisions
// and replies in one SQLite file, with its migrations.
//
// It imports bot, routing and SQL libraries. One connection writes, a few read;
// whatever must happen together happens in one Tx. It never decides what a row
// means: status and order are the business of the rooms that call it.
package store
