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
	whole := version
	if i := strings.LastIndexByte(version, '-'); i >= 0 {
		version = version[:i]
	}
	for _, text := range []string{version, whole} {
		// Jira writes its offsets without a colon.
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700"} {
			if at, err := time.Parse(layout, text); err == nil {
				return at, true
			}
		}
	}
	return time.Time{}, false
}
