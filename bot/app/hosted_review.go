package app

import (
	"context"
	"slices"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/review"
)

// Review implements flow.Registry. The pull request's registry is read from the
// repository that it asks to change, also when a fork holds it: nobody else is dialled.
func (h *hosted) Review(ctx context.Context, p bot.Pull) (c bot.Check, touched bool, err error) {
	repo := p.Target.Repo
	was, err := h.fileAt(ctx, repo, p.Base)
	if err != nil {
		return bot.Check{}, false, err
	}
	is, err := h.fileAt(ctx, repo, p.Head)
	if err != nil {
		return bot.Check{}, false, err
	}
	if was.gone && is.gone || was == is && was.sick == "" {
		return bot.Check{}, false, nil
	}
	// The two differ also when the branch alone has moved on.
	files, err := h.hub.PullFiles(ctx, repo, p.Target.Number)
	if err != nil || !slices.Contains(files, h.path) {
		return bot.Check{}, false, err
	}
	change := review.Change{Path: h.path, Data: []byte(is.text), Gone: is.gone, Sick: is.sick, Rules: h.rules}
	if now, ok := h.current(); ok {
		change.Now = &now
	}
	c = review.Check(change)
	c.Target, c.Commit = p.Target, p.Head
	return c, true, nil
}

// state is the registry's file at a commit.
type state struct {
	text string
	gone bool
	sick string // why it cannot be read, and never will
}

func (h *hosted) fileAt(ctx context.Context, repo, commit string) (state, error) {
	data, err := h.hub.File(ctx, repo, commit, h.path, maxHosted)
	switch bot.CodeOf(err) {
	case "":
		return state{text: string(data)}, nil
	case bot.CodeNotFound:
		return state{gone: true}, nil
	case bot.CodeInvalid:
		return state{sick: bot.CleanLine(err.Error(), 500)}, nil
	case bot.CodeForbidden, bot.CodeLimited, bot.CodeUnauthorized, bot.CodeUnavailable, bot.CodeInternal:
	}
	return state{}, err
}
