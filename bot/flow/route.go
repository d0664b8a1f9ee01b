package flow

import (
	"context"
	"time"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/queue"
	"github.com/pointsman/pointsman/bot/store"
)

const superseded = "a newer version of the ticket came in meanwhile"

// Route decides where a ticket belongs, and appends the decision together with
// the job to say it. A version that was decided already is not decided again.
func (f *Flow) Route(ctx context.Context, job queue.Route) error {
	release, err := f.routes.take(ctx, job.Ticket)
	if err != nil {
		return err
	}
	defer release()
	t, err := f.Store.Ticket(ctx, job.Ticket)
	if err != nil {
		return err
	}
	if t.Ticket.Version != job.Version {
		return f.finish(ctx, job.Delivery, store.StatusDone, superseded)
	}
	last, err := f.Store.LatestDecision(ctx, job.Ticket)
	switch {
	case err == nil && job.Version != "" && last.Version == job.Version:
		return f.Store.Do(ctx, func(tx *store.Tx) error {
			return f.Jobs.Insert(ctx, tx.SQL(), speakJob(job, t.Target, last.Row))
		})
	case err != nil && bot.CodeOf(err) != bot.CodeNotFound:
		return err
	}

	began := time.Now()
	decision, err := f.Router.Route(ctx, t.Ticket)
	if err != nil {
		return err
	}
	took := time.Since(began)
	f.Observer.Routed(string(decision.Verdict), took)
	return f.Store.Do(ctx, func(tx *store.Tx) error {
		now, _, err := tx.TicketByRef(ctx, t.Ticket.Ref)
		if err != nil {
			return err
		}
		if now.Ticket.Version != job.Version {
			return tx.FinishDelivery(ctx, job.Delivery, store.StatusDone, superseded)
		}
		row, err := tx.AddDecision(ctx, job.Ticket, job.Version, decision)
		if err != nil {
			return err
		}
		f.Log.InfoContext(ctx, "ticket routed", bot.LogTicket, t.Ticket.Ref.Key, bot.LogDecision, row,
			bot.LogVerdict, string(decision.Verdict), bot.LogTook, took)
		return f.Jobs.Insert(ctx, tx.SQL(), speakJob(job, t.Target, row))
	})
}

func speakJob(job queue.Route, to bot.Target, decision int64) queue.Speak {
	return queue.Speak{Delivery: job.Delivery, Ticket: job.Ticket, Decision: decision, Host: queue.Host(to.System, to.Tenant)}
}
