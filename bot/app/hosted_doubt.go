package app

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/pointsman/pointsman/bot"
)

const (
	// sureAfter is for how long a file has to be missing at a commit until it counts as
	// gone: a part of the host may not know a commit that another has just named.
	sureAfter = 3 * time.Second
	// maxDoubts bounds the files that are remembered as missing.
	maxDoubts = 100
)

// doubts remembers since when files are missing. The zero value is ready.
type doubts struct {
	mu    sync.Mutex
	since map[string]time.Time // by commit and path
}

// gone returns nil once a file has been missing for long enough, and until then an
// error that asks to come back.
func (d *doubts) gone(commit, path string, now time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := commit + ":" + path
	first, known := d.since[key]
	if known && now.Sub(first) >= sureAfter {
		return nil
	}
	if !known {
		if d.since == nil || len(d.since) >= maxDoubts {
			d.since = map[string]time.Time{}
		}
		d.since[key], first = now, now
	}
	e := bot.Errorf(bot.CodeLimited, "reading the registry: github says that %s is not there at %.12s; it is asked once more", path, commit)
	e.Until = first.Add(sureAfter)
	return e
}

// hadTables says whether the registry in force came with tables.
func (h *hosted) hadTables() bool {
	now, ok := h.current()
	return ok && now.tables != nil
}

// identify learns the repository's id, which survives renames, and holds what was read
// to it from then on: a name that was given up can be taken by anybody. It is asked
// after the reading, so that what was read is of the repository that it names.
func (h *hosted) identify(ctx context.Context) error {
	r, err := h.hub.RepositoryNamed(ctx, h.repo)
	if err != nil {
		return err
	}
	known := h.known()
	switch {
	case known == 0:
		h.mu.Lock()
		h.id = r.ID
		h.mu.Unlock()
	case known != r.ID:
		return bot.Errorf(bot.CodeForbidden, "reading the registry: %s is another repository now (id %d, it was %d); "+
			"write the registry's new name into registry.repo, or, if the new one is meant, stop, remove %s and start again", h.repo, r.ID, known, h.file)
	}
	if !strings.EqualFold(r.FullName, h.repo) {
		h.log.WarnContext(ctx, "the registry's repository has another name now; write it into registry.repo", bot.LogReason, fmt.Sprintf("%.200q", r.FullName))
	}
	return nil
}

// known is the host's own id of the repository, 0 when it was never asked.
func (h *hosted) known() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.id
}
