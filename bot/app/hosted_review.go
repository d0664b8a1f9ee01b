package app

import (
	"context"
	"slices"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/review"
	"github.com/pointsman/pointsman/routing/rank"
)

// Review implements flow.Registry. The pull request's registry is read from the
// repository that it asks to change, also when a fork holds it: nobody else is dialled.
func (h *hosted) Review(ctx context.Context, p bot.Pull) (c bot.Check, touched bool, err error) {
	if known := h.known(); known != 0 && p.RepoID != 0 && p.RepoID != known {
		return bot.Check{}, false, nil // another repository took the name since
	}
	was, err := h.sheetAt(ctx, p, p.Base)
	if err != nil {
		return bot.Check{}, false, err
	}
	is, err := h.sheetAt(ctx, p, p.Head)
	if err != nil {
		return bot.Check{}, false, err
	}
	if was == is && was.registry.sick == "" && was.tables.sick == "" || was.registry.gone && is.registry.gone {
		return bot.Check{}, false, nil
	}
	// The two differ also when the branch alone has moved on.
	files, err := h.hub.PullFiles(ctx, p.Target.Repo, p.Target.Number)
	if err != nil || !slices.Contains(files, h.path) && !slices.Contains(files, h.tables()) {
		return bot.Check{}, false, err
	}
	for path, gone := range map[string]bool{h.path: is.registry.gone && !was.registry.gone, h.tables(): is.tables.gone && !was.tables.gone} {
		if !gone {
			continue
		}
		if err := h.doubts.gone(p.Head, path, h.now()); err != nil {
			return bot.Check{}, false, err
		}
	}
	change := review.Change{
		Path: h.path, Data: []byte(is.registry.text), Gone: is.registry.gone, Sick: is.registry.sick, Rules: h.rules,
		TablesPath: h.tables(), TablesSick: is.tables.sick,
	}
	if !is.tables.gone {
		change.Tables = []byte(is.tables.text)
	}
	if now, ok := h.current(); ok {
		change.Now = &now.reg
	}
	if c, err = review.Check(ctx, change); err != nil {
		return bot.Check{}, false, bot.Errorf(bot.CodeUnavailable, "%w", err)
	}
	c.Target, c.Commit = p.Target, p.Head
	return c, true, nil
}

// sheet is the registry and the tables beside it at a commit.
type sheet struct{ registry, tables state }

// state is a file at a commit.
type state struct {
	text string
	gone bool
	sick string // why it cannot be read, and never will
}

func (h *hosted) sheetAt(ctx context.Context, p bot.Pull, commit string) (s sheet, err error) {
	if s.registry, err = h.fileAt(ctx, p.Target.Repo, commit, h.path, maxHosted); err == nil {
		s.tables, err = h.fileAt(ctx, p.Target.Repo, commit, h.tables(), rank.MaxTables)
	}
	return s, err
}

func (h *hosted) fileAt(ctx context.Context, repo, commit, file string, limit int) (state, error) {
	data, err := h.hub.File(ctx, repo, commit, file, limit)
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
