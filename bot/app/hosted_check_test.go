package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/store"
)

func TestPullRequestIsChecked(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, true)
	a := w.start(t)
	until(t, "the registry", func() bool { return a.Ready() == nil })
	_, head, opened := w.pull(t, true, map[string]string{regFile: broken()})
	for range 2 {
		if d := w.took(t, a, opened); d.Status != store.StatusDone || !strings.Contains(d.Reason, "failure: 1 error") {
			t.Errorf("the pull request became %s: %s", d.Status, d.Reason)
		}
	}
	again, err := w.github.PullEvent("reopened", regRepo, 1)
	if err != nil {
		t.Fatal(err)
	}
	w.took(t, a, again)
	runs := w.github.CheckRuns(regRepo)
	if len(runs) != 1 {
		t.Fatalf("check runs are %+v", runs)
	}
	run := runs[0]
	if run.HeadSHA != head || run.Name != "pointsman registry" || run.Conclusion != "failure" || run.Writes != 1 || len(run.Annotations) != 1 {
		t.Fatalf("the check run is %+v", run)
	}
	if at := run.Annotations[0]; at.Path != regFile || at.StartLine != 3 || at.Level != "failure" || !strings.Contains(at.Message, "owns") {
		t.Errorf("the remark is %+v", at)
	}
	if !strings.Contains(run.Summary, "the last good one, with 2 entries") {
		t.Errorf("the summary is %s", run.Summary)
	}

	head, err = w.github.PushPull(regRepo, 1, map[string]string{regFile: strings.ReplaceAll(organisation, `"name": "tickets"`, `"name": "sales"`)})
	if err != nil {
		t.Fatal(err)
	}
	pushed, err := w.github.PullEvent("synchronize", regRepo, 1)
	if err != nil {
		t.Fatal(err)
	}
	w.took(t, a, pushed)
	runs = w.github.CheckRuns(regRepo)
	if len(runs) != 2 || runs[1].HeadSHA != head || runs[1].Conclusion == "failure" {
		t.Fatalf("check runs are %+v", runs)
	}
	for _, want := range []string{"1 added: `sales`", "1 removed: `tickets`", "1 as before", "2 of 2 have a description"} {
		if !strings.Contains(runs[1].Summary, want) {
			t.Errorf("the summary does not say %q:\n%s", want, runs[1].Summary)
		}
	}
	answered(t, a, organisation, "tickets") // nothing was merged
}

// Nothing at all is said of a pull request that leaves the registry alone.
func TestPullRequestIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, true)
	a := w.start(t)
	until(t, "the registry", func() bool { return a.Ready() == nil })
	_, _, other := w.pull(t, false, map[string]string{"README.md": "x"})
	if d := w.took(t, a, other); d.Status != store.StatusIgnored {
		t.Errorf("another file became %s: %s", d.Status, d.Reason)
	}
	w.push(t, "main", map[string]string{regFile: organisation + "\n"}) // the branch moves on
	if d := w.took(t, a, w.github.Sign("pull_request", fresh(t, w, 1))); d.Status != store.StatusIgnored {
		t.Errorf("a branch that moved on became %s: %s", d.Status, d.Reason)
	}
	w.push(t, "dev", map[string]string{regFile: organisation})
	number, _, err := w.github.OpenPull(regRepo, "dev", false, map[string]string{regFile: "{"})
	if err != nil {
		t.Fatal(err)
	}
	if d := w.took(t, a, w.github.Sign("pull_request", fresh(t, w, number))); d.Status != store.StatusIgnored {
		t.Errorf("another branch became %s: %s", d.Status, d.Reason)
	}
	for _, kind := range []string{"check_run", "check_suite", "status"} { // our own, too
		if d := w.took(t, a, w.github.Sign(kind, fresh(t, w, 1))); d.Status != store.StatusIgnored {
			t.Errorf("%s became %s: %s", kind, d.Status, d.Reason)
		}
	}
	if runs := w.github.CheckRuns(regRepo); len(runs) != 0 {
		t.Errorf("check runs are %+v", runs)
	}
}

// fresh is the body of an event of a pull request as it stands.
func fresh(t *testing.T, w *world, number int) []byte {
	t.Helper()
	d, err := w.github.PullEvent("synchronize", regRepo, number)
	if err != nil {
		t.Fatal(err)
	}
	return d.Body
}

