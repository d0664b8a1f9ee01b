package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot/replay"
	"github.com/pointsman/pointsman/routing"
)

func TestReplayAsAPersonReadsIt(t *testing.T) {
	t.Parallel()
	r := replay.Report{
		About: replay.About{Source: "github", Places: []string{"acme/web", "acme/api"}}, N: 4, Known: 1, Stopped: "the disk is full",
		Oldest: "2026-05-01T09:00:00Z", Newest: "2026-05-03T09:00:00Z",
		Verdicts: map[string]int{"route": 2, "ask": 1, "none": 1},
		Repos:    []replay.RepoRow{{Repo: "quay", First: 1.5, Top3: 2, Share: 0.75}, {Repo: "berths", First: 0.5, Top3: 0.5, Share: 0.25}},
		Null:     replay.Null{Repo: "quay", Share: 0.75, N: 2},
		Ties:     replay.Ties{N: 1, Groups: []replay.Group{{Group: "g", Repos: []string{"berths", "quay"}, N: 1}}},
		Ask:      []replay.Example{{Key: "acme/web#4", Title: "Help \x1b[31m"}},
		None:     []replay.Example{{Key: "acme/web#5", Title: "Lunch"}},
		Coverage: []routing.Coverage{{Ranker: "code", Can: 1, Of: 2, Fused: true, Missing: []string{"quay"}, Why: []string{"empty"}}},
		Timing:   replay.Timing{MedianMs: 2, P95Ms: 10.25},
		Gold:     &replay.Gold{N: 2, Unmatched: 3, Top1: 0.5, Top3: 1, NullTop1: 0.5, NullTop3: 0.5, Null: []string{"quay"}},
		Ignored:  []replay.Reason{{Why: "opened by a bot", N: 7}},
		Failed:   []replay.Failed{{Key: "acme/web#6", Why: "no idea"}},
		Warnings: []replay.Reason{{Why: "drafts", N: 4}},
	}
	want := `4 tickets of acme/web, acme/api, of 2026-05-01 to 2026-05-03: what would have been answered. Nothing was said.
1 of them were decided by an earlier replay, by the same texts and the same state.

Verdicts: 2 routed, 1 with too little text, 1 with nothing to route to
Time per decision: median 2.0 ms, 95 % under 10.2 ms

repository                                  first    share  among three
quay                                          1.5     75 %            2
berths                                        0.5     25 %          0.5
A tie counts by its share. Null line: always answering quay would give the same first
answer on 75 % of the 2 routed tickets. Which answers are right, nobody told.

Ties that the text could not break: 1 tickets
       1  berths, quay

Too little text, for example:
    acme/web#4  Help [31m

Nothing to route to, for example:
    acme/web#5  Lunch

Coverage: code 1 of 2; not quay: empty

against known answers                       top-1    top-3
pointsman                                   0.500    1.000
null: always quay                           0.500    0.500
2 replayed tickets have a known answer; 3 known answers belong to tickets that were not replayed.
Where a ticket was filed counted, and the code is of today: figures of eval --as-of are stricter.
Warning on 4 tickets: drafts
Left out 7: opened by a bot
Failed acme/web#6: no idea
Not all tickets were replayed: the disk is full
`
	var out strings.Builder
	if err := writeReplay(&printer{out: &out}, r); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Errorf("report (-want +got):\n%s", d)
	}
}
