package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"strconv"

	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/adapters/jira/jiratest"
	"github.com/pointsman/pointsman/bot"
)

const (
	appID      = 4711
	jiraTenant = "saltmarsh"
	jiraUser   = "pointsman@saltmarsh.example"
)

// hosts are the two small ticket systems that the bot speaks to.
type hosts struct {
	github        *githubtest.Server
	jira          *jiratest.Server
	jiraToken     bot.Secret
	webhookSecret bot.Secret // of both
}

// filed is a ticket that stands in its host, ready to be told to the bot.
type filed struct {
	Ticket
	key     string        // as decisions name it
	page    string        // where a person reads it
	text    template.HTML // its body, as that page shows it
	webhook string        // path at the bot
	body    string        // the delivery, signed
	header  http.Header
	// comments returns what was said on it so far, each as a page shows it.
	comments func() []template.HTML
}

// startHosts starts both, empty but for the places where the tickets will be filed.
func startHosts(ctx context.Context, tickets []Ticket) (*hosts, error) {
	h := &hosts{jiraToken: bot.Secret(rand.Text()), webhookSecret: bot.Secret(rand.Text())}
	var err error
	if h.github, err = githubtest.New(githubtest.Options{AppID: appID, WebhookSecret: h.webhookSecret}); err != nil {
		return nil, err
	}
	h.jira = jiratest.New(jiratest.Options{User: jiraUser, Token: h.jiraToken, WebhookSecret: h.webhookSecret})
	for _, tk := range tickets {
		if tk.System == "github" {
			h.github.AddRepo(githubtest.Repo{FullName: tk.FiledIn, Visibility: "internal"})
		}
	}
	if _, err := h.github.Start(ctx); err != nil {
		return nil, err
	}
	if _, err := h.jira.Start(ctx); err != nil {
		return nil, errors.Join(err, h.github.Close())
	}
	return h, nil
}

func (h *hosts) close() error { return errors.Join(h.github.Close(), h.jira.Close()) }

// file puts a ticket into its host and signs the delivery that tells of it.
func (h *hosts) file(tk Ticket) (filed, error) {
	switch tk.System {
	case "github":
		return h.fileIssue(tk)
	case "jira":
		return h.fileTask(tk)
	}
	return filed{}, fmt.Errorf("filing %q: there is no system %q", tk.Title, tk.System)
}

func (h *hosts) fileIssue(tk Ticket) (filed, error) {
	n, err := h.github.OpenIssue(tk.FiledIn, githubtest.Issue{Title: tk.Title, Body: tk.Body, Author: tk.Reporter})
	if err != nil {
		return filed{}, err
	}
	d, err := h.github.Issue("opened", tk.FiledIn, n)
	if err != nil {
		return filed{}, err
	}
	return filed{
		Ticket: tk, key: tk.FiledIn + "#" + strconv.Itoa(n),
		page:    fmt.Sprintf("%s/%s/issues/%d", h.github.URL(), tk.FiledIn, n),
		text:    githubtest.Markdown(tk.Body),
		webhook: "/webhooks/github", body: string(d.Body), header: d.Header,
		comments: func() (pages []template.HTML) {
			for _, c := range h.github.Comments(tk.FiledIn, n) {
				pages = append(pages, githubtest.Markdown(c.Body))
			}
			return pages
		},
	}, nil
}

func (h *hosts) fileTask(tk Ticket) (filed, error) {
	key := h.jira.CreateIssue(tk.FiledIn, jiratest.Issue{Summary: tk.Title, Description: tk.Body, Reporter: tk.Reporter})
	d, err := h.jira.Created(key)
	if err != nil {
		return filed{}, err
	}
	return filed{
		Ticket: tk, key: key, page: h.jira.URL() + "/browse/" + key, text: jiratest.Wiki(tk.Body),
		webhook: "/webhooks/jira/" + jiraTenant, body: string(d.Body), header: d.Header,
		comments: func() (pages []template.HTML) {
			for _, c := range h.jira.Comments(key) {
				pages = append(pages, jiratest.Wiki(c.Body))
			}
			return pages
		},
	}, nil
}
