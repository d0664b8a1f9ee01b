package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
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
	return c.callFor(ctx, act, nil, do)
}

// callFor is call for what is not about an issue: hints say what the operator may do.
func (c *Client) callFor(ctx context.Context, act string, hints hints, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	return c.classify(act, hints, do(ctx))
}

// hints are what the operator may do about a refusal.
type hints map[bot.Code]string

// callWrite is call for a write: where no answer, or no clear one, came back, the
// write may have been carried out, or may yet be.
func (c *Client) callWrite(ctx context.Context, act string, do func(context.Context) error) error {
	return c.callWriteFor(ctx, act, nil, do)
}

// callWriteFor is callWrite with hints.
func (c *Client) callWriteFor(ctx context.Context, act string, hints hints, do func(context.Context) error) error {
	err := c.callFor(ctx, act, hints, do)
	var e, redirect *bot.Error
	if !errors.As(err, &e) || e.Code != bot.CodeUnavailable || errors.As(e.Err, &redirect) {
		return err
	}
	var line *net.OpError
	e.Unknown = !errors.As(e.Err, &line) || line.Op != "dial"
	return err
}

func (c *Client) classify(act string, hints hints, err error) error {
	if err == nil {
		return nil
	}
	var own *bot.Error
	if errors.As(err, &own) { // a redirect that was refused
		return bot.Errorf(own.Code, "%s: %w", act, own)
	}
	a, ok := answerBehind(err)
	if !ok {
		// The cause may quote addresses, never credentials: those travel in headers.
		return bot.Errorf(bot.CodeUnavailable, "%s: no usable answer: %w", act, err)
	}
	if until, ok := a.limitedUntil(c.now()); ok {
		e := bot.Errorf(bot.CodeLimited, "%s: github asks us to wait until %s", act, until.UTC().Format(time.RFC3339))
		e.Until = until
		return e
	}
	code, hint := meaning(a.status)
	if h, ok := hints[code]; ok {
		hint = h
	}
	if a.said != "" {
		hint = bot.CleanLine(a.said, maxSaid) + ": " + hint
	}
	return bot.Errorf(code, "%s: github answered %d: %s", act, a.status, hint)
}

// answer is what counts of a refusal.
type answer struct {
	status int
	header http.Header
	said   string
}

// answerBehind finds the HTTP answer behind an error.
func answerBehind(err error) (answer, bool) {
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
		return answer{plain.Response.StatusCode, plain.Response.Header, plain.Message}, true
	case errors.As(err, &rate):
		return answer{http.StatusForbidden, rateHeader(rate), rate.Message}, true
	case errors.As(err, &abuse):
		return answer{http.StatusForbidden, abuseHeader(abuse), abuse.Message}, true
	case errors.As(err, &otp):
		return answer{otp.Response.StatusCode, otp.Response.Header, otp.Message}, true
	case errors.As(err, &token) && token.Response != nil:
		defer token.Response.Body.Close() // ghinstallation leaves that to us
		return answer{token.Response.StatusCode, token.Response.Header, message(token.Response.Body)}, true
	case errors.As(err, &accept):
		return answer{http.StatusAccepted, http.Header{}, ""}, true
	}
	return answer{}, false
}

// rateHeader and abuseHeader are what a real answer carried, or, for the refusals
// that go-github makes up from memory without asking GitHub, would have carried.
func rateHeader(e *github.RateLimitError) http.Header {
	h := e.Response.Header.Clone()
	h.Set(headerRemaining, "0")
	h.Set(headerReset, strconv.FormatInt(e.Rate.Reset.Unix(), 10))
	return h
}

func abuseHeader(e *github.AbuseRateLimitError) http.Header {
	h := e.Response.Header.Clone()
	if e.RetryAfter != nil {
		h.Set(headerRetryAfter, strconv.Itoa(int(e.RetryAfter.Seconds()+0.999)))
	}
	return h
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
func (a answer) limitedUntil(now time.Time) (time.Time, bool) {
	if a.status != http.StatusForbidden && a.status != http.StatusTooManyRequests {
		return time.Time{}, false
	}
	if s, err := strconv.Atoi(a.header.Get(headerRetryAfter)); err == nil && s >= 0 {
		return now.Add(max(time.Duration(s)*time.Second, time.Second)), true
	}
	if secondary(a.said) {
		return now.Add(secondaryWait), true
	}
	if a.header.Get(headerRemaining) == "0" {
		reset, err := strconv.ParseInt(a.header.Get(headerReset), 10, 64)
		if until := time.Unix(reset, 0); err == nil && until.After(now) {
			return until, true
		}
		return now.Add(secondaryWait), true
	}
	return now.Add(secondaryWait), a.status == http.StatusTooManyRequests
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
