package app

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/console"
	"github.com/pointsman/pointsman/bot/mirror"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/engine"
	"github.com/pointsman/pointsman/routing/index"
	"github.com/pointsman/pointsman/routing/registry"
)

// keeper keeps the index current.
type keeper interface {
	Refresh(ctx context.Context, repos []routing.Repo, progress func(mirror.Progress)) (*index.Set, []routing.Missing, error)
}

// router routes tickets by the organisation as it is at that moment: it reads the
// registry again when the file has changed, and indexes what was pushed. When
// either cannot be done, the last good state answers.
type router struct {
	file    string
	tables  string  // the file of the routing tables
	hosted  *hosted // nil: the registry is a file
	keeper  keeper
	engine  *engine.Engine
	metrics *console.Metrics
	log     *slog.Logger

	mu     sync.Mutex
	book   book
	seen   pages            // the registry's and the tables' bytes at the last look, good or not
	sick   string           // why they could not be used
	snap   *engine.Snapshot // nil until the first index is there
	reason error            // why not, so far
}

func newRouter(cfg config.Config, k keeper, h hub, m *console.Metrics, log *slog.Logger, program string) (*router, error) {
	var weights []byte
	if cfg.Routing.WeightsFile != "" {
		var err error
		if weights, err = bot.ReadRegular(cfg.Routing.WeightsFile, maxConfigFile); err != nil {
			return nil, fmt.Errorf("routing.weightsFile: %w; name a file that this user can read, or leave it out", err)
		}
	}
	hash, err := configHash(cfg)
	if err != nil {
		return nil, err
	}
	e, err := engine.New(engine.Options{Keep: cfg.Routing.Keep, Weights: weights, MinPartial: cfg.Routing.MinPartial, Program: program, ConfigHash: hash})
	if err != nil {
		if cfg.Routing.WeightsFile != "" {
			err = fmt.Errorf("routing.weightsFile: %s: %w", cfg.Routing.WeightsFile, err)
		}
		return nil, err
	}
	r := &router{
		file: cfg.Registry.File, tables: cmp.Or(cfg.Routing.TablesFile, tablesBeside(cfg.Registry.File)), keeper: k, engine: e, metrics: m, log: log,
		reason: errors.New("the first index is being built"),
	}
	if cfg.Registry.Repo != "" {
		if h == nil {
			return nil, fmt.Errorf("registry.repo: github is not configured; add its section")
		}
		r.hosted = newHosted(cfg, h, m, log)
		r.hosted.restore()
		return r, nil
	}
	reg, err := registry.Load(r.file)
	if err != nil {
		return nil, err
	}
	look, err := pagesAt(r.file, r.tables)
	if err != nil {
		return nil, fmt.Errorf("reading the routing tables: %w", err)
	}
	tables, err := readTables(r.tables, look.tables)
	if err != nil {
		return nil, err
	}
	r.book = book{reg, tables}
	for _, w := range reg.Warnings {
		log.Warn("registry", bot.LogReason, w)
	}
	return r, nil
}

// configHash is over what of the configuration can change a decision.
func configHash(cfg config.Config) (string, error) {
	text, err := json.Marshal(map[string]int{"keep": cfg.Routing.Keep, "show": cfg.Routing.Show})
	if err != nil {
		return "", fmt.Errorf("hashing the configuration: %w", err)
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}

// Route decides by the newest state. Before the first index is there it is a
// *bot.Error with code CodeUnavailable.
func (r *router) Route(ctx context.Context, t routing.Ticket) (routing.Decision, error) {
	if err := r.readyErr(); err != nil {
		return routing.Decision{}, bot.Errorf(bot.CodeUnavailable, "routing: %w", err)
	}
	snap, err := r.refresh(ctx, nil)
	if err != nil {
		return routing.Decision{}, bot.Errorf(bot.CodeUnavailable, "routing: %w", err)
	}
	return r.engine.Route(ctx, t, snap)
}

// readyErr is nil as soon as tickets can be routed, else why not.
func (r *router) readyErr() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.snap == nil {
		return r.reason
	}
	return nil
}

