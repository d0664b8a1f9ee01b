// Package comment writes the one comment that a person meets on a ticket, in the
// markup of the ticket's system. It is pure: the same decision always gives the
// same bytes, bounded in length.
//
// It imports routing and the standard library. All text that came from tickets,
// repositories, registries or models is escaped on its way in: it pings nobody,
// links nowhere, refers to nothing and cannot close what we opened.
package comment
