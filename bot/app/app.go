package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/console"
	"github.com/pointsman/pointsman/bot/flow"
	"github.com/pointsman/pointsman/bot/mirror"
	"github.com/pointsman/pointsman/bot/queue"
	"github.com/pointsman/pointsman/bot/store"
)

// Options are what is not configuration.
type Options struct {
	Log     *slog.Logger // nil = none
	Program string       // name of this build, for decisions and pages
	// Grace is flow.Options.Grace; 0 = its default, which is what a host needs.
	Grace time.Duration
	// Reread is how often a registry in a repository is asked for; 0 = 5 m.
	Reread time.Duration
}

// App is one service. Make it with New.
type App struct {
	cfg     config.Config
	log     *slog.Logger
	program string
	grace   time.Duration
	reread  time.Duration
	metrics *console.Metrics
	hosts   hosts
	router  *router

	mu      sync.Mutex
	undo    []func(context.Context) error // what Stop does, last first
	addr    string
	admin   string
	failed  chan error
	started bool
}

// New checks that everything the configuration names is there: registry, weights,
// credentials, data folder. Errors are one line and say what to do.
func New(cfg config.Config, o Options) (*App, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	a := &App{
		cfg: cfg, log: o.Log, program: o.Program, grace: o.Grace, reread: o.Reread, metrics: console.NewMetrics(),
		failed: make(chan error, 3),
	}
	var err error
	if a.hosts, err = newHosts(cfg); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
		return nil, folderErr(err)
	}
	keeper, err := mirror.New(git.New(), filepath.Join(cfg.DataDir, "index"))
	if err != nil {
		return nil, indexErr(err)
	}
	if a.router, err = newRouter(cfg, keeper, a.hosts.hub(), a.metrics, a.log, a.program); err != nil {
		return nil, err
	}
	return a, nil
}

// Start takes the data folder, opens the store, listens, and begins to work. It
// returns when webhooks are accepted; tickets are routed as soon as the first
// index is there. ctx bounds the start only.
func (a *App) Start(ctx context.Context) (err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.started {
		return errors.New("starting: this service was started before; make a new one")
	}
	a.started = true
	defer func() {
		if err != nil {
			err = errors.Join(err, a.unwind(context.WithoutCancel(ctx)))
		}
	}()
	for _, w := range a.cfg.Warnings {
		a.log.WarnContext(ctx, "configuration has no effect", bot.LogReason, w)
	}
	if err := a.lock(); err != nil {
		return err
	}
	doors, err := a.bind(ctx)
	if err != nil {
		return err
	}
	s, f, q, err := a.open(ctx)
	if err != nil {
		return err
	}
	// What is started first is stopped last: the doors close before the jobs end.
	if err := q.Start(ctx); err != nil {
		return err
	}
	a.undo = append(a.undo, q.Stop)
	a.background(ctx, q)
	if err := a.serve(doors, s, f); err != nil { //nolint:contextcheck // handlers take the context of their request
		return err
	}
	return a.announce(ctx)
}

// background builds the first index, then lets routing begin; and it tries the
// credentials, so that a wrong key shows at the start and not with the first ticket.
func (a *App) background(ctx context.Context, q *queue.Queue) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := a.router.build(ctx); err != nil {
			return // stopped
		}
		if err := q.StartRouting(); err != nil {
			a.failed <- err
		}
	})
	if a.router.hosted != nil {
		wg.Go(func() { a.router.hosted.watch(ctx, a.reread) })
	}
	if a.cfg.Mode == config.ModeLive {
		wg.Go(func() { a.hosts.check(ctx, a.log) })
	}
	a.undo = append(a.undo, func(context.Context) error {
		cancel()
		wg.Wait()
		return nil
	})
}

// open opens the store and makes the queue and the flow on it.
func (a *App) open(ctx context.Context) (*store.Store, *flow.Flow, *queue.Queue, error) {
	s, err := store.Open(ctx, a.cfg.DataDir)
	if err != nil {
		return nil, nil, nil, err
	}
	a.undo = append(a.undo, func(context.Context) error { return s.Close() })
	if err := queue.Migrate(ctx, s.Writer()); err != nil {
		return nil, nil, nil, err
	}
	n, err := queue.Reclaim(ctx, s.Writer())
	if err != nil {
		return nil, nil, nil, err
	}
	if n > 0 {
		a.log.InfoContext(ctx, "unfinished jobs were taken up again", bot.LogCount, n)
	}
	f, err := a.newFlow(s)
	if err != nil {
		return nil, nil, nil, err
	}
	q, err := queue.New(s.Writer(), f, queue.Options{
		Workers: a.cfg.Workers, Hosts: a.hosts.names(), StopTimeout: a.cfg.ShutdownTimeout, Log: a.log, Observe: a.metrics.Job,
	})
	return s, f, q, err
}

// Addr is where webhooks are taken: host:port. It is empty before Start.
func (a *App) Addr() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.addr
}

// AdminAddr is where metrics, API and console are served: Addr, unless they have
// an address of their own.
func (a *App) AdminAddr() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.admin
}

// Ready reports whether tickets can be routed, or why not.
func (a *App) Ready() error { return a.router.readyErr() }

// Failed delivers the error of a server that ended by itself; the app is then to
// be stopped.
func (a *App) Failed() <-chan error { return a.failed }

// Stop takes no more deliveries, lets running jobs finish until shutdownTimeout
// and hands the rest back, then closes everything. It may be called twice.
func (a *App) Stop(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	began := time.Now()
	if len(a.undo) == 0 {
		return nil
	}
	a.log.InfoContext(ctx, "stopping")
	err := a.unwind(context.WithoutCancel(ctx))
	a.log.InfoContext(ctx, "stopped", bot.LogTook, time.Since(began))
	return err
}

// unwind undoes what was started, last first.
func (a *App) unwind(ctx context.Context) error {
	var errs []error
	for _, f := range slices.Backward(a.undo) {
		errs = append(errs, f(ctx))
	}
	a.undo = nil
	return errors.Join(errs...)
}
