package replay

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/eval"
	"github.com/pointsman/pointsman/routing/gold"
)

// Schema names the JSON form of a Report.
const Schema = "pointsman.replay/v1"

// maxExamples bounds the lists of examples.
const maxExamples = 5

// About says what was replayed.
type About struct {
	Source string   `json:"source"` // "github" or "jira"
	Tenant string   `json:"tenant"` // "" for github
	Places []string `json:"places"`
	Last   int      `json:"last"`  // tickets asked for
	Since  string   `json:"since"` // RFC 3339; "" = all
}

// Report sums a replay up. Lists are never null in its JSON form. It holds no
// accuracy, as nobody knows the right answers, unless there was gold.
type Report struct {
	Schema string `json:"schema"`
	About
	N       int    `json:"n"`       // tickets decided, now or before
	Known   int    `json:"known"`   // of these by an earlier replay
	Stopped string `json:"stopped"` // why not all tickets were replayed; "" = all were
	Oldest  string `json:"oldest"`  // creation of the oldest and the newest ticket, RFC 3339
	Newest  string `json:"newest"`

	Verdicts map[string]int     `json:"verdicts"`
	Repos    []RepoRow          `json:"repos"` // most often first on top; those that never were among three are left out
	Null     Null               `json:"null"`
	Ties     Ties               `json:"ties"`
	Ask      []Example          `json:"ask"` // examples, at most 5
	None     []Example          `json:"none"`
	Coverage []routing.Coverage `json:"coverage"`
	Timing   Timing             `json:"timing"`
	Gold     *Gold              `json:"gold"` // null without gold

	Ignored  []Reason     `json:"ignored"` // what the bot would not have answered
	Failed   []Failed     `json:"failed"`
	Warnings []Reason     `json:"warnings"` // of the decisions
	AsOf     routing.AsOf `json:"asOf"`
	Tickets  []Row        `json:"tickets"`
}

// RepoRow says how often a repository would have stood first, and among the
// first three, on the tickets with verdict route. A tie counts by its share.
type RepoRow struct {
	Repo  string  `json:"repo"`
	First float64 `json:"first"` // tickets
	Top3  float64 `json:"top3"`  // tickets
	Share float64 `json:"share"` // First of all that were routed, in [0,1]
}

// Null is the answer that never looks at a ticket: the most common first one.
type Null struct {
	Repo  string  `json:"repo"`
	Share float64 `json:"share"` // of the routed tickets, in [0,1]
	N     int     `json:"n"`     // routed tickets
}

// Ties counts the decisions in which the text could not tell repositories apart.
type Ties struct {
	N      int     `json:"n"`
	Groups []Group `json:"groups"`
}

// Group is one set of repositories that were tied.
type Group struct {
	Group string   `json:"group"`
	Repos []string `json:"repos"`
	N     int      `json:"n"`
}

// Example is a ticket to look at.
type Example struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

// Timing is how long decisions took, in milliseconds.
type Timing struct {
	MedianMs float64 `json:"medianMs"`
	P95Ms    float64 `json:"p95Ms"`
}

// Reason counts something that happened, in a person's words.
type Reason struct {
	Why string `json:"why"`
	N   int    `json:"n"`
}

// Failed is a ticket without a decision.
type Failed struct {
	Key string `json:"key"`
	Why string `json:"why"`
}

// Row is one ticket and its answer.
type Row struct {
	Key     string          `json:"key"`
	Title   string          `json:"title"`
	URL     string          `json:"url"`
	Created string          `json:"created"`
	Verdict routing.Verdict `json:"verdict"`
	Answer  []Place         `json:"answer"` // rank 3 and better
	Ties    []string        `json:"ties"`   // groups
	TookMs  float64         `json:"tookMs"`
	Known   bool            `json:"known"` // decided by an earlier replay
}

// Place is one repository of an answer.
type Place struct {
	Rank int    `json:"rank"`
	Repo string `json:"repo"`
}

// Summarise makes the report of a replay. stopped is the error of Run, cases may
// be nil.
func Summarise(about About, results []Result, stopped error, cases []gold.Case) Report {
	r := Report{
		Schema: Schema, About: about, Verdicts: map[string]int{"route": 0, "ask": 0, "none": 0}, Repos: []RepoRow{},
		Ask: []Example{}, None: []Example{}, Coverage: []routing.Coverage{}, Ties: Ties{Groups: []Group{}},
		Ignored: []Reason{}, Failed: []Failed{}, Warnings: []Reason{}, Tickets: []Row{},
		AsOf: routing.AsOf{Generations: map[string]string{}},
	}
	if stopped != nil {
		r.Stopped = bot.CleanLine(stopped.Error(), 500)
	}
	ignored, warnings := map[string]int{}, map[string]int{}
	var decided []Result
	for _, res := range results {
		switch {
		case res.Ignored != "":
			ignored[res.Ignored]++
		case res.Err != nil:
			r.Failed = append(r.Failed, Failed{Key: res.Key, Why: bot.CleanLine(res.Err.Error(), 300)})
		default:
			decided = append(decided, res)
			for _, w := range res.Decision.Warnings {
				warnings[w]++
			}
		}
	}
	r.Ignored, r.Warnings = reasons(ignored), reasons(warnings)
	r.count(decided)
	r.rank(decided)
	r.tie(decided)
	r.time(decided)
	if cases != nil {
		r.Gold = measure(decided, cases)
	}
	return r
}

