package demo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// shown is how many candidates a comment shows.
const shown = 3

// outcome compares a decision with the settled answer.
type outcome struct {
	ticket Ticket
	key    string
	first  []string // the repositories at rank 1
	rank   int      // of the answer; 0 = not among the candidates
	kept   int      // candidates in the decision
	tie    *routing.Ambiguity
	why    []string // reasons of the first candidate
}

func compare(tk Ticket, d routing.Decision) outcome {
	o := outcome{ticket: tk, key: d.Ticket.Key, kept: len(d.Candidates)}
	for _, c := range d.Candidates {
		if c.Rank == 1 {
			o.first = append(o.first, c.Repo)
		}
		if c.Repo == tk.Answer {
			o.rank = c.Rank
		}
	}
	if len(d.Candidates) > 0 {
		o.why = d.Candidates[0].Reasons
	}
	for i, a := range d.Ambiguities {
		if o.rank == 1 && len(o.first) > 1 && slices.Contains(a.Repos, tk.Answer) {
			o.tie = &d.Ambiguities[i]
		}
	}
	return o
}

// right1 is the answer's share of the first rank: 1 alone, 1/2 beside another.
func (o outcome) right1() float64 {
	if o.rank != 1 {
		return 0
	}
	return 1 / float64(len(o.first))
}

func (o outcome) top3() bool { return o.rank >= 1 && o.rank <= shown }

// sentence says in one paragraph how the comment did.
func (o outcome) sentence() string {
	switch {
	case o.rank == 1 && len(o.first) == 1:
		return fmt.Sprintf("right: the answer was %s.", o.ticket.Answer)
	case o.tie != nil:
		return fmt.Sprintf("tie: %s share rank 1, because %s. Asking would settle it: %q The answer was %s: %s.",
			strings.Join(o.first, " and "), o.tie.Reason, o.tie.Ask, o.ticket.Answer, o.ticket.Because)
	case o.rank == 1:
		return fmt.Sprintf("shared: %s stand together at rank 1; the answer was %s.", strings.Join(o.first, " and "), o.ticket.Answer)
	case len(o.first) == 0:
		return fmt.Sprintf("wrong: no repository was named; the right answer was %s, because %s.", o.ticket.Answer, o.ticket.Because)
	}
	place := fmt.Sprintf("ranked %d", o.rank)
	switch {
	case o.rank == 0:
		place = fmt.Sprintf("not among the %d kept", o.kept)
	case !o.top3():
		place += fmt.Sprintf(", below the %d shown", shown)
	}
	return fmt.Sprintf("wrong: the right answer was %s, %s, because %s. %s came first: %s.",
		o.ticket.Answer, place, o.ticket.Because, strings.Join(o.first, " and "), strings.Join(o.why, "; "))
}

// table sums the outcomes up.
func table(outcomes []outcome) []string {
	rows := [][]string{{"ticket", "expected", "got", "right at 1", "in top 3"}}
	alone, ties, top3 := 0, 0, 0
	for _, o := range outcomes {
		at1, in3 := "no", "no"
		switch o.right1() {
		case 0:
		case 1:
			at1 = "yes"
			alone++
		default:
			at1 = fmt.Sprintf("shared by %d", len(o.first))
			ties++
		}
		if o.top3() {
			in3 = "yes"
			top3++
		}
		rows = append(rows, []string{o.ticket.System + " " + o.key, o.ticket.Answer, strings.Join(o.first, " = "), at1, in3})
	}
	sum := fmt.Sprintf("%d of %d right at 1, %d more shared; %d of %d in the top 3.", alone, len(outcomes), ties, top3, len(outcomes))
	return append(columns(rows), "", sum)
}
