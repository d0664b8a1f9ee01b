package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/engine"
)

// maxTicket is the largest ticket read from a file or stdin, in bytes.
const maxTicket = 25 << 20

// routeFlags are the flags of one `pointsman route`.
type routeFlags struct {
	workspace
	batch      string
	json       bool
	headless   bool
	format     string
	forRepo    string
	weights    string
	minPartial int
	keep       int
	show       int
}

func newRouteCommand() *cobra.Command {
	var f routeFlags
	cmd := &cobra.Command{
		Use:   "route [TICKET|-]",
		Short: "Say which repositories a ticket belongs in, and why",
		Long: `Route one ticket, or with --batch many. TICKET is the path of an existing file,
else the ticket's text itself; - reads standard input. The first line is the title.

Without a registry every git repository under --repos is a candidate, described by
a draft from its README. Nothing leaves this machine.

--format decision and --format context print the blocks that agents read: the points
of the registry alone, with their own confidence. docs/routing-document.md has both.

A ticket of few words gets a question back; --json, --batch and --headless go on with
what there is, and warn.`,
		Example: `  pointsman route --repos ~/src "Refunds are charged twice when the page is reloaded"
  pointsman route --registry .repo-orchestrator/registry.json --json ticket.txt
  pointsman route --format decision ticket.txt
  pointsman route --format context --for payments ticket.txt
  pointsman route --repos ~/src --batch tickets.jsonl > decisions.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("want one ticket, got %d arguments; put its text in quotes", len(args))
			}
			return nil
		},
		RunE: f.run,
	}
	f.addFlags(cmd)
	addWeights(cmd, &f.weights)
	addMinPartial(cmd, &f.minPartial)
	cmd.Flags().StringVar(&f.batch, "batch", "", "JSON lines of {id, title, body}; prints one decision a line, in order")
	cmd.Flags().BoolVar(&f.json, "json", false, "print pointsman.decision/v1 as JSON")
	cmd.Flags().BoolVar(&f.headless, "headless", false, "nobody is there to answer a question: route short tickets as well as may be")
	cmd.Flags().StringVar(&f.format, "format", formatTable, "table, decision or context")
	cmd.Flags().StringVar(&f.forRepo, "for", "", "repository whose specialist reads the context block")
	cmd.Flags().IntVar(&f.keep, "keep", engine.DefaultKeep, "candidates to keep")
	cmd.Flags().IntVar(&f.show, "show", 3, "candidates to show in the table")
	return cmd
}

func (f *routeFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	var tickets []routing.Ticket
	var err error
	if f.batch != "" {
		tickets, err = readBatch(f.batch, cmd.InOrStdin())
	} else {
		tickets, err = readTicket(args[0], cmd.InOrStdin())
	}
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	weights, err := readWeights(f.weights)
	if err != nil {
		return err
	}
	eng, err := engine.New(engine.Options{Keep: f.keep, Weights: weights, MinPartial: f.minPartial, Program: programVersion()})
	if err != nil {
		return err
	}
	snapshot, err := f.open(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if f.batch != "" {
		return f.routeAll(cmd, eng, snapshot, tickets)
	}
	return f.routeOne(cmd, eng, snapshot, tickets[0])
}

// check refuses flags that contradict each other.
func (f *routeFlags) check(args []string) error {
	switch f.format {
	case formatTable, formatDecision, formatContext:
	default:
		return usagef("--format %q: want %s, %s or %s, or --json for programs", f.format, formatTable, formatDecision, formatContext)
	}
	if f.format != formatTable && (f.json || f.batch != "") {
		return usagef("--format %s prints one block for one ticket; leave out --json and --batch", f.format)
	}
	if (f.format == formatContext) != (f.forRepo != "") {
		return usagef("--format context and --for REPO go together: the block is written for one specialist")
	}
	if f.keep < 1 || f.show < 1 {
		return usagef("--keep and --show want 1 or more")
	}
	if err := checkMinPartial(f.minPartial); err != nil {
		return err
	}
	if (f.batch == "") == (len(args) == 0) {
		return usagef("want one ticket: a file, its text, or - for standard input; or --batch FILE; see pointsman route --help")
	}
	return nil
}

func (f *routeFlags) routeAll(cmd *cobra.Command, eng *engine.Engine, s engine.Snapshot, tickets []routing.Ticket) error {
	progress := newBar(cmd.ErrOrStderr(), "routing")
	defer progress.end()
	for i, t := range tickets {
		d, err := eng.Route(cmd.Context(), t, s)
		if err != nil {
			return err
		}
		if err := writeJSON(cmd.OutOrStdout(), d, ""); err != nil {
			return err
		}
		progress.at(i+1, len(tickets), t.Ref.Key)
	}
	return nil
}

// readTicket reads the one ticket of the command line.
func readTicket(arg string, in io.Reader) ([]routing.Ticket, error) {
	text := arg
	if arg == "-" {
		b, err := readBounded(in, "standard input")
		if err != nil {
			return nil, err
		}
		text = string(b)
	} else if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
		file, err := os.Open(arg)
		if err != nil {
			return nil, fmt.Errorf("reading the ticket: %w", err)
		}
		defer file.Close()
		b, err := readBounded(file, arg)
		if err != nil {
			return nil, err
		}
		text = string(b)
	}
	if text == arg && looksLikePath(arg) {
		return nil, fmt.Errorf("%s: there is no such file; a ticket's text goes in quotes, - reads standard input", arg)
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, errors.New("the ticket is empty: its first line is the title, the rest the body")
	}
	title, body, _ := strings.Cut(text, "\n")
	return []routing.Ticket{{Ref: routing.Ref{System: "text"}, Title: title, Body: body}}, nil
}

// looksLikePath tells a mistyped file name from a ticket's text.
func looksLikePath(arg string) bool {
	switch filepath.Ext(arg) {
	case ".txt", ".md", ".json", ".eml", ".log":
		return !strings.ContainsAny(arg, " \n")
	}
	return false
}

func readBounded(r io.Reader, name string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxTicket+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(b) > maxTicket {
		return nil, fmt.Errorf("%s is larger than %d MiB; a ticket is a few paragraphs", name, maxTicket>>20)
	}
	return b, nil
}

// readBatch reads the lines of a batch. Other keys of a line, such as the known
// answers of a gold file, are not looked at.
func readBatch(path string, in io.Reader) ([]routing.Ticket, error) {
	r := in
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("reading the batch: %w", err)
		}
		defer file.Close()
		r = file
	}
	var tickets []routing.Ticket
	err := eachLine(r, path, func(n int, line []byte) error {
		var t struct {
			ID    json.RawMessage `json:"id"`
			Title string          `json:"title"`
			Body  string          `json:"body"`
		}
		if err := json.Unmarshal(line, &t); err != nil {
			return fmt.Errorf("%s:%d: want {\"id\": \"...\", \"title\": \"...\", \"body\": \"...\"}: %w", path, n, err)
		}
		id := strings.Trim(string(t.ID), `"`)
		if id == "" || id == "null" {
			return fmt.Errorf("%s:%d: id: want a string that names the ticket", path, n)
		}
		if strings.HasPrefix(string(t.ID), `"`) {
			if err := json.Unmarshal(t.ID, &id); err != nil {
				return fmt.Errorf("%s:%d: id: %w", path, n, err)
			}
		}
		tickets = append(tickets, routing.Ticket{Ref: routing.Ref{System: "batch", Key: id}, Title: t.Title, Body: t.Body})
		return nil
	})
	return tickets, err
}

// writeJSON prints v for programs: no HTML escapes, one line unless indented.
func writeJSON(out io.Writer, v any, indent string) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}
