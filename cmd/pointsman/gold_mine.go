package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/gold"
	"github.com/pointsman/pointsman/routing/gold/mine"
)

// mineFlags are the flags of one `pointsman gold mine`.
type mineFlags struct {
	workspace
	mine.Options
	config       string
	from         tracked // its projects are those of mine.Options
	mirrors      mirrored
	tickets      string
	columns      []string // of tickets
	since, until string
	out          string
	jobs         int
	json         bool
}

func newGoldMineCommand() *cobra.Command {
	var f mineFlags
	cmd := &cobra.Command{
		Use:   "mine",
		Short: "Find tickets with known answers in the histories of repositories",
		Long: `Read every commit that branches and tags reach, link it to the ticket its message
cites first, and write one case per ticket: the set of repositories whose source
had to change, with commits and files. docs/gold.md says what counts and what does
not.

A ticket's text comes from --tickets where it stands there, or with --source from
the tracker itself, which is only read: the newest --last tickets of --repo or
--project, with the configuration that the bot uses. Without either the text is the
message of the ticket's first commit, and the case says so: a proxy reads better
than what people file, and figures on proxies flatter.

With --mirrors, registry entries with a cloneURL that are not on this machine are
fetched with their full histories, into bare mirrors below that folder.`,
		Example: `  pointsman gold mine --repos ~/src -o gold.jsonl
  pointsman gold mine --repos ~/src --tickets export.csv --project PAY --project CART -o gold.jsonl
  pointsman gold mine --repos ~/src --source github --repo acme/cart,acme/till --last 2000 -o gold.jsonl
  pointsman gold mine --repos ~/src --source jira --tenant acme --project PAY,CART -o gold.jsonl
  pointsman gold mine --registry registry.json --mirrors ~/mirrors --config pointsman.yml -o gold.jsonl
  pointsman gold mine --repos ~/src --sets-first --sample 1000 --per-repo 25 --min-words 6 -o gold.jsonl`,
		Args: noArgs,
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.StringVar(&f.repos, "repos", "", "folder of git repositories with full histories, up to three levels deep")
	fl.StringVar(&f.registry, "registry", "", "registry file; mines its entries under their names and aliases")
	f.mirrors.addFlags(cmd)
	fl.StringVar(&f.tickets, "tickets", "", "the tickets' own texts: CSV or JSON lines with key, title, body, created")
	fl.StringArrayVar(&f.columns, "column", nil, "FIELD=COLUMN where a column of --tickets has another name; FIELD=- leaves it out; may be repeated")
	fl.StringVar(&f.config, "config", defaultConfig, "configuration file, for --source and the token of --mirrors")
	fl.StringVar(&f.from.source, "source", "", "tracker that is asked for the tickets' texts: github or jira")
	fl.StringSliceVar(&f.from.repos, "repo", nil, "github: owner/name whose issues are taken; several with commas")
	fl.StringVar(&f.from.tenant, "tenant", "", "jira: which site (default the only one)")
	fl.IntVar(&f.from.last, "last", 1000, "how many tickets the tracker is asked for, the newest of all places together")
	fl.StringSliceVar(&f.Projects, "project", nil, "Jira projects whose keys count, several with commas (default those that are cited often); with --source jira those whose tickets are taken")
	fl.StringArrayVar(&f.Trackers, "tracker", nil, "kind of tickets that count, may be repeated: jira (PROJ-12), issues (repo#12), bugs (Closes-Bug: #12) (default all)")
	fl.IntVar(&f.MinTickets, "min-tickets", 5, "different tickets from which a Jira project is taken for one, without --project")
	fl.IntVar(&f.MaxKeys, "max-keys", 3, "most tickets a commit may cite; one that cites more is a list of changes")
	fl.IntVar(&f.MaxFiles, "max-files", 100, "most files a commit may change; one that changes more is a mass change")
	fl.IntVar(&f.MaxRepos, "max-repos", 8, "most repositories of one ticket; one with more is a campaign")
	fl.StringArrayVar(&f.Copied, "copied", nil, "folder that holds copies of code that lives elsewhere, such as acme/common; may be repeated")
	fl.BoolVar(&f.Related, "related", false, "count commits that only mention a ticket (Related-Bug)")
	fl.BoolVar(&f.Pulls, "pulls", false, "take pull requests for tickets")
	fl.BoolVar(&f.AnyFile, "any-file", false, "count changes of build and settings files too, not only source")
	fl.BoolVar(&f.OnlyTexts, "only-texts", false, "leave out tickets of which neither --tickets nor the tracker has the text")
	fl.StringVar(&f.since, "since", "", "leave out tickets created before this day, such as 2020-01-31")
	fl.StringVar(&f.until, "until", "", "leave out tickets created on this day or later")
	fl.IntVar(&f.MinWords, "min-words", 0, "fewest words of a ticket's text")
	fl.IntVar(&f.PerRepo, "per-repo", 0, "most cases with one and the same single repository (default all)")
	fl.IntVar(&f.Sample, "sample", 0, "most cases, drawn by the hash of their ids (default all)")
	fl.BoolVar(&f.SetsFirst, "sets-first", false, "draw the tickets that need several repositories before the others")
	fl.IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "repositories read at the same time")
	fl.StringVarP(&f.out, "output", "o", "", "gold file to write (default standard output)")
	fl.BoolVar(&f.json, "json", false, "print the summary on standard error as JSON")
	return cmd
}

