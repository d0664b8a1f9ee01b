package main

import (
	"github.com/spf13/cobra"
)

func newGoldCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gold",
		Short: "Make and keep tickets with known answers",
		Long: `A gold file holds tickets whose repositories are known, one JSON object a line. It
is what pointsman eval measures with. Mine it from the histories of your
repositories, import it from a table, and label what is true of it today.`,
		Example: `  pointsman gold mine --repos ~/src -o gold.jsonl
  pointsman gold list gold.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("there is no command %q; see pointsman gold --help", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newGoldMineCommand(), newGoldImportCommand(), newGoldListCommand(), newGoldLabelCommand(), newGoldCompareCommand())
	return cmd
}
