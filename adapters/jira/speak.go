package jira

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pointsman/pointsman/bot"
)

const (
	// maxComment is Jira's limit, in characters.
	maxComment = 32_767

	// family is what every comment of Pointsman holds, whatever its ticket. An issue
	// that was moved to another project brings our comment with it, under its old marker.
	family = "{anchor:pointsman-"

	// Fifty comments of 32,767 characters fit into bot.MaxAnswer however they are written.
	pageSize = 50
	maxPages = 400

	// maxTries is how often a comment may vanish before it is edited.
	maxTries = 3
)

// comment is a comment of REST version 2: the body is wiki markup. go-jira's own
// type decodes the answer to a write strictly, and would report a comment that was
// accepted as failed.
type comment struct {
	ID         string     `json:"id,omitempty"`
	Author     *user      `json:"author,omitempty"`
	Body       string     `json:"body"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Key   string         `json:"key"`
	Value map[string]any `json:"value"`
}

// identity is who we are on the site, known for an hour.
type identity struct {
	user
	until time.Time
}

// Speak puts the reply on its issue, once: a comment of ours that is there
// already, known by id or found by marker and author, is brought up to date. Of
// several, which a write that landed late may have left, the oldest is kept and
// the others are deleted. Errors are *bot.Error with codes as their type describes;
// Unknown is set when a comment may have been written all the same.
func (c *Client) Speak(ctx context.Context, r bot.Reply) (bot.Said, error) {
	switch {
	case !validKey(r.Target.Key):
		return bot.Said{}, bot.Errorf(bot.CodeInvalid, "speaking on jira: %q is not an issue key", bot.CleanLine(r.Target.Key, maxName))
	case r.Marker == "" || !strings.Contains(r.Body, r.Marker):
		return bot.Said{}, bot.Errorf(bot.CodeInvalid, "speaking on jira: the comment does not hold its marker: it could never be found again")
	case utf8.RuneCountInString(r.Body) > maxComment:
		return bot.Said{}, bot.Errorf(bot.CodeInvalid, "speaking on jira: the comment is longer than %d characters", maxComment)
	}
	if err := c.CanSpeak(); err != nil {
		return bot.Said{}, err
	}
	me, err := c.whoami(ctx)
	if err != nil {
		return bot.Said{}, err
	}
	// A comment may be deleted between finding and editing it. Then look once more.
	gone := map[string]bool{}
	for range maxTries {
		keep, surplus, err := c.find(ctx, me, r, gone)
		if err != nil {
			return bot.Said{}, err
		}
		if keep == nil {
			break
		}
		said, err := c.update(ctx, r, keep)
		switch {
		case bot.CodeOf(err) == bot.CodeNotFound:
			gone[keep.ID] = true
			continue
		case err != nil:
			return bot.Said{}, err
		}
		if err := c.tidy(ctx, r, surplus); err != nil {
			return bot.Said{}, err
		}
		return said, nil
	}
	return c.create(ctx, r)
}

// whoami names the account whose comments are ours.
func (c *Client) whoami(ctx context.Context) (user, error) {
	c.mu.Lock()
	self := c.me
	c.mu.Unlock()
	if c.now().Before(self.until) {
		return self.user, nil
	}
	var me user
	if err := c.do(ctx, "asking jira who we are", http.MethodGet, "rest/api/2/myself", nil, &me); err != nil {
		return user{}, err
	}
	if me.AccountID == "" && me.Key == "" && me.Name == "" {
		return user{}, bot.Errorf(bot.CodeUnavailable, "asking jira who we are: the answer names nobody")
	}
	c.mu.Lock()
	c.me = identity{user: me, until: c.now().Add(time.Hour)}
	c.mu.Unlock()
	c.self.Store(&me)
	return me, nil
}

// same compares accounts by what the flavour has: Cloud an id, Server key and name.
func (u *user) same(o *user) bool {
	switch {
	case o == nil:
		return false
	case u.AccountID != "" && o.AccountID != "":
		return u.AccountID == o.AccountID
	case u.Key != "" && o.Key != "":
		return u.Key == o.Key
	}
	return u.Name != "" && u.Name == o.Name
}

func (c *Client) update(ctx context.Context, r bot.Reply, found *comment) (bot.Said, error) {
	if sameText(found.Body, r.Body) {
		s := c.said(r.Target.Key, found.ID)
		s.Unchanged = true
		return s, nil
	}
	err := c.do(ctx, "editing our jira comment", http.MethodPut, commentPath(r.Target.Key, found.ID), comment{Body: r.Body}, nil)
	if err != nil {
		return bot.Said{}, err
	}
	return c.said(r.Target.Key, found.ID), nil
}

func (c *Client) create(ctx context.Context, r bot.Reply) (bot.Said, error) {
	in := comment{Body: r.Body}
	if r.Target.Internal {
		in.Properties = []property{{Key: "sd.public.comment", Value: map[string]any{"internal": true}}}
	}
	var out comment
	if err := c.do(ctx, "creating our jira comment", http.MethodPost, commentPath(r.Target.Key, ""), in, &out); err != nil {
		return bot.Said{}, err
	}
	return c.said(r.Target.Key, out.ID), nil
}

func (c *Client) said(key, id string) bot.Said {
	return bot.Said{CommentID: id, URL: c.base.String() + "browse/" + key + "?focusedCommentId=" + url.QueryEscape(id)}
}

// do makes one call. An answer that cannot be read after a write was accepted is
// "unavailable": the next try finds the comment by its marker.
func (c *Client) do(ctx context.Context, act, method, path string, in, out any) error {
	err := c.once(ctx, act, method, path, in, out)
	var e, redirect *bot.Error
	if method == http.MethodGet || !errors.As(err, &e) || e.Code != bot.CodeUnavailable || errors.As(e.Err, &redirect) {
		return err
	}
	// No answer, or no clear one: the write may have been carried out, or may yet be.
	var line *net.OpError
	e.Unknown = !errors.As(e.Err, &line) || line.Op != "dial"
	return err
}

func (c *Client) once(ctx context.Context, act, method, path string, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := c.api.NewRequestWithContext(ctx, method, path, in)
	if err != nil {
		return bot.Errorf(bot.CodeInternal, "%s: preparing the request: %w", act, err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "pointsman")
	resp, err := c.api.Do(req, nil)
	if resp == nil {
		return unanswered(act, err)
	}
	defer resp.Body.Close()
	if err != nil {
		return c.refused(act, resp.Response)
	}
	if out == nil {
		return nil
	}
	err = json.NewDecoder(resp.Body).Decode(out)
	if errors.Is(err, bot.ErrAnswerTooLarge) {
		return unanswered(act, err)
	}
	if err != nil {
		return bot.Errorf(bot.CodeUnavailable, "%s: the answer is not the JSON we know: is url the site's own address? %w", act, err)
	}
	return nil
}

func commentPath(key, id string) string {
	p := "rest/api/2/issue/" + url.PathEscape(key) + "/comment"
	if id != "" {
		p += "/" + url.PathEscape(id)
	}
	return p
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// sameText allows for what hosts do to text they store: line ends, space around it.
func sameText(a, b string) bool {
	norm := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	return norm(a) == norm(b)
}

// Check asks the site who we are: a light call that proves address and credentials.
func (c *Client) Check(ctx context.Context) error {
	if err := c.CanSpeak(); err != nil {
		return err
	}
	c.mu.Lock()
	c.me = identity{}
	c.mu.Unlock()
	_, err := c.whoami(ctx)
	return err
}
