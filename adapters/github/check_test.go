package github_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/bot"
)

// checked is a bench with a pull request, and a check of its head with n remarks.
func checked(t *testing.T, h how, n int) (*bench, bot.Check) {
	t.Helper()
	b := setup(t, h)
	if _, err := b.PushFiles(repoName, "main", map[string]string{"a.json": "{}"}); err != nil {
		t.Fatal(err)
	}
	_, sha, err := b.OpenPull(repoName, "main", true, map[string]string{"a.json": "{"})
	if err != nil {
		t.Fatal(err)
	}
	k := bot.Check{
		Target: bot.Target{System: "github", Repo: repoName}, Commit: sha, Name: "a check", Mark: "v1:7",
		Conclusion: bot.CheckFailure, Title: "one thing\nis wrong", Summary: "The whole story.",
	}
	for i := range n {
		k.Remarks = append(k.Remarks, bot.Remark{Path: "a.json", Line: i + 1, Level: bot.RemarkFailure, Text: fmt.Sprintf("remark %d", i)})
	}
	return b, k
}

func conclude(t *testing.T, b *bench, k bot.Check) bot.Said {
	t.Helper()
	s, err := b.client.Conclude(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConclude(t *testing.T) {
	t.Parallel()
	b, k := checked(t, how{app: true}, 2)
	first := conclude(t, b, k)
	if first.Unchanged || !strings.Contains(first.URL, first.CommentID) {
		t.Errorf("at first: %+v", first)
	}
	want := []githubtest.CheckRun{{
		HeadSHA: k.Commit, Name: "a check", ExternalID: "v1:7", Status: "completed", Conclusion: "failure",
		Title: "one thing is wrong", Summary: "The whole story.", Writes: 1,
		Annotations: []githubtest.Annotation{
			{Path: "a.json", StartLine: 1, EndLine: 1, Level: "failure", Message: "remark 0"},
			{Path: "a.json", StartLine: 2, EndLine: 2, Level: "failure", Message: "remark 1"},
		},
	}}
	got := b.CheckRuns(repoName)
	if len(got) == 1 {
		want[0].ID = got[0].ID
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("check runs differ (-want +got):\n%s", diff)
	}
	if again := conclude(t, b, k); !again.Unchanged || again.CommentID != first.CommentID {
		t.Errorf("again: %+v", again)
	}
	k.Conclusion, k.Title, k.Mark = bot.CheckSuccess, "all is well", "v1:8"
	k.Remarks = append(k.Remarks[1:], k.Remarks[1], bot.Remark{Path: "a.json", Line: 9, Level: bot.RemarkNotice, Text: "new"}, bot.Remark{Path: "../x", Text: "out"})
	conclude(t, b, k)
	got = b.CheckRuns(repoName)
	if len(got) != 1 || got[0].Conclusion != "success" || got[0].Writes != 2 || len(got[0].Annotations) != 3 || got[0].Annotations[2].Message != "new" {
		t.Errorf("brought up to date it is %+v", got)
	}
}

// A kill between two writes leaves an unfinished check, which the next attempt ends.
func TestConcludeInBatches(t *testing.T) {
	t.Parallel()
	b, k := checked(t, how{app: true}, 120)
	b.FailWrites(1, http.StatusServiceUnavailable, nil, "{}")
	if _, err := b.client.Conclude(t.Context(), k); bot.CodeOf(err) != bot.CodeUnavailable {
		t.Fatalf("while it was down: %v", err)
	}
	b.Drop(1) // made, but nobody hears of it
	if _, err := b.client.Conclude(t.Context(), k); !bot.OutcomeUnknown(err) {
		t.Fatalf("a lost answer: %v", err)
	}
	if got := b.CheckRuns(repoName); len(got) != 1 || got[0].Status != "in_progress" || got[0].Conclusion != "" || len(got[0].Annotations) != 50 {
		t.Fatalf("unfinished it is %+v", got)
	}
	b.SetPageSize(30)
	conclude(t, b, k)
	got := b.CheckRuns(repoName)
	if len(got) != 1 || got[0].Status != "completed" || got[0].Writes != 3 || len(got[0].Annotations) != 120 {
		t.Fatalf("%d runs; the first: %+v", len(got), got[0])
	}
	seen := map[string]bool{}
	for _, a := range got[0].Annotations {
		seen[a.Message] = true
	}
	if len(seen) != 120 {
		t.Errorf("%d remarks stand there, want 120", len(seen))
	}
}

// A check of the same name by somebody else is not ours.
func TestConcludeLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	b, k := checked(t, how{app: true}, 1)
	if err := b.AddCheckRun(repoName, githubtest.CheckRun{HeadSHA: k.Commit, Name: k.Name, Status: "completed", Conclusion: "success", AppID: 4}); err != nil {
		t.Fatal(err)
	}
	conclude(t, b, k)
	conclude(t, b, k)
	if got := b.CheckRuns(repoName); len(got) != 2 || got[0].Writes != 0 || got[1].Writes != 1 {
		t.Errorf("check runs are %+v", got)
	}
}

func TestConcludeBounds(t *testing.T) {
	t.Parallel()
	b, k := checked(t, how{app: true}, 0)
	k.Title, k.Summary = strings.Repeat("é", 300), strings.Repeat("é", 80_000)
	k.Remarks = []bot.Remark{{Path: "a.json", Level: bot.RemarkWarning, Text: strings.Repeat("é\x00", 50_000)}}
	conclude(t, b, k)
	got := b.CheckRuns(repoName)[0]
	if len(got.Summary) > 60_000 || len(got.Annotations) != 1 || got.Annotations[0].StartLine != 1 || strings.Contains(got.Annotations[0].Message, "\x00") {
		t.Errorf("%d bytes of summary, annotations %.200v", len(got.Summary), got.Annotations)
	}
}

func TestConcludeWithToken(t *testing.T) {
	t.Parallel()
	b, k := checked(t, how{}, 2)
	k.Title = strings.Repeat("long ", 50)
	conclude(t, b, k)
	if again := conclude(t, b, k); !again.Unchanged {
		t.Error("it was said twice")
	}
	k.Conclusion, k.Title = bot.CheckNeutral, "something to look at"
	conclude(t, b, k)
	got := b.Statuses(repoName)
	if len(got) != 2 || got[0].State != "failure" || len(got[0].Description) > 140 || got[1].State != "success" || got[1].Context != "a check" {
		t.Errorf("statuses are %+v", got)
	}
	if runs := b.CheckRuns(repoName); len(runs) != 0 {
		t.Errorf("check runs are %+v", runs)
	}
}

func TestConcludeRefuses(t *testing.T) {
	t.Parallel()
	b, good := checked(t, how{app: true}, 0)
	for name, spoil := range map[string]func(*bot.Check){
		"repository": func(k *bot.Check) { k.Target.Repo = "ferry/../x" },
		"commit":     func(k *bot.Check) { k.Commit = "main" },
		"conclusion": func(k *bot.Check) { k.Conclusion = "stale" },
		"no title":   func(k *bot.Check) { k.Title = "" },
	} {
		k := good
		spoil(&k)
		if _, err := b.client.Conclude(t.Context(), k); bot.CodeOf(err) != bot.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(b.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
	b.Deny("checks")
	_, err := b.client.Conclude(t.Context(), good)
	if bot.CodeOf(err) != bot.CodeForbidden || !strings.Contains(err.Error(), "checks: write") {
		t.Errorf("without the permission: %v", err)
	}
	b, k := checked(t, how{}, 0)
	b.Deny("statuses")
	if _, err := b.client.Conclude(t.Context(), k); bot.CodeOf(err) != bot.CodeForbidden || !strings.Contains(err.Error(), "commit statuses: write") {
		t.Errorf("without the token's permission: %v", err)
	}
}
