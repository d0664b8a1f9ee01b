package console

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing"
)

// listed is how many decisions the first page shows.
const listed = 100

//go:embed pages/*.html
var pages embed.FS

// Decisions finds what was decided.
type Decisions interface {
	Decisions(ctx context.Context, limit int) ([]store.Decision, error)
	// Decision returns one; an unknown row is a *bot.Error with code CodeNotFound.
	Decision(ctx context.Context, row int64) (store.Decision, error)
}

// Options are what the console shows.
type Options struct {
	Decisions Decisions
	Metrics   *Metrics
	Mode      string // shown on every page: people must know whether comments are written
	Program   string // name of this build
	Log       *slog.Logger
}

// Register adds the pages and /metrics. The error is a broken template.
func Register(r gin.IRouter, o Options) error {
	t, err := template.New("").Funcs(template.FuncMap{
		"percent": func(f float64) string { return fmt.Sprintf("%.1f %%", 100*f) },
		"score":   func(f float64) string { return strconv.FormatFloat(f, 'f', 3, 64) },
		"join":    func(list []string) string { return strings.Join(list, ", ") },
		"short":   func(s string) string { return s[:min(len(s), 12)] },
		"when":    func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
		"query":   url.QueryEscape,
	}).ParseFS(pages, "pages/*.html")
	if err != nil {
		return fmt.Errorf("reading the console's pages: %w", err)
	}
	s := site{Options: o, pages: t}
	r.GET("/", s.list)
	r.GET("/decisions/:row", s.one)
	r.GET("/decisions/:row/json", s.raw)
	r.GET("/metrics", gin.WrapH(o.Metrics.Handler()))
	return nil
}

type site struct {
	Options
	pages *template.Template
}

// entry is a decision as the pages show it.
type entry struct {
	Row       int64
	DecidedAt time.Time
	routing.Decision
}

// Top are the first three candidates and those that share the third rank.
func (e entry) Top() []routing.Candidate {
	n := 0
	for n < len(e.Candidates) && e.Candidates[n].Rank <= 3 {
		n++
	}
	return e.Candidates[:n]
}

// Mark is a rank as a list shows it: "2=" is shared.
func (e entry) Mark(c routing.Candidate) string {
	n := 0
	for _, other := range e.Candidates {
		if other.Rank == c.Rank {
			n++
		}
	}
	if n > 1 {
		return strconv.Itoa(c.Rank) + "="
	}
	return strconv.Itoa(c.Rank) + "."
}

// Ties are the places that the text cannot decide, each in whole sentences.
func (e entry) Ties() []string {
	var list []string
	for _, a := range e.Ambiguities {
		text := a.Reason
		if text == "" {
			text = "the text cannot tell " + strings.Join(a.Repos, " and ") + " apart"
		}
		text = sentence(text)
		if a.Ask != "" {
			text += " What would: " + sentence(a.Ask)
		}
		list = append(list, text)
	}
	return list
}

// Own are a candidate's reasons, without what the ties say already.
func (e entry) Own(c routing.Candidate) []string {
	return slices.DeleteFunc(slices.Clone(c.Reasons), func(reason string) bool {
		return slices.ContainsFunc(e.Ambiguities, func(a routing.Ambiguity) bool { return a.Reason == reason })
	})
}

// sentence begins with a capital letter and ends with a mark.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	if !strings.ContainsAny(s[len(s)-1:], ".?!") {
		s += "."
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

type page struct {
	Mode, Program, Title string
	Body                 any
}

func (s site) list(c *gin.Context) {
	rows, err := s.Decisions.Decisions(c.Request.Context(), listed)
	if err != nil {
		s.fail(c, err)
		return
	}
	list := make([]entry, 0, len(rows))
	for _, row := range rows {
		e, err := decode(row)
		if err != nil {
			s.fail(c, err)
			return
		}
		list = append(list, e)
	}
	s.show(c, http.StatusOK, "list.html", "Decisions", list)
}

func (s site) one(c *gin.Context) {
	row, ok := s.find(c)
	if !ok {
		return
	}
	e, err := decode(row)
	if err != nil {
		s.fail(c, err)
		return
	}
	s.show(c, http.StatusOK, "decision.html", e.Ticket.Key, e)
}

func (s site) raw(c *gin.Context) {
	if row, ok := s.find(c); ok {
		c.Data(http.StatusOK, "application/json; charset=utf-8", row.JSON)
	}
}

func (s site) find(c *gin.Context) (store.Decision, bool) {
	row, err := strconv.ParseInt(c.Param("row"), 10, 64)
	if err != nil {
		s.show(c, http.StatusNotFound, "problem.html", "Not found", "There is no such decision.")
		return store.Decision{}, false
	}
	d, err := s.Decisions.Decision(c.Request.Context(), row)
	switch {
	case bot.CodeOf(err) == bot.CodeNotFound:
		s.show(c, http.StatusNotFound, "problem.html", "Not found", "There is no such decision.")
	case err != nil:
		s.fail(c, err)
	}
	return d, err == nil
}

func decode(row store.Decision) (entry, error) {
	d, err := row.Decode()
	return entry{Row: row.Row, DecidedAt: row.DecidedAt, Decision: d}, err
}

func (s site) fail(c *gin.Context, err error) {
	s.Log.ErrorContext(c.Request.Context(), "a page could not be shown", bot.LogPath, c.Request.URL.Path, bot.LogErr, err)
	s.show(c, http.StatusInternalServerError, "problem.html", "Something went wrong", "The log says what.")
}

// show renders a page whole before a byte of it is sent.
func (s site) show(c *gin.Context, status int, name, title string, body any) {
	var b bytes.Buffer
	err := s.pages.ExecuteTemplate(&b, name, page{Mode: s.Mode, Program: s.Program, Title: title, Body: body})
	if err != nil {
		s.Log.ErrorContext(c.Request.Context(), "a page could not be shown", bot.LogPath, c.Request.URL.Path, bot.LogErr, err)
		c.String(http.StatusInternalServerError, "something went wrong; the log says what")
		return
	}
	// Tickets and registries may hold what a browser or an editor must not be given.
	text := bot.Clean(b.String(), b.Len())
	// Nothing is loaded from anywhere, whatever a ticket's text may try.
	c.Header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	c.Header("X-Content-Type-Options", "nosniff")
	c.Header("Referrer-Policy", "no-referrer")
	c.Header("Cache-Control", "no-store")
	c.Data(status, "text/html; charset=utf-8", []byte(text))
}
