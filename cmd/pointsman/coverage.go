package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/engine"
)

func newCoverageCommand() *cobra.Command {
	var w workspace
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "coverage",
		Short:   "Say for each ranker which repositories it can rank, and which it cannot",
		Example: "  pointsman coverage --repos ~/src\n  pointsman coverage --registry registry.json --json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			eng, err := engine.New(engine.Options{Program: programVersion()})
			if err != nil {
				return err
			}
			snapshot, err := w.open(cmd.Context(), cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			rows, err := eng.Coverage(cmd.Context(), snapshot)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), rows, "  ")
			}
			return writeCoverage(&printer{out: cmd.OutOrStdout()}, rows)
		},
	}
	w.addFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// maxMissing bounds the repositories that are named for each ranker.
const maxMissing = 10

func writeCoverage(p *printer, rows []routing.Coverage) error {
	for _, c := range rows {
		role := "fused"
		if !c.Fused {
			role = "annotates only"
		}
		p.line("%-12s can rank %d of %d repositories (%s)", c.Ranker, c.Can, c.Of, role)
		for i, name := range c.Missing {
			if i == maxMissing && len(c.Missing) > maxMissing+1 {
				p.line("    and %d more; --json lists them", len(c.Missing)-i)
				break
			}
			p.line("    not %s: %s", name, strings.TrimSpace(c.Why[i]))
		}
	}
	return p.err
}
