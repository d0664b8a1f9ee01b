package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/engine"
	"github.com/pointsman/pointsman/routing/eval"
	"github.com/pointsman/pointsman/routing/eval/page"
	"github.com/pointsman/pointsman/routing/gold"
	"github.com/pointsman/pointsman/routing/index"
)

// evalFlags are the flags of one `pointsman eval`.
type evalFlags struct {
	workspace
	gold    string
	weights string
	partial int // least partial match
	without []string
	asOf    string // "" or "year"
	leaks   bool
	compare []string
	against string // an earlier run file
	rerun   string // a run file to be repeated
	from    string // a run file to be reported
	save    string
	html    string
	json    bool

	recalled bool // against was taken from a run file
}

func newEvalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval --gold FILE | --rerun RUN | --from RUN",
		Short: "Measure routing on tickets with known answers, beside null baselines",
		Long: `Route every ticket of a gold file and compare with its known repositories. A gold
file holds one JSON object a line: {"id", "title", "body", "repos": ["name"]}.

Each ranker alone, the fused decision, and two baselines that never read a ticket
are measured on the same tickets. Neither where a ticket was filed nor its id is used.

--save keeps the run: --rerun repeats it on the same inputs and gives the same bytes,
or says what has changed; --from reports it again without routing; --against sets it
beside a new one. docs/evaluation.md says what each figure means.`,
		Example: `  pointsman eval --gold gold.jsonl --registry .repo-orchestrator/registry.json
  pointsman eval --gold gold.jsonl --registry registry.json --repos ~/src --save run.json --html report.html
  pointsman eval --gold gold.jsonl --registry registry.json --against run.json --compare fused,saved
  pointsman eval --gold gold.jsonl --registry registry.json --as-of year
  pointsman eval --gold gold.jsonl --registry registry.json --leaks
  pointsman eval --rerun run.json --json
  pointsman eval --from run.json --html report.html`,
		Args: noArgs,
		RunE: f.run,
	}
	f.addFlags(cmd)
	addWeights(cmd, &f.weights)
	addMinPartial(cmd, &f.partial)
	cmd.Flags().StringVar(&f.gold, "gold", "", "gold file, JSON lines")
	cmd.Flags().StringSliceVar(&f.without, "without", nil, "measure as if code search could not see these repositories, `A,B`; code = any of them")
	cmd.Flags().StringVar(&f.asOf, "as-of", "", "`year`: answer each ticket from every repository as it stood before the year it was filed in;\nthe same tickets at head stand beside it as saved")
	cmd.Flags().BoolVar(&f.leaks, "leaks", false, "list where titles of the tickets stand word for word in the indexed text, and measure nothing")
	cmd.Flags().StringArrayVar(&f.compare, "compare", nil, "two systems `A,B` to compare by an exact McNemar test; may be repeated\n(default fused with each ranker; saved is the run of --against)")
	cmd.Flags().StringVar(&f.against, "against", "", "run file of an earlier evaluation to set beside this one")
	cmd.Flags().StringVar(&f.save, "save", "", "write a run file: hashes of all inputs, and what was said of each ticket")
	cmd.Flags().StringVar(&f.rerun, "rerun", "", "repeat the evaluation of this run file; paths are those of then, or given again")
	cmd.Flags().StringVar(&f.from, "from", "", "report this run file, without routing")
	cmd.Flags().StringVar(&f.html, "html", "", "write a report for a browser, one self-contained file")
	cmd.Flags().BoolVar(&f.json, "json", false, "print pointsman.eval/v1 as JSON")
	return cmd
}

