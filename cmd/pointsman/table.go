package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/text"
)

// writeDecision prints a decision for a person.
func writeDecision(out io.Writer, d routing.Decision, show int) error {
	w := &printer{out: out}
	w.line("%s", clip(d.Ticket.Title, 100))
	w.line("")
	switch d.Verdict {
	case routing.VerdictNone:
		w.line("Nothing to route to.")
	case routing.VerdictAsk:
		w.line("Too little text to be sure. A best effort:")
	case routing.VerdictRoute:
	}
	for i, c := range d.Candidates {
		if i >= show && c.Rank > show {
			break
		}
		w.candidate(c, shared(d.Candidates, c.Rank))
	}
	if len(d.Candidates) > 0 {
		w.line("")
	}
	for _, a := range d.Ambiguities {
		w.line("Cannot tell: %s. %s", a.Reason, a.Ask)
	}
	if len(d.Spans) > 1 {
		w.line("Needed together, it seems: %s", strings.Join(d.Spans, ", "))
	}
	w.line("%s", confidenceText(d.Confidence))
	w.line("Coverage: %s", coverageText(d.Coverage))
	for _, warning := range d.Warnings {
		w.line("Warning: %s", warning)
	}
	return w.err
}

// printer writes lines and keeps the first error. Text from tickets and
// repositories loses its control characters, so that it cannot drive a terminal.
type printer struct {
	out io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err != nil {
		return
	}
	_, p.err = fmt.Fprintln(p.out, text.Printable(fmt.Sprintf(format, args...)))
}

func (p *printer) candidate(c routing.Candidate, shared bool) {
	mark := " "
	if shared {
		mark = "="
	}
	p.line("%2d%s %-32s %.3f", c.Rank, mark, c.Repo, c.Score)
	for _, r := range c.Reasons {
		p.line("      %s", r)
	}
	for _, n := range c.Notes {
		p.line("      (%s)", n)
	}
	for _, e := range c.Evidence {
		p.line("      %s:%d-%d @ %s", e.Path, e.StartLine, e.EndLine, e.Commit[:min(10, len(e.Commit))])
	}
}

func shared(candidates []routing.Candidate, rank int) bool {
	n := 0
	for _, c := range candidates {
		if c.Rank == rank {
			n++
		}
	}
	return n > 1
}

func confidenceText(c routing.Confidence) string {
	if c.Calibrated {
		return fmt.Sprintf("Confidence: first is right %.0f %%, among the first three %.0f %% (from %d known tickets)", 100*c.Top1, 100*c.Top3, c.N)
	}
	if c.Ratio == 0 {
		return "Confidence: not calibrated"
	}
	return fmt.Sprintf("Confidence: not calibrated; the registry's score ratio is %d of 100", c.Ratio)
}

func coverageText(rows []routing.Coverage) string {
	parts := make([]string, len(rows))
	for i, c := range rows {
		parts[i] = fmt.Sprintf("%s %d of %d", c.Ranker, c.Can, c.Of)
		if c.Can == 0 && len(c.Why) > 0 {
			parts[i] += " (" + c.Why[0] + ")"
			continue
		}
		if !c.Fused {
			parts[i] += " (annotates only)"
		}
		for j, name := range c.Missing {
			if j == 3 {
				parts[i] += fmt.Sprintf("; and %d more", len(c.Missing)-j)
				break
			}
			parts[i] += fmt.Sprintf("; not %s: %s", name, c.Why[j])
		}
	}
	return strings.Join(parts, " | ")
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
