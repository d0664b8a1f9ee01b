package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing/gold"
)

func newGoldLabelCommand() *cobra.Command {
	var id, state string
	var repos []string
	cmd := &cobra.Command{
		Use:   "label FILE --id ID --state open|shipped|moved",
		Short: "Say what is true of a ticket today",
		Long: `Write into a gold file what is true of one ticket today: open (still to be done),
shipped (done: today's right answer is nothing, unless --repos says where) or moved
(to --repos; to none of the known ones without it). An open ticket without --repos
keeps the repositories of its history.

The file is replaced in one step, and every other line keeps its bytes.`,
		Example: `  pointsman gold label gold.jsonl --id PAY-12 --state shipped
  pointsman gold label gold.jsonl --id PAY-31 --state moved --repos ledger,invoices`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if id == "" || state == "" {
				return usagef("want --id and --state; see %s --help", cmd.CommandPath())
			}
			for i := range repos {
				if repos[i] = strings.TrimSpace(repos[i]); repos[i] == "" {
					return usagef("--repos: want names parted by commas")
				}
			}
			content, err := os.ReadFile(args[0])
			if err != nil {
				return usagef("labelling: %w", err)
			}
			labelled, err := gold.Label(args[0], content, id, state, repos)
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			if bytes.Equal(content, labelled) {
				return nil
			}
			if err := replaceFile(args[0], labelled); err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s is %s\n", id, state)
			return nil
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "id of the case")
	cmd.Flags().StringVar(&state, "state", "", "open, shipped or moved")
	cmd.Flags().StringSliceVar(&repos, "repos", nil, "repositories it belongs in today, parted by commas")
	return cmd
}
