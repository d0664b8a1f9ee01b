package replay

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

//go:embed page.html
var pageHTML string

// WritePage writes the report as one page that needs nothing from elsewhere. Text
// of tickets is escaped; their addresses become links only if they are web ones.
func WritePage(w io.Writer, r Report) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"pct":    Percent,
		"exact":  func(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) },
		"num":    Number,
		"width":  func(part, whole float64) string { return fmt.Sprintf("%.1f", 100*part/max(whole, 1e-9)) },
		"answer": answerText,
		"join":   func(list []string) string { return strings.Join(list, ", ") },
		"date":   func(stamp string) string { return stamp[:min(len(stamp), 10)] },
	}).Parse(pageHTML)
	if err != nil {
		return fmt.Errorf("preparing the page: %w", err)
	}
	if err := t.Execute(w, r); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// Percent writes a share in [0,1] for a person.
func Percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// Number writes a count that ties may have made uneven.
func Number(n float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", n), ".0") }

// answerText is a shortlist on one line: "1. a, 2= b, 2= c".
func answerText(r Row) string {
	shared := map[int]int{}
	for _, p := range r.Answer {
		shared[p.Rank]++
	}
	parts := make([]string, len(r.Answer))
	for i, p := range r.Answer {
		mark := "."
		if shared[p.Rank] > 1 {
			mark = "="
		}
		parts[i] = fmt.Sprintf("%d%s %s", p.Rank, mark, p.Repo)
	}
	if r.Verdict == routing.VerdictNone {
		return "nothing to route to"
	}
	return strings.Join(parts, ", ")
}
