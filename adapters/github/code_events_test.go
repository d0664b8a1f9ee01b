package github_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot"
)

const (
	someCommit  = "0123456789abcdef0123456789abcdef01234567"
	otherCommit = "89abcdef0123456789abcdef0123456789abcdef"
)

func pushBody(ref, after string) string {
	return fmt.Sprintf(`{"ref":%q,"before":%q,"after":%q,"repository":{"id":7,"full_name":"ferry/.github","default_branch":"main"},"installation":{"id":9}}`, ref, someCommit, after)
}

func pullBody(action, sha, more string) string {
	return fmt.Sprintf(`{"action":%q,"number":3,"pull_request":{"head":{"sha":%q},"base":{"ref":"main","sha":%q}},"repository":{"id":7,"full_name":"ferry/.github","default_branch":"main"},"sender":{"login":"x[bot]","type":"Bot"}%s}`,
		action, sha, otherCommit, more)
}

func TestCodeEvents(t *testing.T) {
	t.Parallel()
	at := bot.Target{System: "github", Installation: 9, Repo: "ferry/.github"}
	pr := bot.Target{System: "github", Repo: "ferry/.github", Number: 3}
	change := &bot.Pull{Target: pr, RepoID: 7, Branch: "main", Default: true, Base: otherCommit, Head: someCommit}
	for _, c := range []struct {
		name, kind, body string
		want             bot.Event
		code             bot.Code
	}{
		{"push", "push", pushBody("refs/heads/rel/1", otherCommit), bot.Event{Push: &bot.Push{Target: at, RepoID: 7, Branch: "rel/1", Before: someCommit, After: otherCommit}}, ""},
		{"push to main", "push", pushBody("refs/heads/main", otherCommit), bot.Event{Push: &bot.Push{Target: at, RepoID: 7, Branch: "main", Default: true, Before: someCommit, After: otherCommit}}, ""},
		{"tag", "push", pushBody("refs/tags/v1", otherCommit), bot.Event{Ignore: "a push of a tag, not of a branch"}, ""},
		{"branch of dots", "push", pushBody("refs/heads/a/../b", otherCommit), bot.Event{}, bot.CodeInvalid},
		{"no commit", "push", pushBody("refs/heads/main", "../../user"), bot.Event{}, bot.CodeInvalid},
		{"repository of dots", "push", strings.ReplaceAll(pushBody("refs/heads/main", otherCommit), "ferry/.github", "ferry/.."), bot.Event{}, bot.CodeInvalid},
		{"push of nothing", "push", `{"ref":"refs/heads/main"}`, bot.Event{}, bot.CodeInvalid},
		{"opened", "pull_request", pullBody("opened", someCommit, ""), bot.Event{Pull: change}, ""},
		{"synchronize", "pull_request", pullBody("synchronize", someCommit, ""), bot.Event{Pull: change}, ""},
		{"reopened", "pull_request", pullBody("reopened", someCommit, ""), bot.Event{Pull: change}, ""},
		{"base changed", "pull_request", pullBody("edited", someCommit, `,"changes":{"base":{"ref":{"from":"old"}}}`), bot.Event{Pull: change}, ""},
		{"title changed", "pull_request", pullBody("edited", someCommit, `,"changes":{"title":{"from":"old"}}`), bot.Event{Ignore: `"edited" does not change the code of a pull request`}, ""},
		{"closed", "pull_request", pullBody("closed", someCommit, ""), bot.Event{Ignore: `"closed" does not change the code of a pull request`}, ""},
		{"bad head", "pull_request", pullBody("opened", "HEAD", ""), bot.Event{}, bot.CodeInvalid},
		{"no pull request", "pull_request", `{"action":"opened","repository":{}}`, bot.Event{}, bot.CodeInvalid},
		{"not JSON", "pull_request", `{`, bot.Event{}, bot.CodeInvalid},
	} {
		got, err := parse(t, c.kind, []byte(c.body))
		if diff := cmp.Diff(c.want, got); diff != "" || bot.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want code %q; event differs (-want +got):\n%s", c.name, err, c.code, diff)
		}
	}
}

func FuzzCodeEvents(f *testing.F) {
	f.Add("push", pushBody("refs/heads/main", otherCommit))
	f.Add("push", pushBody("refs/heads/..", "x"))
	f.Add("pull_request", pullBody("opened", someCommit, ""))
	f.Fuzz(func(t *testing.T, kind, body string) {
		if kind != "push" && kind != "pull_request" {
			return
		}
		ev, err := parse(t, kind, []byte(body))
		if err != nil {
			if bot.CodeOf(err) != bot.CodeInvalid {
				t.Errorf("%v is no word on junk", err)
			}
			return
		}
		n := 0
		for _, part := range []string{fmt.Sprint(ev.Push), fmt.Sprint(ev.Pull)} {
			if strings.Contains(part, "..") || strings.ContainsAny(part, "\n\x00") {
				t.Errorf("%q lets %q through", body, part)
			}
		}
		for _, is := range []bool{ev.Ignore != "", ev.Push != nil, ev.Pull != nil} {
			if is {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%q means %+v", body, ev)
		}
	})
}

// The App asks for the events that mean something, and for no others.
func TestManifest(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../app.yml")
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Events      []string          `yaml:"default_events"`
		Permissions map[string]string `yaml:"default_permissions"`
	}
	if err := yaml.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"issues", "pull_request", "push"}, m.Events); diff != "" {
		t.Errorf("events differ (-want +got):\n%s", diff)
	}
	for _, kind := range append(m.Events, "check_run") {
		ev, err := parse(t, kind, []byte(`{}`))
		if meant := err != nil; meant != (kind != "check_run") {
			t.Errorf("%s: %+v, %v", kind, ev, err)
		}
	}
	// What each permission is for: issues to read tickets and comment, contents for the
	// code and the registry, the rest for the check on its pull requests.
	want := map[string]string{"issues": "write", "metadata": "read", "contents": "read", "checks": "write", "pull_requests": "read"}
	if diff := cmp.Diff(want, m.Permissions); diff != "" {
		t.Errorf("permissions differ (-want +got):\n%s", diff)
	}
}
