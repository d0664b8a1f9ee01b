package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/adapters/jira/jiratest"
)

// told records commits with these messages, each changing a source file.
func told(t *testing.T, org, repo string, messages ...string) {
	t.Helper()
	dir := filepath.Join(org, repo+".git")
	if err := gittest.Empty(dir, true); err != nil {
		t.Fatal(err)
	}
	for i, m := range messages {
		_, err := gittest.Record(dir, gittest.Entry{
			Message: m, Files: map[string]string{repo + "/main.py": fmt.Sprint(i)},
			Authored: time.Date(2023, 3, 1+i, 9, 0, 0, 0, time.UTC),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// asked sums up the cases of a gold file: id, repositories, title, whose text.
func asked(t *testing.T, file string) (lines []string) {
	t.Helper()
	cases, err := readGold(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		lines = append(lines, fmt.Sprintf("%s %s %q %s %s", c.ID, strings.Join(c.Repos, "+"), c.Title, c.Provenance.Text, c.Provenance.Listed))
	}
	return lines
}

func TestMineWithTheTicketsOfGitHub(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for n := 1; n <= 120; n++ {
		i := githubtest.Issue{Title: fmt.Sprintf("No berth at quay %d", n), Body: "The ferry waits."}
		switch n {
		case 4:
			i.Pull = true
		case 5:
			i.Garbled = true
		}
		if _, err := s.github.OpenIssue(helpdesk, i); err != nil {
			t.Fatal(err)
		}
	}
	org, file := t.TempDir(), filepath.Join(t.TempDir(), "gold.jsonl")
	told(t, org, "helpdesk", "start", "Find a berth\n\nFixes #3", "Look twice (#4)", "Third time\n\nfixes #5", "More of it (#120)")
	told(t, org, "berths", "start", "Hold berths\n\nFixes acme/helpdesk#3", "Of its own\n\nfixes #3")
	args := []string{"gold", "mine", "--repos", org, "--config", s.config, "--source=github", "--repo", helpdesk, "--last", "119", "-o", file}
	code, out, errOut := pointsman("", args...)
	if code != exitDone || out != "" {
		t.Fatalf("code %d, stdout %q, stderr %q", code, out, errOut)
	}
	want := []string{
		`berths#3 berths "Of its own" proxy `,
		`acme/helpdesk#5 helpdesk "Third time" proxy `,
		`acme/helpdesk#120 helpdesk "No berth at quay 120" tracker github`,
		`acme/helpdesk#3 berths+helpdesk "No berth at quay 3" tracker github`,
	}
	if d := cmp.Diff(want, asked(t, file)); d != "" {
		t.Error(d)
	}
	for _, part := range []string{
		"118 tickets listed by github, passed over: a pull request, not an issue 1", "1 tickets could not be read; the first, acme/helpdesk#5: reading a github issue",
		"118 tickets have a text of their own, 116 of them are cited by no commit", "2 with a commit message for text",
	} {
		if !strings.Contains(errOut, part) {
			t.Errorf("the summary lacks %q:\n%s", part, errOut)
		}
	}
	s.onlyReads(t)

	// Fewer tickets: the others keep their commits' texts. JSON says the same.
	args[10] = "10"
	code, _, errOut = pointsman("", append(args, "--json")...)
	var r struct {
		Proxies, Texts, Uncited int
		Listed                  listed
	}
	if err := json.Unmarshal([]byte(errOut), &r); err != nil || code != exitDone {
		t.Fatalf("code %d, %v in %s", code, err, errOut)
	}
	if r.Proxies != 3 || r.Texts != 10 || r.Uncited != 9 || r.Listed.Tickets != 10 || r.Listed.Places[0] != helpdesk {
		t.Errorf("summary is %s", errOut)
	}
	if got := asked(t, file); got[0] != `acme/helpdesk#3 berths+helpdesk "Hold berths" proxy ` {
		t.Errorf("cases are %s", got)
	}
	code, _, errOut = pointsman("", append(args, "--only-texts")...)
	if got := asked(t, file); code != exitDone || len(got) != 1 {
		t.Errorf("code %d, %s: cases are %s", code, errOut, got)
	}
}

func TestMineWithTheTicketsOfJira(t *testing.T) {
	t.Parallel()
	for _, flavour := range []string{"cloud", "datacenter"} {
		s := newSite(t, nil)
		// Tickets of the same millisecond have no order, so each has one of its own.
		at := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
		tick := func() time.Time { at = at.Add(time.Minute); return at }
		j := jiratest.New(jiratest.Options{DataCenter: flavour == "datacenter", Now: tick})
		url, err := j.Start(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = j.Close() })
		for n := range 60 {
			j.CreateIssue("WEB", jiratest.Issue{Summary: fmt.Sprintf("No button %d", n+1)})
			j.CreateIssue("OPS", jiratest.Issue{Summary: fmt.Sprintf("No berth at quay %d", n+1)})
		}
		config := fmt.Sprintf("listen: 127.0.0.1:0\nregistry: {file: registry.json}\n"+
			"jira: [{tenant: acme, url: %q, flavour: %s, user: bot@example.org, token: jiratest-token, webhookSecret: any}]\n", url, flavour)
		if err := os.WriteFile(s.config, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		org, file := t.TempDir(), filepath.Join(t.TempDir(), "gold.jsonl")
		told(t, org, "berths", "start", "OPS-60 Find one", "WEB-1 Hold it", "WEB-59: show it", "OLD-3 not asked for")
		code, out, errOut := pointsman("", "gold", "mine", "--repos", org, "--config", s.config, "--source", "jira", "--tenant", "acme",
			"--project", "OPS,WEB", "--last", "119", "-o", file)
		want := []string{
			`WEB-1 berths "WEB-1 Hold it" proxy `,
			`WEB-59 berths "No button 59" tracker jira:acme`,
			`OPS-60 berths "No berth at quay 60" tracker jira:acme`,
		}
		if code != exitDone || out != "" || !strings.Contains(errOut, "119 tickets listed by acme, passed over: none") ||
			!strings.Contains(errOut, "119 tickets have a text of their own, 117 of them are cited by no commit") {
			t.Fatalf("%s: code %d, stdout %q, stderr %q", flavour, code, out, errOut)
		}
		if d := cmp.Diff(want, asked(t, file)); d != "" {
			t.Errorf("%s: %s", flavour, d)
		}
		for _, q := range j.Requests() {
			if q.Method != http.MethodGet {
				t.Errorf("%s: mining sent %s %s", flavour, q.Method, q.Path)
			}
		}
	}
}

func TestMineRefusesTrackers(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	org, file := t.TempDir(), filepath.Join(t.TempDir(), "gold.jsonl")
	told(t, org, "cart", "start", "PAY-1 x", "Fix\n\nfixes #1")
	for _, c := range []struct {
		args string
		want string
		code int
	}{
		{"--source svn", "want github or jira", exitUsage},
		{"--source github", "wants --repo OWNER/NAME", exitUsage},
		{"--source jira", "wants --project KEY", exitUsage},
		{"--source jira --repo a/b --project X", "--repo is for --source github", exitUsage},
		{"--source jira --tenant acme --project PAY", `jira tenant "acme" is not configured`, exitUsage},
		{"--source github --repo acme", "want owner/name", exitUsage},
		{"--source github --repo acme/none", "404", exitUsage},
		{"--source github --repo acme/helpdesk --last 0", "want 1 to 10000", exitUsage},
		{"--source github --repo acme/helpdesk --tickets x.csv", "use one of them", exitUsage},
		{"--project PAY --last 5", "--last says of which tickets", exitUsage},
		{"--repo acme/helpdesk", "name it with --source github or jira", exitUsage},
		{"--tenant acme --project PAY", "--tenant says of which tickets", exitUsage},
		{"--source github --repo acme/helpdesk --config none.yml", "none.yml", exitUsage},
	} {
		args := append([]string{"gold", "mine", "--repos", org, "--config", s.config, "-o", file}, strings.Fields(c.args)...)
		code, out, errOut := pointsman("", args...)
		if code != c.code || out != "" || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: code %d, stdout %q, stderr %q; want %d and one line with %q", c.args, code, out, errOut, c.code, c.want)
		}
	}
	s.github.Fail(9, http.StatusUnauthorized, nil, `{"message":"Bad credentials"}`)
	code, _, errOut := pointsman("", "gold", "mine", "--repos", org, "--config", s.config, "--source", "github", "--repo", helpdesk, "-o", file)
	if code != exitFailed || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "check github.token") || !strings.Contains(errOut, "nothing was written") {
		t.Errorf("a bad token: code %d, %q", code, errOut)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a gold file was written")
	}
}