// check refuses flags that contradict each other.
func (f *evalFlags) check() error {
	if f.gold == "" && f.from == "" && f.rerun == "" {
		return usagef("want --gold FILE, or a run file with --rerun or --from; see pointsman eval --help")
	}
	given := func(flags map[string]string) string {
		for _, name := range []string{"gold", "registry", "repos", "weights", "without", "as-of", "save", "rerun"} {
			if flags[name] != "" {
				return name
			}
		}
		return ""
	}
	if name := given(map[string]string{
		"gold": f.gold, "registry": f.registry, "repos": f.repos, "weights": f.weights, "without": strings.Join(f.without, ","), "as-of": f.asOf, "save": f.save, "rerun": f.rerun,
	}); f.from != "" && name != "" {
		return usagef("--from reports a run as it was, so --%s has no say; leave one of the two out", name)
	}
	if f.rerun != "" && (len(f.without) > 0 || f.asOf != "") {
		return usagef("--rerun takes --without and --as-of from the run file; leave them out")
	}
	if f.asOf != "" && f.asOf != "year" {
		return usagef("--as-of %q: want year", f.asOf)
	}
	if f.leaks && f.gold == "" {
		return usagef("--leaks wants --gold FILE")
	}
	if f.leaks && (f.html != "" || f.save != "" || f.asOf != "" || f.against != "") {
		return usagef("--leaks measures nothing, so --html, --save, --as-of and --against have no say; leave them out")
	}
	if err := checkMinPartial(f.partial); err != nil {
		return err
	}
	for _, pair := range f.compare {
		if _, err := eval.ParsePair(pair); err != nil {
			return usagef("--compare: %w", err)
		}
	}
	for flag, file := range map[string]string{"save": f.save, "html": f.html} {
		if info, err := os.Stat(filepath.Dir(file)); file != "" && (err != nil || !info.IsDir()) {
			return usagef("--%s %s: there is no such folder to write it in", flag, file)
		}
	}
	return nil
}

func (f *evalFlags) run(cmd *cobra.Command, _ []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.leaks {
		return f.listLeaks(cmd)
	}
	var past pastRun
	var err error
	if file := f.rerun + f.from; file != "" {
		if past, err = readRun(file); err != nil {
			return err
		}
		f.recall(past)
	}
	rec := past.Record
	if f.from == "" {
		if rec, err = f.evaluate(cmd, past); err != nil {
			return err
		}
	}
	report, err := f.measure(&rec, past)
	if err != nil {
		return err
	}
	if err := f.write(cmd, rec, report); err != nil {
		return err
	}
	if f.rerun != "" {
		return past.sameAs(cmd.ErrOrStderr(), rec)
	}
	return nil
}

// write puts the results where they were asked for.
func (f *evalFlags) write(cmd *cobra.Command, rec eval.Record, report eval.Report) error {
	var buf bytes.Buffer
	if f.save != "" {
		if err := rec.Write(&buf); err != nil {
			return err
		}
		if err := replaceFile(f.save, buf.Bytes()); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	if f.html != "" {
		buf.Reset()
		if err := page.Write(&buf, report); err != nil {
			return err
		}
		if err := replaceFile(f.html, buf.Bytes()); err != nil {
			return fmt.Errorf("--html: %w", err)
		}
	}
	if f.json {
		return writeJSON(cmd.OutOrStdout(), report, "  ")
	}
	return writeReport(&printer{out: cmd.OutOrStdout()}, report)
}

// evaluate routes the cases of the gold file. A rerun refuses inputs that are not
// those of the past run.
func (f *evalFlags) evaluate(cmd *cobra.Command, past pastRun) (eval.Record, error) {
	cases, digest, err := readCases(f.gold)
	if err != nil {
		return eval.Record{}, err
	}
	weights, err := readWeights(f.weights)
	if err != nil {
		return eval.Record{}, err
	}
	eng, err := engine.New(engine.Options{Program: programVersion(), Weights: weights, MinPartial: f.partial, Tail: true, IgnoreFiledIn: true})
	if err != nil {
		return eval.Record{}, err
	}
	if err := past.holdFiles(digest); err != nil {
		return eval.Record{}, err
	}
	snapshot, err := f.open(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return eval.Record{}, err
	}
	if snapshot, err = withoutCode(snapshot, f.without); err != nil {
		return eval.Record{}, err
	}
	rec, err := f.ask(cmd, cases, snapshot, eng, past)
	if err != nil && len(rec.Skipped) == len(cases) {
		return rec, &exitError{code: exitUsage, err: err}
	}
	rec.Gold, rec.Settings.Without, rec.Settings.AsOf = digest, strings.Join(f.without, ","), f.asOf
	if rec.Head != nil {
		rec.Head.Gold, rec.Head.Settings.Without = rec.Gold, rec.Settings.Without
	}
	if rec.Inputs = past.Inputs; past.name == "" {
		rec.Inputs = f.inputs()
	}
	return rec, err
}

func readCases(file string) ([]gold.Case, eval.Digest, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, eval.Digest{}, usagef("reading the gold file: %w", err)
	}
	cases, err := gold.Read(file, bytes.NewReader(data))
	if err != nil {
		return nil, eval.Digest{}, &exitError{code: exitUsage, err: err}
	}
	return cases, eval.Digest{SHA256: sum(data), Cases: len(cases)}, nil
}