// build makes the first index, and tries until it is there or ctx ends.
func (r *router) build(ctx context.Context) error {
	began := time.Now()
	for wait := time.Second; ; wait = min(2*wait, time.Minute) {
		r.reread(ctx)
		snap, err := r.refresh(ctx, func(p mirror.Progress) {
			r.note(fmt.Errorf("the first index is being built: %d of %d repositories", p.Done, p.Total))
		})
		if err == nil {
			r.log.InfoContext(ctx, "the index is there", bot.LogCount, len(snap.Repos)-len(snap.Missing), bot.LogTook, time.Since(began))
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.note(fmt.Errorf("the first index could not be built: %w", err))
		r.log.ErrorContext(ctx, "the index could not be built", bot.LogErr, err, bot.LogWait, wait)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// reread asks for the newest registry, where it is read from a repository. What is
// wrong is noted there, and stands in the way only while there is no other.
func (r *router) reread(ctx context.Context) {
	if r.hosted != nil {
		_ = r.hosted.read(ctx)
	}
}

func (r *router) note(reason error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reason = reason
}

// refresh brings registry and index up to date and returns them as one state.
func (r *router) refresh(ctx context.Context, progress func(mirror.Progress)) (engine.Snapshot, error) {
	now, err := r.registry(ctx)
	if err != nil {
		return engine.Snapshot{}, err
	}
	reg := now.reg
	set, missing, err := r.keeper.Refresh(ctx, reg.Repos, progress)
	err = indexErr(err)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		if r.snap == nil || ctx.Err() != nil {
			return engine.Snapshot{}, err
		}
		r.log.WarnContext(ctx, "the index could not be refreshed; the last one answers", bot.LogErr, err)
		return *r.snap, nil
	}
	snap := &engine.Snapshot{Repos: reg.Repos, RegistryHash: reg.Hash, Index: set, Missing: missing, Tables: now.tables, Warnings: reg.Warnings}
	var before []routing.Missing
	if r.snap != nil {
		before = r.snap.Missing
	}
	for _, m := range missing {
		if !slices.Contains(before, m) {
			r.log.WarnContext(ctx, "a repository is not covered", bot.LogRepo, m.Repo, bot.LogReason, m.Why)
		}
	}
	r.metrics.Covered(len(reg.Repos)-len(missing), len(missing))
	r.snap = snap
	return *snap, nil
}

// registry returns the registry as it now is, or the last good one, with every
// repository looked for anew. Its slices are the caller's own.
func (r *router) registry(ctx context.Context) (book, error) {
	from := r.fromFile
	if r.hosted != nil {
		from = r.fromRepository
	}
	now, err := from(ctx)
	if err == nil {
		now.reg.Repos = slices.Clone(now.reg.Repos)
		now.reg.Locate()
	}
	return now, err
}

func (r *router) fromRepository(context.Context) (book, error) {
	now, ok := r.hosted.current()
	if ok {
		return now, nil
	}
	why := r.hosted.why()
	if why == "" {
		why = "it is being read"
	}
	return now, fmt.Errorf("there is no registry yet: %s", why)
}

// fromFile reads the file, and the tables beside it, when either has changed.
func (r *router) fromFile(ctx context.Context) (book, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	look, err := pagesAt(r.file, r.tables)
	if err == nil && (!bytes.Equal(look.registry, r.seen.registry) || !bytes.Equal(look.tables, r.seen.tables)) {
		r.seen = look
		var now book
		if now.reg, err = registry.Parse(r.file, look.registry); err == nil {
			now.tables, err = readTables(r.tables, look.tables)
		}
		if err == nil {
			if now.reg.Hash != r.book.reg.Hash {
				r.log.InfoContext(ctx, "the registry was read again", bot.LogCount, len(now.reg.Repos))
				for _, w := range now.reg.Warnings {
					r.log.WarnContext(ctx, "registry", bot.LogReason, w)
				}
			}
			r.book, r.sick = now, ""
		}
	}
	if err != nil && err.Error() != r.sick {
		r.sick = err.Error()
		r.log.WarnContext(ctx, "the registry cannot be read; the last good one answers", bot.LogPath, r.file, bot.LogErr, err)
	}
	return r.book, nil
}
