package page

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/eval"
	"github.com/pointsman/pointsman/routing/text"
)

// percent words a share in [0,1].
func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func number(x float64) string { return fmt.Sprintf("%.3f", x) }

// count words a number of things: "1 ticket", "12 tickets".
func count(n int, one string) string {
	switch {
	case n == 1:
		return "1 " + one
	case strings.HasSuffix(one, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(one, "y"))
	}
	return fmt.Sprintf("%d %ss", n, one)
}

func rankWords(rank int) string {
	if rank == 0 {
		return "not listed"
	}
	return fmt.Sprintf("place %d", rank)
}

// whyWords tells what a candidate's score is made of.
func whyWords(w eval.Why) string {
	var parts, silent []string
	for _, p := range w.Parts {
		if p.Contribution == 0 {
			silent = append(silent, p.Ranker)
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %.3f (%s)", p.Ranker, p.Contribution, rankWords(p.Rank)))
	}
	if len(silent) > 0 {
		parts = append(parts, "nothing from "+strings.Join(silent, " and "))
	}
	return strings.Join(parts, ", ")
}

func figureWords(metric string) string {
	if metric == "top1" {
		return "first is right"
	}
	return "right one among the first three"
}

func systemWords(name string) string {
	switch name {
	case eval.SystemNull:
		return "null: most common"
	case eval.SystemTriple:
		return "null: best triple"
	case eval.SystemFused:
		return "fused (the decision)"
	case eval.SystemSaved:
		return "saved (earlier run)"
	}
	return name
}

func systemMeaning(s eval.System) string {
	switch s.Name {
	case eval.SystemNull:
		return "Never reads the ticket: always the repositories these tickets need most often, in that order: " + strings.Join(s.Constant, ", ") + ", …"
	case eval.SystemTriple:
		return "Never reads the ticket: always the same three, the best three there are for these tickets: " + strings.Join(s.Constant, ", ")
	case eval.SystemFused:
		return "What Pointsman decides from all rankers together"
	case eval.SystemSaved:
		return fmt.Sprintf("The decision of an earlier run, on the %s that both runs have", count(s.N, "ticket"))
	case "registry":
		return "The ranker that meets the ticket with the registry's routing fields, alone"
	case "description":
		return "The ranker that compares the ticket with the repositories' descriptions, alone"
	case "code":
		return "The ranker that searches the code for the ticket's words, alone"
	case "history":
		return "The ranker that looks up similar past tickets, alone"
	}
	return "The ranker " + s.Name + ", alone"
}

type coverageRow struct {
	routing.Coverage
	Share   float64
	Unseen  []pair // repository and reason
	More    int    // beyond those that are named
	Explain string
}

// Length is that of the bar, of 200.
func (c coverageRow) Length() float64 { return round(200 * c.Share) }

func coverage(rows []routing.Coverage) []coverageRow {
	var list []coverageRow
	for _, c := range rows {
		row := coverageRow{Coverage: c, Share: float64(c.Can) / float64(max(1, c.Of)), Explain: "counts in the decision"}
		if !c.Fused {
			row.Explain = "annotates only: it has no weight in the decision"
		}
		for i, name := range c.Missing[:min(maxPairs, len(c.Missing))] {
			row.Unseen = append(row.Unseen, pair{name, c.Why[i]})
		}
		row.More = len(c.Missing) - len(row.Unseen)
		list = append(list, row)
	}
	return list
}

func verdicts(r eval.Report) []verdict {
	means := map[routing.Verdict]string{
		routing.VerdictRoute: "candidates stand",
		routing.VerdictAsk:   "too little text; candidates are a best effort, and they count as an answer",
		routing.VerdictNone:  "nothing matches, so no repository is named",
	}
	var list []verdict
	for _, v := range []routing.Verdict{routing.VerdictRoute, routing.VerdictAsk, routing.VerdictNone} {
		n := r.Verdicts[string(v)]
		list = append(list, verdict{Name: string(v), Means: means[v], N: n, Share: float64(n) / float64(max(1, r.N))})
	}
	return list
}

// identity is what the run stands on.
func identity(r eval.Report) []pair {
	list := []pair{
		{"gold file", r.Gold.SHA256},
		{"tickets in it", fmt.Sprint(r.Gold.Cases)},
		{"registry", r.AsOf.Registry},
		{"weights", r.AsOf.Weights},
		{"configuration", r.AsOf.Config},
		{"history", r.AsOf.History},
		{"program", r.AsOf.Program},
		{"hidden from code search", r.Settings.Without},
		{"earlier run", r.Settings.Against},
	}
	return slices.DeleteFunc(list, func(p pair) bool { return p.Value == "" })
}

func commits(r eval.Report) []pair {
	var list []pair
	for _, name := range slices.Sorted(maps.Keys(r.AsOf.Generations)) {
		list = append(list, pair{name, r.AsOf.Generations[name]})
	}
	return list
}

// maxShown is how much of one text of a run a reader is shown, in runes.
const maxShown = 300

// plain makes a text fit to be shown: printable and bounded.
func plain(s string) string {
	s = text.Printable(s)
	if r := []rune(s); len(r) > maxShown {
		return string(r[:maxShown-1]) + "…"
	}
	return s
}
