package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing/gold"
)

func newGoldImportCommand() *cobra.Command {
	var columns []string
	var out string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Make a gold file of a table: CSV with a header, or JSON lines",
		Long: `Make a gold file of a table: CSV with a header line, or JSON objects, one a line.

Columns are id, title, body, repos, created, state and now; only id, title and
repos are needed, and common other names (key, summary, description, repositories)
are known. A time has its year first, its month by name or its day first with dots
(2024-05-01 09:00, 01/May/24 9:00 AM, 01.05.2024). Several repositories are parted by ; or |. state is open, shipped or
moved, and now the repositories of today.`,
		Example: `  pointsman gold import tickets.csv -o gold.jsonl
  pointsman gold import export.csv --column id=Number --column repos=Team --column state=- -o gold.jsonl`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			named, err := columnNames(columns, gold.Fields())
			if err != nil {
				return err
			}
			in, err := os.Open(args[0])
			if err != nil {
				return usagef("importing: %w", err)
			}
			defer in.Close()
			cases, err := gold.Import(args[0], in, named)
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			if err := writeGold(cmd.OutOrStdout(), out, cases); err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%d cases imported\n", len(cases))
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&columns, "column", nil, "FIELD=COLUMN where a column has another name; FIELD=- leaves it out; may be repeated")
	cmd.Flags().StringVarP(&out, "output", "o", "", "gold file to write (default standard output)")
	return cmd
}

// oneFile wants exactly one argument.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("want one FILE; see %s --help", cmd.CommandPath())
	}
	return nil
}

func columnNames(pairs, fields []string) (map[string]string, error) {
	named := map[string]string{}
	for _, pair := range pairs {
		field, column, ok := strings.Cut(pair, "=")
		if !ok || column == "" || !slices.Contains(fields, field) {
			return nil, usagef("--column %s: want FIELD=COLUMN, the field being one of %s", pair, strings.Join(fields, ", "))
		}
		named[field] = column
	}
	return named, nil
}