func (f *mineFlags) run(cmd *cobra.Command, _ []string) error {
	if err := f.check(); err != nil {
		return err
	}
	texts, err := f.find(cmd)
	if err != nil {
		return err
	}
	reg, missing, err := f.candidates(cmd.Context(), git.New())
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	errOut := cmd.ErrOrStderr()
	for _, m := range missing {
		fmt.Fprintf(errOut, "pointsman: %s is left out: %s\n", onScreen(m.Repo), onScreen(m.Why))
	}
	if f.mirrors.dir != "" {
		if err := f.mirrors.keep(cmd.Context(), errOut, reg.Repos, tokens(texts.cfg)); err != nil {
			return err
		}
	}
	known, listed, err := texts.read(cmd)
	if err != nil {
		return err
	}
	names := mine.NamesOf(reg.Repos)
	tickets, err := mine.Keyed(known, names)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	d := digger{jobs: max(f.jobs, 1), errOut: errOut, miner: mine.New(f.Options, names, tickets)}
	if d.repos = f.readable(errOut, reg.Repos); len(d.repos) == 0 {
		return usagef("no repository can be read")
	}
	cases, report, err := d.dig(cmd.Context())
	if err != nil {
		return err
	}
	if len(cases) > 0 {
		if err := writeGold(cmd.OutOrStdout(), f.out, cases); err != nil {
			return err
		}
	}
	if err = f.summarise(errOut, report, listed); err == nil && len(cases) == 0 {
		err = errors.New("no ticket with a known answer was found: clone with full histories, name Jira projects with --project, or relax --max-repos and --min-words")
	}
	return err
}

// readable returns the repositories that are on this machine, and names the others.
func (f *mineFlags) readable(errOut io.Writer, all []routing.Repo) (here []routing.Repo) {
	for _, r := range all {
		switch {
		case r.Dir != "":
			here = append(here, r)
		case f.mirrors.dir != "" && r.CloneURL != "": // why was said
		case r.CloneURL != "":
			fmt.Fprintf(errOut, "pointsman: %s is left out: it is not on this machine; name a folder for its mirror with --mirrors, or clone it and name its folder with --repos\n", onScreen(r.Name))
		default:
			fmt.Fprintf(errOut, "pointsman: %s is left out: it is not on this machine; clone it and name its folder with --repos\n", onScreen(r.Name))
		}
	}
	return here
}

func (f *mineFlags) summarise(out io.Writer, r mine.Report, got *listed) error {
	if f.json {
		return writeJSON(out, struct {
			mine.Report
			Listed *listed `json:"listed,omitempty"`
		}{r, got}, "  ")
	}
	p := &printer{out: out}
	if got != nil {
		writeListed(p, got)
	}
	return writeMined(p, r)
}

func (f *mineFlags) check() error {
	if err := f.mirrors.check(f.workspace); err != nil {
		return err
	}
	for flag, n := range map[string]int{
		"max-keys": f.MaxKeys, "max-files": f.MaxFiles, "max-repos": f.MaxRepos, "min-tickets": f.MinTickets,
		"min-words": f.MinWords + 1, "per-repo": f.PerRepo + 1, "sample": f.Sample + 1,
	} {
		if n < 1 {
			return usagef("--%s: want a positive number", flag)
		}
	}
	for _, t := range f.Trackers {
		if t != mine.TrackerJira && t != mine.TrackerIssues && t != mine.TrackerBugs {
			return usagef("--tracker: want jira, issues or bugs, got %q", t)
		}
	}
	var err error
	if f.Since, err = day("since", f.since); err != nil {
		return err
	}
	f.Until, err = day("until", f.until)
	return err
}

