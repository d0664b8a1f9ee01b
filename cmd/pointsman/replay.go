package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/app"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/replay"
	"github.com/pointsman/pointsman/routing/gold"
)

// replayFlags are the flags of one `pointsman replay`.
type replayFlags struct {
	config string
	tracked
	since string
	gold  string
	html  string
	again bool
	json  bool
}

func newReplayCommand() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay (--repo OWNER/NAME | --project KEY)",
		Short: "Decide past tickets as the bot would have, and say nothing",
		Long: `Replay takes the last tickets of a GitHub repository or a Jira project, decides
each as the bot would, by the registry and the code as they are now, and reports:
which repositories would have been named, where the text could not tell two apart,
what was too short to route. It writes to no ticket, whatever mode is set, and
works beside a running server.

Decisions are kept in replay.db in dataDir. A replay that was stopped goes on where
it was: a ticket that reads as before, decided by the same state, is not decided
again unless --again is given. With --gold the answers are compared with known ones:
a file as eval takes it, whose ids are the tickets' keys.

Exit codes: 0 done, also when single tickets failed (they are listed); 1 stopped or
failed, what was decided until then is reported and kept; 2 usage or bad input.`,
		Example: `  pointsman replay --repo acme/helpdesk --last 200 --html replay.html
  pointsman replay --source jira --tenant acme --project OPS,WEB --since 2026-06-01 --json`,
		Args: noArgs,
		RunE: f.run,
	}
	cmd.Flags().StringVar(&f.config, "config", defaultConfig, "configuration file")
	cmd.Flags().StringVar(&f.source, "source", "", "github or jira (default: github with --repo, jira with --project)")
	cmd.Flags().StringSliceVar(&f.repos, "repo", nil, "github: owner/name whose issues are replayed; several with commas")
	cmd.Flags().StringVar(&f.tenant, "tenant", "", "jira: which site (default the only one)")
	cmd.Flags().StringSliceVar(&f.projects, "project", nil, "jira: key of the project whose tickets are replayed; several with commas")
	cmd.Flags().IntVar(&f.last, "last", 200, "how many tickets, the newest of all places together")
	cmd.Flags().StringVar(&f.since, "since", "", "no ticket from before this day, as 2026-06-01")
	cmd.Flags().StringVar(&f.gold, "gold", "", "known answers to compare with: a gold file whose ids are ticket keys")
	cmd.Flags().StringVar(&f.html, "html", "", "write the report to this file as a page, too")
	cmd.Flags().BoolVar(&f.again, "again", false, "decide anew what was decided before")
	cmd.Flags().BoolVar(&f.json, "json", false, "print pointsman.replay/v1 as JSON")
	return cmd
}

func (f *replayFlags) run(cmd *cobra.Command, _ []string) error {
	cfg, err := config.Load(f.config, os.Environ())
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	about, err := f.about(cfg)
	if err != nil {
		return err
	}
	since, err := day("since", f.since)
	if err != nil {
		return err
	}
	if !since.IsZero() {
		about.Since = since.Format(time.RFC3339)
	}
	cases, err := f.cases()
	if err != nil {
		return err
	}
	// A page that cannot be written is better known before the work than after it.
	if f.html != "" {
		if err := mustBeWritable(f.html); err != nil {
			return usagef("--html: %w", err)
		}
	}
	results, stopped := f.replay(cmd, cfg, about, since)
	if stopped != nil && len(results) == 0 {
		return replayError(stopped, 0)
	}
	report := replay.Summarise(about, results, stopped, cases)
	if err := f.write(cmd, report); err != nil {
		return errors.Join(err, stopped)
	}
	if stopped != nil {
		return replayError(stopped, report.N)
	}
	if n := len(report.Failed); n > 0 && report.N == 0 {
		return fmt.Errorf("none of %d tickets could be decided; the first, %s: %s", n, report.Failed[0].Key, report.Failed[0].Why)
	}
	return nil
}

// replay does the work under two bars: one for the index, one for the tickets.
func (f *replayFlags) replay(cmd *cobra.Command, cfg config.Config, about replay.About, since time.Time) ([]replay.Result, error) {
	indexing, deciding := newBar(cmd.ErrOrStderr(), "indexing"), newBar(cmd.ErrOrStderr(), "deciding")
	defer deciding.end()
	listing := false
	log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	o := replay.Options{Since: since, Again: f.again, Workers: cfg.Workers, Progress: func(p replay.Progress) {
		if !listing {
			indexing.end()
		}
		listing = true
		deciding.at(p.Done, p.Total, p.Key)
	}}
	return app.Replay(cmd.Context(), cfg, app.Options{Log: log, Program: programVersion()}, about, o, indexing.at)
}

func (f *replayFlags) cases() ([]gold.Case, error) {
	if f.gold == "" {
		return nil, nil
	}
	file, err := os.Open(f.gold)
	if err != nil {
		return nil, usagef("reading the gold file: %w", err)
	}
	defer file.Close()
	cases, err := gold.Read(f.gold, file)
	if err != nil {
		return nil, &exitError{code: exitUsage, err: err}
	}
	return cases, nil
}

func (f *replayFlags) write(cmd *cobra.Command, r replay.Report) error {
	if f.html != "" {
		if err := writePage(f.html, r); err != nil {
			return err
		}
	}
	if f.json {
		return writeJSON(cmd.OutOrStdout(), r, "  ")
	}
	return writeReplay(&printer{out: cmd.OutOrStdout()}, r)
}

// writePage writes the page whole or not at all.
func writePage(file string, r replay.Report) (err error) {
	out, err := os.CreateTemp(filepath.Dir(file), ".pointsman-*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	if err := errors.Join(replay.WritePage(out, r), out.Close()); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", file, err), os.Remove(out.Name()))
	}
	if err := os.Rename(out.Name(), file); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", file, err), os.Remove(out.Name()))
	}
	return nil
}

func mustBeWritable(file string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder; name a file in it", file)
	}
	out, err := os.CreateTemp(filepath.Dir(file), ".pointsman-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", file, err)
	}
	return errors.Join(out.Close(), os.Remove(out.Name()))
}

// replayError says in one line why a replay stopped, and with which exit code.
func replayError(err error, decided int) error {
	switch code := bot.CodeOf(err); {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("stopped with %d tickets decided; run the same command to go on", decided)
	case code == bot.CodeInvalid, code == bot.CodeNotFound:
		return &exitError{code: exitUsage, err: err}
	}
	return err
}
