package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/eval"
)

// reportWidth is how many columns the table may take.
const reportWidth = 100

func writeReport(p *printer, r eval.Report) error {
	p.line("%d tickets, %d repositories, %d skipped", r.N, r.Repos, len(r.Skipped))
	p.line("")
	p.systems(r)
	p.sets(r)
	p.present(r.Systems)
	p.comparisons(r)
	p.line("")
	p.coverage(r.Coverage)
	p.siblings(r.Siblings)
	p.mistakes(r)
	p.confidence(r)
	for i, s := range r.Skipped {
		if i == 10 {
			p.line("... and %d more skipped; --json lists them", len(r.Skipped)-i)
			break
		}
		p.line("%s", clip(fmt.Sprintf("Skipped %s: %s", s.ID, s.Why), reportWidth))
	}
	if len(r.Skipped) > 0 {
		p.line("Figures are of the %d measured tickets only.", r.N)
	}
	return p.err
}

func (p *printer) systems(r eval.Report) {
	systems := r.Systems
	p.line("%-14s %6s %6s %6s %6s %6s %6s %6s %9s   %s", "system", "top-1", "top-3", "top-5", "MRR", "set@3", "set@5", "exact", "no answer", "top-3, 95 % interval")
	for _, s := range systems {
		p.line("%-14.14s %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f %9.3f   %.3f to %.3f", s.Name, s.Top1, s.Top3, s.Top5, s.MRR,
			s.SetRecall3, s.SetRecall5, s.ExactSet, s.Abstained, s.CI95["top3"][0], s.CI95["top3"][1])
	}
	for _, s := range systems {
		if s.Name == eval.SystemTriple {
			p.line("%s", clip(fmt.Sprintf("triple: the best three for every ticket: %s", strings.Join(s.Constant, ", ")), reportWidth))
		}
		if s.Name == eval.SystemSaved && r.Settings.AsOf != "" && r.Settings.Against == "" {
			p.line("saved: the same tickets with every repository as it stands today")
		}
		if s.Name == eval.SystemSaved && s.N != systems[0].N {
			p.line("saved: measured on the %d tickets that both runs have", s.N)
		}
		if s.Name == eval.SystemFused && s.Abstained > 0 {
			p.line("fused, when it answers: top-1 %.3f, top-3 %.3f", s.AnsweredTop1, s.AnsweredTop3)
		}
	}
}

// sets shows the tickets that need several repositories, unless all or none do.
func (p *printer) sets(r eval.Report) {
	if r.Sets.N == 0 || r.Sets.N == r.N {
		return
	}
	p.line("")
	p.line("Tickets that need several repositories: %d (baselines fitted to them; set@3 can reach %.3f)", r.Sets.N, r.Sets.Best3)
	p.line("%-14s %6s %6s %6s %6s   %s", "system", "top-3", "set@3", "set@5", "exact", "set@3, 95 % interval")
	for _, s := range r.Sets.Systems {
		p.line("%-14.14s %6.3f %6.3f %6.3f %6.3f   %.3f to %.3f", s.Name, s.Top3, s.SetRecall3, s.SetRecall5, s.ExactSet, s.CI95["setRecall3"][0], s.CI95["setRecall3"][1])
	}
}

func (p *printer) present(systems []eval.System) {
	if systems[0].Present.N == 0 {
		return
	}
	p.line("")
	p.line("Tickets that say what is right today: %d (a shipped one needs no repository)", systems[0].Present.N)
	p.line("%-14s %6s %6s %6s %6s %6s   %s", "system", "top-1", "top-3", "MRR", "set@3", "exact", "the same by what was right then: top-1, top-3")
	for _, s := range systems {
		x := s.Present
		p.line("%-14.14s %6.3f %6.3f %6.3f %6.3f %6.3f   %.3f, %.3f", s.Name, x.Top1, x.Top3, x.MRR, x.SetRecall3, x.ExactSet, x.ThenTop1, x.ThenTop3)
	}
}

