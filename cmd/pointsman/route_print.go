package main

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/document"
	"github.com/pointsman/pointsman/routing/engine"
)

// The forms of one decision, besides JSON.
const (
	formatTable    = "table"
	formatDecision = "decision"
	formatContext  = "context"
)

// routeOne routes one ticket and prints the decision in the form asked for.
func (f *routeFlags) routeOne(cmd *cobra.Command, eng *engine.Engine, s engine.Snapshot, t routing.Ticket) error {
	d, rankings, err := eng.Trace(cmd.Context(), t, s)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	switch {
	case f.json:
		err = writeJSON(out, d, "  ")
	case f.format == formatTable:
		err = writeDecision(out, d, f.show)
		if err == nil && f.asks(d) {
			p := &printer{out: out}
			p.line("%s", document.AskMore)
			err = p.err
		}
	default:
		return f.writeBlock(out, d, document.Of(d, rankings).Addressed(s.Repos))
	}
	if err == nil && d.Verdict == routing.VerdictNone {
		return &exitError{code: exitNothing}
	}
	return err
}

// asks tells whether a person is asked for more before the ticket is routed.
func (f *routeFlags) asks(d routing.Decision) bool {
	return d.Verdict == routing.VerdictAsk && !f.headless
}

// writeBlock prints a block for agents. Nobody with a point is "nothing to route
// to", whatever the other rankers say: the block is about the registry.
func (f *routeFlags) writeBlock(out io.Writer, d routing.Decision, v document.View) error {
	var text string
	switch {
	case f.format == formatDecision:
		text = v.Decision()
		if f.asks(d) {
			text += "Question: " + document.AskMore + "\n"
		}
	case v.Action == document.ActionNone:
		return &exitError{code: exitNothing, err: errors.New(strings.TrimSuffix(document.NoCandidate, "."))}
	default:
		block, err := v.Context(f.forRepo)
		if err != nil {
			return usagef("--for: %w", err)
		}
		text = block
	}
	if _, err := io.WriteString(out, text); err != nil {
		return err
	}
	if v.Action == document.ActionNone {
		return &exitError{code: exitNothing}
	}
	return nil
}
