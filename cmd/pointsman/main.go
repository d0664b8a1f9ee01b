package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing/text"
)

// The exit codes of every command.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2 // usage or bad input
	exitNothing = 3 // nothing to route to
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main as a value: it returns the exit code and touches only what it is given.
func run(args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if msg := err.Error(); msg != "" {
		fmt.Fprintf(errOut, "pointsman: %s\n", onScreen(msg))
	}
	var coded *exitError
	if errors.As(err, &coded) {
		return coded.code
	}
	return exitFailed
}

// maxMessage bounds an error on the screen, in characters.
const maxMessage = 10_000

// onScreen is an error as it may be shown: much of it is text from outside, which
// moves no cursor, begins no line as ours begin, and scrolls nothing away.
func onScreen(msg string) string {
	if runes := []rune(msg); len(runes) > maxMessage {
		msg = string(runes[:maxMessage]) + " ..."
	}
	return strings.ReplaceAll(text.Printable(msg), "\n", "\n  ")
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "pointsman",
		Short: "Which repository does this ticket belong in?",
		Long: `Pointsman routes tickets to the repositories they belong in: three candidates,
each with reasons and evidence pinned to a commit, and a plain word when the text
cannot tell two of them apart.`,
		Example:       "  pointsman demo\n  pointsman route --repos ~/src \"Refunds are charged twice\"",
		Version:       programVersion(),
		SilenceUsage:  true,
		SilenceErrors: true,
		// Shells find it; people need not read about it.
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		// An unknown command is a usage error, not a page of help with exit code 0.
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("there is no command %q; see pointsman --help", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w; see %s --help", err, cmd.CommandPath())
	})
	root.AddCommand(newRouteCommand(), newAggregateCommand(), newEvalCommand(), newCoverageCommand())
	root.AddCommand(newServeCommand(), newDeliveriesCommand(), newDemoCommand())
	root.AddCommand(newReplayCommand())
	root.AddCommand(newGoldCommand())
	root.AddCommand(newInitCommand(), newSyncCommand(), newEditCommand(), newDescribeCommand(), newLintCommand())
	root.AddCommand(newVersionCommand())
	return root
}

// exitError carries the exit code of a failure that is not the plain "failed".
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usagef reports bad usage or bad input (exit code 2).
func usagef(format string, args ...any) error {
	return &exitError{code: exitUsage, err: fmt.Errorf(format, args...)}
}
