package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pointsman/pointsman/routing/text"
)

// person is whoever sits in front of the program, if anybody does.
type person struct {
	in   *bufio.Reader
	out  io.Writer // questions go where they disturb no result
	here bool      // they can be asked
}

func newPerson(cmd *cobra.Command) *person {
	return &person{
		in: bufio.NewReader(cmd.InOrStdin()), out: cmd.ErrOrStderr(),
		here: onTerminal(cmd.InOrStdin()) && onTerminal(cmd.ErrOrStderr()),
	}
}

// onTerminal tells whether a stream leads to a person. Tests hand in streams that
// say so themselves.
func onTerminal(stream any) bool {
	switch s := stream.(type) {
	case interface{ Terminal() bool }:
		return s.Terminal()
	case *os.File:
		return term.IsTerminal(int(s.Fd()))
	}
	return false
}

// ask puts a question with an answer of one word, lower case; "" is the default.
// The error is io.EOF when nobody answers any more: that is no default.
func (p *person) ask(format string, args ...any) (string, error) {
	fmt.Fprintf(p.out, "%s ", text.Printable(fmt.Sprintf(format, args...)))
	answer, err := p.in.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading your answer: %w", err)
	}
	if err != nil {
		fmt.Fprintln(p.out)
		if answer == "" {
			return "", io.EOF
		}
	}
	return strings.ToLower(strings.TrimSpace(answer)), nil
}

// agrees asks a question to which only a plain yes is one.
func (p *person) agrees(format string, args ...any) (bool, error) {
	answer, err := p.ask(format+" [y/N]", args...)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return answer == "y" || answer == "yes", err
}

// writeDiff prints a unified diff; on a terminal in colour, unless NO_COLOR is set.
func writeDiff(out io.Writer, diff string) error {
	colour := onTerminal(out) && os.Getenv("NO_COLOR") == ""
	for i, line := range splitLines(diff) {
		line = text.Printable(strings.TrimSuffix(line, "\r")) // which would print an empty line
		if colour {
			line = painted(i, line)
		}
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

func painted(n int, line string) string {
	const bold, red, green, cyan, off = "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[0m"
	switch {
	case n < 2:
		return bold + line + off
	case strings.HasPrefix(line, "@@"):
		return cyan + line + off
	case strings.HasPrefix(line, "+"):
		return green + line + off
	case strings.HasPrefix(line, "-"):
		return red + line + off
	}
	return line
}
