package eval

import (
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

// Run puts the cases to the engine and records what it says. The engine must keep
// all candidates (engine.Options.Tail) and ignore where tickets were filed. It
// sees the text of a case and when it was filed, never its id or its answer. The
// caller adds what the cases were read from: Inputs, Gold and Settings.
func Run(ctx context.Context, cases []gold.Case, s engine.Snapshot, e router, o Options) (Record, error) {
	rec := Record{
		Schema: RecordSchema, Settings: Settings{Compare: []string{}},
		Repos: []string{}, Groups: registry.Groups(s.Repos), Rankers: []string{}, Coverage: []routing.Coverage{}, Cases: []CaseRecord{},
	}
	if rec.Groups == nil {
		rec.Groups = [][]string{}
	}
	for _, r := range s.Repos {
		rec.Repos = append(rec.Repos, r.Name)
	}
	cases, rec.Skipped = measurable(cases, s.Repos)
	if len(cases) == 0 {
		return rec, fmt.Errorf("none of the cases names a repository that is a candidate here; is it the right registry or folder?")
	}
	said, err := ask(ctx, cases, s, e, o)
	if err != nil {
		return rec, err
	}
	rec.Rankers, rec.Coverage, rec.AsOf, rec.Cases = said.rankers, said.coverage, said.asOf, said.cases
	return rec, nil
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

// said is what came of all cases, and what is the same for each.
type said struct {
	cases    []CaseRecord
	rankers  []string
	coverage []routing.Coverage
	asOf     routing.AsOf
}

// ask puts every case to the engine, o.Workers at a time.
func ask(ctx context.Context, cases []gold.Case, s engine.Snapshot, e router, o Options) (said, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	all := said{cases: make([]CaseRecord, len(cases)), rankers: []string{}}
	next := make(chan int)
	var lock sync.Mutex
	done := 0
	var wait sync.WaitGroup
	for range max(1, o.Workers) {
		wait.Go(func() {
			for i := range next {
				if ctx.Err() != nil {
					continue
				}
				d, rankings, err := e.Trace(ctx, blind(cases[i]), s)
				if err != nil {
					cancel(fmt.Errorf("case %s: %w", cases[i].ID, err))
					continue
				}
				all.cases[i] = note(cases[i], d, rankings)
				lock.Lock()
				if i == 0 {
					all.coverage, all.asOf = d.Coverage, d.AsOf
					for _, r := range rankings {
						all.rankers = append(all.rankers, r.Ranker)
					}
				}
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
	return all, context.Cause(ctx)
}

// blind is a case as the engine may see it. An id can hold a tracker's project,
// and with it the answer, so it stays behind.
func blind(c gold.Case) routing.Ticket {
	t := c.Ticket()
	t.Ref = routing.Ref{System: t.Ref.System}
	return t
}

// maxTitle is the longest title that is kept, in runes.
const maxTitle = 200

// note writes down what was said of one case.
func note(c gold.Case, d routing.Decision, rankings []routing.Ranking) CaseRecord {
	rec := CaseRecord{
		ID: c.ID, Title: bounded(strings.Join(strings.Fields(c.Title), " ")), Repos: sortedSet(c.Repos), Present: c.Present,
		Verdict: d.Verdict, Ranks: placesOfDecision(d), Spans: slices.Clone(d.Spans), Ambiguities: []string{},
	}
	if rec.Spans == nil {
		rec.Spans = []string{}
	}
	if len(rec.Ranks) > 0 {
		rec.Score, rec.Margin = d.Candidates[0].Score, margin(d.Candidates)
	}
	if d.Confidence.Calibrated && d.Verdict != routing.VerdictNone {
		rec.Confidence = &Certainty{Top1: d.Confidence.Top1, Top3: d.Confidence.Top3}
	}
	for _, x := range d.Ambiguities {
		rec.Ambiguities = append(rec.Ambiguities, x.Group)
	}
	wanted := c.Repos
	if c.Present != nil {
		wanted = slices.Concat(wanted, c.Present.Repos)
	}
	for _, r := range rankings {
		places := placesOfRanking(r)
		n, at := RankerNote{First: firsts(places), At: map[string]Standing{}}, standings(places)
		for _, repo := range wanted {
			if s := at(repo); s.Rank > 0 {
				n.At[repo] = s
			}
		}
		rec.Rankers = append(rec.Rankers, n)
	}
	rec.Why = why(rec, d)
	return rec
}

// margin is by how much the first candidate is ahead of the next one.
func margin(candidates []routing.Candidate) float64 {
	switch {
	case len(candidates) == 1:
		return candidates[0].Score
	case candidates[1].Rank == candidates[0].Rank:
		return 0
	}
	return max(0, candidates[0].Score-candidates[1].Score)
}

// why keeps the parts of the first and of the best-placed right candidate of a miss.
func why(rec CaseRecord, d routing.Decision) []Why {
	if len(rec.Ranks) == 0 || right(score(rec.viewOfDecision(), rec.Repos).top1) {
		return nil
	}
	var list []Why
	add := func(c routing.Candidate) {
		w := Why{Repo: c.Repo, Rank: c.Rank, Parts: make([]routing.Part, len(c.Parts))}
		for i, p := range c.Parts {
			p.Points, p.Views = nil, nil
			w.Parts[i] = p
		}
		list = append(list, w)
	}
	wrong := slices.IndexFunc(d.Candidates, func(c routing.Candidate) bool { return !slices.Contains(rec.Repos, c.Repo) })
	if wrong >= 0 {
		add(d.Candidates[wrong])
	}
	if own := slices.IndexFunc(d.Candidates, func(c routing.Candidate) bool { return slices.Contains(rec.Repos, c.Repo) }); own >= 0 {
		add(d.Candidates[own])
	}
	return list
}

func bounded(s string) string {
	if r := []rune(s); len(r) > maxTitle {
		return string(r[:maxTitle-1]) + "…"
	}
	return s
}
