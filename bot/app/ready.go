package app

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/intake"
	"github.com/pointsman/pointsman/bot/store"
)

// sore is how long a delivery that could not be saved keeps us from being ready.
const sore = 30 * time.Second

// watched is a receiver that remembers when it last could not save a delivery.
type watched struct {
	intake.Receiver
	now    func() time.Time
	failed atomic.Int64 // in nanoseconds since 1970; 0 = the last one was saved
}

// Receive implements intake.Receiver.
func (w *watched) Receive(ctx context.Context, d bot.Delivery) (bool, error) {
	fresh, err := w.Receiver.Receive(ctx, d)
	if err != nil {
		w.failed.Store(w.now().UnixNano())
	} else {
		w.failed.Store(0)
	}
	return fresh, err
}

func (w *watched) check() error {
	if at := w.failed.Load(); at != 0 && w.now().Sub(time.Unix(0, at)) < sore {
		return errors.New("the last delivery could not be saved; the log says why")
	}
	return nil
}

// readiness says why the service could not do its work, if it could not: deliveries
// must be saved, tickets routed.
func (a *App) readiness(s *store.Store, w *watched) func(context.Context) error {
	disk := &probe{dir: a.cfg.DataDir, now: time.Now}
	return func(ctx context.Context) error {
		if err := s.Check(ctx); err != nil {
			return err
		}
		if err := w.check(); err != nil {
			return err
		}
		if err := disk.check(); err != nil {
			return err
		}
		return a.router.readyErr()
	}
}
