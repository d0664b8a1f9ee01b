package github

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/pointsman/pointsman/bot"
)

// find returns the oldest comment of ours on the issue, nil when there is none,
// and the others: a list that lags behind, or a write that landed late, may have
// led to a second one. The one that is known by id is asked for where the list
// does not hold it.
func (c *Client) find(ctx context.Context, p *post) (keep *github.IssueComment, surplus []*github.IssueComment, err error) {
	list, whole, err := c.list(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	if id, err := strconv.ParseInt(p.reply.CommentID, 10, 64); err == nil && id > 0 && !p.gone[id] &&
		!slices.ContainsFunc(list, func(cm *github.IssueComment) bool { return cm.GetID() == id }) {
		var known *github.IssueComment
		err := c.call(ctx, "reading our github comment", func(ctx context.Context) (err error) {
			known, _, err = p.api.Issues.GetComment(ctx, p.owner, p.repo, id)
			return err
		})
		switch {
		case err != nil && bot.CodeOf(err) != bot.CodeNotFound:
			return nil, nil, err
		case err == nil && p.ours(known):
			list = append(list, known)
		}
	}
	if len(list) == 0 && !whole {
		return nil, nil, bot.Errorf(bot.CodeInvalid, "listing github comments: more than %d on one issue: we stay silent there", commentsPage*maxPages)
	}
	slices.SortFunc(list, func(a, b *github.IssueComment) int { return cmp.Compare(a.GetID(), b.GetID()) })
	for _, cm := range list {
		switch certain := written(cm.GetBody()); {
		case keep == nil:
			keep = cm
		case certain && !written(keep.GetBody()): // what merely quotes us is no comment of the bot's
			keep = cm
		case certain:
			surplus = append(surplus, cm)
		}
	}
	return keep, surplus, nil
}

// list pages through the issue's comments for ours, under this ticket's marker or
// the one of where it was before a transfer. whole is false when there were more
// than we read.
func (c *Client) list(ctx context.Context, p *post) (ours []*github.IssueComment, whole bool, err error) {
	number := 1
	for range maxPages {
		var list bot.Page[*github.IssueComment]
		next := 0
		err := c.call(ctx, "listing github comments", func(ctx context.Context) error {
			resp, err := get(ctx, p.api, fmt.Sprintf("repos/%s/%s/issues/%d/comments?per_page=%d&page=%d", p.owner, p.repo, p.number, commentsPage, number), &list)
			if err == nil {
				next = resp.NextPage
			}
			return err
		})
		if err != nil {
			return nil, false, err
		}
		for _, cm := range list {
			if p.ours(cm) && !p.gone[cm.GetID()] {
				ours = append(ours, cm)
			}
		}
		if next <= number {
			return ours, true, nil
		}
		number = next
	}
	return ours, false, nil
}

// ours wants both: anyone can write a marker, and we may have said other things.
func (p *post) ours(cm *github.IssueComment) bool {
	return strings.EqualFold(cm.GetUser().GetLogin(), p.me) && strings.Contains(cm.GetBody(), family)
}

// written says that the bot wrote the body, not a person who uses its account: the
// marker is the last line, while a reply that quotes us has it behind a ">".
func written(body string) bool {
	body = strings.TrimSpace(body)
	last := strings.TrimSpace(body[strings.LastIndexByte(body, '\n')+1:])
	return strings.HasPrefix(last, family) && strings.HasSuffix(last, "-->")
}

// tidy deletes what is too much. That one is gone already is well.
func (c *Client) tidy(ctx context.Context, p *post, surplus []*github.IssueComment) error {
	for _, cm := range surplus {
		err := c.callWrite(ctx, "deleting a second github comment of ours", func(ctx context.Context) error {
			_, err := p.api.Issues.DeleteComment(ctx, p.owner, p.repo, cm.GetID())
			return err
		})
		if err != nil && bot.CodeOf(err) != bot.CodeNotFound {
			return err
		}
	}
	return nil
}
