package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
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
shipped (done: today's right answer is nothing, so that --repos is refused) or moved
(to --repos, which it wants). An open ticket without --repos keeps the repositories
of its history.

The file is replaced in one step, and every other line keeps its bytes. Labels of
the same moment wait for each other, by a lock file .NAME.lock beside it.`,
		Example: `  pointsman gold label gold.jsonl --id PAY-12 --state shipped
  pointsman gold label gold.jsonl --id PAY-31 --state moved --repos ledger,invoices`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if id == "" || state == "" {
				return usagef("want --id and --state; see %s --help", cmd.CommandPath())
			}
			switch {
			case state == gold.StateShipped && len(repos) > 0:
				return usagef("--repos is not for shipped: nothing is left to route; use --state moved for a ticket that belongs elsewhere now")
			case state == gold.StateMoved && len(repos) == 0:
				return usagef("--state moved wants --repos: where the ticket belongs now; use --state shipped when nothing is left to route")
			}
			for i := range repos {
				if repos[i] = strings.TrimSpace(repos[i]); repos[i] == "" {
					return usagef("--repos: want names parted by commas")
				}
			}
			changed, err := labelFile(cmd.Context(), args[0], id, state, repos)
			if err == nil && changed {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s is %s\n", id, state)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "id of the case")
	cmd.Flags().StringVar(&state, "state", "", "open, shipped or moved")
	cmd.Flags().StringSliceVar(&repos, "repos", nil, "repositories it belongs in today, parted by commas")
	return cmd
}

// labelFile reads, changes and replaces a gold file while no other label does.
func labelFile(ctx context.Context, name, id, state string, repos []string) (changed bool, err error) {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return false, usagef("labelling: %w", err) // before a lock file is made beside it
	}
	info, err := os.Stat(target)
	if err != nil {
		return false, usagef("labelling: %w", err)
	}
	// The lock stands on a file of its own, for the gold file is replaced, and it
	// stays: taking it away would part those who wait from those who come.
	lock := flock.New(filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".lock"), flock.SetPermissions(info.Mode().Perm()))
	const wait = 5 * time.Millisecond
	if _, err := lock.TryLockContext(ctx, wait); err != nil {
		return false, fmt.Errorf("locking %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	content, err := os.ReadFile(name)
	if err != nil {
		return false, usagef("labelling: %w", err)
	}
	labelled, err := gold.Label(name, content, id, state, repos)
	if err != nil {
		return false, &exitError{code: exitUsage, err: err}
	}
	if bytes.Equal(content, labelled) {
		return false, nil
	}
	return true, replaceFile(name, labelled)
}
