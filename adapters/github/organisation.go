package github

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/pointsman/pointsman/bot"
)

const (
	// maxRepositories bounds a listing: an organisation of more is none we know.
	maxRepositories = 50_000
	maxInstalled    = 1_000 // organisations that one App is looked for in
	maxText         = 1_000 // characters of a description
	maxTopics       = 50
)

// Repository is what GitHub itself says of a repository. The texts are cleaned and
// bounded, the names checked.
type Repository struct {
	ID             int64  // survives renames and transfers
	Host           string // of CloneURL: "github.com"
	FullName, Name string // "owner/name", "name"
	Description    string
	CloneURL       string
	DefaultBranch  string
	Visibility     string // public, internal or private
	Archived, Fork bool
	Empty          bool // it holds no commit
	Topics         []string
}

// Organisation lists the repositories of an organisation, or of a user where no
// organisation has the name, by name. An App sees those that it is installed in,
// and without credentials only public ones are seen. Errors are *bot.Error.
func (c *Client) Organisation(ctx context.Context, org string) ([]Repository, error) {
	if !validName(org) {
		return nil, bot.Errorf(bot.CodeInvalid, "listing github repositories: %q is not the name of an organisation", bot.CleanLine(org, maxName))
	}
	api, err := c.ownerAPI(ctx, org)
	if err != nil {
		return nil, err
	}
	list, err := c.repositories(ctx, api, "orgs/"+org+"/repos")
	if bot.CodeOf(err) == bot.CodeNotFound {
		list, err = c.repositories(ctx, api, "users/"+org+"/repos")
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b Repository) int {
		return strings.Compare(strings.ToLower(a.FullName), strings.ToLower(b.FullName))
	})
	return list, nil
}

// Repository returns the repository of an id, under whatever name it now has. An
// App looks for it in every organisation that it is installed in. Errors are
// *bot.Error; CodeNotFound where nobody lets us see it.
func (c *Client) Repository(ctx context.Context, id int64) (Repository, error) {
	if id <= 0 {
		return Repository{}, bot.Errorf(bot.CodeInvalid, "looking up a github repository: %d is no id", id)
	}
	apis := []*github.Client{c.auth.main}
	switch c.auth.mode {
	case modeNone:
		apis[0] = c.auth.client(c.auth.inner)
	case modeApp:
		installed, err := c.installed(ctx)
		if err != nil {
			return Repository{}, err
		}
		apis = apis[:0]
		for _, in := range installed {
			api, err := c.enter(ctx, in.ID)
			if err != nil {
				return Repository{}, err
			}
			apis = append(apis, api)
		}
	case modeToken:
	}
	err := error(bot.Errorf(bot.CodeNotFound, "looking up the github repository %d: the App is installed nowhere", id))
	for _, api := range apis {
		var one wireRepository
		err = c.call(ctx, fmt.Sprintf("looking up the github repository %d", id), func(ctx context.Context) error {
			_, err := get(ctx, api, fmt.Sprintf("repositories/%d", id), &one)
			return err
		})
		if code := bot.CodeOf(err); code == bot.CodeNotFound || code == bot.CodeForbidden {
			continue // another organisation's
		}
		if err != nil {
			return Repository{}, err
		}
		return c.read(ctx, api, one)
	}
	return Repository{}, err
}

// ownerAPI is the client that sees an owner's repositories.
func (c *Client) ownerAPI(ctx context.Context, owner string) (*github.Client, error) {
	switch c.auth.mode {
	case modeNone:
		return c.auth.client(c.auth.inner), nil
	case modeToken:
		return c.auth.main, nil
	case modeApp:
	}
	installed, err := c.installed(ctx)
	if err != nil {
		return nil, err
	}
	for _, in := range installed {
		if strings.EqualFold(in.Account.Login, owner) {
			return c.enter(ctx, in.ID)
		}
	}
	return nil, bot.Errorf(bot.CodeNotFound, "listing github repositories: the App is not installed in %q: install it there, or use a token", owner)
}

