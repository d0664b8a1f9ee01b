package app

import (
	"context"
	"log/slog"

	"github.com/pointsman/pointsman/adapters/github"
	"github.com/pointsman/pointsman/adapters/jira"
	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/comment"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/flow"
	"github.com/pointsman/pointsman/bot/queue"
	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing"
)

// host is all that an adapter of a ticket system can do.
type host interface {
	bot.Verifier
	bot.Parser
	flow.Speaker
	Check(ctx context.Context) error
}

// hosts are the ticket systems that are configured.
type hosts struct {
	github host // nil = off
	jira   map[string]host
}

func newHosts(cfg config.Config) (hosts, error) {
	h := hosts{jira: map[string]host{}}
	if g := cfg.GitHub; g != nil {
		client, err := github.New(github.Options{
			AppID: g.AppID, PrivateKey: g.PrivateKey, Token: g.Token, WebhookSecret: g.WebhookSecret, APIURL: g.APIURL,
		})
		if err != nil {
			return hosts{}, err
		}
		h.github = client
	}
	for _, j := range cfg.Jira {
		client, err := jira.New(jira.Options{
			Tenant: j.Tenant, URL: j.URL, Flavour: j.Flavour, User: j.User, Token: j.Token, WebhookSecret: j.WebhookSecret,
		})
		if err != nil {
			return hosts{}, err
		}
		h.jira[j.Tenant] = client
	}
	return h, nil
}

// code is all that an adapter of a code host can do.
type code interface {
	hub
	Conclude(ctx context.Context, c bot.Check) (bot.Said, error)
}

// hub is the host that a registry may be read from, or nil.
func (h hosts) hub() hub {
	if c, ok := h.github.(code); ok {
		return c
	}
	return nil
}

// find returns the adapter of a system, or nil.
func (h hosts) find(system, tenant string) host {
	switch system {
	case comment.GitHub:
		return h.github
	case comment.Jira:
		return h.jira[tenant]
	}
	return nil
}

// names lists the hosts for the queue, which keeps them apart.
func (h hosts) names() (list []string) {
	if h.github != nil {
		list = append(list, queue.Host(comment.GitHub, ""))
	}
	for tenant := range h.jira {
		list = append(list, queue.Host(comment.Jira, tenant))
	}
	return list
}

// check tries every host's credentials. A host that is down now may be up when a
// ticket comes, so the log is told and nothing is stopped.
func (h hosts) check(ctx context.Context, log *slog.Logger) {
	try := func(system, tenant string, c host) {
		if err := c.Check(ctx); err != nil && ctx.Err() == nil {
			log.ErrorContext(ctx, "comments cannot be written", bot.LogSource, system, bot.LogTenant, tenant,
				bot.LogCode, string(bot.CodeOf(err)), bot.LogErr, err)
		}
	}
	if h.github != nil {
		try(comment.GitHub, "", h.github)
	}
	for tenant, c := range h.jira {
		try(comment.Jira, tenant, c)
	}
}

func (a *App) newFlow(s *store.Store) (*flow.Flow, error) {
	jobs, err := queue.NewInserter()
	if err != nil {
		return nil, err
	}
	o := flow.Options{
		Store: s, Jobs: jobs, Router: a.router, Grace: a.grace, Log: a.log, Observer: a.metrics, Live: a.cfg.Mode == config.ModeLive,
		Parser: func(source, tenant string) bot.Parser {
			if h := a.hosts.find(source, tenant); h != nil {
				return h
			}
			return nil
		},
		Speaker: func(t bot.Target) flow.Speaker {
			if h := a.hosts.find(t.System, t.Tenant); h != nil {
				return h
			}
			return nil
		},
		Render: func(to bot.Target, d routing.Decision) (body, marker string) {
			return comment.Render(to.System, d, comment.Options{Show: a.cfg.Routing.Show, Tenant: to.Tenant})
		},
	}
	if h, ok := a.hosts.github.(code); ok && a.router.hosted != nil {
		o.Registry, o.Conclude = a.router.hosted, h.Conclude
	}
	return flow.New(o), nil
}
