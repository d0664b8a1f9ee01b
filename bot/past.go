package bot

import "context"

// Past is a ticket as a listing of past ones found it.
type Past struct {
	Key   string // what the tracker calls it, also where it could not be understood
	Event Event  // as a webhook of the ticket would mean, Ignore included
	Err   error  // why it could not be understood; Event is then empty
}

// Pages gives the next page of a listing, newest first; more is false with the
// last one. After an error the same page may be asked for again: a *Error with
// code CodeLimited says from when on. It is not safe for concurrent use.
type Pages func(ctx context.Context) (page []Past, more bool, err error)