func (p *printer) comparisons(r eval.Report) {
	if len(r.Compare) > 0 {
		p.line("")
		p.line("%-28s %-6s %5s %6s %6s %8s %9s %8s %8s", "A against B, exact McNemar", "figure", "both", "A only", "B only", "p", "A higher", "B higher", "p")
	}
	for _, c := range r.Compare {
		p.line("%-28.28s %-6s %5d %6d %6d %8s %9d %8d %8s", c.A+" against "+c.B, c.Metric, c.Both, c.AOnly, c.BOnly, eval.PText(c.P), c.AMore, c.BMore, eval.PText(c.PMore))
	}
	if len(r.Compare) > 0 {
		p.line("only: right, a tie of two counting as right. higher: more credit, a tie of two counting half.")
	}
	if a := r.Against; a != nil {
		p.line("Against the saved run: %d tickets in common, the answer stands better in %d and worse in %d", a.Common, len(a.Better), len(a.Worse))
		if len(a.Differs) > 0 {
			p.line("%s", clip("Not the same in the two runs: "+strings.Join(a.Differs, ", "), reportWidth))
		}
	}
}

// coverage is one line, or one for each ranker where that would be too long.
func (p *printer) coverage(rows []routing.Coverage) {
	all := "Coverage: " + coverageText(rows)
	if len(all) <= reportWidth {
		p.line("%s", all)
		return
	}
	p.line("Coverage:")
	for i := range rows {
		p.line("  %s", clip(coverageText(rows[i:i+1]), reportWidth-2))
	}
}

func (p *printer) siblings(rows []eval.SiblingRow) {
	head := false
	for _, s := range rows {
		if s.N == 0 {
			continue
		}
		if !head {
			p.line("Siblings  tickets  first among them  tie reported")
			head = true
		}
		p.line("          %7d  %16.3f  %12.3f  %s", s.N, s.Top1Within, s.AmbiguityReported, clip(s.Group, reportWidth-52))
	}
}

// mistakes names the weakest repositories and the most frequent confusions.
func (p *printer) mistakes(r eval.Report) {
	rows := slices.DeleteFunc(slices.Clone(r.PerRepo), func(x eval.RepoRow) bool { return x.N < 5 || x.Top3 == 1 })
	slices.SortStableFunc(rows, func(a, b eval.RepoRow) int { return cmp.Compare(a.Top3, b.Top3) })
	for i, row := range rows[:min(3, len(rows))] {
		head := ""
		if i == 0 {
			head = "Weakest of 5 tickets or more:"
		}
		p.line("%-29s %-30.30s %4d tickets, top-1 %.3f, top-3 %.3f", head, row.Repo, row.N, row.Top1, row.Top3)
	}
	for i, c := range r.Confusion[:min(3, len(r.Confusion))] {
		head := ""
		if i == 0 {
			head = "Most often mistaken:"
		}
		what := fmt.Sprintf("%dx %s came before %s", c.N, c.First, c.Answer)
		if c.First == "" {
			what = fmt.Sprintf("%dx nothing was named instead of %s", c.N, c.Answer)
		}
		p.line("%-29s %s", head, clip(what, reportWidth-30))
	}
}

func (p *printer) confidence(r eval.Report) {
	for _, c := range r.ByCoverage {
		if c.Share >= 0.5 && c.N < r.N {
			p.line("The surest %.0f %% (ahead by %.3f or more): top-1 %.3f, top-3 %.3f", 100*c.Share, c.Margin, c.Top1, c.Top3)
			break
		}
	}
	if r.Calibration.N == 0 {
		p.line("Confidence: not calibrated; decisions carry a score ratio, not a probability")
		return
	}
	p.line("Confidence: off by %.3f on average for the first, %.3f for the first three (%d decisions)", r.Calibration.ECE, r.Calibration.ECE3, r.Calibration.N)
}
