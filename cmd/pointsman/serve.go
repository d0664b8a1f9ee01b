package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/bot/app"
	"github.com/pointsman/pointsman/bot/config"
)

const defaultConfig = "pointsman.yml"

func newServeCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the bot: webhooks in, one comment per ticket out",
		Long: `Serve takes signed webhooks of GitHub and Jira, routes the tickets they tell of,
and keeps one comment on each. Mode shadow, the default, decides and stores but
says nothing; write mode: live when the decisions convince you. It ends cleanly
on SIGTERM or Ctrl-C, and takes up what was left undone when it is started again.`,
		Example: "  pointsman serve --config pointsman.yml\n  POINTSMAN_MODE=live pointsman serve --config pointsman.yml",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := config.Load(file, os.Environ())
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
			return serve(cmd.Context(), cfg, app.Options{Log: log, Program: programVersion()})
		},
	}
	cmd.Flags().StringVar(&file, "config", defaultConfig, "configuration file")
	return cmd
}

// noArgs refuses arguments as the usage error that they are.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("there is no use for %q; see %s --help", args[0], cmd.CommandPath())
	}
	return nil
}

// serve runs the service until ctx ends or it breaks down.
func serve(ctx context.Context, cfg config.Config, o app.Options) error {
	a, err := app.New(cfg, o)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	if err := a.Start(ctx); err != nil {
		return err
	}
	var broken error
	select {
	case <-ctx.Done():
		// A second Ctrl-C ends the process at once: what it leaves is taken up later.
		signal.Reset(os.Interrupt, syscall.SIGTERM)
	case broken = <-a.Failed():
	}
	return errors.Join(broken, a.Stop(context.WithoutCancel(ctx)))
}
