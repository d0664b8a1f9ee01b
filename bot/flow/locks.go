package flow

import (
	"context"
	"sync"

	"github.com/pointsman/pointsman/bot"
)

// locks lets one job at a time work on a ticket.
type locks struct {
	mu   sync.Mutex
	held map[int64]*lock
}

func newLocks() locks { return locks{held: map[int64]*lock{}} }

type lock struct {
	free    chan struct{} // holds one token while nobody has the lock
	holders int           // those who have it or wait for it
}

// take waits for the ticket's lock. The caller must call release once.
func (l *locks) take(ctx context.Context, ticket int64) (release func(), err error) {
	l.mu.Lock()
	k, ok := l.held[ticket]
	if !ok {
		k = &lock{free: make(chan struct{}, 1)}
		k.free <- struct{}{}
		l.held[ticket] = k
	}
	k.holders++
	l.mu.Unlock()

	leave := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if k.holders--; k.holders == 0 {
			delete(l.held, ticket)
		}
	}
	select {
	case <-k.free:
		return func() { k.free <- struct{}{}; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, bot.Errorf(bot.CodeUnavailable, "waiting for other work on the ticket: %w", ctx.Err())
	}
}
