package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing"
)

type decisions map[string]string

func (d decisions) DecisionByRef(_ context.Context, ref routing.Ref) (store.Decision, error) {
	if ref.Key == "broken" {
		return store.Decision{}, errors.New("secret inside")
	}
	if ref.Key == "OPS-1" && (ref.System != "jira" || ref.Tenant == "") {
		return store.Decision{}, &store.AmbiguousError{Key: ref.Key, Choices: []routing.Ref{
			{System: "github"}, {System: "jira", Tenant: "acme"}, {System: "jira", Tenant: "birch"},
		}}
	}
	text, ok := d[ref.Tenant+ref.Key]
	if !ok {
		return store.Decision{}, bot.Errorf(bot.CodeNotFound, "no row")
	}
	return store.Decision{JSON: json.RawMessage(text)}, nil
}

type router struct{}

func (router) Route(_ context.Context, t routing.Ticket) (routing.Decision, error) {
	if t.Title == "too early" {
		return routing.Decision{}, bot.Errorf(bot.CodeUnavailable, "the index is being built")
	}
	return routing.Decision{Schema: routing.DecisionSchema, Ticket: routing.TicketName{
		Source: t.Ref.System, Key: t.Ref.Key, Title: t.Title + "|" + t.Body,
	}}, nil
}

func serve(t *testing.T, token bot.Secret, ready error, req *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	RegisterHealth(r, func(context.Context) error { return ready })
	Register(r.Group("", Guard(token)), Options{
		Decisions: decisions{"acme/web#1": `{"schema":"x"}`, "birchOPS-1": `{"schema":"birch"}`}, Router: router{}, MaxBodyBytes: 100,
		Log: slog.New(slog.DiscardHandler),
	})
	rec := httptest.NewRecorder()
	r.ServeHTTP(rec, req)
	return rec
}

func TestAPI(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		want                     string
	}{
		{"found", "GET", "/api/v1/decisions?ticket=acme%2Fweb%231", "", 200, `{"schema":"x"}`},
		{"none", "GET", "/api/v1/decisions?ticket=acme%2Fweb%232", "", 404, `{"code":"not_found","error":"there is no decision on ticket \"acme/web#2\""}`},
		{"of two sites", "GET", "/api/v1/decisions?ticket=OPS-1", "", 409, `\"OPS-1\" is the key of several tickets: add one of source=github, source=jira\u0026tenant=acme, source=jira\u0026tenant=birch`},
		{"of one site", "GET", "/api/v1/decisions?ticket=OPS-1&source=jira&tenant=birch", "", 200, `{"schema":"birch"}`},
		{"no key", "GET", "/api/v1/decisions", "", 400, `ticket is missing`},
		{"broken", "GET", "/api/v1/decisions?ticket=broken", "", 500, `the log says what`},
		{"route", "POST", "/api/v1/route", `{"title":"a","body":"b","key":"K-1"}`, 200, `"ticket":{"source":"text","key":"K-1","title":"a|b"`},
		{"route without key", "POST", "/api/v1/route", `{"title":"a"}`, 200, `"key":"","title":"a|"`},
		{"nothing", "POST", "/api/v1/route", `{}`, 400, `there is nothing to route`},
		{"junk", "POST", "/api/v1/route", `{`, 400, `not JSON of the form`},
		{"too early", "POST", "/api/v1/route", `{"title":"too early"}`, 503, `the index is being built`},
		{"too large", "POST", "/api/v1/route", strings.Repeat("x", 101), 413, `larger than maxBodyBytes`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req := httptest.NewRequestWithContext(t.Context(), c.method, c.path, strings.NewReader(c.body))
			req.Header.Set("Authorization", "Bearer t")
			rec := serve(t, "t", nil, req)
			if rec.Code != c.status || !strings.Contains(rec.Body.String(), c.want) {
				t.Errorf("answer %d %s; want %d %s", rec.Code, rec.Body, c.status, c.want)
			}
			if strings.Contains(rec.Body.String(), "secret inside") {
				t.Errorf("the answer shows the inside: %s", rec.Body)
			}
		})
	}
}

