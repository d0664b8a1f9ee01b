package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/adapters/jira/jiratest"
	"github.com/pointsman/pointsman/bot/replay"
	"github.com/pointsman/pointsman/bot/store"
)

// argsEnv makes the test binary behave as pointsman with these arguments, one a line.
const argsEnv = "TEST_POINTSMAN_ARGS"

// TestProgramProcess is no test: started with argsEnv it is the real program.
func TestProgramProcess(t *testing.T) { //nolint:paralleltest // it is a process of its own
	args := os.Getenv(argsEnv)
	if args == "" {
		t.Skip("only for the tests that start a process of their own")
	}
	os.Exit(run(strings.Split(args, "\n"), os.Stdin, os.Stdout, os.Stderr)) //nolint:forbidigo // it stands for main
}

// fill gives the site 250 issues, a pull request after every fifth, one that a bot
// opened and one that is broken.
func (s *site) fill(t *testing.T) {
	t.Helper()
	for n := 1; n <= 250; n++ {
		i := githubtest.Issue{Title: fmt.Sprintf("No berth at quay %d", n), Body: "Our ferry finds no free berth; AllocateBerth fails."}
		switch n {
		case 17:
			i.AuthorType = "Bot"
		case 140:
			i.Garbled = true
		case 60:
			i.Title, i.Body = "Berth", ""
		}
		if _, err := s.github.OpenIssue(helpdesk, i); err != nil {
			t.Fatal(err)
		}
		if n%5 == 0 {
			if _, err := s.github.OpenIssue(helpdesk, githubtest.Issue{Title: "Mend it", Pull: true}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// onlyReads wants that nothing was written to the host.
func (s *site) onlyReads(t *testing.T) {
	t.Helper()
	for _, r := range s.github.Requests() {
		if r.Method != http.MethodGet {
			t.Errorf("replay sent %s %s", r.Method, r.Path)
		}
	}
}

func asReport(t *testing.T, out string) replay.Report {
	t.Helper()
	var r replay.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return r
}

// atPage is once true of the request for a page of the listing.
func atPage(r *http.Request, page string) bool {
	return strings.HasSuffix(r.URL.Path, "/issues") && r.URL.Query().Get("page") == page
}

func TestReplayOfARepository(t *testing.T) {
	t.Parallel()
	var s *site
	var once sync.Once
	s = newSite(t, func(r *http.Request, done bool) <-chan struct{} {
		if !done && atPage(r, "2") {
			once.Do(func() {
				s.github.Fail(1, http.StatusForbidden, http.Header{"Retry-After": {"1"}}, `{"message":"You have exceeded a secondary rate limit."}`)
			})
		}
		return nil
	})
	s.fill(t)
	page := filepath.Join(t.TempDir(), "replay.html")
	args := []string{"replay", "--config", s.config, "--repo", helpdesk, "--last", "300", "--json", "--html", page}
	code, out, errOut := pointsman("", args...)
	if code != exitDone || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "the listing waits") {
		t.Fatalf("exit code %d, stderr %q", code, errOut)
	}
	r := asReport(t, out)
	if r.Schema != replay.Schema || r.N != 248 || r.Known != 0 || r.Verdicts["route"] < 240 || r.Null.Repo != "berths" || len(r.Tickets) != 248 {
		t.Errorf("report is %s", out[:500])
	}
	if len(r.Failed) != 1 || !strings.HasPrefix(r.Failed[0].Key, helpdesk) || !strings.Contains(r.Failed[0].Why, "not the JSON we know") {
		t.Errorf("failed are %+v", r.Failed)
	}
	if len(r.Ignored) != 2 || r.Ignored[0].N != 50 || r.Ignored[1].Why != "opened by a bot" {
		t.Errorf("ignored are %+v", r.Ignored)
	}
	if html, err := os.ReadFile(page); err != nil || !strings.Contains(string(html), "<b>248</b>tickets decided") {
		t.Errorf("the page: %v", err)
	}
	// The same again decides nothing; a smaller part of it neither; --again all.
	_, out, _ = pointsman("", args...)
	if r = asReport(t, out); r.N != 248 || r.Known != 248 {
		t.Errorf("the second time %d of %d were known", r.Known, r.N)
	}
	_, out, _ = pointsman("", "replay", "--config", s.config, "--repo", helpdesk, "--last", "10", "--again", "--json")
	if r = asReport(t, out); r.N != 10 || r.Known != 0 {
		t.Errorf("again, %d of %d were known", r.Known, r.N)
	}
	code, out, errOut = pointsman("", "replay", "--config", s.config, "--repo", helpdesk)
	for _, want := range []string{
		"199 tickets of acme/helpdesk, of 20", "Nothing was said.", "Verdicts: 198 routed, 1 with too little text", "median",
		"berths", "Null line: always answering berths would give the same first", "Too little text, for example:", "acme/helpdesk#71  Berth",
		"description 1 of 1 | code 1 of 1", "Left out 40: a pull request, not an issue", "Failed acme/helpdesk#",
	} {
		if code != exitDone || errOut != "" || !strings.Contains(out, want) {
			t.Errorf("exit code %d, stderr %q, stdout does not hold %q:\n%s", code, errOut, want, out)
		}
	}
	s.onlyReads(t)
}

// TestReplayKilled kills a replay between two tickets; the next goes on.
func TestReplayKilled(t *testing.T) {
	t.Parallel()
	reached, release := make(chan struct{}, 9), make(chan struct{})
	s := newSite(t, func(r *http.Request, done bool) <-chan struct{} {
		if done || !atPage(r, "3") {
			return nil
		}
		reached <- struct{}{}
		return release
	})
	s.fill(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProgramProcess$")
	args := []string{"replay", "--config", s.config, "--repo", helpdesk, "--last", "300", "--json"}
	cmd.Env = append(os.Environ(), argsEnv+"="+strings.Join(args, "\n"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-reached:
	case <-time.After(60 * time.Second):
		t.Fatal("the third page was never asked for")
	}
	kept := 0
	eventually(t, "a hundred decisions", func() bool {
		kept = s.replayed(t)
		return kept >= 100
	})
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it says that it was killed
	close(release)
	code, out, errOut := pointsman("", args...)
	if r := asReport(t, out); code != exitDone || r.N != 248 || r.Known < kept || r.Known == r.N {
		t.Errorf("exit code %d, %d decided, %d known, %d were kept; stderr %q", code, r.N, r.Known, kept, errOut)
	}
	s.onlyReads(t)
}

// replayed counts the decisions that replays have kept.
func (s *site) replayed(t *testing.T) int {
	t.Helper()
	db, err := store.Open(t.Context(), s.data, store.WithFile(replay.FileName))
	if err != nil {
		t.Fatal(err)
	}
	list, err := db.Decisions(t.Context(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// TestReplayBesideTheServer replays while a live server runs on the same folder. A
// webhook of a replayed ticket is answered as if there had been no replay: once.
func TestReplayBesideTheServer(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	n, d := s.open(t)
	p := s.start(t)
	for range 2 {
		if code, _, errOut := pointsman("", "replay", "--config", s.config, "--repo", helpdesk, "--again"); code != exitDone {
			t.Fatalf("exit code %d, %s", code, errOut)
		}
	}
	s.onlyReads(t)
	if list := s.statuses(t); len(list) != 0 {
		t.Errorf("the service knows of deliveries: %v", list)
	}
	for range 2 {
		if status := p.deliver(t, d); status != http.StatusAccepted {
			t.Fatalf("the delivery was answered with %d", status)
		}
		s.settled(t)
	}
	if list := s.statuses(t); len(list) != 1 || list[0] != "done" {
		t.Errorf("deliveries are %v", list)
	}
	before := s.github.Comments(helpdesk, n)
	if len(before) != 1 || !strings.Contains(before[0].Body, "berths") {
		t.Fatalf("comments are %+v", before)
	}
	// Nor does a replay of an answered ticket touch the answer.
	if code, _, errOut := pointsman("", "replay", "--config", s.config, "--repo", helpdesk, "--again"); code != exitDone {
		t.Fatalf("exit code %d, %s", code, errOut)
	}
	if after := s.github.Comments(helpdesk, n); len(after) != 1 || len(after[0].History) != 0 {
		t.Errorf("comments are %+v", after)
	}
	p.terminate(t)
}

func TestReplayOfJiraProjects(t *testing.T) {
	t.Parallel()
	for _, flavour := range []string{"cloud", "datacenter"} {
		s := newSite(t, nil)
		j := jiratest.New(jiratest.Options{DataCenter: flavour == "datacenter"})
		url, err := j.Start(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = j.Close() })
		for range 130 {
			j.CreateIssue("OPS", jiratest.Issue{Summary: "No berth at the quay", Description: "Our ferry finds no free berth."})
			j.CreateIssue("WEB", jiratest.Issue{Summary: "No free berth for the ferry"})
		}
		// Shadow, as a first-time user has it.
		config := fmt.Sprintf("listen: 127.0.0.1:0\nregistry: {file: registry.json}\n"+
			"jira: [{tenant: acme, url: %q, flavour: %s, user: bot@example.org, token: jiratest-token, webhookSecret: any}]\n", url, flavour)
		if err := os.WriteFile(s.config, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		gold := filepath.Join(t.TempDir(), "gold.jsonl")
		if err := os.WriteFile(gold, []byte(`{"id":"OPS-130","title":"x","repos":["berths"]}`+"\n"+`{"id":"OPS-999","title":"x","repos":["berths"]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, errOut := pointsman("", "replay", "--config", s.config, "--project", "OPS,WEB", "--last", "250", "--json", "--gold", gold)
		if code != exitDone || errOut != "" {
			t.Fatalf("%s: exit code %d, %s", flavour, code, errOut)
		}
		r := asReport(t, out)
		if r.N != 250 || r.Tenant != "acme" || r.Source != "jira" || r.Gold == nil || r.Gold.N != 1 || r.Gold.Top1 != 1 || r.Gold.Unmatched != 1 {
			t.Errorf("%s: report is %s, gold %+v", flavour, out[:300], r.Gold)
		}
		code, out, errOut = pointsman("", "replay", "--config", s.config, "--source", "jira", "--tenant", "acme", "--project", "OPS", "--last", "5", "--gold", gold)
		if code != exitDone || errOut != "" || !strings.Contains(out, "null: always berths") || !strings.Contains(out, "1 replayed tickets have a known answer") {
			t.Errorf("%s: exit code %d, %s\n%s", flavour, code, errOut, out)
		}
		for _, q := range j.Requests() {
			if q.Method != http.MethodGet {
				t.Errorf("%s: replay sent %s %s", flavour, q.Method, q.Path)
			}
		}
	}
}

func TestReplayRefuses(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	dir := t.TempDir()
	broken := filepath.Join(dir, "gold.jsonl")
	if err := os.WriteFile(broken, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		want string
		code int
	}{
		{"", "want --repo OWNER/NAME or --project KEY", exitUsage},
		{"--source svn", "want github or jira", exitUsage},
		{"--source github", "wants --repo OWNER/NAME", exitUsage},
		{"--source github --project X", "are for --source jira", exitUsage},
		{"--source jira --repo a/b", "--repo is for --source github", exitUsage},
		{"--source jira", "wants --project KEY", exitUsage},
		{"--project X", "0 jira sites", exitUsage},
		{"--project X --tenant acme", `jira tenant "acme" is not configured`, exitUsage},
		{"--project X-1 --tenant acme", "want a project key", exitUsage},
		{"--repo acme", "want owner/name", exitUsage},
		{"--repo acme/none", "404", exitUsage},
		{"--repo acme/helpdesk --last 0", "want 1 to 10000", exitUsage},
		{"--repo acme/helpdesk --since May", "want a day", exitUsage},
		{"--repo acme/helpdesk --gold none.jsonl", "reading the gold file", exitUsage},
		{"--repo acme/helpdesk --gold " + broken, "gold.jsonl:1", exitUsage},
		{"--repo acme/helpdesk --html " + dir, "is a folder", exitUsage},
		{"--repo acme/helpdesk --html none/page.html", "cannot be written", exitUsage},
		{"--repo acme/helpdesk extra", `there is no use for "extra"`, exitUsage},
	} {
		args := append([]string{"replay", "--config", s.config}, strings.Fields(c.args)...)
		code, out, errOut := pointsman("", args...)
		if code != c.code || out != "" || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q; want %d and one line with %q", c.args, code, out, errOut, c.code, c.want)
		}
	}
	code, _, errOut := pointsman("", "replay", "--config", filepath.Join(dir, "none.yml"), "--repo", "a/b")
	if code != exitUsage || strings.Count(errOut, "\n") != 1 {
		t.Errorf("without a configuration: exit code %d, %q", code, errOut)
	}
	code, out, errOut := pointsman("", "replay", "--config", s.config, "--repo", helpdesk)
	if code != exitDone || errOut != "" || out != "No tickets were found in acme/helpdesk.\n" {
		t.Errorf("an empty repository: exit code %d, %q, %q", code, out, errOut)
	}
	// What was listed before the host broke down is decided and reported.
	s.fill(t)
	s.at = func(r *http.Request, done bool) <-chan struct{} {
		if !done && atPage(r, "2") {
			s.github.Fail(1, http.StatusUnauthorized, nil, `{"message":"Bad credentials"}`)
		}
		return nil
	}
	code, out, errOut = pointsman("", "replay", "--config", s.config, "--repo", helpdesk)
	if code != exitFailed || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "check github.token") ||
		!strings.Contains(out, "Not all tickets were replayed: ") || !strings.Contains(out, "83 tickets of acme/helpdesk") {
		t.Errorf("a token that was taken back: exit code %d, %q\n%s", code, errOut, out)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(s.config), "registry.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errOut = pointsman("", "replay", "--config", s.config, "--repo", helpdesk); code != exitUsage || !strings.Contains(errOut, "registry.json:1") {
		t.Errorf("a broken registry: exit code %d, %q", code, errOut)
	}
}