func TestPullRequestWithoutAnApp(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, false)
	a := w.start(t)
	until(t, "the registry", func() bool { return a.Ready() == nil })
	_, head, d := w.pull(t, false, map[string]string{regFile: ""})
	w.took(t, a, d)
	got := w.github.Statuses(regRepo)
	if len(got) != 1 || got[0].SHA != head || got[0].State != "failure" || got[0].Context != "pointsman registry" {
		t.Errorf("statuses are %+v", got)
	}
}

func TestPullRequestInShadow(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, true)
	w.cfg.Mode = config.ModeShadow
	a := w.start(t)
	until(t, "the registry", func() bool { return a.Ready() == nil })
	_, _, opened := w.pull(t, false, map[string]string{regFile: broken()})
	if d := w.took(t, a, opened); d.Status != store.StatusDone || !strings.Contains(d.Reason, "it would have been failure") {
		t.Errorf("the pull request became %s: %s", d.Status, d.Reason)
	}
	for _, r := range w.github.Requests() {
		if r.Method != "GET" && !strings.HasSuffix(r.Path, "/access_tokens") {
			t.Errorf("something was said: %+v", r)
		}
	}
}

// However an attempt ends, one check run stands on the commit.
func TestOneCheckRun(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(*world){
		"lost answer": func(w *world) { w.github.Drop(1) },
		"late write":  func(w *world) { w.github.Late(1) },
		"refused":     func(w *world) { w.github.FailWrites(1, 502, nil, "{}") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := hostedWorld(t, true)
			a := w.start(t)
			until(t, "the registry", func() bool { return a.Ready() == nil })
			_, _, opened := w.pull(t, true, map[string]string{regFile: broken()})
			fault(w)
			w.deliver(t, a, opened)
			until(t, "the attempt", func() bool {
				for _, r := range w.github.Requests() {
					if strings.HasSuffix(r.Path, "/check-runs") && r.Method == "POST" {
						return true
					}
				}
				return false
			})
			w.github.Land()
			w.untilDone(t)
			if runs := w.github.CheckRuns(regRepo); len(runs) != 1 || runs[0].Status != "completed" || len(runs[0].Annotations) != 1 {
				t.Errorf("check runs are %+v", runs)
			}
		})
	}
}

// A process that is killed between intent and mark leaves a check that the next one
// finds, and does not make again.
func TestOneCheckRunAfterAKill(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, true)
	a := w.start(t)
	until(t, "the registry", func() bool { return a.Ready() == nil })
	_, head, opened := w.pull(t, true, map[string]string{regFile: broken()})
	w.took(t, a, opened)
	stop(t, a)
	s, err := store.Open(t.Context(), w.cfg.DataDir)
	if err != nil {
		t.Fatal(err)
	}
	// As if it had been killed before the mark, and the event were sent again.
	err = s.Do(t.Context(), func(tx *store.Tx) error { return tx.IntendCheck(t.Context(), regRepo, head, "mark") })
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	a = w.start(t)
	began := time.Now()
	w.took(t, a, w.github.Sign("pull_request", fresh(t, w, 1)))
	if took := time.Since(began); took < w.grace/2 {
		t.Errorf("it did not wait for what may yet land: %s", took)
	}
	if runs := w.github.CheckRuns(regRepo); len(runs) != 1 || runs[0].Writes != 1 {
		t.Errorf("check runs are %+v", runs)
	}
}

// The whole text of a check on a registry with many errors, for its bounds.
func TestManyErrors(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, true)
	a := w.start(t)
	until(t, "the registry", func() bool { return a.Ready() == nil })
	var b strings.Builder
	b.WriteString(`{"version": 1, "repos": [`)
	for i := range 90 {
		fmt.Fprintf(&b, "\n\t{\"name\": \"r%d\", \"owns\": 7},", i)
	}
	_, _, opened := w.pull(t, true, map[string]string{regFile: strings.TrimSuffix(b.String(), ",") + "\n]}\n"})
	w.took(t, a, opened)
	runs := w.github.CheckRuns(regRepo)
	if len(runs) != 1 || len(runs[0].Annotations) < 90 || runs[0].Writes != 2 || !strings.Contains(runs[0].Summary, "more, each at its line") {
		t.Errorf("check runs are %+v", runs)
	}
}
