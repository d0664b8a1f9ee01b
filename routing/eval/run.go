package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/engine"
	"github.com/pointsman/pointsman/routing/gold"
	"github.com/pointsman/pointsman/routing/registry"
)

// Names of the systems that are not rankers.
const (
	SystemNull  = "null"
	SystemFused = "fused"
)

// router is what an evaluation needs of the engine: its decision, and what each
// ranker alone said on the way.
type router interface {
	Trace(ctx context.Context, t routing.Ticket, s engine.Snapshot) (routing.Decision, []routing.Ranking, error)
}

// Options of a run.
type Options struct {
	Workers  int                   // tickets evaluated at once, at least 1
	Progress func(done, total int) // may be nil; calls come one at a time
}

// answer is what the systems said of one case.
type answer struct {
	decision routing.Decision
	rankings []routing.Ranking
}

// Run evaluates the cases on one snapshot. The engine must keep all candidates
// (engine.Options.Tail) and ignore where tickets were filed.
func Run(ctx context.Context, cases []gold.Case, s engine.Snapshot, e router, o Options) (Report, error) {
	r := Report{
		Schema: Schema, Repos: len(s.Repos), Skipped: []Skipped{}, Systems: []System{}, Coverage: []routing.Coverage{},
		Siblings: []SiblingRow{}, Compare: []Comparison{}, PerRepo: []RepoRow{}, Verdicts: map[string]int{},
	}
	cases, r.Skipped = measurable(cases, s.Repos)
	r.N = len(cases)
	if r.N == 0 {
		return r, fmt.Errorf("none of the cases names a repository that is a candidate here; is it the right registry or folder?")
	}
	answers, err := ask(ctx, cases, s, e, o)
	if err != nil {
		return r, err
	}
	r.Systems = append(r.Systems, null(cases, s.Repos))
	for i, ranking := range answers[0].rankings {
		r.Systems = append(r.Systems, system(ranking.Ranker, outcomes(cases, answers, func(a answer) func(string) Standing { return ofRanking(a.rankings[i]) })))
	}
	fused := outcomes(cases, answers, func(a answer) func(string) Standing { return ofDecision(a.decision) })
	r.Systems = append(r.Systems, system(SystemFused, fused))
	r.Coverage, r.AsOf = answers[0].decision.Coverage, answers[0].decision.AsOf
	r.Siblings = siblings(cases, answers, registry.Groups(s.Repos))
	r.PerRepo = perRepo(cases, fused)
	for _, a := range answers {
		r.Verdicts[string(a.decision.Verdict)]++
	}
	return r, nil
}

// measurable splits off the cases whose answer is no candidate at all.
func measurable(cases []gold.Case, repos []routing.Repo) ([]gold.Case, []Skipped) {
	known := map[string]bool{}
	for _, r := range repos {
		known[r.Name] = true
	}
	kept, skipped := []gold.Case{}, []Skipped{}
	for _, c := range cases {
		unknown := slices.DeleteFunc(slices.Clone(c.Repos), func(name string) bool { return known[name] })
		if len(unknown) > 0 {
			skipped = append(skipped, Skipped{ID: c.ID, Why: "not among the candidates: " + strings.Join(unknown, ", ")})
			continue
		}
		kept = append(kept, c)
	}
	return kept, skipped
}

