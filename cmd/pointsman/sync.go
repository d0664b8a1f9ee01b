package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing"
	life "github.com/pointsman/pointsman/routing/sync"
)

// syncSchema names the JSON that sync prints.
const syncSchema = "pointsman.sync/v1"

// syncFlags are the flags of one `pointsman sync`.
type syncFlags struct {
	sources
	consent
	json       bool
	check      bool
	removeGone bool
	take       []string
}

func newSyncCommand() *cobra.Command {
	var f syncFlags
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "Bring a registry up to date with the repositories, and keep what people wrote",
		Long: `Compare the registry with the repositories as they are now: new, gone, renamed,
moved to another owner, archived, with another default branch, or drifted away from
what their entry says. A repository is known by its host's id first, then by its
address, its folder, its name and aliases.

What happens to an entry depends on who changed what:

               code as before              code changed
  nobody       nothing                     drafted anew
  a person     it is theirs from now on    their words stand; the draft is shown

Words that a person wrote are replaced only for --take NAME, or when you say so
here; not with --yes. Entries that are gone stay until --remove-gone.

An entry's lastIndexed is the present time, or that of SOURCE_DATE_EPOCH when the
environment sets it. One that is found true 30 days or more after it was last compared
gets a new date, where --yes is given or somebody is here to agree.`,
		Example: `  pointsman sync --repos ~/src
  pointsman sync --github acme --registry registry.json --yes
  pointsman sync --repos ~/src --take orders-api
  pointsman sync --repos ~/src --check`,
		Args: noArgs,
		RunE: f.run,
	}
	f.sources.addFlags(cmd)
	f.consent.addFlags(cmd)
	fl := cmd.Flags()
	fl.BoolVar(&f.json, "json", false, "print JSON; without --yes nothing is written")
	fl.BoolVar(&f.check, "check", false, "write nothing, and exit with 1 when the registry is not up to date")
	fl.BoolVar(&f.removeGone, "remove-gone", false, "take out the entries whose repositories are gone")
	fl.StringSliceVar(&f.take, "take", nil, "entry that a person wrote and that the draft replaces, once for each")
	return cmd
}

func (f *syncFlags) run(cmd *cobra.Command, _ []string) error {
	if err := f.consent.check(); err != nil {
		return err
	}
	if f.check && f.yes {
		return usagef("--check writes nothing; it does not go with --yes")
	}
	if err := f.sources.check(); err != nil {
		return err
	}
	file, reg, err := existing(f.registry)
	if err != nil {
		return err
	}
	for _, name := range f.take {
		if !slices.ContainsFunc(reg.Repos, func(r routing.Repo) bool { return r.Name == name }) {
			return usagef("--take %s: %s has no such entry", name, f.registry)
		}
	}
	list, unseen, err := f.look(cmd, reg.Repos)
	if err != nil {
		return err
	}
	who := newPerson(cmd)
	plan := func() []life.Row {
		return life.Plan(reg.Repos, seen(list), life.Options{Here: f.here, Take: func(name string) bool { return slices.Contains(f.take, name) }})
	}
	rows := plan()
	out := &printer{out: cmd.OutOrStdout()}
	if !f.json {
		writeRows(out, rows, f.removeGone)
		for _, u := range unseen {
			out.line("The folder %s was not searched: %s", oneLine(u.Path), oneLine(u.Why))
		}
	}
	remove, err := f.decide(who, rows)
	if err != nil {
		return errors.Join(out.err, err)
	}
	rows = plan() // with what was taken
	at, err := now()
	if err == nil {
		err = life.Apply(file.edit, rows, life.Choices{RemoveGone: remove, Now: at, Renew: f.yes || f.dryRun || who.here && !f.json && !f.check})
	}
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	return f.finish(cmd, who, file, rows)
}

// look finds and reads the repositories.
func (f *syncFlags) look(cmd *cobra.Command, entries []routing.Repo) ([]drafted, []routing.Failure, error) {
	ctx := cmd.Context()
	found, unseen, err := f.find(ctx, cmd)
	if err == nil {
		found, err = f.follow(ctx, cmd.ErrOrStderr(), entries, found)
	}
	if err != nil {
		return nil, nil, err
	}
	list, err := scan(ctx, cmd.ErrOrStderr(), found)
	return list, unseen, err
}

// here tells the entries whose repositories the sources must hold.
func (f *syncFlags) here(r routing.Repo) bool {
	switch {
	case f.hub.owner != "":
		return life.BelongsTo(r, f.hub.host(), f.hub.owner)
	case f.list != "":
		return true
	case r.Path == "":
		return r.CloneURL == ""
	}
	dir := filepath.FromSlash(r.Path)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(baseOf(f.registry), dir)
	}
	root, err := filepath.Abs(f.repos)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(root, dir)
	return err == nil && filepath.IsLocal(rel)
}

