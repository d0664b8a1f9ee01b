package github

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/pointsman/pointsman/bot"
)

const (
	pageSize = 100

	// maxQuery bounds what is taken over of the address of a next page.
	maxQuery = 2_000
)

// Past lists the issues of a repository, "owner/name", open or not, newest first,
// down to the first that was created before since; the zero time means all. Pull
// requests and what bots opened come with the reason to ignore them, as their
// webhooks would. Without credentials only public repositories can be listed.
// Errors are *bot.Error. It only reads.
func (c *Client) Past(repo string, since time.Time) bot.Pages {
	l := &listing{client: c, asked: repo, since: since}
	return l.next
}

// listing is where the listing of one repository stands.
type listing struct {
	client *Client
	asked  string
	since  time.Time

	api   *github.Client // nil before the first page
	place repository     // under its present name
	query string         // of the next page
}

func (l *listing) next(ctx context.Context) ([]bot.Past, bool, error) {
	if l.api == nil {
		if err := l.open(ctx); err != nil {
			return nil, false, err
		}
	}
	var raw bot.Page[json.RawMessage]
	var query string
	err := l.client.call(ctx, "listing github issues of "+l.place.FullName, func(ctx context.Context) error {
		resp, err := get(ctx, l.api, "repos/"+l.place.FullName+"/issues?"+l.query, &raw)
		if err == nil {
			query = nextQuery(resp.Header)
		}
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if query == l.query {
		return nil, false, bot.Errorf(bot.CodeUnavailable, "listing github issues of %s: the next page leads back to this one", l.place.FullName)
	}
	more := query != ""
	out := make([]bot.Past, 0, len(raw))
	for _, r := range raw {
		p, created := l.past(r)
		if !created.IsZero() && created.Before(l.since) {
			more = false
			break
		}
		out = append(out, p)
	}
	l.query = query
	return out, more, nil
}

// open finds out how the repository is called now, and who may read it.
func (l *listing) open(ctx context.Context) error {
	if _, _, err := splitRepo(l.asked); err != nil {
		return err
	}
	api, err := l.client.api(ctx, bot.Target{Repo: l.asked})
	if err != nil {
		return err
	}
	if api == nil { // no credentials: what is public can be read all the same, if not often
		api = l.client.auth.client(l.client.auth.inner)
	}
	err = l.client.call(ctx, "looking up the github repository "+l.asked, func(ctx context.Context) error {
		_, err := get(ctx, api, "repos/"+l.asked, &l.place)
		return err
	})
	if err != nil {
		return err
	}
	if _, _, err := splitRepo(l.place.FullName); err != nil {
		return err
	}
	q := url.Values{"state": {"all"}, "sort": {"created"}, "direction": {"desc"}, "per_page": {fmt.Sprint(pageSize)}}
	if !l.since.IsZero() {
		q.Set("since", l.since.UTC().Format(time.RFC3339)) // by the last change, which is never before the first
	}
	l.query, l.api = q.Encode(), api
	return nil
}

// past turns one entry of a page into a ticket, exactly as a webhook's issue.
func (l *listing) past(raw json.RawMessage) (bot.Past, time.Time) {
	var iss issue
	if err := json.Unmarshal(raw, &iss); err != nil {
		return bot.Past{
			Key: fmt.Sprintf("%s#%s", l.place.FullName, numberOf(raw)),
			Err: bot.Errorf(bot.CodeInvalid, "reading a github issue: not the JSON we know: %w", err),
		}, time.Time{}
	}
	p := bot.Past{Key: fmt.Sprintf("%s#%d", l.place.FullName, iss.Number)}
	created, _ := time.Parse(time.RFC3339, iss.CreatedAt) // unknown stays zero, as with webhooks
	switch {
	case iss.isPull():
		p.Event.Ignore = ignorePull
	case iss.User.Type == typeBot:
		p.Event.Ignore = "opened by a bot"
	case l.client.ourselves(iss.User.Login):
		p.Event.Ignore = ignoreSelf
	default:
		p.Event, p.Err = event(&iss, &l.place, 0)
	}
	return p, created
}

// numberOf is the number of an issue of which the rest cannot be read.
func numberOf(raw json.RawMessage) string {
	var in struct {
		Number json.Number `json:"number"`
	}
	if json.Unmarshal(raw, &in) != nil || in.Number == "" {
		return "?"
	}
	return bot.CleanLine(in.Number.String(), maxName)
}

// get reads one answer in our own words: the SDK's types would refuse a whole
// page for one field of one issue.
func get(ctx context.Context, api *github.Client, path string, out any) (*github.Response, error) {
	req, err := api.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	return api.Do(ctx, req, out)
}

// nextQuery is the query of the next page, "" after the last. GitHub pages by
// number or by a cursor, as it likes; only the query is followed, never the host.
func nextQuery(h http.Header) string {
	for _, link := range strings.Split(h.Get("Link"), ",") {
		target, params, ok := strings.Cut(strings.TrimSpace(link), ">")
		if !ok || !strings.Contains(params, `rel="next"`) {
			continue
		}
		u, err := url.Parse(strings.TrimPrefix(target, "<"))
		if err != nil || len(u.RawQuery) > maxQuery {
			return ""
		}
		return u.Query().Encode()
	}
	return ""
}
