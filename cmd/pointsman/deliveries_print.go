package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/store"
)

const (
	maxShown  = 1 << 20 // characters of a delivery's body on a terminal
	shortTime = "2006-01-02 15:04:05"
)

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
	RetryAt    *time.Time `json:"retryAt,omitempty"` // an attempt failed: when the next one follows
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
	if !d.RetryAt.IsZero() {
		out.RetryAt = &d.RetryAt
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
			d.ReceivedAt.Format(shortTime), shownStatus(d), shownReason(d))
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
		bot.CleanLine(d.ID, 200), bot.CleanLine(d.Kind, 200), d.ReceivedAt.Format(time.RFC3339), shownStatus(d))
	if d.Reason != "" {
		fmt.Fprintf(t, "reason\t%s\n", d.Reason)
	}
	if !d.RetryAt.IsZero() {
		fmt.Fprintf(t, "next attempt\t%s\n", d.RetryAt.Format(time.RFC3339))
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

// shownStatus tells a delivery that is tried again from one that just came in.
func shownStatus(d store.Delivery) string {
	if d.RetryAt.IsZero() {
		return d.Status
	}
	return "retrying"
}

func shownReason(d store.Delivery) string {
	if d.RetryAt.IsZero() {
		return d.Reason
	}
	return d.Reason + "; next attempt " + d.RetryAt.Format(shortTime)
}

func sourceName(d store.Delivery) string {
	if d.Tenant == "" {
		return d.Source
	}
	return d.Source + "/" + d.Tenant
}
