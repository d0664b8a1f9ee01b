package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/bot/mirror"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/engine"
	"github.com/pointsman/pointsman/routing/fuse"
	"github.com/pointsman/pointsman/routing/rank"
	"github.com/pointsman/pointsman/routing/registry"
)

// defaultRegistry is where a workspace keeps its registry.
const defaultRegistry = ".repo-orchestrator/registry.json"

// workspace is what the commands that route take as their candidates.
type workspace struct {
	repos    string // a folder of repositories
	registry string // a registry file
	cache    string // where index generations are kept
	tables   string // a file of routing tables
}

func (w *workspace) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.repos, "repos", "", "folder of git repositories, work trees or bare, up to three levels deep")
	cmd.Flags().StringVar(&w.registry, "registry", "", "registry file; with --repos, its entries are looked for in that folder too\n(default "+defaultRegistry+" here, unless --repos is given)")
	cmd.Flags().StringVar(&w.tables, "tables", "", "file of routing tables over the built-in ones (default "+rank.TablesName+" beside the registry)")
	cmd.Flags().StringVar(&w.cache, "cache", "", "folder for index generations (default the user's cache folder)")
}

// addWeights adds the flag that replaces the default weights.
func addWeights(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "weights", "", "JSON file of weights instead of the default ones")
}

// readWeights returns the bytes of a weights file; nil without one.
func readWeights(file string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, usagef("--weights: %w", err)
	}
	if _, err := fuse.ParseWeights(data); err != nil {
		return nil, usagef("--weights %s: %w", file, err)
	}
	return data, nil
}

// open finds the candidates and brings their index up to date.
func (w *workspace) open(ctx context.Context, errOut io.Writer) (engine.Snapshot, error) {
	source := git.New()
	reg, missing, err := w.candidates(ctx, source)
	if err != nil {
		return engine.Snapshot{}, &exitError{code: exitUsage, err: err}
	}
	tables, err := w.readTables(reg.File)
	if err != nil {
		return engine.Snapshot{}, err
	}
	cache, err := w.cacheDir()
	if err != nil {
		return engine.Snapshot{}, &exitError{code: exitUsage, err: err}
	}
	keeper, err := mirror.New(source, cache)
	if err != nil {
		return engine.Snapshot{}, &exitError{code: exitUsage, err: err}
	}
	bar := newBar(errOut, "indexing")
	set, uncovered, err := keeper.Refresh(ctx, reg.Repos, func(p mirror.Progress) { bar.at(p.Done, p.Total, p.Repo) })
	bar.end()
	if err != nil {
		return engine.Snapshot{}, err
	}
	s := engine.Snapshot{
		Repos: reg.Repos, RegistryHash: reg.Hash, Index: set, Tables: tables,
		Missing: merge(missing, uncovered), Warnings: reg.Warnings,
	}
	if reg.File != "" {
		s.Unregistered = w.unregistered(ctx, source, reg)
	}
	return s, nil
}

// merge joins two lists of what is missing; the first word on a repository stands.
func merge(first, second []routing.Missing) []routing.Missing {
	all := slices.Clone(first)
	for _, m := range second {
		if !slices.ContainsFunc(all, func(x routing.Missing) bool { return x.Repo == m.Repo }) {
			all = append(all, m)
		}
	}
	return all
}

// candidates reads the registry, or drafts one from a folder of repositories.
func (w *workspace) candidates(ctx context.Context, source *git.Git) (registry.Registry, []routing.Missing, error) {
	file := w.registry
	if file == "" && w.repos == "" {
		if _, err := os.Stat(defaultRegistry); err != nil {
			return registry.Registry{}, nil, errors.New("no candidates: make a registry with pointsman init, give --repos DIR or --registry FILE, or run where " + defaultRegistry + " is")
		}
		file = defaultRegistry
	}
	if file == "" {
		if err := mustBeFolder(w.repos); err != nil {
			return registry.Registry{}, nil, err
		}
		reg, missing, err := mirror.Discover(ctx, source, source, w.repos)
		for _, dir := range []string{w.repos, "."} {
			beside := filepath.Join(dir, filepath.FromSlash(defaultRegistry))
			if _, gone := os.Stat(beside); err == nil && gone == nil {
				reg.Warnings = append(reg.Warnings, fmt.Sprintf("%s was not read, since --repos stands alone; give it with --registry", filepath.ToSlash(beside)))
				break
			}
		}
		return reg, missing, err
	}
	reg, err := registry.Load(file)
	if err != nil {
		return registry.Registry{}, nil, err
	}
	var roots []string
	if w.repos != "" {
		if err := mustBeFolder(w.repos); err != nil {
			return registry.Registry{}, nil, err
		}
		roots = []string{w.repos}
	}
	reg.Locate(roots...)
	return reg, nil, nil
}

func mustBeFolder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--repos %s: there is no such folder", dir)
	case err != nil:
		return fmt.Errorf("--repos %s: %w", dir, err)
	case !info.IsDir():
		return fmt.Errorf("--repos %s: want a folder of git repositories, not a file", dir)
	}
	return nil
}

func (w *workspace) cacheDir() (string, error) {
	if w.cache != "" {
		return w.cache, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding the user's cache folder: %w; name one with --cache", err)
	}
	return filepath.Join(dir, "pointsman"), nil
}

// bar is a progress bar that shows itself only on a terminal.
type bar struct {
	out  io.Writer // nil when there is nobody to see it
	name string
	bar  *progressbar.ProgressBar
}

func newBar(out io.Writer, name string) *bar {
	if f, ok := out.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		out = nil
	}
	return &bar{out: out, name: name}
}

func (b *bar) at(done, total int, what string) {
	if b.out == nil || total == 0 {
		return
	}
	if b.bar == nil {
		b.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(b.out), progressbar.OptionSetDescription(b.name),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
	}
	b.bar.Describe(fmt.Sprintf("%s %-24.24s", b.name, what))
	_ = b.bar.Set(done) // a bar that cannot be drawn is no reason to stop
}

func (b *bar) end() {
	if b.bar != nil {
		_ = b.bar.Finish() // as above
	}
}
