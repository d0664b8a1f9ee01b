package github_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/bot"
)

func TestSpeakToRenamedRepository(t *testing.T) {
	t.Parallel()
	for _, app := range []bool{false, true} {
		b := setup(t, how{app: app})
		if _, err := b.client.Speak(t.Context(), b.reply("one")); err != nil {
			t.Fatal(err)
		}
		if err := b.RenameRepo(repoName, "ferry/support"); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"one", "two"} {
			if _, err := b.client.Speak(t.Context(), b.reply(text)); err != nil {
				t.Fatalf("app %v: %v", app, err)
			}
		}
		if cs := b.Comments("ferry/support", b.number); len(cs) != 1 || cs[0].Body != b.reply("two").Body {
			t.Errorf("app %v: %+v, want one comment, edited", app, cs)
		}
	}
}

// The first word to a repository that was renamed is a POST, which gets a 307.
func TestSpeakFirstToRenamedRepository(t *testing.T) {
	t.Parallel()
	b := setup(t, how{})
	if err := b.RenameRepo(repoName, "ferry/support"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.client.Speak(t.Context(), b.reply("one")); err != nil {
		t.Fatal(err)
	}
	if cs := b.Comments("ferry/support", b.number); len(cs) != 1 {
		t.Errorf("%+v, want one comment", cs)
	}
}

// A 301 would turn a POST into a GET: then the new name is asked for.
func TestSpeakAfterOtherRedirect(t *testing.T) {
	t.Parallel()
	b := setup(t, how{})
	b.FailWrites(1, http.StatusMovedPermanently, http.Header{"Location": {"/repositories/1001/issues/1/comments"}}, "{}")
	if _, err := b.client.Speak(t.Context(), b.reply("one")); err != nil {
		t.Fatal(err)
	}
	if got := b.bodies(); len(got) != 1 {
		t.Errorf("comments are %q, want one", got)
	}
}

func TestSpeakRefusedByHost(t *testing.T) {
	t.Parallel()
	b := setup(t, how{})
	b.AddRepo(githubtest.Repo{FullName: "ferry/attic", Archived: true})
	n, err := b.OpenIssue("ferry/attic", githubtest.Issue{Title: "Old"})
	if err != nil {
		t.Fatal(err)
	}
	r := b.reply("one")
	r.Target.Repo, r.Target.Number = "ferry/attic", n
	_, err = b.client.Speak(t.Context(), r)
	if bot.CodeOf(err) != bot.CodeForbidden || !strings.Contains(err.Error(), "archived") {
		t.Errorf("archived: %v", err)
	}
	if err := b.LockIssue(repoName, b.number); err != nil {
		t.Fatal(err)
	}
	if _, err := b.client.Speak(t.Context(), b.reply("one")); bot.CodeOf(err) != bot.CodeForbidden {
		t.Errorf("locked: %v", err)
	}
}

// An issue that was transferred brings our comment along, under its old marker.
func TestSpeakAfterTransfer(t *testing.T) {
	t.Parallel()
	b := setup(t, how{app: true})
	b.AddRepo(githubtest.Repo{FullName: "ferry/fares"})
	if _, err := b.client.Speak(t.Context(), b.reply("one")); err != nil {
		t.Fatal(err)
	}
	n, err := b.TransferIssue(repoName, b.number, "ferry/fares")
	if err != nil {
		t.Fatal(err)
	}
	left, arrived, err := b.Transferred(repoName, b.number, "ferry/fares", n)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []githubtest.Delivery{left, arrived, left} {
		ev, err := b.client.Parse(bot.Delivery{Kind: "issues", Body: d.Body})
		if err != nil || ev.Target.Repo != "ferry/fares" || ev.Target.Number != n {
			t.Fatalf("event %+v, error %v", ev, err)
		}
		r := bot.Reply{Target: ev.Target, Marker: oldMarker, Body: "two\n\n" + oldMarker}
		if _, err := b.client.Speak(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if cs := b.Comments("ferry/fares", n); len(cs) != 1 || len(cs[0].History) != 1 {
		t.Errorf("%+v, want one comment, edited once", cs)
	}
	if cs := b.Comments(repoName, b.number); len(cs) != 0 {
		t.Errorf("at the old place: %+v", cs)
	}
}

func TestSpeakLimits(t *testing.T) {
	t.Parallel()
	now := time.Now().Truncate(time.Second)
	reset := now.Add(40 * time.Minute)
	hourly := http.Header{"X-Ratelimit-Limit": {"5000"}, "X-Ratelimit-Reset": {strconv.FormatInt(reset.Unix(), 10)}}
	spent := hourly.Clone()
	spent.Set("X-RateLimit-Remaining", "0")
	left := hourly.Clone()
	left.Set("X-RateLimit-Remaining", "4999")
	const secondary = `{"message":"You have exceeded a secondary rate limit.","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"}`
	for _, tt := range []struct {
		name   string
		status int
		header http.Header
		body   string
		want   time.Time
	}{
		{"primary, 403", 403, spent, `{"message":"API rate limit exceeded"}`, reset},
		{"primary, 429", 429, spent, `{"message":"API rate limit exceeded"}`, reset},
		{"secondary without Retry-After", 403, left, secondary, now.Add(time.Minute)},
		{"secondary, 429", 429, left, secondary, now.Add(time.Minute)},
		{"secondary by its old documentation", 403, left, `{"message":"You have triggered an abuse detection mechanism.","documentation_url":"https://developer.github.com/v3/#abuse-rate-limits"}`, now.Add(time.Minute)},
		{"secondary with Retry-After", 403, http.Header{"Retry-After": {"90"}}, secondary, now.Add(90 * time.Second)},
	} {
		for _, app := range []bool{false, true} {
			b := setup(t, how{app: app})
			c := at(t, b, app, 0, now)
			b.Fail(1, tt.status, tt.header, tt.body)
			_, err := c.Speak(t.Context(), b.reply("one"))
			var e *bot.Error
			if bot.CodeOf(err) != bot.CodeLimited || !asError(err, &e) || !e.Until.Equal(tt.want) {
				t.Errorf("%s, app %v: %v until %v, want %v", tt.name, app, err, e.Until, tt.want)
			}
			// What go-github answers from memory must say the same, within the real clock's run.
			_, err = c.Speak(t.Context(), b.reply("one"))
			if bot.CodeOf(err) == bot.CodeLimited && asError(err, &e) {
				if d := e.Until.Sub(tt.want); d < -5*time.Second || d > 5*time.Second {
					t.Errorf("%s, app %v, asked again: until %v, want about %v", tt.name, app, e.Until, tt.want)
				}
			}
		}
	}
}

func TestSpeakLooksUpTheInstallation(t *testing.T) {
	t.Parallel()
	b := setup(t, how{app: true})
	d, err := b.Issue("opened", repoName, b.number)
	if err != nil {
		t.Fatal(err)
	}
	ev, err := b.client.Parse(bot.Delivery{Kind: "issues", Body: d.Body})
	if err != nil || ev.Target.Installation == 0 {
		t.Fatalf("event %+v, error %v, want an installation", ev, err)
	}
	r := b.reply("one")
	if _, err := b.client.Speak(t.Context(), r); err != nil { // target without one
		t.Fatal(err)
	}
	r.Target = ev.Target
	if said, err := b.client.Speak(t.Context(), r); err != nil || !said.Unchanged {
		t.Errorf("%+v, %v", said, err)
	}
}

// An App that was removed and installed again has another installation than the
// one that is stored with the ticket.
func TestSpeakAfterReinstallation(t *testing.T) {
	t.Parallel()
	b := setup(t, how{app: true})
	r := b.reply("one")
	r.Target.Installation = 4242
	if _, err := b.client.Speak(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if got := b.bodies(); len(got) != 1 {
		t.Errorf("comments are %q, want one", got)
	}
}

// Workers speak side by side; the race detector watches, and one token serves all.
func TestSpeakSideBySide(t *testing.T) {
	t.Parallel()
	b := setup(t, how{app: true})
	var wg sync.WaitGroup
	for range 8 {
		n, err := b.OpenIssue(repoName, githubtest.Issue{Title: "another"})
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			r := b.reply("one")
			r.Target.Number = n
			if _, err := b.client.Speak(t.Context(), r); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	tokens := 0
	for _, r := range b.Requests() {
		if strings.HasSuffix(r.Path, "/access_tokens") {
			tokens++
		}
	}
	if tokens != 1 {
		t.Errorf("%d tokens were fetched, want 1", tokens)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, app := range []bool{false, true} {
		b := setup(t, how{app: app, prefix: "/api/v3"})
		if err := b.client.Check(t.Context()); err != nil {
			t.Errorf("app %v: %v", app, err)
		}
		b.Fail(1, http.StatusUnauthorized, nil, `{"message":"Bad credentials"}`)
		if err := b.client.Check(t.Context()); bot.CodeOf(err) != bot.CodeUnauthorized {
			t.Errorf("app %v: %v", app, err)
		}
	}
}