// ask puts the cases to the engine: as the repositories stand, or as they stood.
func (f *evalFlags) ask(cmd *cobra.Command, cases []gold.Case, s engine.Snapshot, eng *engine.Engine, past pastRun) (eval.Record, error) {
	run := func(name string, e tracer) (eval.Record, error) {
		progress := newBar(cmd.ErrOrStderr(), name)
		defer progress.end()
		return eval.Run(cmd.Context(), cases, s, e, eval.Options{
			Workers:  runtime.GOMAXPROCS(0),
			Progress: func(done, total int) { progress.at(done, total, "") },
		})
	}
	if f.asOf == "" {
		if err := past.holdSnapshot(s, eng); err != nil {
			return eval.Record{}, err
		}
		return run("evaluating", eng)
	}
	then, err := f.openPast(cmd.Context(), eng, s, cases, cmd.ErrOrStderr())
	if err != nil {
		return eval.Record{}, err
	}
	if err := past.holdPast(s, eng, then.generations()); err != nil {
		return eval.Record{}, err
	}
	head, err := run("evaluating at head", eng)
	if err != nil {
		return head, err
	}
	rec, err := run("evaluating the past", then)
	if err != nil {
		return rec, err
	}
	rec.Head = &head
	rec.AsOf.Generations = then.generations()
	rec.Coverage, err = eng.Coverage(cmd.Context(), then.latest())
	return rec, err
}

// everyRepo in --without leaves code search out altogether.
const everyRepo = "code"

// blind is the state without code search.
func blind(s engine.Snapshot) engine.Snapshot {
	s.Missing, s.Index = nil, index.NewSet(nil)
	for _, r := range s.Repos {
		s.Missing = append(s.Missing, routing.Missing{Repo: r.Name, Why: "hidden by --without"})
	}
	return s
}

// withoutCode hides repositories from code search, as when they are not cloned here.
func withoutCode(s engine.Snapshot, repos []string) (engine.Snapshot, error) {
	if len(repos) == 0 {
		return s, nil
	}
	if slices.Contains(repos, everyRepo) && !slices.ContainsFunc(s.Repos, func(r routing.Repo) bool { return r.Name == everyRepo }) {
		return blind(s), nil
	}
	s.Missing = slices.Clone(s.Missing)
	for _, repo := range repos {
		if !slices.ContainsFunc(s.Repos, func(r routing.Repo) bool { return r.Name == repo }) {
			return s, usagef("--without %s: there is no such repository among the candidates", repo)
		}
		if s.Index.Segment(repo) == nil {
			return s, usagef("--without %s: code search does not see it anyway", repo)
		}
		s.Missing = append(s.Missing, routing.Missing{Repo: repo, Why: "hidden by --without"})
	}
	var rest []*index.Segment
	for _, seg := range s.Index.Segments() {
		if !slices.Contains(repos, seg.Identity().Repo) {
			rest = append(rest, seg)
		}
	}
	s.Index = index.NewSet(rest)
	return s, nil
}
