package flow

import (
	"context"
	"errors"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/queue"
	"github.com/pointsman/pointsman/bot/store"
)

// Open understands a delivery: it is not for us and says why, or it brings a
// ticket, which is saved together with the job to route it.
func (f *Flow) Open(ctx context.Context, job queue.Open) error {
	d, err := f.Store.Delivery(ctx, job.Delivery)
	if err != nil || d.Status != store.StatusReceived {
		return err
	}
	parser := f.Parser(d.Source, d.Tenant)
	if parser == nil {
		return bot.Errorf(bot.CodeInvalid, "opening the delivery: %s %s is not configured any more", d.Source, d.Tenant)
	}
	event, err := parser.Parse(d.Delivery)
	if err != nil {
		return junk(err)
	}
	log := f.Log.With(bot.LogSource, d.Source, bot.LogTenant, d.Tenant, bot.LogDelivery, d.ID, bot.LogKind, d.Kind)
	if event.Ignore != "" {
		log.InfoContext(ctx, "delivery ignored", bot.LogReason, event.Ignore)
		return f.finish(ctx, d.Row, store.StatusIgnored, event.Ignore)
	}
	if event.Push != nil || event.Pull != nil {
		return f.openCode(ctx, d, event)
	}
	return f.Store.Do(ctx, func(tx *store.Tx) error {
		known, found, err := tx.TicketByRef(ctx, event.Ticket.Ref)
		if err != nil {
			return err
		}
		if found && outdated(event.Ticket.Version, d.Row, known) {
			return tx.FinishDelivery(ctx, d.Row, store.StatusIgnored, "a newer version of the ticket is known already")
		}
		row, err := tx.PutTicket(ctx, event.Ticket, event.Target)
		if err != nil {
			return err
		}
		if err := tx.NoteArrival(ctx, row, d.Row); err != nil {
			return err
		}
		log.InfoContext(ctx, "ticket saved", bot.LogTicket, event.Ticket.Ref.Key)
		return f.Jobs.Insert(ctx, tx.SQL(), queue.Route{Delivery: d.Row, Ticket: row, Version: event.Ticket.Version})
	})
}

// junk makes sure that what could not be parsed is not parsed again: parsing is
// pure, its second answer would be the first.
func junk(err error) error {
	var known *bot.Error
	if errors.As(err, &known) && known.Code == bot.CodeInvalid {
		return err
	}
	return bot.Errorf(bot.CodeInvalid, "opening the delivery: %w", err)
}