func TestGuard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		token        bot.Secret
		peer, host   string
		header, word string
		status       int
	}{
		{"bearer", "t", "10.0.0.1:9", "bot.example.com", "Authorization", "Bearer t", 200},
		{"password", "t", "10.0.0.1:9", "bot.example.com", "Authorization", "Basic dTp0", 200}, // u:t
		{"wrong bearer", "t", "127.0.0.1:9", "localhost", "Authorization", "Bearer u", 401},
		{"token as user", "t", "127.0.0.1:9", "localhost", "Authorization", "Basic dDp1", 401}, // t:u
		{"nothing sent", "t", "127.0.0.1:9", "localhost", "", "", 401},
		{"empty bearer", "t", "127.0.0.1:9", "localhost", "Authorization", "Bearer ", 401},
		{"local", "", "127.0.0.1:9", "127.0.0.1:8080", "", "", 200},
		{"local by name", "", "127.0.0.1:9", "localhost:8080", "", "", 200},
		{"local over IPv6", "", "[::1]:9", "[::1]:8080", "", "", 200},
		{"local, mapped", "", "[::ffff:127.0.0.1]:9", "localhost", "", "", 200},
		{"from outside", "", "10.0.0.1:9", "localhost", "", "", 403},
		{"proxied", "", "127.0.0.1:9", "localhost", "X-Forwarded-For", "10.0.0.1", 403},
		{"proxied, standard", "", "127.0.0.1:9", "localhost", "Forwarded", "for=10.0.0.1", 403},
		{"proxied, real ip", "", "127.0.0.1:9", "localhost", "X-Real-IP", "10.0.0.1", 403},
		{"proxied, empty mark", "", "127.0.0.1:9", "localhost", "X-Forwarded-For", "", 403},
		{"proxied, host", "", "127.0.0.1:9", "localhost", "X-Forwarded-Host", "bot.example.com", 403},
		{"proxied, via", "", "127.0.0.1:9", "localhost", "Via", "1.1 edge", 403},
		{"proxied, cdn", "", "127.0.0.1:9", "localhost", "CF-Connecting-IP", "10.0.0.1", 403},
		{"proxied, other cdn", "", "127.0.0.1:9", "localhost", "True-Client-IP", "10.0.0.1", 403},
		{"proxied, with the token", "t", "127.0.0.1:9", "bot.example.com", "Authorization", "Bearer t", 200},
		{"a page of ours", "", "127.0.0.1:9", "127.0.0.1:8080", "Origin", "http://127.0.0.1:8080", 200},
		{"another site's page", "", "127.0.0.1:9", "127.0.0.1:8080", "Origin", "http://evil.example", 403},
		{"a file's page", "", "127.0.0.1:9", "127.0.0.1:8080", "Origin", "null", 403},
		{"a name that points here", "", "127.0.0.1:9", "evil.example.com:8080", "", "", 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req := httptest.NewRequestWithContext(t.Context(), "GET", "/api/v1/decisions?ticket=acme%2Fweb%231", nil)
			req.RemoteAddr, req.Host = c.peer, c.host
			if c.header != "" {
				req.Header.Set(c.header, c.word)
			}
			rec := serve(t, c.token, nil, req)
			// What nginx sends by default is HTTP/1.0, and bears no other mark.
			old := req.Clone(req.Context())
			old.Proto, old.ProtoMinor = "HTTP/1.0", 0
			want := c.status
			if c.token == "" {
				want = http.StatusForbidden
			}
			if got := serve(t, c.token, nil, old).Code; got != want {
				t.Errorf("HTTP/1.0 is answered with %d; want %d", got, want)
			}
			if rec.Code != c.status {
				t.Errorf("answer %d %s; want %d", rec.Code, rec.Body, c.status)
			}
			if c.status == 403 && !strings.Contains(rec.Body.String(), "adminToken") {
				t.Errorf("the refusal does not say what to configure: %s", rec.Body)
			}
		})
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path   string
		ready  error
		status int
		want   string
	}{
		{"/healthz", errors.New("no index yet"), 200, `{"status":"ok"}`},
		{"/readyz", nil, 200, `{"status":"ready"}`},
		{"/readyz", errors.New("no index yet"), 503, `{"reason":"no index yet","status":"not ready"}`},
	} {
		req := httptest.NewRequestWithContext(t.Context(), "GET", c.path, nil)
		req.RemoteAddr = "10.0.0.1:9"
		rec := serve(t, "t", c.ready, req)
		if rec.Code != c.status || rec.Body.String() != c.want {
			t.Errorf("%s answers %d %s; want %d %s", c.path, rec.Code, rec.Body, c.status, c.want)
		}
	}
}
