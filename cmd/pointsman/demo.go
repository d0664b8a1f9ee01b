package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/cmd/pointsman/demo"
)

func newDemoCommand() *cobra.Command {
	var exit bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play the whole bot on an embedded sample organisation",
		Long: `Starts the real server beside a small GitHub and a small Jira in this process,
files six tickets of an invented ferry company, and prints each comment and how it
did, the wrong one included. No account, no network, nothing left behind.

It keeps running, so that the rest can be explored, until Ctrl-C; --exit leaves
after printing.`,
		Example: "  pointsman demo\n  pointsman demo --exit",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// A reader that leaves (demo | head) is an error to return, not a reason to die
			// with the folder left behind.
			pipe := make(chan os.Signal, 1)
			signal.Notify(pipe, syscall.SIGPIPE)
			defer signal.Stop(pipe)
			return demo.Run(cmd.Context(), demo.Options{
				Out: cmd.OutOrStdout(), ErrOut: cmd.ErrOrStderr(), Exit: exit, Program: programVersion(),
			})
		},
	}
	cmd.Flags().BoolVar(&exit, "exit", false, "leave after printing")
	return cmd
}