// ask puts every case to the engine, o.Workers at a time.
func ask(ctx context.Context, cases []gold.Case, s engine.Snapshot, e router, o Options) ([]answer, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	answers := make([]answer, len(cases))
	next := make(chan int)
	var lock sync.Mutex
	done := 0
	var wait sync.WaitGroup
	for range max(1, o.Workers) {
		wait.Go(func() {
			for i := range next {
				d, rankings, err := e.Trace(ctx, cases[i].Ticket(), s)
				if err != nil {
					cancel(fmt.Errorf("case %s: %w", cases[i].ID, err))
					continue
				}
				answers[i] = answer{decision: d, rankings: rankings}
				lock.Lock()
				done++
				if o.Progress != nil {
					o.Progress(done, len(cases))
				}
				lock.Unlock()
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	wait.Wait()
	return answers, context.Cause(ctx)
}

func outcomes(cases []gold.Case, answers []answer, of func(answer) func(string) Standing) []outcome {
	out := make([]outcome, len(cases))
	for i, c := range cases {
		out[i] = score(of(answers[i]), c.Repos)
	}
	return out
}

// ofRanking reads standings off one ranker's answer; equal scores share a rank.
func ofRanking(r routing.Ranking) func(string) Standing {
	scores := make([]ranked, len(r.Hits))
	for i, h := range r.Hits {
		scores[i] = ranked{h.Repo, h.Score}
	}
	return standings(scores)
}

type ranked struct {
	repo  string
	score float64
}

// standings expects the best first.
func standings(list []ranked) func(string) Standing {
	at := map[string]Standing{}
	for i := 0; i < len(list); {
		end := i
		for end < len(list) && list[end].score == list[i].score {
			end++
		}
		for _, x := range list[i:end] {
			at[x.repo] = Standing{Rank: i + 1, Share: end - i}
		}
		i = end
	}
	return func(repo string) Standing { return at[repo] }
}

// ofDecision reads standings off a decision's own ranks.
func ofDecision(d routing.Decision) func(string) Standing {
	share := map[int]int{}
	for _, c := range d.Candidates {
		share[c.Rank]++
	}
	at := map[string]Standing{}
	for _, c := range d.Candidates {
		at[c.Repo] = Standing{Rank: c.Rank, Share: share[c.Rank]}
	}
	return func(repo string) Standing { return at[repo] }
}

func system(name string, out []outcome) System {
	s := System{Name: name, N: len(out), CI95: map[string][2]float64{}}
	for _, m := range metrics() {
		s.CI95[m.name] = interval(out, m.of)
	}
	s.Top1, s.Top3, s.Top5 = mean(out, metrics()[0].of), mean(out, metrics()[1].of), mean(out, metrics()[2].of)
	s.MRR, s.SetRecall3 = mean(out, metrics()[3].of), mean(out, metrics()[4].of)
	return s
}

// null is the baseline that never reads a ticket: always the same answer, the
// repositories in the order of how often these very cases need them.
func null(cases []gold.Case, repos []routing.Repo) System {
	count := map[string]int{}
	for _, c := range cases {
		for _, r := range c.Repos {
			count[r]++
		}
	}
	names := make([]string, len(repos))
	for i, r := range repos {
		names[i] = r.Name
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b))
	})
	at := map[string]Standing{}
	for i, n := range names {
		at[n] = Standing{Rank: i + 1, Share: 1}
	}
	out := make([]outcome, len(cases))
	for i, c := range cases {
		out[i] = score(func(repo string) Standing { return at[repo] }, c.Repos)
	}
	return system(SystemNull, out)
}

func siblings(cases []gold.Case, answers []answer, groups [][]string) []SiblingRow {
	rows := []SiblingRow{}
	for _, group := range groups {
		row := SiblingRow{Group: strings.Join(group, "+")}
		for i, c := range cases {
			own := slices.IndexFunc(c.Repos, func(r string) bool { return slices.Contains(group, r) })
			if own < 0 {
				continue
			}
			row.N++
			at := ofDecision(answers[i].decision)
			within := standingWithin(at, c.Repos[own], group)
			row.Top1Within += within.Credit(1)
			if slices.ContainsFunc(answers[i].decision.Ambiguities, func(a routing.Ambiguity) bool { return a.Group == row.Group }) {
				row.AmbiguityReported++
			}
		}
		if row.N > 0 {
			row.Top1Within /= float64(row.N)
			row.AmbiguityReported /= float64(row.N)
		}
		rows = append(rows, row)
	}
	return rows
}

// standingWithin places a repository among the members of its group only.
func standingWithin(at func(string) Standing, repo string, group []string) Standing {
	own := at(repo)
	if own.Rank == 0 {
		return Standing{}
	}
	s := Standing{Rank: 1, Share: 1}
	for _, other := range group {
		o := at(other)
		switch {
		case other == repo || o.Rank == 0:
		case o.Rank < own.Rank:
			s.Rank++
		case o.Rank == own.Rank:
			s.Share++
		}
	}
	return s
}

func perRepo(cases []gold.Case, fused []outcome) []RepoRow {
	rows := map[string]*RepoRow{}
	for i, c := range cases {
		for _, name := range c.Repos {
			if rows[name] == nil {
				rows[name] = &RepoRow{Repo: name}
			}
			rows[name].N++
			rows[name].Top1 += fused[i].top1
			rows[name].Top3 += fused[i].top3
		}
	}
	list := []RepoRow{}
	for _, row := range rows {
		row.Top1 /= float64(row.N)
		row.Top3 /= float64(row.N)
		list = append(list, *row)
	}
	slices.SortFunc(list, func(a, b RepoRow) int { return strings.Compare(a.Repo, b.Repo) })
	return list
}
