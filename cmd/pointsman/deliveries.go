package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/store"
)

const maxShown = 1 << 20 // characters of a delivery's body on a terminal

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

// deliveryJSON is a delivery as programs read it. A body that is not UTF-8 is
// given in base64.
type deliveryJSON struct {
	ID         int64      `json:"id"`
	Source     string     `json:"source"`
	Tenant     string     `json:"tenant"`
	Delivery   string     `json:"delivery"`
	Kind       string     `json:"kind"`
	Received   time.Time  `json:"received"`
	Status     string     `json:"status"`
	Reason     string     `json:"reason"`
	Finished   *time.Time `json:"finished"`
	Body       *string    `json:"body,omitempty"`
	BodyBase64 []byte     `json:"bodyBase64,omitempty"`
}

func toJSON(d store.Delivery) deliveryJSON {
	out := deliveryJSON{
		ID: d.Row, Source: d.Source, Tenant: d.Tenant, Delivery: d.ID, Kind: d.Kind,
		Received: d.ReceivedAt, Status: d.Status, Reason: d.Reason,
	}
	if !d.FinishedAt.IsZero() {
		out.Finished = &d.FinishedAt
	}
	return out
}

func printDeliveries(w io.Writer, list []store.Delivery, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(w)
		for _, d := range list {
			if err := enc.Encode(toJSON(d)); err != nil {
				return err
			}
		}
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tSOURCE\tDELIVERY\tKIND\tRECEIVED\tSTATUS\tREASON")
	for _, d := range list {
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", d.Row, sourceName(d), bot.CleanLine(d.ID, 60), bot.CleanLine(d.Kind, 40),
			d.ReceivedAt.Format("2006-01-02 15:04:05"), d.Status, d.Reason)
	}
	return t.Flush()
}

func printDelivery(w io.Writer, d store.Delivery, asJSON bool) error {
	if asJSON {
		out := toJSON(d)
		if utf8.Valid(d.Body) {
			body := string(d.Body)
			out.Body = &body
		} else {
			out.BodyBase64 = d.Body
		}
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(out)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "id\t%d\nsource\t%s\ndelivery\t%s\nkind\t%s\nreceived\t%s\nstatus\t%s\n", d.Row, sourceName(d),
		bot.CleanLine(d.ID, 200), bot.CleanLine(d.Kind, 200), d.ReceivedAt.Format(time.RFC3339), d.Status)
	if d.Reason != "" {
		fmt.Fprintf(t, "reason\t%s\n", d.Reason)
	}
	if !d.FinishedAt.IsZero() {
		fmt.Fprintf(t, "finished\t%s\n", d.FinishedAt.Format(time.RFC3339))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	// The body is a stranger's text: cleaned, it cannot steer the terminal.
	fmt.Fprintf(w, "\n%s\n", strings.TrimRight(bot.Clean(string(d.Body), maxShown), "\n"))
	return nil
}

func sourceName(d store.Delivery) string {
	if d.Tenant == "" {
		return d.Source
	}
	return d.Source + "/" + d.Tenant
}
