package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// patience is how long the six comments may take together. On two cores they take
// a few seconds.
const patience = time.Minute

var errLate = errors.New("it did not come within a minute; the warnings above may say why")

// Options say where the demo speaks and when it ends.
type Options struct {
	Out     io.Writer // comments and what became of them
	ErrOut  io.Writer // warnings of the server
	Exit    bool      // leave after printing; else stay until ctx ends
	Program string    // name of this build
	TmpDir  string    // where the demo's folder is made; "" = the system's
}

// Run plays the whole bot on the sample organisation. It returns an error when the
// server cannot be started or any comment does not come.
func Run(ctx context.Context, o Options) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	o.Out = &reader{w: o.Out, gone: cancel}
	sample, err := LoadSample()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(o.TmpDir, "pointsman-demo-")
	if err != nil {
		return fmt.Errorf("making a folder for the demo: %w; set TMPDIR to one that this user may write to", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	registry, err := sample.Write(filepath.Join(dir, "organisation"))
	if err != nil {
		return err
	}
	h, err := startHosts(ctx, sample.Tickets)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	log := slog.New(slog.NewTextHandler(o.ErrOut, &slog.HandlerOptions{Level: slog.LevelWarn}))
	bot, err := startBot(ctx, dir, registry, h, o.Program, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bot.stop(context.WithoutCancel(ctx))) }()
	return play(ctx, o, sample, h, bot, dir)
}

// play is what a person watches: tickets in, comments out, and how they did.
func play(ctx context.Context, o Options, sample Sample, h *hosts, b *running, dir string) error {
	fmt.Fprintf(o.Out, "Saltmarsh Ferries has %d repositories; people file %d tickets, on GitHub and in Jira.\n",
		len(sample.Repos), len(sample.Tickets))
	tickets, err := send(ctx, sample.Tickets, h, b)
	if err != nil {
		return err
	}
	wait, cancel := context.WithTimeoutCause(ctx, patience, errLate)
	defer cancel()
	outcomes := make([]outcome, len(tickets))
	for i, tk := range tickets {
		page, err := waitForComment(wait, tk, b.app.Failed())
		if err != nil {
			return err
		}
		decision, err := b.decision(ctx, tk.key)
		if err != nil {
			return err
		}
		outcomes[i] = compare(tk.Ticket, decision)
		if err := printTicket(o.Out, tk, page, outcomes[i]); err != nil {
			return err
		}
	}
	printSummary(o.Out, outcomes)
	printAddresses(o, tickets, h, b, dir)
	if o.Exit {
		return nil
	}
	select {
	case <-ctx.Done():
		if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
			return cause
		}
		return nil
	case err := <-b.app.Failed():
		return err
	}
}

// reader is who we print for. When nobody is left to read, the demo ends.
type reader struct {
	w    io.Writer
	gone context.CancelCauseFunc
}

func (r *reader) Write(p []byte) (int, error) {
	n, err := r.w.Write(p)
	if err != nil {
		r.gone(fmt.Errorf("printing: %w", err))
	}
	return n, err
}

// send files the tickets and delivers their webhooks, as the hosts would.
func send(ctx context.Context, tickets []Ticket, h *hosts, b *running) ([]filed, error) {
	out := make([]filed, len(tickets))
	for i, tk := range tickets {
		f, err := h.file(tk)
		if err != nil {
			return nil, err
		}
		if err := b.deliver(ctx, f); err != nil {
			return nil, err
		}
		out[i] = f
	}
	return out, nil
}