func day(flag, s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return at, usagef("--%s: want a day such as 2020-01-31, got %q", flag, s)
	}
	return at, nil
}

func readTickets(file string, columns []string) ([]gold.Text, error) {
	if file == "" && len(columns) > 0 {
		return nil, usagef("--column names a column of --tickets; name that, too")
	}
	named, err := columnNames(columns, gold.TextFields())
	if err != nil || file == "" {
		return nil, err
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, usagef("--tickets: %w", err)
	}
	defer in.Close()
	tickets, err := gold.ReadTexts(file, in, named)
	if err != nil {
		return nil, &exitError{code: exitUsage, err: err}
	}
	return tickets, nil
}

// digger reads histories and changes for a miner, several repositories at a time.
type digger struct {
	miner  *mine.Miner
	repos  []routing.Repo
	jobs   int
	errOut io.Writer
	lock   sync.Mutex // of errOut, bar and done
	bar    *bar
	done   int
}

func (d *digger) dig(ctx context.Context) ([]gold.Case, mine.Report, error) {
	source := git.New()
	histories := make([]*mine.History, len(d.repos))
	err := d.each(ctx, "reading histories", func(ctx context.Context, i int) ([]routing.Failure, error) {
		histories[i] = d.miner.History(d.repos[i].Name)
		failures, err := source.History(ctx, d.repos[i].Dir, git.HistoryOptions{}, func(c routing.Commit) error {
			histories[i].Add(c)
			return nil
		})
		if errors.Is(err, routing.ErrEmpty) {
			return failures, nil
		}
		return failures, err
	})
	if err != nil {
		return nil, mine.Report{}, err
	}
	links := d.miner.Link(histories)
	err = d.each(ctx, "reading changes", func(ctx context.Context, i int) ([]routing.Failure, error) {
		repo := d.repos[i]
		return source.Changes(ctx, repo.Dir, links.Wanted(repo.Name), links.MaxFiles()+1, func(c routing.Change) error {
			links.Change(repo.Name, c)
			return nil
		})
	})
	if err != nil {
		return nil, mine.Report{}, err
	}
	cases, report := links.Cases()
	return cases, report, nil
}

// each runs one step on every repository. What one repository lacks is said and
// does not stop the others.
func (d *digger) each(ctx context.Context, step string, do func(context.Context, int) ([]routing.Failure, error)) error {
	d.bar, d.done = newBar(d.errOut, step), 0
	defer d.bar.end()
	var all sync.WaitGroup
	free := make(chan struct{}, d.jobs)
	for i := range d.repos {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			if ctx.Err() != nil {
				return
			}
			failures, err := do(ctx, i)
			if ctx.Err() == nil {
				d.say(d.repos[i].Name, failures, err)
			}
		})
	}
	all.Wait()
	return ctx.Err()
}

// say reports what could not be read of a repository.
func (d *digger) say(repo string, failures []routing.Failure, err error) {
	d.lock.Lock()
	defer d.lock.Unlock()
	d.done++
	d.bar.at(d.done, len(d.repos), repo)
	const most = 3
	p := &printer{out: d.errOut}
	if err != nil {
		p.line("pointsman: %s is left out: %v", repo, err)
	}
	for n, f := range failures {
		if n == most {
			p.line("pointsman: %s: and %d more", repo, len(failures)-n)
			break
		}
		p.line("pointsman: %s: %s", repo, f.Why)
	}
}

func writeMined(p *printer, r mine.Report) error {
	p.line("%d repositories, %d commits, %d cite a ticket, %d of them are part of an answer", r.Repos, r.Commits, r.Citing, r.Counted)
	p.line("%d cases, %d of several repositories, %d with a commit message for text", r.Cases, r.Sets, r.Proxies)
	if r.Texts > 0 {
		p.line("%d tickets have a text of their own, %d of them are cited by no commit", r.Texts, r.Uncited)
	}
	p.line("Linked by: %s", counts(r.Rules))
	p.line("Commits out: %s", counts(r.Out))
	p.line("Tickets out: %s", counts(r.LeftOut))
	var projects []string
	for _, k := range r.Projects {
		projects = append(projects, fmt.Sprintf("%s %d", k.Key, k.Tickets))
	}
	if len(projects) > 0 {
		p.line("Jira projects: %s", strings.Join(projects, ", "))
	}
	p.line("")
	for _, row := range ordered(r.PerRepo) {
		p.line("%-40s %6d", row.name, row.n)
	}
	return p.err
}
