package eval

import "github.com/pointsman/pointsman/routing"

// MeasureOptions say what a record is compared with.
type MeasureOptions struct {
	Compare []Pair  // none = the decision against each ranker, and the earlier run
	Against *Record // an earlier run, or nil
}

// Measure computes every figure of a record. It needs nothing else: neither the
// repositories nor the tickets. The error names a compared system that is not there.
func Measure(rec Record, o MeasureOptions) (Report, error) {
	r := Report{
		Schema: Schema, N: len(rec.Cases), Repos: len(rec.Repos), Skipped: rec.Skipped, Coverage: rec.Coverage,
		Verdicts: map[string]int{"route": 0, "ask": 0, "none": 0}, Gold: rec.Gold, Settings: rec.Settings, AsOf: rec.AsOf,
	}
	scored := rec.systems(rec.Cases)
	if o.Against != nil {
		saved, against := rec.against(*o.Against)
		scored, r.Against = append(scored, saved), &against
	}
	var pairs []paired
	for _, s := range scored {
		r.Systems = append(r.Systems, s.figures())
		pairs = append(pairs, s.paired())
	}
	r.Sets = rec.sets()
	ids := make([]string, len(rec.Cases))
	for i, c := range rec.Cases {
		ids[i] = c.ID
		r.Verdicts[string(c.Verdict)]++
	}
	var err error
	if r.Compare, err = compareAll(pairs, ids, o.Compare); err != nil {
		return Report{}, err
	}
	fused := outcomesOf(rec.Cases, CaseRecord.viewOfDecision)
	r.Siblings = siblings(rec.Cases, rec.Groups)
	r.Calibration = calibrate(rec.Cases, fused)
	r.ByCoverage = byCoverage(rec.Cases, fused)
	r.PerRepo = perRepo(rec.Cases)
	r.Confusion = confusion(rec.Cases, fused)
	r.Misses, r.MissCount = misses(rec.Cases, fused)
	return r, nil
}

// scoredSystem is one system with its views of some cases.
type scoredSystem struct {
	name     string
	cases    []CaseRecord
	views    []view
	constant []string
}

func newSystem(name string, cases []CaseRecord, of func(CaseRecord) view) scoredSystem {
	s := scoredSystem{name: name, cases: cases, views: make([]view, len(cases)), constant: []string{}}
	for i, c := range cases {
		s.views[i] = of(c)
	}
	return s
}

// systems are the baselines, fitted to these cases, each ranker, and the decision.
func (rec Record) systems(cases []CaseRecord) []scoredSystem {
	common, triple := mostCommon(cases, rec.Repos), bestTriple(cases, rec.Repos)
	nullView, tripleView := constant(common, common[:min(1, len(common))]), constant(triple, triple)
	null := newSystem(SystemNull, cases, func(CaseRecord) view { return nullView })
	null.constant = common[:min(5, len(common))]
	three := newSystem(SystemTriple, cases, func(CaseRecord) view { return tripleView })
	three.constant = triple
	all := []scoredSystem{null, three}
	for i, name := range rec.Rankers {
		all = append(all, newSystem(name, cases, func(c CaseRecord) view { return c.viewOfRanker(i) }))
	}
	return append(all, newSystem(SystemFused, cases, CaseRecord.viewOfDecision))
}

func (rec Record) sets() Sets {
	var cases []CaseRecord
	best := 0.0
	for _, c := range rec.Cases {
		if len(c.Repos) > 1 {
			cases = append(cases, c)
			best += min(1, 3/float64(len(c.Repos)))
		}
	}
	s := Sets{N: len(cases), Best3: best / float64(max(1, len(cases))), Systems: []System{}}
	if len(cases) > 0 {
		for _, x := range rec.systems(cases) {
			s.Systems = append(s.Systems, x.figures())
		}
	}
	return s
}

func (s scoredSystem) outcomes() []outcome {
	out := make([]outcome, len(s.cases))
	for i, c := range s.cases {
		out[i] = score(s.views[i], c.Repos)
	}
	return out
}

func (s scoredSystem) paired() paired {
	p := paired{name: s.name, by: map[string]outcome{}}
	for i, o := range s.outcomes() {
		p.by[s.cases[i].ID] = o
	}
	return p
}

func (s scoredSystem) figures() System {
	all := s.outcomes()
	var answered, present, then []outcome
	for i, c := range s.cases {
		if !s.views[i].abstained {
			answered = append(answered, all[i])
		}
		if truth, ok := c.presentTruth(); ok {
			present, then = append(present, score(s.views[i], truth)), append(then, all[i])
		}
	}
	m, a, p, h := means(all), means(answered), means(present), means(then)
	return System{
		Name: s.name, N: len(all), Top1: m.top1, Top3: m.top3, Top5: m.top5, MRR: m.rr,
		SetRecall3: m.setRecall3, SetRecall5: m.setRecall5, ExactSet: m.exactSet,
		Abstained: float64(len(all)-len(answered)) / float64(max(1, len(all))), AnsweredTop1: a.top1, AnsweredTop3: a.top3,
		Present: Present{
			N: len(present), Top1: p.top1, Top3: p.top3, MRR: p.rr, SetRecall3: p.setRecall3, ExactSet: p.exactSet,
			ThenTop1: h.top1, ThenTop3: h.top3,
		},
		Constant: s.constant, CI95: intervals(all),
	}
}

func outcomesOf(cases []CaseRecord, of func(CaseRecord) view) []outcome {
	return newSystem("", cases, of).outcomes()
}

// against sets an earlier run beside this one. Its decisions are measured by the
// answers of now.
func (rec Record) against(saved Record) (scoredSystem, Against) {
	a := Against{OnlySaved: len(saved.Cases), Differs: Differ(saved, rec).names(), Better: []Change{}, Worse: []Change{}}
	was := map[string]CaseRecord{}
	for _, c := range saved.Cases {
		was[c.ID] = c
	}
	s := scoredSystem{name: SystemSaved, constant: []string{}}
	for _, c := range rec.Cases {
		old, ok := was[c.ID]
		if !ok {
			a.OnlyHere++
			continue
		}
		a.Common++
		a.OnlySaved--
		if !sameSet(old.Repos, c.Repos) {
			a.Relabelled++
		}
		s.cases, s.views = append(s.cases, c), append(s.views, old.viewOfDecision())
		before, now := score(old.viewOfDecision(), c.Repos).rr, score(c.viewOfDecision(), c.Repos).rr
		change := Change{ID: c.ID, Title: c.Title, Was: bestRank(old, c.Repos), Is: bestRank(c, c.Repos)}
		switch {
		case now > before:
			a.Better = append(a.Better, change)
		case now < before:
			a.Worse = append(a.Worse, change)
		}
	}
	return s, a
}

// bestRank is the rank of the best-placed of repos in the decision, 0 = none is there.
func bestRank(c CaseRecord, repos []string) int {
	if c.Verdict == routing.VerdictNone {
		return 0
	}
	best, at := 0, standings(c.Ranks)
	for _, r := range repos {
		if s := at(r); s.Rank > 0 && (best == 0 || s.Rank < best) {
			best = s.Rank
		}
	}
	return best
}