// decide asks what only a person can say: whose words give way, and which entries
// go. Nobody is asked where flags have said it, or where nothing will be written.
func (f *syncFlags) decide(who *person, rows []life.Row) (remove func(string) bool, err error) {
	asks := who.here && !f.yes && !f.json && !f.check && !f.dryRun
	gone := map[string]bool{}
	for _, r := range rows {
		switch {
		case r.Is(life.Gone) && f.removeGone:
			gone[r.Was.Name] = true
		case r.Is(life.Gone) && asks:
			if gone[r.Was.Name], err = who.agrees("Take out the entry of %s?", r.Name); err != nil {
				return nil, err
			}
		case r.Is(life.Both) && asks:
			take, err := who.agrees("Replace what a person wrote for %s by the draft?", r.Name)
			if err != nil {
				return nil, err
			}
			if take {
				f.take = append(f.take, r.Was.Name)
			}
		}
	}
	return func(name string) bool { return gone[name] }, nil
}

// finish shows the difference and writes it, or says whether there is one.
func (f *syncFlags) finish(cmd *cobra.Command, who *person, file *registryFile, rows []life.Row) error {
	p, err := file.propose()
	if err != nil {
		return err
	}
	differs := slices.ContainsFunc(rows, life.Row.Differs)
	if p.diff != "" && !f.json && !f.check {
		(&printer{out: cmd.OutOrStdout()}).line("")
	}
	c := f.consent
	c.dryRun = c.dryRun || f.check
	written, err := c.settle(cmd, who, p, f.json || f.check)
	if err != nil {
		return err
	}
	if f.json {
		err = writeJSON(cmd.OutOrStdout(), f.result(rows, p, !differs, written), "  ")
	}
	if err == nil && f.check && differs {
		return &exitError{code: exitFailed, err: fmt.Errorf("%s is not up to date; run pointsman sync", f.registry)}
	}
	return err
}

// now is the time that lastIndexed tells: the present, or what SOURCE_DATE_EPOCH
// says, the seconds since 1970 by which builds are made to repeat themselves.
func now() (string, error) {
	at := time.Now()
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil || seconds < 0 || seconds >= 1<<37 {
			return "", fmt.Errorf("reading SOURCE_DATE_EPOCH: %.40q is not a number of seconds since 1970; correct it or unset it", epoch)
		}
		at = time.Unix(seconds, 0)
	}
	return at.UTC().Format(time.RFC3339), nil
}

// writeRows shows what is different, one line for each change.
func writeRows(p *printer, rows []life.Row, removeGone bool) {
	g := &grid{head: []string{"change", "repository", "what"}}
	same, elsewhere := 0, 0
	for _, r := range rows {
		for _, c := range r.Changes {
			switch c.Kind {
			case life.Same:
				same++
			case life.Unaffected:
				elsewhere++
			default:
				g.add(advice(r, c.Kind, removeGone), string(c.Kind), clip(r.Name, 40), oneLine(c.Why))
			}
		}
	}
	if len(g.rows) > 0 {
		g.print(p)
		p.line("")
	}
	line := "No repository is as the registry says"
	switch {
	case same == 1:
		line = "1 repository is as the registry says"
	case same > 1:
		line = fmt.Sprintf("%d repositories are as the registry says", same)
	}
	if elsewhere > 0 {
		line += fmt.Sprintf("; %d elsewhere, not looked for", elsewhere)
	}
	p.line("%s.", line)
}

// advice says what a person may want to do; it shows the draft that their words
// stand against.
func advice(r life.Row, k life.Kind, removeGone bool) []string {
	if k == life.Gone && !removeGone {
		return []string{"the entry goes with --remove-gone"}
	}
	if k != life.Both {
		return nil
	}
	var lines []string
	for _, d := range life.Compare(r.Was, r.Want) {
		if !strings.HasPrefix(d, "descriptionSource:") {
			lines = append(lines, clip("draft  "+d, foundWidth-4))
		}
	}
	if len(lines) == 0 {
		return []string{"the draft would say the same"}
	}
	return append(lines, "take the draft with --take "+r.Was.Name)
}

// syncResult is what sync prints for programs.
type syncResult struct {
	Schema   string    `json:"schema"`
	Registry string    `json:"registry"`
	InSync   bool      `json:"inSync"`
	Written  bool      `json:"written"`
	Rows     []syncRow `json:"rows"`
	Diff     string    `json:"diff"`
}

type syncRow struct {
	Repo     string        `json:"repo"`
	Was      string        `json:"was"` // the entry's name so far; "" when it is new
	Changes  []syncChange  `json:"changes"`
	Proposal *routing.Repo `json:"proposal"` // the draft that a person's words stand against
}

type syncChange struct {
	Kind life.Kind `json:"kind"`
	Why  string    `json:"why"`
}

func (f *syncFlags) result(rows []life.Row, p proposal, inSync, written bool) syncResult {
	out := syncResult{Schema: syncSchema, Registry: f.registry, InSync: inSync, Written: written, Diff: p.diff, Rows: []syncRow{}}
	for _, r := range rows {
		row := syncRow{Repo: r.Name, Was: r.Was.Name, Changes: []syncChange{}}
		for _, c := range r.Changes {
			row.Changes = append(row.Changes, syncChange{c.Kind, strings.TrimSpace(c.Why)})
		}
		if r.Is(life.Both) {
			row.Proposal = &r.Want
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}
