package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/rank"
	"github.com/pointsman/pointsman/routing/registry"
	"github.com/pointsman/pointsman/routing/registry/lint"
)

// lintSchema names the JSON that lint prints.
const lintSchema = "pointsman.lint/v1"

// maxOfRule is how many notes of one rule the table shows.
const maxOfRule = 5

// lintFlags are the flags of one `pointsman lint`.
type lintFlags struct {
	repos  string
	format string
	json   bool
	schema bool
	strict bool
}

func newLintCommand() *cobra.Command {
	var f lintFlags
	cmd := &cobra.Command{
		Use:   "lint [FILE]",
		Short: "Say what makes a registry route worse than it could, and how to mend it",
		Long: `Check a registry (default ` + defaultRegistry + `): what cannot be
read, owns that are empty, shared by several or meet every ticket, descriptions that
do not tell siblings apart, entries that are stale or that nobody can reach.

Where no entry's repository is on this machine, as in CI, none is missed.

Exit codes: 0 when there is nothing to mend, or warnings only; 1 with errors (with
--strict: warnings too); 2 when the file cannot be read or is no JSON.`,
		Example: `  pointsman lint
  pointsman lint registry.json --strict --format github
  pointsman lint --schema > registry.schema.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("want one registry, got %d", len(args))
			}
			return nil
		},
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.StringVar(&f.repos, "repos", "", "folder in which the entries' repositories are looked for, too")
	fl.StringVar(&f.format, "format", "table", "table, or github for annotations of a workflow")
	fl.BoolVar(&f.json, "json", false, "print JSON")
	fl.BoolVar(&f.schema, "schema", false, "print the JSON Schema of the registry")
	fl.BoolVar(&f.strict, "strict", false, "fail on warnings, too")
	return cmd
}

func (f *lintFlags) run(cmd *cobra.Command, args []string) error {
	if f.schema {
		_, err := cmd.OutOrStdout().Write(registry.Schema())
		return err
	}
	if f.format != "table" && f.format != "github" || f.json && f.format != "table" {
		return usagef("--format %q: want table or github, or --json for programs", f.format)
	}
	file := filepath.FromSlash(defaultRegistry)
	if len(args) == 1 {
		file = args[0]
	}
	found, entries, err := f.check(file)
	if err != nil {
		return err
	}
	if err := f.print(cmd.OutOrStdout(), file, found, entries); err != nil {
		return err
	}
	n := severities(found)
	switch {
	case entries < 0 && slices.ContainsFunc(found, func(x lint.Finding) bool { return x.Path == "" }):
		return &exitError{code: exitUsage}
	case n[lint.Error] > 0, f.strict && n[lint.Warning] > 0:
		return &exitError{code: exitFailed}
	}
	return nil
}

// check returns the findings and the number of entries, -1 when the registry is
// refused. An error means that there is nothing to check.
func (f *lintFlags) check(file string) ([]lint.Finding, int, error) {
	reg, err := registry.Load(file)
	var bad *registry.Invalid
	switch {
	case errors.As(err, &bad):
		return lint.Refused(file, err), -1, nil
	case err != nil:
		return nil, 0, &exitError{code: exitUsage, err: err}
	}
	var roots []string
	if f.repos != "" {
		if err := mustBeFolder(f.repos); err != nil {
			return nil, 0, &exitError{code: exitUsage, err: err}
		}
		roots = append(roots, f.repos)
	}
	reg.Locate(roots...)
	here := slices.ContainsFunc(reg.Repos, func(r routing.Repo) bool { return r.Dir != "" })
	found := lint.Check(reg, lint.Options{Now: time.Now(), Located: here || f.repos != ""})
	return append(tablesBeside(file), found...), len(reg.Repos), nil
}

// tablesBeside says what is wrong with the routing tables beside a registry: with
// broken ones it is not used either.
func tablesBeside(file string) []lint.Finding {
	if _, err := (&workspace{}).readTables(file); err != nil {
		return []lint.Finding{{
			Rule: "tables", Severity: lint.Error, File: filepath.Join(filepath.Dir(file), rank.TablesName), Text: err.Error(),
			Mend: "the registry is not used until they are mended, or removed",
		}}
	}
	return nil
}

func (f *lintFlags) print(out io.Writer, file string, found []lint.Finding, entries int) error {
	p := &printer{out: out}
	switch {
	case f.json:
		return writeJSON(out, lintResult{lintSchema, file, max(entries, 0), severities(found), append([]lint.Finding{}, found...)}, "  ")
	case f.format == "github":
		for _, x := range found {
			p.line("%s", annotation(x))
		}
		return p.err
	}
	g := &grid{head: []string{"place", "severity", "rule", "entry"}}
	seen, more := map[string]int{}, 0
	for _, x := range found {
		if seen[x.Rule]++; seen[x.Rule] > maxOfRule && x.Severity == lint.Note {
			more++
			continue
		}
		place := fmt.Sprintf("%s:%d:%d", x.File, x.Line, x.Col)
		if x.Line == 0 {
			place = x.File
		}
		var below []string
		text := x.Text
		if x.Entry == "" && x.Path != "" {
			text = x.Path + ": " + text
		}
		for _, line := range []string{text, x.Mend} {
			if line = oneLine(line); line != "" {
				below = append(below, line)
			}
		}
		g.add(below, place, string(x.Severity), x.Rule, clip(x.Entry, 40))
	}
	if len(found) > 0 {
		g.print(p)
		if more > 0 {
			p.line("and %s of the same rules; --json lists them", count(more, "more note"))
		}
		p.line("")
	}
	p.line("%s", lintSummary(found, entries))
	return p.err
}

// lintResult is what lint prints for programs.
type lintResult struct {
	Schema   string                `json:"schema"`
	File     string                `json:"file"`
	Entries  int                   `json:"entries"` // 0 when the registry is refused
	Counts   map[lint.Severity]int `json:"counts"`
	Findings []lint.Finding        `json:"findings"`
}

func severities(found []lint.Finding) map[lint.Severity]int {
	n := map[lint.Severity]int{lint.Error: 0, lint.Warning: 0, lint.Note: 0}
	for _, x := range found {
		n[x.Severity]++
	}
	return n
}

func lintSummary(found []lint.Finding, entries int) string {
	n := severities(found)
	var parts []string
	for _, s := range []lint.Severity{lint.Error, lint.Warning, lint.Note} {
		if n[s] > 0 {
			parts = append(parts, count(n[s], string(s)))
		}
	}
	switch {
	case entries < 0:
		return strings.Join(parts, ", ") + ": the registry cannot be used before that is mended."
	case len(parts) == 0:
		return fmt.Sprintf("%s, nothing to mend.", count(entries, "entry"))
	}
	return fmt.Sprintf("%s: %s.", count(entries, "entry"), strings.Join(parts, ", "))
}

// annotation is a finding as a workflow command of GitHub Actions.
func annotation(x lint.Finding) string {
	kind := map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Note: "notice"}[x.Severity]
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	name := x.File
	if wd, err := os.Getwd(); err == nil && filepath.IsAbs(name) { // GitHub wants paths from the repository's root
		if rel, err := filepath.Rel(wd, name); err == nil && filepath.IsLocal(rel) {
			name = rel
		}
	}
	at := "file=" + property.Replace(filepath.ToSlash(name))
	if x.Line > 0 {
		at += fmt.Sprintf(",line=%d,col=%d", x.Line, x.Col)
	}
	text := x.Text
	if x.Entry != "" {
		text = x.Entry + ": " + text
	}
	if x.Mend != "" {
		text += "; " + x.Mend
	}
	return fmt.Sprintf("::%s %s,title=%s::%s", kind, at, property.Replace("registry "+x.Rule), data.Replace(text))
}
