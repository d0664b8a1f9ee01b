package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/api"
	"github.com/pointsman/pointsman/bot/console"
	"github.com/pointsman/pointsman/bot/intake"
	"github.com/pointsman/pointsman/bot/store"
)

// drain is how long requests that are under way may take when we stop.
const drain = 10 * time.Second

// bind takes the ports, so that an occupied one is known before any work begins:
// the one of the webhooks first, then that of metrics, API and console, if apart.
func (a *App) bind(ctx context.Context) ([]net.Listener, error) {
	var doors []net.Listener
	for _, d := range [][2]string{{"listen", a.cfg.Listen}, {"adminListen", a.cfg.AdminListen}} {
		key, addr := d[0], d[1]
		if addr == "" {
			continue
		}
		var lc net.ListenConfig
		l, err := lc.Listen(ctx, "tcp", addr)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; is another program using the port? name a free one, or 0 for any", key, err)
		}
		a.undo = append(a.undo, func(context.Context) error {
			if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
				return fmt.Errorf("closing %s: %w", l.Addr(), err)
			}
			return nil
		})
		if key == "adminListen" && a.cfg.AdminToken == "" && !local(l.Addr()) {
			return nil, fmt.Errorf("adminListen: %s can be reached from other machines; set adminToken too", l.Addr())
		}
		doors = append(doors, l)
	}
	a.addr = doors[0].Addr().String()
	a.admin = doors[len(doors)-1].Addr().String()
	return doors, nil
}

// local reports whether only this machine reaches an address.
func local(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// serve answers at the doors: webhooks and health at the first, metrics, API and
// console at the last.
func (a *App) serve(doors []net.Listener, s *store.Store, r intake.Receiver) error {
	public := a.newEngine()
	verifiers := map[string]bot.Verifier{}
	for tenant, h := range a.hosts.jira {
		verifiers[tenant] = h
	}
	saved := &watched{Receiver: r, now: time.Now}
	in := intake.Options{
		Jira: verifiers, Receiver: saved, Screen: screen, MaxBodyBytes: a.cfg.MaxBodyBytes, Log: a.log, Observe: a.metrics.Delivery,
	}
	if a.hosts.github != nil {
		in.GitHub = a.hosts.github
	}
	intake.Register(public, in)
	api.RegisterHealth(public, a.readiness(s, saved))

	admin := public
	if len(doors) > 1 {
		admin = a.newEngine()
	}
	if err := a.registerAdmin(admin, s); err != nil {
		return err
	}
	a.answer(doors[0], public)
	if len(doors) > 1 {
		a.answer(doors[1], admin)
	}
	return nil
}

func (a *App) registerAdmin(e *gin.Engine, s *store.Store) error {
	guarded := e.Group("", api.Guard(a.cfg.AdminToken))
	api.Register(guarded, api.Options{Decisions: s, Router: a.router, MaxBodyBytes: a.cfg.MaxBodyBytes, Log: a.log})
	return console.Register(guarded, console.Options{
		Decisions: s, Metrics: a.metrics, Mode: a.cfg.Mode, Program: a.program, Log: a.log,
	})
}

// newEngine makes a web server without routes: a panic is a 500 and a log line.
func (a *App) newEngine() *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.HandleMethodNotAllowed = true
	e.Use(gin.CustomRecoveryWithWriter(nil, func(c *gin.Context, p any) {
		a.log.ErrorContext(c.Request.Context(), "a request panicked", bot.LogPath, c.Request.URL.Path, bot.LogErr, fmt.Sprint(p))
		c.AbortWithStatusJSON(http.StatusInternalServerError, gin.H{"error": "something went wrong here; the log says what"})
	}))
	e.NoRoute(func(c *gin.Context) { c.JSON(http.StatusNotFound, gin.H{"error": "there is nothing at this address"}) })
	e.NoMethod(func(c *gin.Context) {
		c.JSON(http.StatusMethodNotAllowed, gin.H{"error": "this address does not take " + c.Request.Method})
	})
	return e
}

// answer serves h at l until the app stops.
func (a *App) answer(l net.Listener, h http.Handler) {
	srv := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 5 * time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			a.failed <- fmt.Errorf("serving %s: %w", l.Addr(), err)
		}
	}()
	a.undo = append(a.undo, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, drain)
		defer cancel()
		err := srv.Shutdown(ctx)
		if err != nil {
			err = errors.Join(fmt.Errorf("stopping the server: %w", err), srv.Close())
		}
		<-ended
		return err
	})
}
