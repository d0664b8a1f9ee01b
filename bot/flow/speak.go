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

const noteTimeout = 5 * time.Second

// Speak puts a decision on its ticket: the intent is recorded, then it is said,
// then it is marked. Only the newest decision on the newest version is said; a
// check says again what stands.
func (f *Flow) Speak(ctx context.Context, job queue.Speak) error {
	release, err := f.speaks.take(ctx, job.Ticket)
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
	if !job.Check && (last.Row != job.Decision || last.Version != t.Ticket.Version) {
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
	sure := before.UnknownAt.IsZero() && before.State == store.ReplySaid
	if sure && (job.Check || before.BodyHash == hash) {
		f.Observer.Said(t.Target.System, "unchanged")
		return f.finish(ctx, job.Delivery, store.StatusDone, "")
	}
	if until := f.mayLand(before); f.Now().Before(until) {
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
	reply := bot.Reply{Target: t.Target, Marker: marker, Body: body, CommentID: before.CommentID}
	if job.Check {
		reply.CommentID = "" // all comments are looked through, for one that is too many
	}
	said, err := speaker.Speak(ctx, reply)
	if err != nil {
		return f.failed(ctx, job.Ticket, err)
	}
	// It is said: a stop that comes now must not undo the mark.
	ctx = context.WithoutCancel(ctx)
	if err := f.mark(ctx, job, before, said); err != nil {
		return err
	}
	did := action(before, said)
	f.Observer.Said(t.Target.System, did)
	f.Log.InfoContext(ctx, "comment in place", bot.LogStatus, did, bot.LogTicket, t.Ticket.Ref.Key, bot.LogDecision, d.Row, bot.LogComment, said.CommentID)
	return nil
}

// mayLand says until when an attempt whose outcome nobody saw may still bear a
// comment. One that is intended only was a process's that died: it may have written
// until the end of its time, but not after we began.
func (f *Flow) mayLand(r store.Reply) (until time.Time) {
	if !r.UnknownAt.IsZero() {
		until = r.UnknownAt.Add(f.Grace)
	}
	if r.State == store.ReplyIntended {
		last := r.IntendedAt.Add(queue.SpeakTimeout)
		if r.IntendedAt.Before(f.began) && f.began.Before(last) {
			last = f.began
		}
		if at := last.Add(f.Grace); at.After(until) {
			until = at
		}
	}
	return until
}

// mark notes what was said. After an attempt without an outcome, and after a comment
// that was not where it had been, somebody is to look again: the host may have shown
// us an old list, or have carried out a write later than it should.
func (f *Flow) mark(ctx context.Context, job queue.Speak, before store.Reply, said bot.Said) error {
	now := f.Now()
	r := store.Reply{
		Ticket: job.Ticket, Channel: store.ChannelComment, CommentID: said.CommentID, URL: said.URL, UnknownAt: before.UnknownAt,
	}
	switch moved := before.CommentID != "" && before.CommentID != said.CommentID; {
	case r.UnknownAt.IsZero() && before.State == store.ReplyIntended:
		r.UnknownAt = before.IntendedAt
	case r.UnknownAt.IsZero() && moved && !job.Check:
		r.UnknownAt = now
	case job.Check && !now.Before(r.UnknownAt.Add(checkAfter)):
		r.UnknownAt = time.Time{}
	}
	return f.Store.Do(ctx, func(tx *store.Tx) error {
		if err := tx.MarkReply(ctx, r); err != nil {
			return err
		}
		if !r.UnknownAt.IsZero() {
			check := queue.Speak{Ticket: job.Ticket, Decision: job.Decision, Host: job.Host, Check: true}
			if err := f.Jobs.InsertAt(ctx, tx.SQL(), check, now.Add(checkAfter)); err != nil {
				return err
			}
		}
		return tx.FinishDelivery(ctx, job.Delivery, store.StatusDone, "")
	})
}

// failed notes that an attempt to speak ended in an error, and whether somebody saw
// its outcome: then the next may follow at once.
func (f *Flow) failed(ctx context.Context, ticket int64, cause error) error {
	unknown := bot.OutcomeUnknown(cause) || ctx.Err() != nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTimeout)
	defer cancel()
	err := f.Store.Do(ctx, func(tx *store.Tx) error {
		return tx.FailReply(ctx, ticket, store.ChannelComment, unknown)
	})
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
