package flow

import (
	"strings"
	"time"

	"github.com/pointsman/pointsman/bot/store"
)

// outdated reports whether a version that came with delivery row arrival is older
// than what is known of the ticket. Hosts write times in whole seconds: versions of
// one second go by the order in which they arrived, as do those without a time.
func outdated(version string, arrival int64, known store.Ticket) bool {
	if version == known.Ticket.Version {
		return false
	}
	switch order(version, known.Ticket.Version) {
	case -1:
		return true
	case 1:
		return false
	}
	return arrival < known.Arrival
}

// order compares the times of two versions: -1 when the first is earlier, 1 when it
// is later, 0 when that cannot be told. Adapters write versions as the host's time
// of change, a dash and a hash: "2026-01-02T03:04:05Z-<hash>".
func order(a, b string) int {
	at, ok := changedAt(a)
	bt, known := changedAt(b)
	if !ok || !known {
		return 0
	}
	return at.Compare(bt)
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
