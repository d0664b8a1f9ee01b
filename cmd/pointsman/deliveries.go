package main

import (
	"errors"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/store"
)

func newDeliveriesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "deliveries",
		Short: "Show the webhooks that came in, and what became of them",
		Long: `Deliveries shows every webhook request that was taken: whether it was answered
(done), was none of our business (ignored, with the reason), could not be dealt
with (failed, with the reason), or still waits (received). It only reads, and
works while the server is running.`,
		Example: "  pointsman deliveries list --config pointsman.yml --status failed\n  pointsman deliveries show --config pointsman.yml 17",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDeliveriesListCommand(), newDeliveriesShowCommand())
	return cmd
}

func newDeliveriesListCommand() *cobra.Command {
	var file, status string
	var limit int
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List deliveries, newest first",
		Example: "  pointsman deliveries list --config pointsman.yml --status failed --limit 20",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			known := []string{"", store.StatusReceived, store.StatusDone, store.StatusIgnored, store.StatusFailed}
			if !slices.Contains(known, status) {
				return usagef("--status %s: want received, done, ignored or failed", status)
			}
			if limit < 1 {
				return usagef("--limit %d: want 1 or more", limit)
			}
			return withStore(cmd, file, func(s *store.Store) error {
				list, err := s.Deliveries(cmd.Context(), status, limit)
				if err != nil {
					return err
				}
				return printDeliveries(cmd.OutOrStdout(), list, asJSON)
			})
		},
	}
	cmd.Flags().StringVar(&file, "config", defaultConfig, "configuration file")
	cmd.Flags().StringVar(&status, "status", "", "only those that are received, done, ignored or failed")
	cmd.Flags().IntVar(&limit, "limit", 100, "how many at most")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	return cmd
}

func newDeliveriesShowCommand() *cobra.Command {
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Show one delivery with its body",
		Example: "  pointsman deliveries show --config pointsman.yml 17",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("want one ID, as deliveries list shows it")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			row, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return usagef("%q is not an ID; deliveries list shows them", args[0])
			}
			return withStore(cmd, file, func(s *store.Store) error {
				d, err := s.Delivery(cmd.Context(), row)
				if bot.CodeOf(err) == bot.CodeNotFound {
					return usagef("there is no delivery %d; deliveries list shows those there are", row)
				}
				if err != nil {
					return err
				}
				return printDelivery(cmd.OutOrStdout(), d, asJSON)
			})
		},
	}
	cmd.Flags().StringVar(&file, "config", defaultConfig, "configuration file")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

// withStore opens the database that the configuration names, to read it.
func withStore(cmd *cobra.Command, file string, use func(*store.Store) error) (err error) {
	cfg, err := config.Read(file, os.Environ())
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	s, err := store.OpenReadOnly(cmd.Context(), cfg.DataDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return use(s)
}
