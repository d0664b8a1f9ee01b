package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/engine"
	"github.com/pointsman/pointsman/routing/rank"
	"github.com/pointsman/pointsman/routing/registry"
)

// addMinPartial adds the flag for the least partial match.
func addMinPartial(cmd *cobra.Command, n *int) {
	cmd.Flags().IntVar(n, "min-partial", rank.DefaultMinPartial, "least length of a word that matches a part of a keyword; 1 = any")
}

// checkMinPartial refuses a length that means nothing.
func checkMinPartial(n int) error {
	if n < 1 || n > engine.MaxMinPartial {
		return usagef("--min-partial %d: want 1 to %d", n, engine.MaxMinPartial)
	}
	return nil
}

// readTables reads the organisation's routing tables: those of --tables, else
// those beside the registry; nil when there are none.
func (w *workspace) readTables(registryFile string) (*rank.Tables, error) {
	file := w.tables
	if file == "" {
		if registryFile == "" {
			return nil, nil
		}
		file = filepath.Join(filepath.Dir(registryFile), rank.TablesName)
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	data, err := bot.ReadRegular(file, rank.MaxTables)
	if err != nil {
		return nil, usagef("reading the routing tables: %w", err)
	}
	tables, err := rank.ParseTables(file, data)
	if err != nil {
		return nil, &exitError{code: exitUsage, err: err}
	}
	return tables, nil
}

// unregistered names the repositories of the workspace that no entry stands for:
// those below --repos, or else beside the entries of a registry in its customary
// folder. What cannot be searched is passed over: this only serves a warning.
func (w *workspace) unregistered(ctx context.Context, source *git.Git, reg registry.Registry) []string {
	dir, depth := w.repos, searchDepth
	if dir == "" {
		folder := filepath.Dir(reg.File)
		if abs, err := filepath.Abs(folder); err == nil {
			folder = abs
		}
		if filepath.Base(folder) != filepath.Dir(defaultRegistry) {
			return nil
		}
		dir, depth = filepath.Dir(folder), 1
	}
	found, _, err := source.Discover(ctx, dir, depth)
	if err != nil {
		return nil
	}
	var names []string
	for _, f := range found {
		if !slices.ContainsFunc(reg.Repos, func(r routing.Repo) bool {
			return r.Dir == f.Dir || r.Name == f.Name || slices.Contains(r.Aliases, f.Name)
		}) {
			names = append(names, f.Name)
		}
	}
	return names
}
