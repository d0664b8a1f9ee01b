package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing"
)

const maxKey = 300 // characters of a ticket's key

// Decisions finds what was decided.
type Decisions interface {
	// DecisionByRef returns the newest decision on the ticket that ref means, an
	// empty system or tenant standing for any; none is a *bot.Error with code
	// CodeNotFound, more than one ticket a *store.AmbiguousError.
	DecisionByRef(ctx context.Context, ref routing.Ref) (store.Decision, error)
}

// Router decides where a ticket belongs.
type Router interface {
	Route(ctx context.Context, t routing.Ticket) (routing.Decision, error)
}

// Options are what the API answers from.
type Options struct {
	Decisions    Decisions
	Router       Router
	MaxBodyBytes int64
	Log          *slog.Logger
}

// Register adds the routes of /api/v1.
func Register(r gin.IRouter, o Options) {
	r.GET("/api/v1/decisions", o.latest)
	r.POST("/api/v1/route", o.route)
}

func (o Options) latest(c *gin.Context) {
	key := c.Query("ticket")
	if key == "" {
		o.fail(c, bot.Errorf(bot.CodeInvalid, "ticket is missing: ask for /api/v1/decisions?ticket=KEY, with the key percent-encoded"))
		return
	}
	ref := routing.Ref{System: c.Query("source"), Tenant: c.Query("tenant"), Key: key}
	d, err := o.Decisions.DecisionByRef(c.Request.Context(), ref)
	var many *store.AmbiguousError
	if errors.As(err, &many) {
		answer(c, http.StatusConflict, bot.CodeInvalid, choices(many))
		return
	}
	if bot.CodeOf(err) == bot.CodeNotFound {
		err = bot.Errorf(bot.CodeNotFound, "there is no decision on ticket %q", bot.CleanLine(key, maxKey))
	}
	if err != nil {
		o.fail(c, err)
		return
	}
	c.Data(http.StatusOK, "application/json; charset=utf-8", d.JSON)
}

// choices tells an asker how to name the one ticket that is meant.
func choices(many *store.AmbiguousError) string {
	list := make([]string, 0, len(many.Choices))
	for _, ref := range many.Choices {
		one := "source=" + url.QueryEscape(ref.System)
		if ref.Tenant != "" {
			one += "&tenant=" + url.QueryEscape(ref.Tenant)
		}
		list = append(list, one)
	}
	return fmt.Sprintf("%q is the key of several tickets: add one of %s", bot.CleanLine(many.Key, maxKey), strings.Join(list, ", "))
}

func (o Options) route(c *gin.Context) {
	var in struct {
		Title string `json:"title"`
		Body  string `json:"body"`
		Key   string `json:"key"`
	}
	data, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, o.MaxBodyBytes))
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			answer(c, http.StatusRequestEntityTooLarge, bot.CodeInvalid, "the body is larger than maxBodyBytes")
			return
		}
		o.fail(c, bot.Errorf(bot.CodeInvalid, "the body ended early"))
		return
	}
	if err := json.Unmarshal(data, &in); err != nil {
		o.fail(c, bot.Errorf(bot.CodeInvalid, "the body is not JSON of the form {title, body, key}: %w", err))
		return
	}
	if in.Title == "" && in.Body == "" {
		o.fail(c, bot.Errorf(bot.CodeInvalid, "title and body are both empty: there is nothing to route"))
		return
	}
	d, err := o.Router.Route(c.Request.Context(), routing.Ticket{
		Ref: routing.Ref{System: "text", Key: bot.CleanLine(in.Key, maxKey)}, Title: in.Title, Body: in.Body,
	})
	if err != nil {
		o.fail(c, err)
		return
	}
	c.JSON(http.StatusOK, d)
}

// fail answers with the error's own words when it has a code for the asker, and
// keeps the inside for the log when it has not.
func (o Options) fail(c *gin.Context, err error) {
	code := bot.CodeOf(err)
	status := map[bot.Code]int{
		bot.CodeInvalid: http.StatusBadRequest, bot.CodeUnauthorized: http.StatusUnauthorized,
		bot.CodeForbidden: http.StatusForbidden, bot.CodeNotFound: http.StatusNotFound,
		bot.CodeLimited: http.StatusTooManyRequests, bot.CodeUnavailable: http.StatusServiceUnavailable,
	}[code]
	text := err.Error()
	if status == 0 {
		status, code, text = http.StatusInternalServerError, bot.CodeInternal, "something went wrong here; the log says what"
	}
	if status >= http.StatusInternalServerError {
		o.Log.ErrorContext(c.Request.Context(), "a question could not be answered", bot.LogPath, c.Request.URL.Path, bot.LogErr, err)
	}
	answer(c, status, code, text)
}

func answer(c *gin.Context, status int, code bot.Code, text string) {
	c.AbortWithStatusJSON(status, gin.H{"error": text, "code": code})
}