// installation is the App in one organisation.
type installation struct {
	ID      int64 `json:"id"`
	Account user  `json:"account"`
}

// installed lists where the App is.
func (c *Client) installed(ctx context.Context) ([]installation, error) {
	return pages[installation](ctx, c, c.auth.main, "listing the App's installations", "app/installations", maxInstalled)
}

func (c *Client) repositories(ctx context.Context, api *github.Client, path string) ([]Repository, error) {
	raw, err := pages[wireRepository](ctx, c, api, "listing github repositories", path, maxRepositories)
	if err != nil {
		return nil, err
	}
	list := make([]Repository, 0, len(raw))
	for _, w := range raw {
		r, err := c.read(ctx, api, w)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// pages reads a listing whole, or not at all: at most `most` entries.
func pages[T any](ctx context.Context, c *Client, api *github.Client, act, path string, most int) (all []T, err error) {
	query := url.Values{"per_page": {fmt.Sprint(pageSize)}}.Encode()
	for query != "" {
		var page bot.Page[T]
		next := ""
		err := c.call(ctx, act, func(ctx context.Context) error {
			resp, err := get(ctx, api, path+"?"+query, &page)
			if err == nil {
				next = nextQuery(resp.Header)
			}
			return err
		})
		switch {
		case err != nil:
			return nil, err
		case next == query:
			return nil, bot.Errorf(bot.CodeUnavailable, "%s: the next page leads back to this one", act)
		case len(all)+len(page) > most:
			return nil, bot.Errorf(bot.CodeInvalid, "%s: there are more than %d", act, most)
		}
		all, query = append(all, page...), next
	}
	return all, nil
}

// wireRepository is what is read of GitHub's description of a repository.
type wireRepository struct {
	ID            int64    `json:"id"`
	FullName      string   `json:"full_name"`
	Description   string   `json:"description"`
	CloneURL      string   `json:"clone_url"`
	DefaultBranch string   `json:"default_branch"`
	Visibility    string   `json:"visibility"`
	Private       bool     `json:"private"`
	Archived      bool     `json:"archived"`
	Fork          bool     `json:"fork"`
	Size          *int64   `json:"size"` // in KiB, rounded down, and late
	Topics        []string `json:"topics"`
}

// read checks what GitHub says. A size of nothing is asked about: it is counted now
// and then only, and what is small has none.
func (c *Client) read(ctx context.Context, api *github.Client, w wireRepository) (Repository, error) {
	owner, name, err := splitRepo(w.FullName)
	if err != nil {
		return Repository{}, err
	}
	r := Repository{
		ID: w.ID, FullName: owner + "/" + name, Name: name, Archived: w.Archived, Fork: w.Fork,
		Description:   bot.CleanLine(w.Description, maxText),
		DefaultBranch: bot.CleanLine(w.DefaultBranch, maxName),
		Visibility:    audience(&repository{Private: w.Private, Visibility: w.Visibility}),
	}
	if u, err := url.Parse(w.CloneURL); err == nil && u.Host != "" && u.User == nil && len(w.CloneURL) <= maxURL {
		r.CloneURL, r.Host = u.String(), u.Host
	}
	for _, t := range w.Topics[:min(len(w.Topics), maxTopics)] {
		if t = bot.CleanLine(t, maxName); t != "" {
			r.Topics = append(r.Topics, t)
		}
	}
	if w.Size != nil && *w.Size == 0 {
		r.Empty, err = c.branchless(ctx, api, r.FullName)
	}
	return r, err
}

func (c *Client) branchless(ctx context.Context, api *github.Client, full string) (bool, error) {
	var branches bot.Page[struct{}]
	err := c.call(ctx, "listing the branches of "+full, func(ctx context.Context) error {
		_, err := get(ctx, api, "repos/"+full+"/branches?per_page=1", &branches)
		return err
	})
	var e *bot.Error
	if errors.As(err, &e) && (e.Code == bot.CodeNotFound || e.Code == bot.CodeForbidden) {
		return false, nil // its code may not be read: nobody knows
	}
	return err == nil && len(branches) == 0, err
}
