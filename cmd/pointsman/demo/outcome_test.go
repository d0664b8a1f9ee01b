package demo

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
)

func decision(ambiguous bool, ranked ...string) routing.Decision {
	d := routing.Decision{Ticket: routing.TicketName{Key: "HELP-1"}}
	for i, name := range ranked {
		rank := i + 1
		if ambiguous && i < 2 {
			rank = 1
		}
		d.Candidates = append(d.Candidates, routing.Candidate{Rank: rank, Repo: name, Reasons: []string{"it speaks of " + name}})
	}
	if ambiguous {
		d.Ambiguities = []routing.Ambiguity{{Repos: ranked[:2], Reason: "both hold it", Ask: "Which one?"}}
	}
	return d
}

// The sentence follows the decision, whatever it is: nothing about the sample's
// outcomes is written down anywhere but in its answers.
func TestOutcomeFollowsTheDecision(t *testing.T) {
	t.Parallel()
	tk := Ticket{System: "jira", Answer: "a", Because: "it holds the cause"}
	cases := map[string]struct {
		d     routing.Decision
		want  string
		right float64
		top3  bool
	}{
		"right":       {decision(false, "a", "b"), "right: the answer was a.", 1, true},
		"tied":        {decision(true, "a", "b", "c"), `tie: a and b share rank 1, because both hold it. Asking would settle it: "Which one?" The answer was a: it holds the cause.`, 0.5, true},
		"tied others": {decision(true, "b", "c", "a"), "wrong: the right answer was a, ranked 3, because it holds the cause. b and c came first: it speaks of b.", 0, true},
		"second":      {decision(false, "b", "a"), "wrong: the right answer was a, ranked 2, because it holds the cause. b came first: it speaks of b.", 0, true},
		"below":       {decision(false, "b", "c", "d", "a"), "wrong: the right answer was a, ranked 4, below the 3 shown, because it holds the cause. b came first: it speaks of b.", 0, false},
		"absent":      {decision(false, "b"), "wrong: the right answer was a, not among the 1 kept, because it holds the cause. b came first: it speaks of b.", 0, false},
		"nothing":     {decision(false), "wrong: no repository was named; the right answer was a, because it holds the cause.", 0, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := compare(tk, c.d)
			if diff := cmp.Diff(c.want, o.sentence()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if o.right1() != c.right || o.top3() != c.top3 {
				t.Errorf("right at 1 = %v, top 3 = %v, want %v and %v", o.right1(), o.top3(), c.right, c.top3)
			}
		})
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	tk := Ticket{System: "jira", Answer: "a"}
	got := strings.Join(table([]outcome{
		compare(tk, decision(false, "a")), compare(tk, decision(true, "b", "a")), compare(tk, decision(false, "b", "c", "d", "a")),
	}), "\n")
	want := `ticket       expected  got    right at 1   in top 3
jira HELP-1  a         a      yes          yes
jira HELP-1  a         b = a  shared by 2  yes
jira HELP-1  a         b      no           no

1 of 3 right at 1, 1 more shared; 2 of 3 in the top 3.`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
