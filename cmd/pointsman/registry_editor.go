package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// maxEdited bounds the text that an editor hands back, in bytes.
const maxEdited = 1 << 20

// editor lets a person change a text in the program of their choice.
type editor struct {
	argv        []string
	in          io.Reader
	out, errOut io.Writer
	person      *person
	name        string // of the file
}

// newEditor chooses $VISUAL before $EDITOR. The program is run as it is written
// there, split into words; no shell sees it.
func newEditor(cmd *cobra.Command, who *person, file string) (*editor, error) {
	line := ""
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if line = strings.TrimSpace(os.Getenv(name)); line != "" {
			break
		}
	}
	if line == "" {
		return nil, usagef("opening an editor: neither VISUAL nor EDITOR is set; set one, as in EDITOR=vim, or see %s --help for changes without an editor", cmd.CommandPath())
	}
	argv, err := splitCommand(line)
	if err != nil {
		return nil, usagef("opening the editor %s: %w", line, err)
	}
	return &editor{
		argv: argv, in: cmd.InOrStdin(), out: cmd.OutOrStdout(), errOut: cmd.ErrOrStderr(),
		person: who, name: file,
	}, nil
}

// edited is what a person wrote, in a file until it has come where it belongs.
type edited struct {
	text string
	file string // "" when there is none of ours to take away
}

// done ends the life of a text: it is kept, and said where, unless written. Pass what
// became of it.
func (x *edited) done(out *printer, written bool, err error) error {
	switch {
	case x == nil || x.file == "":
		return err
	case err != nil:
		return x.kept(err)
	case !written:
		out.line("Your text is kept in %s (give it with --from to go on).", x.file)
		return out.err
	}
	return os.RemoveAll(filepath.Dir(x.file))
}

func (x *edited) kept(err error) error {
	return fmt.Errorf("%w; your text is kept in %s (give it with --from to go on)", err, x.file)
}

// change lets a person edit the text until check is content with it. Text that it
// is not content with is kept in a file, whose name is in the error; the other is the
// caller's to end.
func (e *editor) change(ctx context.Context, text string, check func(text string) error) (*edited, error) {
	dir, err := os.MkdirTemp("", "pointsman-edit-")
	if err != nil {
		return nil, fmt.Errorf("making room for the text to edit: %w", err)
	}
	x := &edited{file: filepath.Join(dir, e.name)}
	if err := os.WriteFile(x.file, []byte(text), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("writing the text to edit: %w", err), os.RemoveAll(dir))
	}
	for {
		failed := e.run(ctx, x.file)
		x.text, err = readEdited(x.file)
		if err = errors.Join(failed, err); err != nil {
			err = fmt.Errorf("editing with %s: %w", e.argv[0], err)
			if x.text == text {
				return nil, errors.Join(err, os.RemoveAll(dir))
			}
			return nil, x.kept(err)
		}
		bad := check(x.text)
		if bad == nil {
			return x, nil
		}
		again := false
		if e.person.here {
			fmt.Fprintln(e.errOut, onScreen(bad.Error()))
			if answer, err := e.person.ask("Edit again? [Y/n]"); err == nil {
				again = answer == "" || answer == "y" || answer == "yes"
			}
		}
		if !again {
			return nil, &exitError{code: exitUsage, err: x.kept(bad)}
		}
	}
}

// changeFrom takes a text that was kept instead of opening an editor; the file stays
// the person's.
func changeFrom(file string, check func(text string) error) (*edited, error) {
	text, err := readEdited(file)
	if err == nil {
		err = check(text)
	}
	if err != nil {
		return nil, usagef("reading %s: %w", file, err)
	}
	return &edited{text: text}, nil
}

func (e *editor) run(ctx context.Context, file string) error {
	cmd := exec.CommandContext(ctx, e.argv[0], append(e.argv[1:len(e.argv):len(e.argv)], file)...) //nolint:gosec // it is the user's own program, run for them
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.in, e.out, e.errOut
	return cmd.Run()
}

func readEdited(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("reading what was edited: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxEdited+1))
	if err != nil {
		return "", fmt.Errorf("reading what was edited: %w", err)
	}
	if len(data) > maxEdited {
		return "", usagef("what was edited is larger than %d KiB", maxEdited>>10)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n"), nil
}

// splitCommand splits a command line into words. Quotes of both kinds group, as
// in "/Applications/My Editor" --wait; nothing is expanded.
func splitCommand(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, open := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, open = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	}
	if open {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("it names no program")
	}
	return words, nil
}
