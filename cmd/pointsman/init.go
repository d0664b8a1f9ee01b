package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing"
	life "github.com/pointsman/pointsman/routing/sync"
)

// initSchema names the JSON that init prints.
const initSchema = "pointsman.init/v1"

// initFlags are the flags of one `pointsman init`.
type initFlags struct {
	sources
	consent
	json bool
}

func newInitCommand() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Draft a registry from the repositories you have",
		Long: `Read every repository and draft its registry entry: languages, frameworks,
endpoints, events, settings, owners, and the words that tell it from the others.

What was found is shown, then the difference that it makes to the registry file;
nothing is written before you have said yes. A registry that is there keeps its
entries as they are: only repositories without one are added (pointsman sync
brings the others up to date). A repository that cannot be read is entered by its
name and place alone, with the reason shown. No copy of the old file is kept: the
registry belongs in git.

Drafts are a beginning. Read the words under "owns" and the descriptions, and
change what is not how your users would say it: pointsman edit, pointsman describe.`,
		Example: `  pointsman init --repos ~/src
  pointsman init --github acme --registry registry.json
  pointsman init --list repositories.txt --dry-run
  pointsman init --repos ~/src --jira https://acme.atlassian.net --jira-user me@acme.example --jira-project OPS --yes`,
		Args: noArgs,
		RunE: f.run,
	}
	f.sources.addFlags(cmd)
	f.consent.addFlags(cmd)
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON; without --yes nothing is written")
	return cmd
}

// initResult is what init prints for programs.
type initResult struct {
	Schema   string     `json:"schema"`
	Registry string     `json:"registry"`
	Written  bool       `json:"written"`
	Repos    []initRepo `json:"repos"`
	Kept     []string   `json:"kept"`   // entries that were there and stay as they are
	Unseen   []failure  `json:"unseen"` // folders that could not be searched
	Diff     string     `json:"diff"`   // "" when nothing changes
}

type initRepo struct {
	Name     string            `json:"name"`
	Added    bool              `json:"added"`
	Unread   string            `json:"unread"` // "" when its code was read
	Entry    routing.Repo      `json:"entry"`
	Why      map[string]string `json:"why"` // of each word of owns
	Failures []failure         `json:"failures"`
}

// failure is a file or folder that could not be read.
type failure = routing.Failure

func (f *initFlags) run(cmd *cobra.Command, _ []string) error {
	if err := f.consent.check(); err != nil {
		return err
	}
	if err := f.sources.check(); err != nil {
		return err
	}
	file, err := openRegistry(f.registry)
	if err != nil {
		return err
	}
	entries := file.entries()
	ctx := cmd.Context()
	found, unseen, err := f.find(ctx, cmd)
	if err != nil {
		return err
	}
	list, err := scan(ctx, cmd.ErrOrStderr(), found)
	if err != nil {
		return err
	}
	rows := newOnly(life.Plan(entries, seen(list), life.Options{}), entries)
	at, err := now()
	if err == nil {
		err = life.Apply(file.edit, rows, life.Choices{Now: at})
	}
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	p, err := file.propose()
	if err != nil {
		return err
	}
	added := map[string]bool{}
	for _, r := range rows {
		added[r.Name] = true
	}
	if f.json {
		written, err := f.settle(cmd, newPerson(cmd), p, true)
		if err != nil {
			return err
		}
		return writeJSON(cmd.OutOrStdout(), f.result(list, entries, unseen, added, p, written), "  ")
	}
	out := &printer{out: cmd.OutOrStdout()}
	f.show(out, list, len(entries), unseen, added)
	if out.err != nil {
		return out.err
	}
	_, err = f.settle(cmd, newPerson(cmd), p, false)
	return err
}

// newOnly leaves what has an entry alone, and what bears the name of an entry that
// stands for another repository: sync sorts those out.
func newOnly(rows []life.Row, entries []routing.Repo) []life.Row {
	names := map[string]bool{}
	for _, e := range entries {
		for _, name := range append([]string{e.Name}, e.Aliases...) {
			names[name] = true
		}
	}
	var out []life.Row
	for _, r := range rows {
		if r.Is(life.New) && !names[r.Name] {
			out = append(out, r)
		}
	}
	return out
}

func (f *initFlags) show(p *printer, list []drafted, entries int, unseen []routing.Failure, added map[string]bool) {
	var fresh []drafted
	unread := 0
	for _, d := range list {
		if added[d.repo.Name] {
			fresh = append(fresh, d)
		}
		if d.unread != "" {
			unread++
		}
	}
	if len(fresh) > 0 {
		writeFound(p, fresh)
		p.line("")
	}
	line := fmt.Sprintf("%s looked at, %d new", count(len(list), "repository"), len(fresh))
	if unread > 0 {
		line += fmt.Sprintf(", %d not readable", unread)
	}
	p.line("%s.", line)
	for _, u := range unseen {
		p.line("The folder %s was not searched: %s", oneLine(u.Path), oneLine(u.Why))
	}
	if entries > 0 {
		p.line("%s stay as they are: %s is there already; pointsman sync brings them up to date.", count(entries, "entry"), f.registry)
	}
	if len(fresh) > 0 {
		p.line("")
	} else {
		p.line("Nothing to add.")
	}
}

func (f *initFlags) result(list []drafted, entries []routing.Repo, unseen []routing.Failure, added map[string]bool, p proposal, written bool) initResult {
	out := initResult{
		Schema: initSchema, Registry: f.registry, Written: written, Diff: p.diff,
		Repos: make([]initRepo, len(list)), Kept: make([]string, len(entries)), Unseen: append([]failure{}, unseen...),
	}
	for i, d := range list {
		out.Repos[i] = initRepo{
			Name: d.repo.Name, Added: added[d.repo.Name], Unread: d.unread, Entry: d.repo, Why: d.why,
			Failures: append([]failure{}, d.failures...),
		}
	}
	for i, e := range entries {
		out.Kept[i] = e.Name
	}
	return out
}
