package replay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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

// Listing reads the newest tickets of a tracker, whatever they are wanted for.
// Source, Places and Last are required.
type Listing struct {
	Source Source
	Places []string  // "owner/name", or project keys
	Last   int       // newest tickets of all places together
	Since  time.Time // none that is older; zero = all

	MaxWait time.Duration // spent in waiting for a tracker that asks us to; 0 = 15 min
	Log     *slog.Logger  // hears of waits; nil = none
	// Wait and Now are for tests; nil = a timer and the clock.
	Wait func(ctx context.Context, d time.Duration) error
	Now  func() time.Time
}

func (l *Listing) defaults() {
	if l.MaxWait == 0 {
		l.MaxWait = 15 * time.Minute
	}
	if l.Log == nil {
		l.Log = slog.New(slog.DiscardHandler)
	}
	if l.Now == nil {
		l.Now = time.Now
	}
	if l.Wait == nil {
		l.Wait = wait
	}
}

// Each hands out the newest tickets of all places, newest first, each once. Those
// that the bot would ignore come too, but do not count. An error of take ends the
// listing and is returned.
func (l Listing) Each(ctx context.Context, take func(bot.Past) error) error {
	l.defaults()
	shelves := make([]*shelf, len(l.Places))
	for i, p := range l.Places {
		shelves[i] = &shelf{place: p, next: l.Source.Past(p, l.Since), more: true}
	}
	waits := &waits{Listing: l, left: l.MaxWait}
	seen := map[string]bool{}
	for n := 0; n < l.Last; {
		if err := waits.fill(ctx, shelves); err != nil {
			return err
		}
		p, found := newest(shelves)
		if !found {
			return nil
		}
		if seen[p.Key] && p.Err == nil { // issues that came in meanwhile push others to the next page
			continue
		}
		seen[p.Key] = true
		if p.Err != nil || p.Event.Ignore == "" {
			n++
		}
		if err := take(p); err != nil {
			return err
		}
	}
	return nil
}

// list hands out the tickets that are to be decided, and settles the others.
func (r *run) list(ctx context.Context, pending chan<- job) error {
	l := Listing{
		Source: r.Source, Places: r.Places, Last: r.Last, Since: r.Since,
		MaxWait: r.MaxWait, Log: r.Log, Wait: r.Wait, Now: r.Now,
	}
	err := l.Each(ctx, func(p bot.Past) error {
		switch {
		case p.Err != nil:
			r.settle(r.add(nil), Result{Key: p.Key, Err: p.Err})
		case p.Event.Ignore != "":
			r.add(&Result{Key: p.Key, Ignored: p.Event.Ignore})
		default:
			select {
			case pending <- job{at: r.add(nil), event: p.Event}:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
	if errors.Is(err, errLong) {
		return fmt.Errorf("%w; what was decided is kept", err)
	}
	if err == nil {
		r.listed()
	}
	return err
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
	Listing
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
			d := max(e.Until.Sub(w.Now()), time.Second)
			if d > w.left {
				return longer(err, w.MaxWait)
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
	w.Log.WarnContext(ctx, "the listing waits", bot.LogSource, s.place, bot.LogWait, d.Round(time.Second), bot.LogErr, cause)
	if err := w.Wait(ctx, d); err != nil {
		return context.Cause(ctx)
	}
	return nil
}
