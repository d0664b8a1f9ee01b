package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

// maxRegistry bounds a registry file, as its reader does, in bytes.
const maxRegistry = 64 << 20

// registryFile is a registry that a command changes.
type registryFile struct {
	name   string // as the user calls it
	before []byte // nil when it is not there yet
	edit   *registry.Edit
}

// openRegistry begins to change a registry, which need not be there yet.
func openRegistry(name string) (*registryFile, error) {
	data, err := readRegistry(name)
	if err != nil {
		return nil, err
	}
	edit, err := registry.NewEdit(name, data)
	if err != nil {
		return nil, &exitError{code: exitUsage, err: err}
	}
	return &registryFile{name: name, before: data, edit: edit}, nil
}

// existing opens a registry that must be there, and reads it.
func existing(name string) (*registryFile, registry.Registry, error) {
	file, err := openRegistry(name)
	if err == nil && file.before == nil {
		err = usagef("%s does not exist; make it with pointsman init, or name another with --registry", name)
	}
	if err != nil {
		return nil, registry.Registry{}, err
	}
	reg, err := registry.Parse(name, file.before)
	if err != nil {
		return nil, registry.Registry{}, &exitError{code: exitUsage, err: err}
	}
	return file, reg, nil
}

func readRegistry(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, usagef("reading registry: %w", err)
	case !info.Mode().IsRegular():
		return nil, usagef("reading registry: %s is not a regular file; name the registry.json itself", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usagef("reading registry: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRegistry+1))
	if err != nil {
		return nil, usagef("reading registry: %w", err)
	}
	return append([]byte{}, data...), nil
}

// consent are the flags that say whether a change may be written.
type consent struct {
	yes, dryRun bool
}

func (c *consent) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.yes, "yes", false, "write without asking")
	cmd.Flags().BoolVar(&c.dryRun, "dry-run", false, "show what would be written, and write nothing")
}

func (c *consent) check() error {
	if c.yes && c.dryRun {
		return usagef("--yes and --dry-run contradict each other")
	}
	return nil
}

// proposal is a change of a registry, before anybody agreed to it.
type proposal struct {
	file  *registryFile
	after []byte
	diff  string
}

func (f *registryFile) propose() (proposal, error) {
	after, err := f.edit.Bytes()
	if err != nil {
		return proposal{}, &exitError{code: exitUsage, err: err}
	}
	if f.before != nil && bytes.Equal(after, f.before) {
		return proposal{file: f, after: after}, nil
	}
	return proposal{file: f, after: after, diff: unified(filepath.ToSlash(f.name), string(f.before), string(after))}, nil
}

// settle shows a change to whoever is there and writes it if they agree. Programs
// that read JSON have been shown it already.
func (c *consent) settle(cmd *cobra.Command, who *person, p proposal, asJSON bool) (written bool, err error) {
	if p.diff == "" {
		return false, nil
	}
	out := &printer{out: cmd.OutOrStdout()}
	if !asJSON {
		if err := writeDiff(cmd.OutOrStdout(), p.diff); err != nil {
			return false, err
		}
		added, removed := changedLines(p.diff)
		out.line("")
		out.line("%s: %s added, %d removed", p.file.name, count(added, "line"), removed)
	}
	switch {
	case c.dryRun || asJSON && !c.yes:
		if !asJSON {
			out.line("Nothing was written: --dry-run.")
		}
		return false, out.err
	case c.yes:
	case !who.here:
		return false, usagef("nothing was written: nobody is here to ask; read the difference above, then give --yes")
	default:
		ok, err := who.agrees("Write it?")
		if err != nil {
			return false, err
		}
		if !ok {
			return false, &exitError{code: exitFailed, err: errors.New("nothing was written")}
		}
	}
	if err := p.write(); err != nil {
		return false, err
	}
	if !asJSON {
		out.line("Written.")
	}
	return true, out.err
}

// write replaces the file in one step, unless somebody else changed it meanwhile.
// There is no copy of what was: the registry lies in git.
func (p proposal) write() error {
	name := p.file.name
	now, err := readRegistry(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, p.file.before) || (now == nil) != (p.file.before == nil) {
		return fmt.Errorf("writing registry: %s was changed while you looked at the difference; run the same command again", name)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("writing registry: %w", err)
	}
	return replaceFile(name, p.after)
}

// count writes a number with its noun: "1 line", "2 lines".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if before, ok := strings.CutSuffix(noun, "y"); ok {
		return fmt.Sprintf("%d %sies", n, before)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// entries reads the registry as it stands; one that is not there has none.
func (f *registryFile) entries() []routing.Repo {
	reg, err := registry.Parse(f.name, f.before)
	if err != nil { // what Edit has taken and Parse does not is one without entries
		return nil
	}
	return reg.Repos
}