// count fills in what is true of the tickets.
func (r *Report) count(decided []Result) {
	r.N = len(decided)
	var oldest, newest time.Time
	for _, res := range decided {
		d := res.Decision
		if res.Known {
			r.Known++
		}
		if at := res.Ticket.CreatedAt; !at.IsZero() {
			if oldest.IsZero() || at.Before(oldest) {
				oldest = at
			}
			if at.After(newest) {
				newest = at
			}
		}
		r.Verdicts[string(d.Verdict)]++
		example := Example{Key: res.Key, Title: d.Ticket.Title, URL: d.Ticket.URL}
		if d.Verdict == routing.VerdictAsk && len(r.Ask) < maxExamples {
			r.Ask = append(r.Ask, example)
		}
		if d.Verdict == routing.VerdictNone && len(r.None) < maxExamples {
			r.None = append(r.None, example)
		}
		r.Tickets = append(r.Tickets, row(res))
		r.Coverage, r.AsOf = d.Coverage, d.AsOf // of one state, so of any ticket
	}
	r.Oldest, r.Newest = stamp(oldest), stamp(newest)
}

func row(res Result) Row {
	d := res.Decision
	out := Row{
		Key: res.Key, Title: d.Ticket.Title, URL: d.Ticket.URL, Created: stamp(res.Ticket.CreatedAt), Verdict: d.Verdict,
		Answer: []Place{}, Ties: []string{}, TookMs: d.TookMs, Known: res.Known,
	}
	for _, c := range d.Candidates {
		if c.Rank <= 3 {
			out.Answer = append(out.Answer, Place{Rank: c.Rank, Repo: c.Repo})
		}
	}
	for _, a := range d.Ambiguities {
		out.Ties = append(out.Ties, a.Group)
	}
	return out
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// rank counts first and third places, and finds the null answer.
func (r *Report) rank(decided []Result) {
	rows := map[string]*RepoRow{}
	for _, res := range decided {
		if res.Decision.Verdict != routing.VerdictRoute {
			continue
		}
		r.Null.N++
		for repo, s := range standings(res.Decision) {
			if s.Credit(3) == 0 {
				continue
			}
			if rows[repo] == nil {
				rows[repo] = &RepoRow{Repo: repo}
			}
			rows[repo].First += s.Credit(1)
			rows[repo].Top3 += s.Credit(3)
		}
	}
	for _, row := range rows {
		row.Share = row.First / float64(r.Null.N)
		r.Repos = append(r.Repos, *row)
	}
	slices.SortFunc(r.Repos, func(a, b RepoRow) int {
		return cmp.Or(cmp.Compare(b.First, a.First), cmp.Compare(b.Top3, a.Top3), strings.Compare(a.Repo, b.Repo))
	})
	if len(r.Repos) > 0 {
		r.Null.Repo, r.Null.Share = r.Repos[0].Repo, r.Repos[0].Share
	}
}

// standings places every candidate of a decision.
func standings(d routing.Decision) map[string]eval.Standing {
	share := map[int]int{}
	for _, c := range d.Candidates {
		share[c.Rank]++
	}
	out := make(map[string]eval.Standing, len(d.Candidates))
	for _, c := range d.Candidates {
		out[c.Repo] = eval.Standing{Rank: c.Rank, Share: share[c.Rank]}
	}
	return out
}

func (r *Report) tie(decided []Result) {
	groups := map[string]*Group{}
	for _, res := range decided {
		if len(res.Decision.Ambiguities) > 0 {
			r.Ties.N++
		}
		for _, a := range res.Decision.Ambiguities {
			if groups[a.Group] == nil {
				groups[a.Group] = &Group{Group: a.Group, Repos: append([]string{}, a.Repos...)}
			}
			groups[a.Group].N++
		}
	}
	for _, g := range groups {
		r.Ties.Groups = append(r.Ties.Groups, *g)
	}
	slices.SortFunc(r.Ties.Groups, func(a, b Group) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Group, b.Group)) })
}

func (r *Report) time(decided []Result) {
	if len(decided) == 0 {
		return
	}
	took := make([]float64, len(decided))
	for i, res := range decided {
		took[i] = res.Decision.TookMs
	}
	slices.Sort(took)
	r.Timing = Timing{MedianMs: quantile(took, 50), P95Ms: quantile(took, 95)}
}

// quantile is the smallest value that percent of all do not exceed.
func quantile(sorted []float64, percent int) float64 {
	return sorted[(len(sorted)*percent+99)/100-1]
}

func reasons(count map[string]int) []Reason {
	list := make([]Reason, 0, len(count))
	for why, n := range count {
		list = append(list, Reason{Why: why, N: n})
	}
	slices.SortFunc(list, func(a, b Reason) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Why, b.Why)) })
	return list
}
