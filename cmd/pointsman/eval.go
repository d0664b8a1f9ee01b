package main

import (
	"os"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/engine"
	"github.com/pointsman/pointsman/routing/eval"
	"github.com/pointsman/pointsman/routing/gold"
	"github.com/pointsman/pointsman/routing/index"
)

// evalFlags are the flags of one `pointsman eval`.
type evalFlags struct {
	workspace
	gold    string
	weights string
	without string
	json    bool
}

func newEvalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval --gold FILE",
		Short: "Measure routing on tickets with known answers, beside a null baseline",
		Long: `Route every ticket of a gold file and compare with its known repositories. A gold
file holds one JSON object a line: {"id", "title", "body", "repos": ["name"]}.

Each ranker alone, the fused decision, and a null baseline that never reads a
ticket are measured on the same tickets. Where a ticket was filed is not used.`,
		Example: `  pointsman eval --gold gold.jsonl --registry .repo-orchestrator/registry.json
  pointsman eval --gold gold.jsonl --registry registry.json --repos ~/src --json`,
		Args: noArgs,
		RunE: f.run,
	}
	f.addFlags(cmd)
	addWeights(cmd, &f.weights)
	cmd.Flags().StringVar(&f.gold, "gold", "", "gold file, JSON lines")
	cmd.Flags().StringVar(&f.without, "without", "", "measure as if code search could not see this repository")
	cmd.Flags().BoolVar(&f.json, "json", false, "print pointsman.eval/v1 as JSON")
	return cmd
}

func (f *evalFlags) run(cmd *cobra.Command, _ []string) error {
	if f.gold == "" {
		return usagef("want --gold FILE; see pointsman eval --help")
	}
	file, err := os.Open(f.gold)
	if err != nil {
		return usagef("reading the gold file: %w", err)
	}
	defer file.Close()
	cases, err := gold.Read(f.gold, file)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	report, err := f.measure(cmd, cases)
	if err != nil {
		return err
	}
	if f.json {
		return writeJSON(cmd.OutOrStdout(), report, "  ")
	}
	return writeReport(&printer{out: cmd.OutOrStdout()}, report)
}

func (f *evalFlags) measure(cmd *cobra.Command, cases []gold.Case) (eval.Report, error) {
	weights, err := readWeights(f.weights)
	if err != nil {
		return eval.Report{}, err
	}
	eng, err := engine.New(engine.Options{Program: programVersion(), Weights: weights, Tail: true, IgnoreFiledIn: true})
	if err != nil {
		return eval.Report{}, err
	}
	snapshot, err := f.open(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return eval.Report{}, err
	}
	if f.without != "" {
		if snapshot, err = withoutCode(snapshot, f.without); err != nil {
			return eval.Report{}, err
		}
	}
	progress := newBar(cmd.ErrOrStderr(), "evaluating")
	defer progress.end()
	report, err := eval.Run(cmd.Context(), cases, snapshot, eng, eval.Options{
		Workers:  runtime.GOMAXPROCS(0),
		Progress: func(done, total int) { progress.at(done, total, "") },
	})
	if err != nil && report.N == 0 {
		return report, &exitError{code: exitUsage, err: err}
	}
	return report, err
}

// withoutCode hides one repository from code search, as when it is not cloned here.
func withoutCode(s engine.Snapshot, repo string) (engine.Snapshot, error) {
	if s.Index.Segment(repo) == nil {
		return s, usagef("--without %s: code search does not see it anyway", repo)
	}
	var rest []*index.Segment
	for _, seg := range s.Index.Segments() {
		if seg.Identity().Repo != repo {
			rest = append(rest, seg)
		}
	}
	s.Index = index.NewSet(rest)
	s.Missing = append(slices.Clone(s.Missing), routing.Missing{Repo: repo, Why: "hidden by --without"})
	return s, nil
}

func writeReport(p *printer, r eval.Report) error {
	p.line("%d tickets, %d repositories, %d skipped", r.N, r.Repos, len(r.Skipped))
	p.line("")
	p.line("%-14s %6s %6s %6s %6s %8s   %s", "system", "top-1", "top-3", "top-5", "MRR", "recall@3", "top-3, 95 % interval")
	for _, s := range r.Systems {
		p.line("%-14s %6.3f %6.3f %6.3f %6.3f %8.3f   %.3f to %.3f", s.Name, s.Top1, s.Top3, s.Top5, s.MRR, s.SetRecall3, s.CI95["top3"][0], s.CI95["top3"][1])
	}
	p.line("")
	p.line("Coverage: %s", coverageText(r.Coverage))
	for _, s := range r.Siblings {
		if s.N > 0 {
			p.line("Siblings %s: %d tickets, first among its siblings %.3f, tie reported %.3f", s.Group, s.N, s.Top1Within, s.AmbiguityReported)
		}
	}
	if r.Calibration.N == 0 {
		p.line("Confidence: not calibrated; decisions carry a score ratio, not a probability")
	}
	for i, s := range r.Skipped {
		if i == 10 {
			p.line("... and %d more skipped; --json lists them", len(r.Skipped)-i)
			break
		}
		p.line("Skipped %s: %s", s.ID, s.Why)
	}
	if len(r.Skipped) > 0 {
		p.line("Figures are of the %d measured tickets only.", r.N)
	}
	return p.err
}
