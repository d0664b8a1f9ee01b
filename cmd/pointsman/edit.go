package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

// editFlags are the flags of one `pointsman edit`.
type editFlags struct {
	consent
	registry string
	from     string
}

func newEditCommand() *cobra.Command {
	var f editFlags
	cmd := &cobra.Command{
		Use:   "edit REPO [FIELD=VALUE ...]",
		Short: "Change one entry of a registry, in your editor or by assignments",
		Long: `Change the entry of one repository. Without assignments its JSON is opened in
VISUAL or EDITOR. With them nothing is opened:

  FIELD=VALUE    sets a field; an empty value takes it away
  LIST=A,B       sets a list
  LIST+=A        adds to a list
  LIST-=A        takes out of a list

FIELD is a field of the entry, as owns, description or owner.team. A value that
begins with [ or { is read as JSON. A new name=... keeps the old one as an alias.

What you write is checked, shown as a difference and written when you agree. The
entry is yours from then on: no draft replaces it unasked.`,
		Example: `  pointsman edit orders-api
  pointsman edit orders-api owns+=refunds owns-=misc owner.team=payments --yes
  pointsman edit orders-api 'owns=["refunds, partial", "chargebacks"]'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("want the name of a repository; see pointsman edit --help")
			}
			return nil
		},
		RunE: f.run,
	}
	cmd.Flags().StringVar(&f.registry, "registry", filepath.FromSlash(defaultRegistry), "registry file")
	cmd.Flags().StringVar(&f.from, "from", "", "file with the whole entry as you want it, instead of opening an editor")
	f.consent.addFlags(cmd)
	return cmd
}

func (f *editFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.consent.check(); err != nil {
		return err
	}
	file, reg, err := existing(f.registry)
	if err != nil {
		return err
	}
	entry, err := entryOf(reg, args[0])
	if err != nil {
		return err
	}
	who := newPerson(cmd)
	if len(args) > 1 && f.from != "" {
		return usagef("--from %s and assignments contradict each other: give one of them", f.from)
	}
	if len(args) > 1 {
		patch, err := assigned(entry, args[1:])
		if err != nil {
			return err
		}
		return f.write(cmd, who, file, entry, patch, nil)
	}
	var before bytes.Buffer
	if err := json.Indent(&before, reg.Entries[entry.Name], "", "  "); err != nil {
		return fmt.Errorf("opening the entry of %s: %w", entry.Name, err)
	}
	before.WriteByte('\n')
	var patch map[string]any
	x, err := f.ask(cmd, who, "entry.json", before.String(), func(text string) error {
		if patch, err = patchOf(before.Bytes(), text); err != nil {
			return err
		}
		trial, err := openRegistry(f.registry)
		if err != nil {
			return err
		}
		if err := patched(trial.edit, entry, patch); err != nil {
			return err
		}
		_, err = trial.edit.Bytes()
		return err
	})
	if err != nil {
		return err
	}
	return f.write(cmd, who, file, entry, patch, x)
}

// ask has a person write, in an editor unless they have written already.
func (f *editFlags) ask(cmd *cobra.Command, who *person, name, text string, check func(text string) error) (*edited, error) {
	if f.from != "" {
		return changeFrom(f.from, check)
	}
	ed, err := newEditor(cmd, who, name)
	if err != nil {
		return nil, err
	}
	return ed.change(cmd.Context(), text, check)
}

// write carries a patch of an entry out, after asking. What it was read from is kept
// unless it is written.
func (f *editFlags) write(cmd *cobra.Command, who *person, file *registryFile, entry routing.Repo, patch map[string]any, x *edited) error {
	out := &printer{out: cmd.OutOrStdout()}
	if len(patch) == 0 {
		out.line("Nothing changed.")
		return x.done(out, true, out.err)
	}
	if err := patched(file.edit, entry, patch); err != nil {
		return x.done(out, false, &exitError{code: exitUsage, err: err})
	}
	p, err := file.propose()
	if err != nil {
		return x.done(out, false, err)
	}
	if p.diff == "" {
		out.line("Nothing changed.")
		return x.done(out, true, out.err)
	}
	written, err := f.settle(cmd, who, p, false)
	return x.done(out, written, err)
}

// patched applies a person's patch: what they wrote is theirs from then on.
func patched(e *registry.Edit, entry routing.Repo, patch map[string]any) error {
	fields := map[string]any{"userEdited": true}
	for k, v := range patch {
		fields[k] = v
	}
	_, said := patch["descriptionSource"]
	if text, ok := patch["description"].(string); ok && text != "" && !said {
		fields["descriptionSource"] = "human"
	}
	name := entry.Name
	if to, ok := patch["name"].(string); ok {
		if err := e.Rename(name, to); err != nil {
			return err
		}
		name = to
	}
	delete(fields, "name")
	return e.Put(name, fields)
}

// entryOf finds an entry by name or alias, as people write them.
func entryOf(reg registry.Registry, name string) (routing.Repo, error) {
	var loose []routing.Repo
	for _, r := range reg.Repos {
		if r.Name == name || slices.Contains(r.Aliases, name) {
			return r, nil
		}
		if strings.EqualFold(r.Name, name) {
			loose = append(loose, r)
		}
	}
	if len(loose) == 1 {
		return loose[0], nil
	}
	var like []string
	for _, r := range reg.Repos {
		if a, b := strings.ToLower(r.Name), strings.ToLower(name); strings.Contains(a, b) || strings.Contains(b, a) {
			like = append(like, r.Name)
		}
	}
	if len(like) > 0 {
		return routing.Repo{}, usagef("%s has no entry %q; did you mean %s?", reg.File, name, few(like, 5))
	}
	return routing.Repo{}, usagef("%s has no entry %q; pointsman describe --list shows them", reg.File, name)
}

// patchOf reads an edited entry and returns what differs, as a merge patch.
// Errors name the line of what was edited.
func patchOf(before []byte, text string) (map[string]any, error) {
	if err := readable(text); err != nil {
		return nil, err
	}
	const lead, tail = `{"version":1,"repos":[`, `]}`
	reg, err := registry.Parse("entry.json", []byte(lead+text+tail))
	if err != nil {
		said := strings.ReplaceAll(err.Error(), "$.repos[0]", "$")
		return nil, errors.New(strings.TrimPrefix(said, "reading registry: "))
	}
	if len(reg.Repos) != 1 {
		return nil, fmt.Errorf("entry.json: want one entry, got %d; pointsman init adds others", len(reg.Repos))
	}
	was, err := plain(before)
	if err != nil {
		return nil, err
	}
	is, err := plain([]byte(text))
	if err != nil {
		return nil, err
	}
	return difference(was, is), nil
}

// readable tells whether a text begins with an object of JSON: what a registry's
// reader says of one that does not speaks of whole registries.
func readable(text string) error {
	var entry map[string]any
	dec := json.NewDecoder(strings.NewReader(text))
	err := dec.Decode(&entry)
	at := len(text)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil && entry != nil:
		return nil
	case errors.As(err, &syntax):
		at = int(syntax.Offset)
	case errors.As(err, &kind), err == nil: // null, too
		at, err = 0, errors.New("it is no object")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("it ends too early")
	}
	line := 1 + strings.Count(text[:min(at, len(text))], "\n")
	return fmt.Errorf("entry.json:%d: %w; write one entry as a JSON object, {\"name\": ...}", line, err)
}

func plain(text []byte) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var out map[string]any
	if err := dec.Decode(&out); err != nil {
		return nil, fmt.Errorf("entry.json: %w", err)
	}
	return out, nil
}

// difference is the merge patch that turns one object into another.
func difference(was, is map[string]any) map[string]any {
	patch := map[string]any{}
	for k := range was {
		if _, ok := is[k]; !ok {
			patch[k] = nil
		}
	}
	for k, v := range is {
		old, had := was[k]
		a, aok := old.(map[string]any)
		b, bok := v.(map[string]any)
		switch {
		case aok && bok:
			if inner := difference(a, b); len(inner) > 0 {
				patch[k] = inner
			}
		case !had || !reflect.DeepEqual(old, v):
			patch[k] = v
		}
	}
	return patch
}
