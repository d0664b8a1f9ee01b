package routing

import "time"

// Ref names a ticket in the system it lives in.
type Ref struct {
	System string // "github", "jira", or "text" for a ticket typed at the command line
	Tenant string // installation or site; "" for text
	Key    string // "owner/name#12", "PROJ-7", or the id of a batch line; unique within System and Tenant
	URL    string // where a person reads it; may be empty
}

// Ticket is what a ranker may know of a ticket. It is read once and never changed.
type Ticket struct {
	Ref     Ref
	FiledIn string // "owner/name" or tracker project key; a prior of its own, never text
	Title   string // plain text, one line
	Body    string // plain text, converted from Markdown, ADF or wiki markup

	Labels      []string
	Components  []string
	Environment string
	Status      string
	Resolution  string
	Reporter    string
	CreatedAt   time.Time
	Version     string   // changes whenever title or body change; "" when the source has none
	Audience    Audience // who can read the ticket
}

// Audience orders readers from widest to narrowest.
type Audience struct {
	Level string   // "public", "internal" or "private"
	Teams []string // for private: who
}
