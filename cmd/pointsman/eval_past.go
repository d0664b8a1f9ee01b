package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/bot/mirror"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/engine"
	"github.com/pointsman/pointsman/routing/eval"
	"github.com/pointsman/pointsman/routing/gold"
	"github.com/pointsman/pointsman/routing/index"
)

// past answers each ticket from the organisation as it stood before the year in
// which the ticket was filed.
type past struct {
	engine    *engine.Engine
	snapshots map[int]engine.Snapshot // by year
}

// tracer is what an evaluation asks.
type tracer interface {
	Trace(ctx context.Context, t routing.Ticket, s engine.Snapshot) (routing.Decision, []routing.Ranking, error)
}

// Trace implements what an evaluation needs of an engine; the snapshot handed in
// is that of today and is not used.
func (p *past) Trace(ctx context.Context, t routing.Ticket, _ engine.Snapshot) (routing.Decision, []routing.Ranking, error) {
	return p.engine.Trace(ctx, t, p.snapshots[t.CreatedAt.UTC().Year()])
}

// openPast builds the index of every repository as of the start of each year in
// which a case was filed. Each year has a cache of its own, so that none throws
// away another's generations.
func (w *workspace) openPast(ctx context.Context, eng *engine.Engine, today engine.Snapshot, cases []gold.Case, errOut io.Writer) (*past, error) {
	p := &past{engine: eng, snapshots: map[int]engine.Snapshot{}}
	cache, err := w.cacheDir()
	if err != nil {
		return nil, err
	}
	years, err := yearsOf(cases)
	if err != nil {
		return nil, err
	}
	source := git.New()
	for _, year := range years {
		before := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		keeper, err := mirror.New(source.AsOf(before), filepath.Join(cache, fmt.Sprintf("as-of-%d", year)))
		if err != nil {
			return nil, err
		}
		bar := newBar(errOut, fmt.Sprintf("as of %d", year))
		set, missing, err := keeper.Refresh(ctx, today.Repos, func(p mirror.Progress) { bar.at(p.Done, p.Total, p.Repo) })
		bar.end()
		if err != nil {
			return nil, err
		}
		p.snapshots[year] = engine.Snapshot{Repos: born(today.Repos, missing), RegistryHash: today.RegistryHash, Index: set, Tables: today.Tables, Missing: missing, Warnings: today.Warnings}
	}
	return p, nil
}

// born leaves out the repositories that did not exist yet: nobody had registered them.
func born(repos []routing.Repo, missing []routing.Missing) []routing.Repo {
	var kept []routing.Repo
	for _, r := range repos {
		if !slices.ContainsFunc(missing, func(m routing.Missing) bool { return m.Repo == r.Name && m.Empty }) {
			kept = append(kept, r)
		}
	}
	return kept
}

// generations name the commit of each repository in each year: "name@2019".
func (p *past) generations() map[string]string {
	all := map[string]string{}
	for year, s := range p.snapshots {
		for _, seg := range s.Index.Segments() {
			all[fmt.Sprintf("%s@%d", seg.Identity().Repo, year)] = seg.Identity().Commit
		}
	}
	return all
}

// latest is the snapshot of the last year.
func (p *past) latest() engine.Snapshot {
	return p.snapshots[slices.Max(slices.Collect(maps.Keys(p.snapshots)))]
}

// yearsOf lists the years in which the cases were filed, in order.
func yearsOf(cases []gold.Case) ([]int, error) {
	seen := map[int]bool{}
	for _, c := range cases {
		if c.Created == "" {
			return nil, usagef("--as-of year needs `created` in every line of the gold file; case %s has none", c.ID)
		}
		seen[c.Ticket().CreatedAt.UTC().Year()] = true
	}
	years := make([]int, 0, len(seen))
	for y := range seen {
		years = append(years, y)
	}
	slices.Sort(years)
	return years, nil
}

// leaksReport is what --leaks --json prints.
type leaksReport struct {
	Schema  string      `json:"schema"`
	N       int         `json:"n"`       // tickets in the gold file
	Tickets int         `json:"tickets"` // of them, found in a repository of their answer
	Places  []eval.Leak `json:"places"`
}

// listLeaks prints where titles stand in the indexed text.
func (f *evalFlags) listLeaks(cmd *cobra.Command) error {
	cases, _, err := readCases(f.gold)
	if err != nil {
		return err
	}
	eng, err := engine.New(engine.Options{Program: programVersion(), IgnoreFiledIn: true})
	if err != nil {
		return err
	}
	snapshot, err := f.open(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	places, err := findLeaks(cmd.Context(), eng, snapshot, cases, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	r := leaksReport{Schema: "pointsman.leaks/v1", N: len(cases), Places: append([]eval.Leak{}, places...)}
	told := map[string]bool{}
	for _, l := range places {
		if l.Answer {
			told[l.ID] = true
		}
	}
	r.Tickets = len(told)
	if f.json {
		return writeJSON(cmd.OutOrStdout(), r, "  ")
	}
	p := &printer{out: cmd.OutOrStdout()}
	for _, l := range places {
		where := "elsewhere"
		if l.Answer {
			where = "in its answer"
		}
		p.line("%-14s %-13s %s: %s  %q", l.ID, where, l.Repo, l.Path, clip(l.Title, 60))
	}
	p.line("The titles of %d of %d tickets stand word for word in the indexed text of a repository they belong in (%d places in all).", r.Tickets, r.N, len(places))
	return p.err
}

// findLeaks searches what the index was built from for the titles of the cases.
func findLeaks(ctx context.Context, eng *engine.Engine, s engine.Snapshot, cases []gold.Case, errOut io.Writer) ([]eval.Leak, error) {
	finder := eval.NewLeaks(cases, eng.Clean)
	source := git.New()
	bar := newBar(errOut, "searching for titles")
	defer bar.end()
	for i, seg := range s.Index.Segments() {
		id := seg.Identity()
		at := slices.IndexFunc(s.Repos, func(r routing.Repo) bool { return r.Name == id.Repo })
		rules := index.NewRules()
		_, err := source.Walk(ctx, s.Repos[at].Dir, id.Commit, rules.Want, func(d routing.Document) error {
			if rules.Keep(d) {
				finder.Look(id.Repo, d)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		bar.at(i+1, len(s.Index.Segments()), id.Repo)
	}
	return finder.Found, nil
}
