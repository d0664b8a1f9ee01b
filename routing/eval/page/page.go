package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/pointsman/pointsman/routing/eval"
)

//go:embed report.html.tmpl
var reportTemplate string

//go:embed style.css
var style string

// maxPairs is how many confusion pairs, misses and moved tickets are shown.
const maxPairs = 20

// sheet is what the template draws.
type sheet struct {
	eval.Report
	Style     template.CSS
	Fused     eval.System
	Null      eval.System
	Triple    eval.System
	Intervals intervalChart
	Curve     curveChart
	Plots     []reliabilityPlot
	RepoBars  []repoBar
	Coverage  []coverageRow
	Sibling   []eval.SiblingRow
	HasToday  bool
	Better    []eval.Change
	Worse     []eval.Change
	Confused  []eval.Confusion
	Worst     []eval.Miss
	Verdicts  []verdict
	Identity  []pair
	Commits   []pair
}

type pair struct{ Name, Value string }

type verdict struct {
	Name, Means string
	N           int
	Share       float64
}

// Write writes the report as HTML. The same report gives the same bytes.
func Write(w io.Writer, r eval.Report) error {
	t, err := template.New("report").Funcs(template.FuncMap{
		"pct": percent, "plain": plain, "join": func(names []string) string { return strings.Join(names, ", ") },
		"p": eval.PText, "words": figureWords, "who": systemWords, "about": systemMeaning, "rank": rankWords, "count": count, "num": number,
		"why": whyWords, "best": func(a, b float64) float64 { return max(a, b) },
	}).Parse(reportTemplate)
	if err != nil {
		return fmt.Errorf("reading the report's template: %w", err)
	}
	if err := t.Execute(w, newSheet(r)); err != nil {
		return fmt.Errorf("writing the HTML report: %w", err)
	}
	return nil
}

func newSheet(r eval.Report) sheet {
	s := sheet{
		Report: r, Style: template.CSS(style), //nolint:gosec // it is our own file, embedded
		Intervals: intervals(r.Systems), Curve: curve(r), RepoBars: repoBars(r.PerRepo), Coverage: coverage(r.Coverage),
		Confused: r.Confusion[:min(maxPairs, len(r.Confusion))], Worst: r.Misses[:min(maxPairs, len(r.Misses))],
		Verdicts: verdicts(r), Identity: identity(r), Commits: commits(r),
	}
	for _, x := range r.Systems {
		switch x.Name {
		case eval.SystemFused:
			s.Fused = x
		case eval.SystemNull:
			s.Null = x
		case eval.SystemTriple:
			s.Triple = x
		}
		s.HasToday = s.HasToday || x.Present.N > 0
	}
	for _, g := range r.Siblings {
		if g.N > 0 {
			s.Sibling = append(s.Sibling, g)
		}
	}
	if r.Calibration.N > 0 {
		s.Plots = []reliabilityPlot{
			reliability("The first is right", r.Calibration.Bins, r.Calibration.ECE),
			reliability("A right one is among the first three", r.Calibration.Bin3, r.Calibration.ECE3),
		}
	}
	if a := r.Against; a != nil {
		s.Better, s.Worse = a.Better[:min(maxPairs, len(a.Better))], a.Worse[:min(maxPairs, len(a.Worse))]
	}
	return s
}
