package app

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/comment"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/console"
	"github.com/pointsman/pointsman/bot/mirror"
	"github.com/pointsman/pointsman/bot/replay"
	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/engine"
)

// Replay decides past tickets of one tracker as the service would, by the state
// of the organisation at its start, and keeps the decisions in a database of its
// own in the data folder. It takes no lock and no port: a service may be running
// there. o.Source, o.Router and o.Store are filled in here; indexed, which may be
// nil, hears how the index comes along. What is wrong with the configuration is a
// *bot.Error with code CodeInvalid.
func Replay(ctx context.Context, cfg config.Config, a Options, about replay.About, o replay.Options, indexed func(done, total int, repo string)) (results []replay.Result, err error) {
	source, r, err := replayParts(cfg, a.Program, about)
	if err != nil {
		return nil, bot.Errorf(bot.CodeInvalid, "%w", err)
	}
	r.reread(ctx)
	snap, err := r.refresh(ctx, func(p mirror.Progress) {
		if indexed != nil {
			indexed(p.Done, p.Total, p.Repo)
		}
	})
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, cfg.DataDir, store.WithFile(replay.FileName))
	if err != nil {
		return nil, err
	}
	defer func() {
		if shut := s.Close(); shut != nil && err == nil {
			err = shut
		}
	}()
	o.Source, o.Router, o.Store, o.Log = source, still{r.engine, snap}, s, a.Log
	o.Places, o.Last = about.Places, about.Last
	return replay.Run(ctx, o)
}

// replayParts checks that everything the configuration names is there.
func replayParts(cfg config.Config, program string, about replay.About) (replay.Source, *router, error) {
	source, err := Past(cfg, about)
	if err != nil {
		return nil, nil, err
	}
	all, err := newHosts(cfg)
	if err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
		return nil, nil, fmt.Errorf("dataDir: %w; name a folder that this user may write to", err)
	}
	keeper, err := mirror.New(git.New(), filepath.Join(cfg.DataDir, "index"))
	if err != nil {
		return nil, nil, err
	}
	// What a router logs of registry and coverage stands in the report.
	r, err := newRouter(cfg, keeper, all.hub(), console.NewMetrics(), slog.New(slog.DiscardHandler), program)
	return source, r, err
}

// still routes every ticket by one state.
type still struct {
	engine *engine.Engine
	snap   engine.Snapshot
}

// Route implements replay.Router.
func (s still) Route(ctx context.Context, t routing.Ticket) (routing.Decision, error) {
	return s.engine.Route(ctx, t, s.snap)
}

// past is the one thing of an adapter that a replay gets: it cannot speak.
type past func(place string, since time.Time) bot.Pages

// Past implements replay.Source.
func (p past) Past(place string, since time.Time) bot.Pages { return p(place, since) }

// Past returns the listing of past tickets of one configured tracker, and nothing
// else of it: what it returns cannot speak. An error says what to configure.
func Past(cfg config.Config, about replay.About) (replay.Source, error) {
	hosts, err := newHosts(cfg)
	if err != nil {
		return nil, err
	}
	source, ok := hosts.find(about.Source, about.Tenant).(replay.Source)
	switch {
	case ok:
		return past(source.Past), nil
	case about.Source == comment.Jira:
		return nil, fmt.Errorf("jira tenant %q is not configured; add it under jira in %s", about.Tenant, cfg.File)
	default:
		return nil, fmt.Errorf("%s is not configured; add its section to %s", about.Source, cfg.File)
	}
}
