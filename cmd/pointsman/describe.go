package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

// The length of a description, in characters: long enough to say what it is and
// who uses it, short enough to be read.
const (
	minDescription = 40
	maxDescription = 600
)

// describeFlags are the flags of one `pointsman describe`.
type describeFlags struct {
	editFlags
	list   bool
	accept bool
	text   string
}

func newDescribeCommand() *cobra.Command {
	var f describeFlags
	cmd := &cobra.Command{
		Use:   "describe REPO",
		Short: "Say in a person's words what a repository is and who uses it",
		Long: fmt.Sprintf(`Write the description of one repository, %d to %d characters, in VISUAL or
EDITOR, with the entries beside it that read most like it, or with --text. It is
shown as a difference, written when you agree, and flagged as a person's: those
count for more than drafts.

A good description says what it is, who uses it, and what is not here but in a
repository that people take it for.`, minDescription, maxDescription),
		Example: `  pointsman describe orders-api
  pointsman describe orders-api --text "Takes and changes orders for the web shop; payments are in ledger." --yes
  pointsman describe orders-api --accept
  pointsman describe --list`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("want one repository, got %d", len(args))
			}
			return nil
		},
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.StringVar(&f.registry, "registry", filepath.FromSlash(defaultRegistry), "registry file")
	fl.BoolVar(&f.list, "list", false, "list all entries, those without a description first, then the drafts")
	fl.StringVar(&f.text, "text", "", "the description, instead of opening an editor")
	fl.StringVar(&f.from, "from", "", "file with the description, instead of opening an editor")
	fl.BoolVar(&f.accept, "accept", false, "the draft as it stands is good: flag it as a person's")
	f.consent.addFlags(cmd)
	return cmd
}

func (f *describeFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.consent.check(); err != nil {
		return err
	}
	if f.list == (len(args) == 1) || f.accept && f.text != "" || f.from != "" && (f.accept || f.text != "") {
		return usagef("want the name of a repository, or --list; and one of --text, --from and --accept")
	}
	file, reg, err := existing(f.registry)
	if err != nil {
		return err
	}
	if f.list {
		return writeDescriptions(&printer{out: cmd.OutOrStdout()}, reg.Repos)
	}
	entry, err := entryOf(reg, args[0])
	if err != nil {
		return err
	}
	who := newPerson(cmd)
	text := f.text
	var x *edited
	switch {
	case f.accept:
		text = entry.Description
	case text == "":
		if x, err = f.ask(cmd, who, "description.txt", withHints(entry, reg), func(text string) error { return goodDescription(withoutHints(text)) }); err != nil {
			return err
		}
		text = withoutHints(x.text)
	}
	if text = oneLine(text); f.text != "" || f.accept {
		if err := goodDescription(text); err != nil {
			return &exitError{code: exitUsage, err: err}
		}
	}
	if text == entry.Description && !f.accept {
		p := &printer{out: cmd.OutOrStdout()}
		p.line("Nothing changed.")
		if entry.DescriptionSource == registry.Generated {
			p.line("If the draft is good as it stands, give --accept: it counts for more as a person's.")
		}
		return x.done(p, true, p.err)
	}
	patch := map[string]any{"description": text, "descriptionSource": "human"}
	return f.write(cmd, who, file, entry, patch, x)
}

// goodDescription checks what a person wrote.
func goodDescription(text string) error {
	n := utf8.RuneCountInString(oneLine(text))
	switch {
	case n == 0:
		return fmt.Errorf("the description is empty; say in a sentence or two what the repository is and who uses it")
	case n < minDescription:
		return fmt.Errorf("the description has %d characters, want %d or more: say what it is and who uses it", n, minDescription)
	case n > maxDescription:
		return fmt.Errorf("the description has %d characters, want %d at most: keep what tells it from the others", n, maxDescription)
	}
	return nil
}

// withoutHints takes out the lines that begin with #.
func withoutHints(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			lines = append(lines, line)
		}
	}
	return oneLine(strings.Join(lines, ""))
}

// withHints is the text that the editor opens.
func withHints(entry routing.Repo, reg registry.Registry) string {
	var b strings.Builder
	b.WriteString(wrapped(entry.Description, 78))
	b.WriteString("\n")
	hint := func(format string, args ...any) {
		b.WriteString(strings.TrimRight("# "+fmt.Sprintf(format, args...), " ") + "\n")
	}
	hint("Describe %s in %d to %d characters. Lines that begin with # are left out.", entry.Name, minDescription, maxDescription)
	hint("")
	hint("Say: what it is; who uses it, in the words they use; what is not here, and where that is.")
	if entry.DescriptionSource == registry.Generated {
		hint("What stands above was drafted; nobody has looked at it yet.")
	}
	tellApart(hint, entry, reg)
	return b.String()
}

// wrapped breaks text between words.
func wrapped(s string, width int) string {
	var b strings.Builder
	at := 0
	for w := range strings.FieldsSeq(s) {
		n := utf8.RuneCountInString(w)
		switch {
		case at > 0 && at+1+n > width:
			b.WriteByte('\n')
			at = 0
		case at > 0:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(w)
		at += n
	}
	return b.String() + "\n"
}

// writeDescriptions lists the entries by who wrote their descriptions.
func writeDescriptions(p *printer, repos []routing.Repo) error {
	source := func(r routing.Repo) string {
		switch {
		case r.Description == "":
			return "missing"
		case r.DescriptionSource == registry.Generated:
			return "generated"
		}
		return "human"
	}
	order := map[string]int{"missing": 0, "generated": 1, "human": 2}
	list := slices.Clone(repos)
	slices.SortStableFunc(list, func(a, b routing.Repo) int {
		return cmp.Or(cmp.Compare(order[source(a)], order[source(b)]), strings.Compare(a.Name, b.Name))
	})
	g := &grid{head: []string{"written by", "repository", "length", "description"}, right: map[int]bool{2: true}}
	n := map[string]int{}
	for _, r := range list {
		n[source(r)]++
		g.add(nil, source(r), clip(r.Name, 30), number(utf8.RuneCountInString(r.Description)), clip(r.Description, 50))
	}
	g.print(p)
	p.line("")
	p.line("%s: %d described by a person, %d drafted, %d not at all.", count(len(repos), "entry"), n["human"], n["generated"], n["missing"])
	return p.err
}
