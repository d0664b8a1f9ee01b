package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/pointsman/pointsman/bot"
)

const (
	// maxPages bounds how far one place is read back: 50,000 entries, most of them
	// pull requests, before enough tickets were found.
	maxPages = 500
	// maxTries bounds how often a page is asked for that is not to be had.
	maxTries = 4
)

// shelf is the listing of one place: what was read of it and not yet taken.
type shelf struct {
	place string
	next  bot.Pages
	read  []bot.Past
	more  bool
	pages int
}

// list hands out the newest tickets of all places, newest first.
func (r *run) list(ctx context.Context, todo chan<- job) error {
	shelves := make([]*shelf, len(r.Places))
	for i, p := range r.Places {
		shelves[i] = &shelf{place: p, next: r.Source.Past(p, r.Since), more: true}
	}
	waits := &waits{run: r, left: r.MaxWait}
	seen := map[string]bool{}
	for n := 0; n < r.Last; {
		if err := waits.fill(ctx, shelves); err != nil {
			return err
		}
		p, found := newest(shelves)
		if !found {
			break
		}
		if seen[p.Key] && p.Err == nil { // issues that came in meanwhile push others to the next page
			continue
		}
		seen[p.Key] = true
		if p.Err == nil && p.Event.Ignore != "" {
			r.add(&Result{Key: p.Key, Ignored: p.Event.Ignore})
			continue
		}
		n++
		if p.Err != nil {
			r.settle(r.add(nil), Result{Key: p.Key, Err: p.Err})
			continue
		}
		select {
		case todo <- job{at: r.add(nil), event: p.Event}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	r.listed()
	return nil
}

// listed notes that no more tickets will come.
func (r *run) listed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total = 0
	for _, res := range r.results {
		if res == nil || res.Ignored == "" {
			r.total++
		}
	}
}

// newest takes the newest entry off the shelves. One that has no time, as it is
// ignored or broken, is taken as soon as it lies on top.
func newest(shelves []*shelf) (bot.Past, bool) {
	var best *shelf
	for _, s := range shelves {
		if len(s.read) == 0 {
			continue
		}
		at := s.read[0].Event.Ticket.CreatedAt
		if at.IsZero() {
			best = s
			break
		}
		if best == nil || at.After(best.read[0].Event.Ticket.CreatedAt) {
			best = s
		}
	}
	if best == nil {
		return bot.Past{}, false
	}
	p := best.read[0]
	best.read = best.read[1:]
	return p, true
}

// waits asks for pages, and waits when a tracker wants it, until the allowance is
// spent.
type waits struct {
	run  *run
	left time.Duration
}

// fill makes sure that something lies on every shelf that has more to give.
func (w *waits) fill(ctx context.Context, shelves []*shelf) error {
	for _, s := range shelves {
		for len(s.read) == 0 && s.more {
			if s.pages == maxPages {
				return fmt.Errorf("listing %s: %d pages hold fewer tickets than were asked for; ask for fewer with --last", s.place, maxPages)
			}
			if err := w.page(ctx, s); err != nil {
				return err
			}
			s.pages++
		}
	}
	return nil
}

// page reads the next page of a place.
func (w *waits) page(ctx context.Context, s *shelf) error {
	pause := time.Second
	for try := 1; ; {
		page, more, err := s.next(ctx)
		if err == nil {
			s.read, s.more = page, more
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		e := asBot(err)
		switch {
		case e != nil && e.Code == bot.CodeLimited:
			d := max(e.Until.Sub(w.run.Now()), time.Second)
			if d > w.left {
				return errLonger(err, w.run.MaxWait)
			}
			w.left -= d
			if err := w.wait(ctx, s, d, err); err != nil {
				return err
			}
		case e != nil && e.Code == bot.CodeUnavailable && try < maxTries:
			try++
			if err := w.wait(ctx, s, pause, err); err != nil {
				return err
			}
			pause *= 2
		default:
			return err
		}
	}
}

func (w *waits) wait(ctx context.Context, s *shelf, d time.Duration, cause error) error {
	w.run.Log.WarnContext(ctx, "the listing waits", bot.LogSource, s.place, bot.LogWait, d.Round(time.Second), bot.LogErr, cause)
	if err := w.run.Wait(ctx, d); err != nil {
		return context.Cause(ctx)
	}
	return nil
}
