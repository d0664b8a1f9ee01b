package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/app"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/replay"
	"github.com/pointsman/pointsman/routing/gold"
)

// listed says what a live tracker gave.
type listed struct {
	Source  string         `json:"source"`
	Tenant  string         `json:"tenant"` // "" for github
	Places  []string       `json:"places"`
	Tickets int            `json:"tickets"` // with a text
	Ignored map[string]int `json:"ignored"` // by reason
	Failed  []failedTicket `json:"failed"`  // that could not be read
}

type failedTicket struct {
	Key string `json:"key"`
	Why string `json:"why"`
}

// texts is where the tickets' own texts come from.
type texts struct {
	cfg    *config.Config // nil = none is asked for
	known  []gold.Text    // of a file
	source replay.Source  // nil = no tracker is asked
	about  replay.About
}

// find checks what is asked for, and reads the file of texts; a tracker is not
// asked yet, and without --source never. --project alone only says which keys count.
func (f *mineFlags) find(cmd *cobra.Command) (t texts, err error) {
	live := f.from.source != ""
	for _, flag := range []string{"repo", "tenant", "last"} {
		if !live && cmd.Flags().Changed(flag) {
			return t, usagef("--%s says of which tickets a tracker is asked for the text; name it with --source github or jira, for without that no network is used", flag)
		}
	}
	if live || cmd.Flags().Changed("config") {
		cfg, err := config.Load(f.config, os.Environ())
		if err != nil {
			return t, &exitError{code: exitUsage, err: err}
		}
		t.cfg = &cfg
	}
	if !live {
		t.known, err = readTickets(f.tickets, f.columns)
		return t, err
	}
	if f.tickets != "" || len(f.columns) > 0 {
		return t, usagef("--tickets and --source both give the tickets' texts; use one of them (--column belongs to --tickets)")
	}
	from := f.from
	if from.source == sourceJira {
		from.projects = f.Projects
	}
	if t.about, err = from.about(*t.cfg); err != nil {
		return t, err
	}
	if t.source, err = app.Past(*t.cfg, t.about); err != nil {
		return t, &exitError{code: exitUsage, err: err}
	}
	return t, nil
}

// read returns the texts; what a tracker gave is nil when none was asked.
func (t texts) read(cmd *cobra.Command) ([]gold.Text, *listed, error) {
	if t.source == nil {
		return t.known, nil, nil
	}
	all, got, err := list(cmd, t.source, t.about)
	if err != nil {
		return nil, nil, listError(err)
	}
	return all, got, nil
}

// list reads the tickets of a tracker under a bar.
func list(cmd *cobra.Command, source replay.Source, about replay.About) (texts []gold.Text, got *listed, err error) {
	bar := newBar(cmd.ErrOrStderr(), "listing tickets")
	defer bar.end()
	got = &listed{Source: about.Source, Tenant: about.Tenant, Places: about.Places, Ignored: map[string]int{}, Failed: []failedTicket{}}
	name := about.Source
	if about.Tenant != "" {
		name += ":" + about.Tenant
	}
	l := replay.Listing{
		Source: source, Places: about.Places, Last: about.Last,
		Log: slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	err = l.Each(cmd.Context(), func(p bot.Past) error {
		switch {
		case p.Err != nil:
			got.Failed = append(got.Failed, failedTicket{p.Key, p.Err.Error()})
		case p.Event.Ignore != "":
			got.Ignored[p.Event.Ignore]++
			return nil
		default:
			t := gold.Text{Key: p.Key, Title: p.Event.Ticket.Title, Body: p.Event.Ticket.Body, Listed: name}
			if at := p.Event.Ticket.CreatedAt; !at.IsZero() {
				t.Created = at.UTC().Format(time.RFC3339)
			}
			texts = append(texts, t)
		}
		bar.at(len(texts)+len(got.Failed), about.Last, p.Key)
		return nil
	})
	got.Tickets = len(texts)
	return texts, got, err
}

// listError says in one line why tickets could not be listed.
func listError(err error) error {
	switch code := bot.CodeOf(err); {
	case errors.Is(err, context.Canceled):
		return errors.New("stopped while the tickets were listed; nothing was written")
	case code == bot.CodeInvalid, code == bot.CodeNotFound:
		return &exitError{code: exitUsage, err: err}
	}
	return fmt.Errorf("%w; nothing was written", err)
}

func writeListed(p *printer, got *listed) {
	where := got.Source
	if got.Tenant != "" {
		where = got.Tenant
	}
	p.line("%d tickets listed by %s, passed over: %s", got.Tickets, where, counts(got.Ignored))
	if n := len(got.Failed); n > 0 {
		p.line("%d tickets could not be read; the first, %s: %s", n, got.Failed[0].Key, got.Failed[0].Why)
	}
}
