package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/document"
	"github.com/pointsman/pointsman/routing/registry"
)

// aggregateFlags are the flags of one `pointsman aggregate`.
type aggregateFlags struct {
	registry string
	json     bool
}

func newAggregateCommand() *cobra.Command {
	var f aggregateFlags
	cmd := &cobra.Command{
		Use:   "aggregate [FILE|-]",
		Short: "Say how sure the specialists of several repositories are together",
		Long: `Read the verdicts of the specialists that were asked about one ticket and compute
their aggregate: the mean of confidence * routingConfidence / 100, without those who
are sure that they are not responsible, times 0.8 when all that remain are partly so.

The input is JSON, from FILE or standard input:

  {"routing": DECISION, "verdicts": [{"repo": "payments", "verdict": "RESPONSIBLE",
    "confidence": 90, "routingConfidence": 78, "missing": ["shop"], "note": "..."}]}

verdict is RESPONSIBLE, PARTIALLY_RESPONSIBLE or NOT_RESPONSIBLE. routing, the output
of route --json, is optional: its score ratio serves verdicts without a routingConfidence.`,
		Example: `  pointsman aggregate verdicts.json
  pointsman aggregate --registry .repo-orchestrator/registry.json --json - < verdicts.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("want one file of verdicts, got %d", len(args))
			}
			return nil
		},
		RunE: f.run,
	}
	cmd.Flags().StringVar(&f.registry, "registry", "", "registry file: says whether the missing repositories have an entry")
	cmd.Flags().BoolVar(&f.json, "json", false, "print "+document.AggregateSchema+" as JSON")
	return cmd
}

func (f *aggregateFlags) run(cmd *cobra.Command, args []string) error {
	name, in := "standard input", cmd.InOrStdin()
	if len(args) == 1 && args[0] != "-" {
		file, err := os.Open(args[0])
		if err != nil {
			return usagef("reading the verdicts: %w", err)
		}
		defer file.Close()
		name, in = args[0], file
	}
	data, err := io.ReadAll(io.LimitReader(in, document.MaxVerdicts+1))
	if err != nil {
		return fmt.Errorf("reading the verdicts: %w", err)
	}
	verdicts, err := document.ReadVerdicts(name, data)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	a := document.Combine(verdicts)
	if f.registry != "" {
		reg, err := registry.Load(f.registry)
		if err != nil {
			return &exitError{code: exitUsage, err: err}
		}
		lookUp(&a, reg)
	}
	if f.json {
		return writeJSON(cmd.OutOrStdout(), a, "  ")
	}
	return writeAggregate(&printer{out: cmd.OutOrStdout()}, a)
}

// lookUp says which of the missing repositories have an entry.
func lookUp(a *document.Aggregate, reg registry.Registry) {
	for i, m := range a.Missing {
		there := slices.ContainsFunc(reg.Repos, func(r routing.Repo) bool { return r.Name == m.Repo || slices.Contains(r.Aliases, m.Repo) })
		a.Missing[i].Registered = &there
	}
}

// writeAggregate prints an aggregate for a person, every term of it.
func writeAggregate(p *printer, a document.Aggregate) error {
	p.line("%-28s %-22s %10s %8s %9s", "specialist", "verdict", "confidence", "routing", "weighted")
	for _, t := range a.Terms {
		weighted := fmt.Sprintf("%.2f", t.Weighted)
		if t.Dropped {
			weighted = "dropped"
		}
		p.line("%-28s %-22s %9.4g%% %7.4g%% %9s", document.Line(t.Repo, 28), t.Verdict.Verdict, t.Confidence, t.RoutingConfidence, weighted)
		if t.Why != "" {
			p.line("  %s", t.Why)
		}
		if t.Note != "" {
			p.line("  %s", document.Line(t.Note, 200))
		}
	}
	p.line("")
	if a.Remaining > 0 {
		p.line("Mean of %d: %.2f%%", a.Remaining, a.Mean)
		if a.Penalty != 1 {
			p.line("All of them are partly responsible: times %g", a.Penalty)
		}
	}
	p.line("Aggregate confidence: %.2f%% (%s)", a.Confidence, a.Band)
	for _, m := range a.Missing {
		p.line("Missing: %s, says %s%s", document.Line(m.Repo, 100), document.Line(strings.Join(m.By, ", "), 200), standing(m))
	}
	for _, w := range a.Warnings {
		p.line("Warning: %s", w)
	}
	return p.err
}

func standing(m document.MissingRepo) string {
	switch {
	case m.Asked:
		return "; it has spoken itself"
	case m.Registered == nil:
		return ""
	case *m.Registered:
		return "; it stands in the registry"
	}
	return "; it has no entry in the registry, add it with pointsman sync"
}
