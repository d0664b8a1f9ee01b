package jira

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/pointsman/pointsman/bot"
)

const (
	// defaultWait is how long to wait when Jira limits us without saying for how long.
	defaultWait = time.Minute

	maxSaid = 200 // runes of Jira's own message in ours
)

// unanswered classifies a call that brought no answer.
func unanswered(act string, err error) error {
	var own *bot.Error
	if errors.As(err, &own) { // a redirect that was refused
		return bot.Errorf(own.Code, "%s: %w", act, own)
	}
	// The cause may quote addresses, never credentials: those travel in headers.
	return bot.Errorf(bot.CodeUnavailable, "%s: no usable answer: %w", act, err)
}

// refused classifies an answer that is not a 2xx.
func (c *Client) refused(act string, resp *http.Response) error {
	if resp.StatusCode == http.StatusTooManyRequests || (resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "") {
		until := c.limitedUntil(resp.Header)
		e := bot.Errorf(bot.CodeLimited, "%s: jira asks us to wait until %s", act, until.UTC().Format(time.RFC3339))
		e.Until = until
		return e
	}
	code, hint := meaning(resp.StatusCode)
	if said := message(resp.Body); said != "" {
		hint = said + ": " + hint
	}
	return bot.Errorf(code, "%s: jira answered %d: %s", act, resp.StatusCode, hint)
}

func (c *Client) limitedUntil(h http.Header) time.Time {
	now := c.now()
	if s, err := strconv.Atoi(h.Get("Retry-After")); err == nil && s >= 0 {
		return now.Add(max(time.Duration(s)*time.Second, time.Second))
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00"} {
		if t, err := time.Parse(layout, h.Get("X-RateLimit-Reset")); err == nil && t.After(now) {
			return t
		}
	}
	return now.Add(defaultWait)
}

// meaning maps a status to a code, and to what the operator may do.
func meaning(status int) (bot.Code, string) {
	switch {
	case status == http.StatusUnauthorized, status >= 300 && status < 400:
		return bot.CodeUnauthorized, "check the tenant's token (and user on Jira Cloud)"
	case status == http.StatusForbidden:
		return bot.CodeForbidden, "the account may lack the permissions to add comments there, and to edit and delete its own"
	case status == http.StatusNotFound, status == http.StatusGone:
		return bot.CodeNotFound, "the issue is gone, or the account may not see it"
	case status == http.StatusRequestTimeout, status >= 500:
		return bot.CodeUnavailable, "trying again later may help"
	default:
		return bot.CodeInvalid, "the request was not accepted"
	}
}

// message is what Jira says about a refusal, on one line.
func message(body io.Reader) string {
	var m struct {
		ErrorMessages []string          `json:"errorMessages"`
		Errors        map[string]string `json:"errors"`
	}
	if json.NewDecoder(body).Decode(&m) != nil {
		return ""
	}
	said := m.ErrorMessages
	if v := m.Errors["comment"]; v != "" {
		said = append(said, v)
	}
	return bot.CleanLine(strings.Join(said, "; "), maxSaid)
}
