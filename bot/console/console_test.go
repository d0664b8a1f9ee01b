package console

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing"
)

var update = flag.Bool("update", false, "write the golden files anew")

type decisions struct {
	rows []store.Decision
	err  error
}

func (d decisions) Decisions(context.Context, int) ([]store.Decision, error) { return d.rows, d.err }

func (d decisions) Decision(_ context.Context, row int64) (store.Decision, error) {
	for _, r := range d.rows {
		if r.Row == row {
			return r, d.err
		}
	}
	return store.Decision{}, errors.Join(d.err, bot.Errorf(bot.CodeNotFound, "no row"))
}

// sample has something in every place a page shows, with text that tries to be markup.
func sample(t *testing.T) store.Decision {
	t.Helper()
	const evil = `<script>alert(1)</script>`
	d := routing.Decision{
		Schema:  routing.DecisionSchema,
		Ticket:  routing.TicketName{Source: "github", Key: "acme/web#1", Title: "Lost " + evil, URL: "javascript:alert(1)", Version: "v1"},
		Verdict: routing.VerdictRoute,
		Candidates: []routing.Candidate{
			{
				Rank: 1, Repo: "ferry-web", Score: .75, Reasons: []string{"the description speaks of " + evil + "\x1b[31m\u202e"}, Notes: []string{"no screen index"},
				Parts: []routing.Part{
					{Ranker: "registry", Rank: 1, Score: 1, Weight: .5, Contribution: .5, Points: []routing.Point{{Rule: "owns", Term: "berths", Points: 3}}},
					{Ranker: "code", Rank: 2, Score: .5, Weight: .5, Contribution: .25, Views: []routing.View{{Name: "repo", Score: .4}}},
				},
				Evidence: []routing.Evidence{{
					Repo: "ferry-web", Branch: "main", Commit: strings.Repeat("a", 40), Path: "src/berth.ts", StartLine: 1, EndLine: 40,
					Freshness: routing.FreshCurrent, Why: "berth, quay", Failures: []string{"one file was not parsed"},
				}},
			},
			{Rank: 2, Repo: "ferry-app", Parts: []routing.Part{{Ranker: "registry", Weight: 1}}},
			{Rank: 2, Repo: "ferry-old", Reasons: []string{"both hold it"}},
			{Rank: 4, Repo: "tolls"},
		},
		Spans:       []string{"ferry-web", "tolls"},
		Ambiguities: []routing.Ambiguity{{Group: "apps", Repos: []string{"ferry-app", "ferry-old"}, Reason: "both hold it", Ask: "Which app?"}},
		Confidence:  routing.Confidence{Ratio: 47},
		Coverage:    []routing.Coverage{{Ranker: "code", Can: 3, Of: 4, Fused: true, Missing: []string{"tolls"}, Why: []string{"no commits"}}},
		Keywords:    []string{"berth", "quay"}, Warnings: []string{"the registry has a defect"},
		AsOf: routing.AsOf{Registry: "sha256:1", Generations: map[string]string{"ferry-web": strings.Repeat("a", 40)}, Program: "dev"},
	}
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return store.Decision{Row: 7, Version: "v1", JSON: text, DecidedAt: time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)}
}

func get(t *testing.T, d decisions, m *Metrics, path string) *httptest.ResponseRecorder {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	if err := Register(r, Options{Decisions: d, Metrics: m, Mode: "shadow", Program: "dev", Log: slog.New(slog.DiscardHandler)}); err != nil {
		t.Fatal(err)
	}
	rec := httptest.NewRecorder()
	r.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return rec
}

func TestPages(t *testing.T) {
	t.Parallel()
	full := decisions{rows: []store.Decision{sample(t)}}
	for _, c := range []struct {
		golden, path string
		from         decisions
		status       int
	}{
		{"list", "/", full, 200},
		{"empty", "/", decisions{}, 200},
		{"decision", "/decisions/7", full, 200},
		{"missing", "/decisions/8", full, 404},
		{"nonsense", "/decisions/x", full, 404},
		{"broken", "/", decisions{err: errors.New("secret inside")}, 500},
	} {
		t.Run(c.golden, func(t *testing.T) {
			t.Parallel()
			rec := get(t, c.from, NewMetrics(), c.path)
			if rec.Code != c.status {
				t.Errorf("status is %d, want %d", rec.Code, c.status)
			}
			got := rec.Body.String()
			for _, bad := range []string{"<script>", `href="javascript:`, "secret inside", "ZgotmplZ\n", "\x1b", "\u202e"} {
				if strings.Contains(got, bad) {
					t.Errorf("the page holds %q", bad)
				}
			}
			if !strings.HasPrefix(rec.Header().Get("Content-Security-Policy"), "default-src 'none'") {
				t.Error("the page may load things")
			}
			file := filepath.Join("testdata", c.golden+".golden")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("page (-want +got):\n%s", d)
			}
		})
	}
}

// TestConfidence: no figure is shown that says nothing, and none as what it is not.
func TestConfidence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d          routing.Decision
		want, lack string
	}{
		{routing.Decision{}, "<p>Not calibrated yet.</p>", "score ratio"},
		{
			routing.Decision{Confidence: routing.Confidence{Ratio: 100}, Spans: []string{"ferry-web"}},
			"Not calibrated yet (registry score ratio 100 of 100, from its points; not a probability).", "Needed together",
		},
		{routing.Decision{Confidence: routing.Confidence{Calibrated: true, Top1: .5, Top3: .75, N: 40}}, "Right at the first place with 50.0 %", "score ratio"},
		{routing.Decision{Ambiguities: []routing.Ambiguity{{Repos: []string{"a", "b"}}}}, "The text cannot tell a and b apart.</p>", "What would"},
	} {
		text, err := json.Marshal(c.d)
		if err != nil {
			t.Fatal(err)
		}
		got := get(t, decisions{rows: []store.Decision{{Row: 1, JSON: text}}}, NewMetrics(), "/decisions/1").Body.String()
		if !strings.Contains(got, c.want) || strings.Contains(got, c.lack) {
			t.Errorf("the page should hold %q and not %q:\n%s", c.want, c.lack, got)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	row := sample(t)
	rec := get(t, decisions{rows: []store.Decision{row}}, NewMetrics(), "/decisions/7/json")
	if d := cmp.Diff(string(row.JSON), rec.Body.String()); d != "" {
		t.Errorf("JSON (-want +got):\n%s", d)
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	m := NewMetrics()
	m.Delivery("github", "accepted")
	m.Job("open", "done", "ok")
	m.Routed("route", 3*time.Millisecond)
	m.Said("github", "posted")
	m.Covered(7, 1)
	got := get(t, decisions{}, m, "/metrics").Body.String()
	for _, want := range []string{
		`pointsman_deliveries_total{result="accepted",source="github"} 1`,
		`pointsman_job_attempts_total{code="ok",kind="open",result="done"} 1`,
		`pointsman_route_seconds_bucket{verdict="route",le="0.005"} 1`,
		`pointsman_comments_total{action="posted",system="github"} 1`,
		`pointsman_repositories{covered="yes"} 7`,
		`pointsman_repositories{covered="no"} 1`,
		`go_goroutines`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("metrics do not hold %s", want)
		}
	}
}
