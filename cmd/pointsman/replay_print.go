package main

import (
	"strings"

	"github.com/pointsman/pointsman/bot/replay"
)

const (
	maxReplayRows     = 20
	maxReplayGroups   = 10
	maxReplayWarnings = 5
)

// writeReplay prints the report of a replay for a person.
func writeReplay(p *printer, r replay.Report) error {
	where := strings.Join(r.Places, ", ")
	if r.N == 0 && len(r.Failed) == 0 {
		p.line("No tickets were found in %s.", where)
		replayRest(p, r)
		return p.err
	}
	span := ""
	if r.Oldest != "" {
		span = ", of " + r.Oldest[:10] + " to " + r.Newest[:10]
	}
	p.line("%d tickets of %s%s: what would have been answered. Nothing was said.", r.N, where, span)
	if r.Known > 0 {
		p.line("%d of them were decided by an earlier replay, by the same texts and the same state.", r.Known)
	}
	p.line("")
	p.line("Verdicts: %d routed, %d with too little text, %d with nothing to route to", r.Verdicts["route"], r.Verdicts["ask"], r.Verdicts["none"])
	p.line("Time per decision: median %.1f ms, 95 %% under %.1f ms", r.Timing.MedianMs, r.Timing.P95Ms)
	replayRepos(p, r)
	replayTies(p, r)
	replayExamples(p, "Too little text, for example:", r.Ask)
	replayExamples(p, "Nothing to route to, for example:", r.None)
	p.line("")
	if len(r.Coverage) > 0 {
		p.line("Coverage: %s", coverageText(r.Coverage))
	}
	replayGold(p, r.Gold)
	replayRest(p, r)
	return p.err
}

func replayRepos(p *printer, r replay.Report) {
	if len(r.Repos) == 0 {
		return
	}
	p.line("")
	p.line("%-40s %8s %8s %12s", "repository", "first", "share", "among three")
	for i, row := range r.Repos {
		if i == maxReplayRows {
			p.line("... and %d more; --json and --html list them", len(r.Repos)-i)
			break
		}
		p.line("%-40s %8s %8s %12s", clip(row.Repo, 40), replay.Number(row.First), replay.Percent(row.Share), replay.Number(row.Top3))
	}
	p.line("A tie counts by its share. Null line: always answering %s would give the same first", r.Null.Repo)
	p.line("answer on %s of the %d routed tickets. Which answers are right, nobody told.", replay.Percent(r.Null.Share), r.Null.N)
}

func replayTies(p *printer, r replay.Report) {
	if r.Ties.N == 0 {
		return
	}
	p.line("")
	p.line("Ties that the text could not break: %d tickets", r.Ties.N)
	for i, g := range r.Ties.Groups {
		if i == maxReplayGroups {
			p.line("    ... and %d more groups; --json lists them", len(r.Ties.Groups)-i)
			break
		}
		p.line("    %4d  %s", g.N, strings.Join(g.Repos, ", "))
	}
}

func replayExamples(p *printer, title string, list []replay.Example) {
	if len(list) == 0 {
		return
	}
	p.line("")
	p.line("%s", title)
	for _, e := range list {
		p.line("    %s  %s", e.Key, clip(e.Title, 80))
	}
}

func replayGold(p *printer, g *replay.Gold) {
	if g == nil {
		return
	}
	p.line("")
	if g.N > 0 {
		p.line("%-40s %8s %8s", "against known answers", "top-1", "top-3")
		p.line("%-40s %8.3f %8.3f", "pointsman", g.Top1, g.Top3)
		p.line("%-40s %8.3f %8.3f", clip("null: always "+strings.Join(g.Null, ", "), 40), g.NullTop1, g.NullTop3)
	}
	p.line("%d replayed tickets have a known answer; %d known answers belong to tickets that were not replayed.", g.N, g.Unmatched)
	p.line("Where a ticket was filed counted, and the code is of today: figures of eval --as-of are stricter.")
}

// replayRest says what is not in the figures.
func replayRest(p *printer, r replay.Report) {
	for i, w := range r.Warnings {
		if i == maxReplayWarnings {
			p.line("... and %d more kinds of warning; --json lists them", len(r.Warnings)-i)
			break
		}
		p.line("Warning on %d tickets: %s", w.N, w.Why)
	}
	for _, why := range r.Ignored {
		p.line("Left out %d: %s", why.N, why.Why)
	}
	for i, f := range r.Failed {
		if i == maxReplayRows {
			p.line("... and %d more failed; --json lists them", len(r.Failed)-i)
			break
		}
		p.line("Failed %s: %s", f.Key, f.Why)
	}
	if r.Stopped != "" {
		p.line("Not all tickets were replayed: %s", r.Stopped)
	}
}
