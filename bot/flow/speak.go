package flow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/queue"
	"github.com/pointsman/pointsman/bot/store"
)

// Speak puts a decision on its ticket: the intent is recorded, then it is said,
// then it is marked. Only the newest decision on the newest version is said.
func (f *Flow) Speak(ctx context.Context, job queue.Speak) error {
	release, err := f.tickets.take(ctx, job.Ticket)
	if err != nil {
		return err
	}
	defer release()
	t, err := f.Store.Ticket(ctx, job.Ticket)
	if err != nil {
		return err
	}
	last, err := f.Store.LatestDecision(ctx, job.Ticket)
	if err != nil {
		return err
	}
	if last.Row != job.Decision || last.Version != t.Ticket.Version {
		return f.finish(ctx, job.Delivery, store.StatusDone, superseded)
	}
	if !f.Live {
		f.Observer.Said(t.Target.System, "shadow")
		return f.finish(ctx, job.Delivery, store.StatusDone, "mode is shadow: nothing was said")
	}
	return f.say(ctx, job, t, last)
}

func (f *Flow) say(ctx context.Context, job queue.Speak, t store.Ticket, d store.Decision) error {
	speaker := f.Speaker(t.Target)
	if speaker == nil {
		return bot.Errorf(bot.CodeInvalid, "speaking: %s %s is not configured any more", t.Target.System, t.Target.Tenant)
	}
	decision, err := d.Decode()
	if err != nil {
		return err
	}
	body, marker := f.Render(t.Target, decision)
	sum := sha256.Sum256([]byte(body))
	hash := hex.EncodeToString(sum[:])
	before, _, err := f.Store.Reply(ctx, job.Ticket, store.ChannelComment)
	if err != nil {
		return err
	}
	if before.State == store.ReplySaid && before.BodyHash == hash {
		f.Observer.Said(t.Target.System, "unchanged")
		return f.finish(ctx, job.Delivery, store.StatusDone, "")
	}

	if until := before.IntendedAt.Add(f.Grace); before.State == store.ReplyIntended && time.Now().Before(until) {
		e := bot.Errorf(bot.CodeLimited, "speaking: an earlier attempt ended without an answer; what it wrote may yet show")
		e.Until = until
		return e
	}

	err = f.Store.Do(ctx, func(tx *store.Tx) error {
		return tx.IntendReply(ctx, store.Reply{
			Ticket: job.Ticket, Channel: store.ChannelComment, Decision: d.Row, BodyHash: hash, Marker: marker,
		})
	})
	if err != nil {
		return err
	}
	said, err := speaker.Speak(ctx, bot.Reply{Target: t.Target, Marker: marker, Body: body, CommentID: before.CommentID})
	if err != nil {
		return f.failed(ctx, job.Ticket, err)
	}
	// It is said: a stop that comes now must not undo the mark.
	ctx = context.WithoutCancel(ctx)
	err = f.Store.Do(ctx, func(tx *store.Tx) error {
		if err := tx.MarkReply(ctx, job.Ticket, store.ChannelComment, said.CommentID, said.URL); err != nil {
			return err
		}
		return tx.FinishDelivery(ctx, job.Delivery, store.StatusDone, "")
	})
	if err != nil {
		return err
	}
	did := action(before, said)
	f.Observer.Said(t.Target.System, did)
	f.Log.InfoContext(ctx, "comment in place", bot.LogStatus, did, bot.LogTicket, t.Ticket.Ref.Key, bot.LogDecision, d.Row, bot.LogComment, said.CommentID)
	return nil
}

// failed notes that an attempt to speak ended in an error, so that the next may
// follow at once. One that was cut short stays intended: nobody saw its outcome.
func (f *Flow) failed(ctx context.Context, ticket int64, cause error) error {
	if ctx.Err() != nil {
		return cause
	}
	err := f.Store.Do(ctx, func(tx *store.Tx) error { return tx.FailReply(ctx, ticket, store.ChannelComment) })
	if err != nil {
		f.Log.WarnContext(ctx, "a failed comment could not be noted", bot.LogErr, err)
	}
	return cause
}

func action(before store.Reply, said bot.Said) string {
	switch {
	case said.Unchanged:
		return "unchanged"
	case before.CommentID != "" && before.CommentID == said.CommentID:
		return "edited"
	default:
		return "posted"
	}
}
