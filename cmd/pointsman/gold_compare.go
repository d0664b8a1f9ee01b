package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing/gold"
)

func newGoldCompareCommand() *cobra.Command {
	var asJSON bool
	var least float64
	cmd := &cobra.Command{
		Use:   "compare WANT GOT",
		Short: "Say how far one gold file finds the cases of another again",
		Long: `Look for every case of WANT among those of GOT, whatever their ids: the case that
holds most of its commits is taken for the same ticket. Found again means the same
set of repositories. Every other case is listed with the kind of its difference.`,
		Example: `  pointsman gold compare reviewed.jsonl mined.jsonl
  pointsman gold compare reviewed.jsonl mined.jsonl --least 0.95`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("want two gold files; see %s --help", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			want, err := readGold(args[0])
			if err != nil {
				return err
			}
			got, err := readGold(args[1])
			if err != nil {
				return err
			}
			c := gold.Compare(want, got)
			if c.N == 0 {
				return usagef("%s names no commits, by which its cases could be found", args[0])
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), c, "  ")
			} else {
				err = writeComparison(&printer{out: cmd.OutOrStdout()}, c)
			}
			if share := float64(c.Same) / float64(c.N); err == nil && share < least {
				return &exitError{code: exitFailed}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().Float64Var(&least, "least", 0, "exit with 1 when a smaller share is found again, in [0,1]")
	return cmd
}

func writeComparison(p *printer, c gold.Comparison) error {
	p.line("%d of %d cases found again with the same repositories (%.1f %%), %d of them with all their commits",
		c.Same, c.N, 100*float64(c.Same)/float64(c.N), c.Exact)
	p.line("Differences: %s", counts(c.Kinds))
	if c.Skipped > 0 {
		p.line("%d cases name no commits and were passed over", c.Skipped)
	}
	for _, d := range c.Differ {
		p.line("%-9s %s as %s: want %s, have %s", d.Kind, d.Want, d.Got, strings.Join(d.Repos, " "), strings.Join(d.Have, " "))
		for i, k := range d.Lost {
			if i == 5 {
				p.line("          and %d more commits", len(d.Lost)-i)
				break
			}
			p.line("          without %s", k)
		}
	}
	return p.err
}
