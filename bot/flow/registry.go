package flow

import (
	"context"
	"fmt"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/queue"
	"github.com/pointsman/pointsman/bot/store"
)

// openCode looks at an event about code: where it concerns the registry, it is saved
// together with the job to read it again, or to check the pull request.
func (f *Flow) openCode(ctx context.Context, d store.Delivery, e bot.Event) error {
	ignore := func(why string) error {
		f.Log.DebugContext(ctx, "delivery ignored", bot.LogDelivery, d.ID, bot.LogKind, d.Kind, bot.LogReason, why)
		return f.finish(ctx, d.Row, store.StatusIgnored, why)
	}
	if f.Registry == nil {
		return ignore("the registry is a file here: code is looked at when a ticket is routed")
	}
	var job queue.Job
	switch {
	case e.Push != nil:
		if p := e.Push; !f.Registry.Concerns(p.Target.Repo, p.RepoID, p.Branch, p.Default) {
			return ignore("a push that the registry is not in: code is looked at when a ticket is routed")
		}
		job = queue.Reread{Delivery: d.Row}
	default:
		if p := e.Pull; !f.Registry.Concerns(p.Target.Repo, p.RepoID, p.Branch, p.Default) {
			return ignore("a pull request for another branch than the registry's")
		}
		job = queue.Review{Delivery: d.Row}
	}
	return f.Store.Do(ctx, func(tx *store.Tx) error { return f.Jobs.Insert(ctx, tx.SQL(), job) })
}

// codeEvent reads again what a delivery meant. done is true when nothing is left to do.
func (f *Flow) codeEvent(ctx context.Context, row int64) (d store.Delivery, e bot.Event, done bool, err error) {
	d, err = f.Store.Delivery(ctx, row)
	if err != nil || d.Status != store.StatusReceived {
		return d, e, true, err
	}
	parser := f.Parser(d.Source, d.Tenant)
	if parser == nil || f.Registry == nil {
		return d, e, true, bot.Errorf(bot.CodeInvalid, "reading the registry: it is not read from a repository any more")
	}
	if e, err = parser.Parse(d.Delivery); err != nil {
		return d, e, true, junk(err)
	}
	return d, e, false, nil
}

// Reread reads the registry again, at the head of its branch: pushes that are told
// late or in another order change nothing.
func (f *Flow) Reread(ctx context.Context, job queue.Reread) error {
	d, e, done, err := f.codeEvent(ctx, job.Delivery)
	if done || err != nil || e.Push == nil {
		return err
	}
	outcome, err := f.Registry.Reread(ctx, *e.Push, d.ReceivedAt)
	if err != nil {
		return err
	}
	return f.finish(ctx, d.Row, store.StatusDone, outcome)
}

// Review checks a pull request: the intent is recorded, then the check is made, then
// it is marked. The same content is concluded once for a commit.
func (f *Flow) Review(ctx context.Context, job queue.Review) error {
	d, e, done, err := f.codeEvent(ctx, job.Delivery)
	if done || err != nil || e.Pull == nil {
		return err
	}
	check, touched, err := f.Registry.Review(ctx, *e.Pull)
	if err != nil {
		return err
	}
	if !touched {
		return f.finish(ctx, d.Row, store.StatusIgnored, "a pull request that does not change the registry")
	}
	log := f.Log.With(bot.LogRepo, check.Target.Repo, bot.LogCommit, check.Commit, bot.LogVerdict, check.Conclusion)
	if !f.Live {
		f.Observer.Said(check.Target.System, "shadow")
		log.InfoContext(ctx, "mode is shadow: a check was not made", bot.LogReason, check.Title, bot.LogCount, len(check.Remarks))
		return f.finish(ctx, d.Row, store.StatusDone, fmt.Sprintf("mode is shadow: nothing was said; it would have been %s: %s", check.Conclusion, check.Title))
	}
	did, err := f.conclude(ctx, check)
	if err != nil {
		return err
	}
	f.Observer.Said(check.Target.System, did)
	log.InfoContext(ctx, "check in place", bot.LogStatus, did, bot.LogReason, check.Title, bot.LogCount, len(check.Remarks))
	return f.finish(context.WithoutCancel(ctx), d.Row, store.StatusDone, check.Conclusion+": "+check.Title)
}

// conclude says a check once, as say does a comment.
func (f *Flow) conclude(ctx context.Context, c bot.Check) (did string, err error) {
	repo, commit := c.Target.Repo, c.Commit
	before, known, err := f.Store.Conclusion(ctx, repo, commit)
	if err != nil {
		return "", err
	}
	if before.State == store.ReplySaid && before.UnknownAt.IsZero() && before.Mark == c.Mark {
		return "unchanged", nil
	}
	attempt := store.Reply{State: before.State, IntendedAt: before.IntendedAt, UnknownAt: before.UnknownAt}
	if until := f.mayLand(attempt); known && f.Now().Before(until) {
		e := bot.Errorf(bot.CodeLimited, "checking: an earlier attempt ended without an answer; what it wrote may yet show")
		e.Until = until
		return "", e
	}
	if err := f.Store.Do(ctx, func(tx *store.Tx) error { return tx.IntendCheck(ctx, repo, commit, c.Mark) }); err != nil {
		return "", err
	}
	said, err := f.Conclude(ctx, c)
	if err != nil {
		return "", f.failedCheck(ctx, repo, commit, err)
	}
	// It is said: a stop that comes now must not undo the mark.
	ctx = context.WithoutCancel(ctx)
	err = f.Store.Do(ctx, func(tx *store.Tx) error { return tx.MarkCheck(ctx, repo, commit, said.URL) })
	switch {
	case err != nil:
		return "", err
	case said.Unchanged:
		return "unchanged", nil
	case before.State == store.ReplySaid:
		return "edited", nil
	}
	return "posted", nil
}

// failedCheck notes that an attempt to say a check ended in an error, and whether
// somebody saw its outcome.
func (f *Flow) failedCheck(ctx context.Context, repo, commit string, cause error) error {
	unknown := bot.OutcomeUnknown(cause) || ctx.Err() != nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTimeout)
	defer cancel()
	if err := f.Store.Do(ctx, func(tx *store.Tx) error { return tx.FailCheck(ctx, repo, commit, unknown) }); err != nil {
		f.Log.WarnContext(ctx, "a failed check could not be noted", bot.LogErr, err)
	}
	return cause
}
