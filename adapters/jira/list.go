package jira

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/pointsman/pointsman/bot"
)

// listed are the fields that a ticket is made of.
const listed = "summary,description,environment,labels,components,status,resolution,security,reporter,creator,created,updated,project"

// Past lists the issues of a project, newest first, down to the first that was
// created before since; the zero time means all. Without a token only what the
// site shows to everybody is listed. Errors are *bot.Error. It only reads.
func (c *Client) Past(project string, since time.Time) bot.Pages {
	l := &listing{client: c, project: project, since: since}
	if c.flavour == DataCenter {
		return l.byOffset
	}
	return l.byToken
}

// listing is where the listing of one project stands.
type listing struct {
	client  *Client
	project string
	since   time.Time

	from  int    // DataCenter: how many were read
	token string // Cloud: of the next page
}

// byToken reads the next page of a Cloud site. It tells no total: the end is a
// page that says so, or names no next one. Version 2 is asked because its texts
// are wiki markup, as in webhooks; version 3 would send documents.
func (l *listing) byToken(ctx context.Context) ([]bot.Past, bool, error) {
	var answer struct {
		Issues bot.Page[json.RawMessage] `json:"issues"`
		Next   string                    `json:"nextPageToken"`
		IsLast bool                      `json:"isLast"`
	}
	q := url.Values{}
	if l.token != "" {
		q.Set("nextPageToken", l.token)
	}
	if err := l.search(ctx, "rest/api/2/search/jql", q, &answer); err != nil {
		return nil, false, err
	}
	more := answer.Next != "" && !answer.IsLast
	if more && answer.Next == l.token {
		return nil, false, bot.Errorf(bot.CodeUnavailable, "listing jira issues of %s: the next page leads back to this one", l.project)
	}
	l.token = answer.Next
	out, old := l.past(answer.Issues)
	return out, more && !old, nil
}

// byOffset reads the next page of a site of flavour DataCenter.
func (l *listing) byOffset(ctx context.Context) ([]bot.Past, bool, error) {
	var answer struct {
		Issues bot.Page[json.RawMessage] `json:"issues"`
		Total  int                       `json:"total"`
	}
	if err := l.search(ctx, "rest/api/2/search", url.Values{"startAt": {fmt.Sprint(l.from)}}, &answer); err != nil {
		return nil, false, err
	}
	l.from += len(answer.Issues)
	out, old := l.past(answer.Issues)
	return out, len(answer.Issues) > 0 && l.from < answer.Total && !old, nil
}

func (l *listing) search(ctx context.Context, path string, q url.Values, page any) error {
	if !validKey(l.project + "-1") {
		return bot.Errorf(bot.CodeInvalid, "listing jira issues: %q is not a project key", bot.CleanLine(l.project, maxName))
	}
	jql := fmt.Sprintf("project = %q", l.project)
	if !l.since.IsZero() {
		// JQL reads dates in the account's own time zone, so the query asks for a day
		// more; what is too old by the clock is left out here.
		jql += fmt.Sprintf(" AND created >= %q", l.since.UTC().AddDate(0, 0, -1).Format(time.DateOnly))
	}
	q.Set("jql", jql+" ORDER BY created DESC")
	q.Set("maxResults", fmt.Sprint(pageSize))
	q.Set("fields", listed)
	return l.client.do(ctx, "listing jira issues of "+l.project, http.MethodGet, path+"?"+q.Encode(), nil, page)
}

// past turns a page's entries into tickets, exactly as a webhook's issue; old is
// true when it came to one from before since.
func (l *listing) past(entries []json.RawMessage) (page []bot.Past, old bool) {
	for _, raw := range entries {
		p := l.client.entry(l.client.tenant, raw)
		if at := p.Event.Ticket.CreatedAt; !at.IsZero() && at.Before(l.since) {
			return page, true
		}
		page = append(page, p)
	}
	return page, false
}

func (p parser) entry(tenant string, raw json.RawMessage) bot.Past {
	var iss issue
	if err := json.Unmarshal(raw, &iss); err != nil {
		return bot.Past{Key: keyOf(raw), Err: bot.Errorf(bot.CodeInvalid, "reading a jira issue: not the JSON we know: %w", err)}
	}
	if !validKey(iss.Key) {
		return bot.Past{Key: keyOf(raw), Err: bot.Errorf(bot.CodeInvalid, "reading a jira issue: its key is missing")}
	}
	out := bot.Past{Key: iss.Key}
	switch creator := &iss.Fields.Creator; {
	case p.ourselves(creator):
		out.Event.Ignore = ignoreSelf
		return out
	case iss.byApp():
		out.Event.Ignore = ignoreApp
		return out
	}
	out.Event, out.Err = p.event(tenant, &iss)
	return out
}

// keyOf is the key of an issue of which the rest cannot be read.
func keyOf(raw json.RawMessage) string {
	var in struct {
		Key string `json:"key"`
	}
	if json.Unmarshal(raw, &in) != nil || in.Key == "" {
		return "?"
	}
	return bot.CleanLine(in.Key, maxName)
}
