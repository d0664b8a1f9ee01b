package github

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/go-github/v62/github"

	"github.com/pointsman/pointsman/bot"
)

const (
	// maxComment is GitHub's limit, in characters.
	maxComment = 65_536

	// family is what every comment of Pointsman holds, whatever its ticket. An issue
	// that was transferred brings our comment with it, under its old marker.
	family = "<!-- pointsman:"

	// Forty comments of 65,536 characters fit into bot.MaxAnswer however they are written.
	commentsPage = 40
	maxPages     = 500

	// maxTries is how often a comment may vanish before it is edited.
	maxTries = 3
)

// post is where one reply goes.
type post struct {
	api         *github.Client
	owner, repo string
	number      int
	me          string // login
	reply       bot.Reply
	gone        map[int64]bool // comments that were found, but are deleted
}

// Speak puts the reply on its issue, once: a comment of ours that is there
// already, known by id or found by marker and author, is brought up to date. Of
// several, which a write that landed late may have left, the oldest is kept and
// the others are deleted. Errors are *bot.Error with codes as their type describes;
// Unknown is set when a comment may have been written all the same.
func (c *Client) Speak(ctx context.Context, r bot.Reply) (bot.Said, error) {
	p, err := c.prepare(ctx, r)
	if err != nil {
		return bot.Said{}, err
	}
	// A comment may be deleted between finding and editing it. Then look once more.
	for range maxTries {
		keep, surplus, err := c.find(ctx, p)
		if err != nil {
			return bot.Said{}, err
		}
		if keep == nil {
			break
		}
		said, err := c.update(ctx, p, keep)
		switch {
		case bot.CodeOf(err) == bot.CodeNotFound:
			p.gone[keep.GetID()] = true
			continue
		case err != nil:
			return bot.Said{}, err
		}
		if err := c.tidy(ctx, p, surplus); err != nil {
			return bot.Said{}, err
		}
		return said, nil
	}
	return c.create(ctx, p)
}

// prepare refuses what GitHub would refuse, before anything is sent.
func (c *Client) prepare(ctx context.Context, r bot.Reply) (*post, error) {
	owner, repo, err := splitRepo(r.Target.Repo)
	switch {
	case err != nil:
		return nil, err
	case r.Target.Number <= 0:
		return nil, bot.Errorf(bot.CodeInvalid, "speaking on github: the target has no issue number")
	case r.Marker == "" || !strings.Contains(r.Body, r.Marker):
		return nil, bot.Errorf(bot.CodeInvalid, "speaking on github: the comment does not hold its marker: it could never be found again")
	case utf8.RuneCountInString(r.Body) > maxComment:
		return nil, bot.Errorf(bot.CodeInvalid, "speaking on github: the comment is longer than %d characters", maxComment)
	}
	if err := c.CanSpeak(); err != nil {
		return nil, err
	}
	me, err := c.whoami(ctx)
	if err != nil {
		return nil, err
	}
	api, err := c.api(ctx, r.Target)
	if err != nil {
		return nil, err
	}
	return &post{api: api, owner: owner, repo: repo, number: r.Target.Number, me: me, reply: r, gone: map[int64]bool{}}, nil
}

func (c *Client) update(ctx context.Context, p *post, found *github.IssueComment) (bot.Said, error) {
	if sameText(found.GetBody(), p.reply.Body) {
		s := said(found)
		s.Unchanged = true
		return s, nil
	}
	return c.write(ctx, "editing our github comment", p, func(ctx context.Context) (*github.IssueComment, *github.Response, error) {
		return p.api.Issues.EditComment(ctx, p.owner, p.repo, found.GetID(), &github.IssueComment{Body: &p.reply.Body})
	})
}

func (c *Client) create(ctx context.Context, p *post) (bot.Said, error) {
	return c.write(ctx, "creating our github comment", p, func(ctx context.Context) (*github.IssueComment, *github.Response, error) {
		return p.api.Issues.CreateComment(ctx, p.owner, p.repo, p.number, &github.IssueComment{Body: &p.reply.Body})
	})
}

type writeCall func(context.Context) (*github.IssueComment, *github.Response, error)

// write sends a write. GitHub answers one to a renamed repository with 307, which
// is followed; any other redirect means asking for the new name and trying once more.
func (c *Client) write(ctx context.Context, act string, p *post, do writeCall) (bot.Said, error) {
	var s bot.Said
	once := func(ctx context.Context) error {
		cm, _, err := do(ctx)
		if err == nil {
			s = said(cm)
		}
		return err
	}
	moved := false
	err := c.callWrite(ctx, act, func(ctx context.Context) error {
		err := once(ctx)
		var resp *github.ErrorResponse
		moved = errors.As(err, &resp) && resp.Response.StatusCode >= 300 && resp.Response.StatusCode < 400
		return err
	})
	if !moved {
		return s, err
	}
	if err := c.rename(ctx, p); err != nil {
		return bot.Said{}, err
	}
	return s, c.callWrite(ctx, act, once)
}

// rename reads the repository's present name.
func (c *Client) rename(ctx context.Context, p *post) error {
	return c.call(ctx, "asking for the repository's new name", func(ctx context.Context) error {
		r, _, err := p.api.Repositories.Get(ctx, p.owner, p.repo)
		if err != nil {
			return err
		}
		owner, repo, err := splitRepo(r.GetFullName())
		if err != nil {
			return err
		}
		p.owner, p.repo = owner, repo
		return nil
	})
}

func said(cm *github.IssueComment) bot.Said {
	return bot.Said{CommentID: strconv.FormatInt(cm.GetID(), 10), URL: cm.GetHTMLURL()}
}

// sameText allows for what hosts do to text they store: line ends, space around it.
func sameText(a, b string) bool {
	norm := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	return norm(a) == norm(b)
}

// Check asks GitHub who we are: a light call that proves address and credentials.
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
