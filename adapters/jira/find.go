package jira

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/bot"
)

// find returns the oldest comment of ours on the issue, nil when there is none,
// and the others: a list that lags behind, or a write that landed late, may have
// led to a second one. The one that is known by id is asked for where the list
// does not hold it. Those in gone are passed over.
func (c *Client) find(ctx context.Context, me user, r bot.Reply, gone map[string]bool) (keep *comment, surplus []*comment, err error) {
	list, whole, err := c.list(ctx, me, r.Target.Key)
	if err != nil {
		return nil, nil, err
	}
	id := r.CommentID
	if digits(id) && !gone[id] && !slices.ContainsFunc(list, func(cm *comment) bool { return cm.ID == id }) {
		var known comment
		err := c.do(ctx, "reading our jira comment", http.MethodGet, commentPath(r.Target.Key, id), nil, &known)
		switch {
		case err != nil && bot.CodeOf(err) != bot.CodeNotFound:
			return nil, nil, err
		case err == nil && known.by(me):
			list = append(list, &known)
		}
	}
	if len(list) == 0 && !whole {
		return nil, nil, bot.Errorf(bot.CodeInvalid, "listing jira comments: more than %d on one issue: we stay silent there", pageSize*maxPages)
	}
	list = slices.DeleteFunc(list, func(cm *comment) bool { return gone[cm.ID] })
	slices.SortStableFunc(list, func(a, b *comment) int { return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID)) })
	for _, cm := range list {
		switch certain := written(cm.Body); {
		case keep == nil:
			keep = cm
		case certain && !written(keep.Body): // what merely quotes us is no comment of the bot's
			keep = cm
		case certain:
			surplus = append(surplus, cm)
		}
	}
	return keep, surplus, nil
}

// list pages through the comments for ours, under this ticket's marker or
// the one of where it was before a move between projects. whole is false when
// there were more than we read.
func (c *Client) list(ctx context.Context, me user, key string) (ours []*comment, whole bool, err error) {
	from := 0
	for range maxPages {
		var answer struct {
			Total    int                `json:"total"`
			Comments bot.Page[*comment] `json:"comments"`
		}
		q := url.Values{"startAt": {fmt.Sprint(from)}, "maxResults": {fmt.Sprint(pageSize)}, "orderBy": {"created"}}
		err := c.do(ctx, "listing jira comments", http.MethodGet, commentPath(key, "")+"?"+q.Encode(), nil, &answer)
		if err != nil {
			return nil, false, err
		}
		for _, cm := range answer.Comments {
			if cm.by(me) {
				ours = append(ours, cm)
			}
		}
		from += len(answer.Comments)
		if len(answer.Comments) == 0 || from >= answer.Total {
			return ours, true, nil
		}
	}
	return ours, false, nil
}

// by wants both: anyone can write a marker, and we may have said other things.
func (cm *comment) by(me user) bool {
	return cm != nil && me.same(cm.Author) && strings.Contains(cm.Body, family)
}

// written says that the bot wrote the body, not a person who uses its account: the
// marker ends it, and the line is no quotation.
func written(body string) bool {
	body = strings.TrimSpace(body)
	at := strings.LastIndex(body, family)
	start := strings.LastIndexByte(body, '\n') + 1
	return at >= start && strings.IndexByte(body[at:], '}') == len(body)-at-1 &&
		!strings.HasPrefix(body[start:], "bq.") && !strings.Contains(body, "{quote")
}

// tidy deletes what is too much. That one is gone already is well.
func (c *Client) tidy(ctx context.Context, r bot.Reply, surplus []*comment) error {
	for _, cm := range surplus {
		err := c.do(ctx, "deleting a second jira comment of ours", http.MethodDelete, commentPath(r.Target.Key, cm.ID), nil, nil)
		if err != nil && bot.CodeOf(err) != bot.CodeNotFound {
			return err
		}
	}
	return nil
}
