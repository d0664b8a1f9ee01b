package flow

import (
	"strings"
	"time"
)

// older reports whether a ticket's version is from an earlier time than the one
// that is known. Adapters write versions as the host's time of change, a dash
// and a hash: "2026-01-02T03:04:05Z-<hash>". A version without a time is taken
// to be new: then the order of arrival is all there is.
func older(incoming, known string) bool {
	in, ok := changedAt(incoming)
	if !ok {
		return false
	}
	have, ok := changedAt(known)
	return ok && in.Before(have)
}

func changedAt(version string) (time.Time, bool) {
	if at, err := time.Parse(time.RFC3339, version); err == nil {
		return at, true
	}
	i := strings.LastIndexByte(version, '-')
	if i < 0 {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, version[:i])
	return at, err == nil
}
