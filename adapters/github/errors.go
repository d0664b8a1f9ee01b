package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v62/github"

	"github.com/pointsman/pointsman/bot"
)

const (
	headerRetryAfter = "Retry-After"
	headerRemaining  = "X-RateLimit-Remaining"
	headerReset      = "X-RateLimit-Reset"

	// secondaryWait is how long to wait when GitHub limits us without saying for how long.
	secondaryWait = time.Minute

	maxAnswer = 64 << 10 // of an error's body
	maxSaid   = 200      // runes of GitHub's own message in ours
)

// call bounds one API call in time and turns its failure into a *bot.Error.
func (c *Client) call(ctx context.Context, act string, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	return c.classify(act, do(ctx))
}

func (c *Client) classify(act string, err error) error {
	if err == nil {
		return nil
	}
	var own *bot.Error
	if errors.As(err, &own) { // a redirect that was refused
		return bot.Errorf(own.Code, "%s: %w", act, own)
	}
	resp, said := response(err)
	if resp == nil {
		// The cause may quote addresses, never credentials: those travel in headers.
		return bot.Errorf(bot.CodeUnavailable, "%s: no usable answer: %w", act, err)
	}
	if until, ok := c.limitedUntil(resp, said); ok {
		e := bot.Errorf(bot.CodeLimited, "%s: github asks us to wait until %s", act, until.UTC().Format(time.RFC3339))
		e.Until = until
		return e
	}
	code, hint := meaning(resp.StatusCode)
	if said != "" {
		hint = bot.CleanLine(said, maxSaid) + ": " + hint
	}
	return bot.Errorf(code, "%s: github answered %d: %s", act, resp.StatusCode, hint)
}

// response finds the HTTP answer behind an error, and what it said.
func response(err error) (*http.Response, string) {
	var (
		plain  *github.ErrorResponse
		rate   *github.RateLimitError
		abuse  *github.AbuseRateLimitError
		otp    *github.TwoFactorAuthError
		token  *ghinstallation.HTTPError
		accept *github.AcceptedError
	)
	switch {
	case errors.As(err, &plain):
		return plain.Response, plain.Message
	case errors.As(err, &rate):
		return rateResponse(rate), rate.Message
	case errors.As(err, &abuse):
		return abuseResponse(abuse), abuse.Message
	case errors.As(err, &otp):
		return otp.Response, otp.Message
	case errors.As(err, &token) && token.Response != nil:
		defer token.Response.Body.Close()
		return token.Response, message(token.Response.Body)
	case errors.As(err, &accept):
		return &http.Response{StatusCode: http.StatusAccepted, Header: http.Header{}}, ""
	}
	return nil, ""
}

// rateResponse and abuseResponse give the answers that go-github makes up from
// memory, without asking GitHub, the headers that real ones carry.
func rateResponse(e *github.RateLimitError) *http.Response {
	h := http.Header{}
	h.Set(headerRemaining, "0")
	h.Set(headerReset, strconv.FormatInt(e.Rate.Reset.Unix(), 10))
	return withDefaults(e.Response, h)
}

func abuseResponse(e *github.AbuseRateLimitError) *http.Response {
	h := http.Header{}
	wait := secondaryWait
	if e.RetryAfter != nil {
		wait = *e.RetryAfter
	}
	h.Set(headerRetryAfter, strconv.Itoa(int(wait/time.Second)+1))
	return withDefaults(e.Response, h)
}

func withDefaults(r *http.Response, h http.Header) *http.Response {
	out := &http.Response{StatusCode: http.StatusForbidden, Header: h}
	if r != nil {
		out.StatusCode = r.StatusCode
		for k := range h {
			if v := r.Header.Get(k); v != "" {
				h.Set(k, v)
			}
		}
	}
	return out
}

func message(body io.Reader) string {
	var m struct {
		Message string `json:"message"`
	}
	if json.NewDecoder(io.LimitReader(body, maxAnswer)).Decode(&m) != nil {
		return ""
	}
	return m.Message
}

// limitedUntil tells a rate limit from a refusal, and when it ends.
func (c *Client) limitedUntil(r *http.Response, said string) (time.Time, bool) {
	if r.StatusCode != http.StatusForbidden && r.StatusCode != http.StatusTooManyRequests {
		return time.Time{}, false
	}
	now := c.now()
	if s, err := strconv.Atoi(r.Header.Get(headerRetryAfter)); err == nil && s >= 0 {
		return now.Add(max(time.Duration(s)*time.Second, time.Second)), true
	}
	if secondary(said) {
		return now.Add(secondaryWait), true
	}
	if r.Header.Get(headerRemaining) == "0" {
		reset, err := strconv.ParseInt(r.Header.Get(headerReset), 10, 64)
		if until := time.Unix(reset, 0); err == nil && until.After(now) {
			return until, true
		}
		return now.Add(secondaryWait), true
	}
	return now.Add(secondaryWait), r.StatusCode == http.StatusTooManyRequests
}

func secondary(said string) bool {
	s := strings.ToLower(said)
	return strings.Contains(s, "secondary rate limit") || strings.Contains(s, "abuse detection")
}

// meaning maps a status to a code, and to what the operator may do.
func meaning(status int) (bot.Code, string) {
	switch {
	case status == http.StatusUnauthorized:
		return bot.CodeUnauthorized, "check github.token, or github.appID and its private key"
	case status == http.StatusForbidden, status == http.StatusUnavailableForLegalReasons:
		return bot.CodeForbidden, "the repository may be archived, the issue locked, or the App may lack the permission issues: write"
	case status == http.StatusNotFound, status == http.StatusGone:
		return bot.CodeNotFound, "the issue or repository is gone, or the App is not installed there"
	case status == http.StatusRequestTimeout, status >= 500, status == http.StatusAccepted:
		return bot.CodeUnavailable, "trying again later may help"
	default:
		return bot.CodeInvalid, "the request was not accepted"
	}
}

// limits mends answers before go-github draws conclusions from them: after a
// secondary limit without Retry-After it would refuse to call anybody until the
// hourly reset. A minute is what GitHub advises.
type limits struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (l limits) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(req)
	if err != nil || resp.Header.Get(headerRetryAfter) != "" ||
		(resp.StatusCode != http.StatusForbidden && resp.StatusCode != http.StatusTooManyRequests) {
		return resp, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	_ = resp.Body.Close() // it was only read
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	if secondary(message(bytes.NewReader(body))) {
		resp.Header.Set(headerRetryAfter, strconv.Itoa(int(secondaryWait/time.Second)))
	}
	return resp, nil
}
