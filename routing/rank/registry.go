package rank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/pointsman/pointsman/routing"
)

// DefaultMinPartial is the least length of a word that may match a part of a
// keyword. The routing document has no such limit (1); as written, a word of one
// letter is a part of almost every keyword.
const DefaultMinPartial = 4

// RegistryOptions are the settings of the points table.
type RegistryOptions struct {
	MinPartial int     // characters, from 1; 0 = DefaultMinPartial
	Tables     *Tables // nil = DefaultTables
}

// Registry ranks by the points table of the routing document: what the entries of
// the registry say a repository owns, serves, emits and is called, met with the
// ticket's words. Only the points of owns are divided by max(1, len(owns)-1), so
// that many general keywords do not outweigh one that fits.
//
// docs/routing-document.md lists where it departs from the document, and why.
//
// FiledIn is not scored here: where a ticket was filed is a part of its own.
type Registry struct {
	minPartial int
	tables     *Tables
}

// NewRegistry returns the ranker.
func NewRegistry(o RegistryOptions) *Registry {
	r := &Registry{minPartial: o.MinPartial, tables: o.Tables}
	if r.minPartial <= 0 {
		r.minPartial = DefaultMinPartial
	}
	if r.tables == nil {
		r.tables = DefaultTables()
	}
	return r
}

// Name implements routing.Ranker.
func (*Registry) Name() string { return "registry" }

// Rank implements routing.Ranker. It can rank the entries that have any routing
// field, and of the others those that the ticket names.
func (g *Registry) Rank(ctx context.Context, t routing.Ticket, repos []routing.Repo) (routing.Ranking, error) {
	if err := ctx.Err(); err != nil {
		return routing.Ranking{}, fmt.Errorf("ranking by registry: %w", err)
	}
	r := routing.Ranking{Ranker: g.Name(), Version: "2", Comparable: true}
	v := viewOf(t, g.tables, g.minPartial)
	v.paths.meetAll(repos)
	all := v.scoreAll(ctx, repos)
	if err := ctx.Err(); err != nil {
		return routing.Ranking{}, fmt.Errorf("ranking by registry: %w", err)
	}
	var scored []scoredEntry
	var known []*routing.Repo
	for i := range repos {
		repo, s := &repos[i], all[i]
		if s.hit.Score == 0 && !hasRoutingField(repo) {
			r.Missing = append(r.Missing, routing.Missing{Repo: repo.Name, Why: "no routing field in its entry; add owns"})
			continue
		}
		r.CanRank = append(r.CanRank, repo.Name)
		known = append(known, repo)
		if s.hit.Score > 0 {
			scored = append(scored, s)
		}
	}
	r.Keywords = keywordsOf(v)
	if len(known) == 0 {
		r.Abstained = "no entry of the registry has a routing field"
		return r, nil
	}
	specific(scored)
	slices.SortFunc(scored, compareEntries)
	for _, s := range scored {
		r.Hits = append(r.Hits, s.hit)
	}
	r.Warnings = registryWarnings(known, r.Hits)
	return r, nil
}

// hasRoutingField tells whether the table has anything to meet a ticket with but
// the name. Languages and frameworks alone are shared by too many.
func hasRoutingField(r *routing.Repo) bool {
	return len(r.Owns)+len(r.Endpoints)+len(r.Emits)+len(r.Consumes)+len(r.ErrorContracts.Codes)+
		len(r.AuthContracts.Requires)+len(r.AuthContracts.Issues)+len(r.ConfigContracts.EnvVars)+
		len(r.Hosts)+len(r.Packages)+len(r.Components)+len(r.Labels) > 0 || r.Owner.Team != ""
}

// keywordsOf lists what the ticket was read as: its words, then the expansions.
func keywordsOf(v *ticketView) []string {
	var out []string
	seen := map[string]bool{}
	for _, tok := range v.own.tokens {
		if !seen[tok.text] {
			seen[tok.text] = true
			out = append(out, tok.text)
		}
	}
	for _, e := range v.also {
		out = append(out, e.word)
	}
	return out
}

// scoredEntry is a hit, the keywords that gave it, and what breaks its ties: how
// many entries hold its rarest matching keyword, and how long the shortest of
// those is.
type scoredEntry struct {
	hit              routing.Hit
	said             []saidKeyword
	rarest, shortest int
}

// specific fills what breaks ties. Who holds a keyword that the ticket says has
// been scored for it, so that no other entry need be asked.
func specific(scored []scoredEntry) {
	held := map[string]int{}
	for _, s := range scored {
		for _, k := range s.said {
			held[k.key]++
		}
	}
	for i, s := range scored {
		rarest, shortest := math.MaxInt, math.MaxInt
		for _, k := range s.said {
			rarest, shortest = rarer(rarest, shortest, held[k.key], utf8.RuneCountInString(k.key))
		}
		scored[i].rarest, scored[i].shortest = rarest, shortest
	}
}

func compareEntries(a, b scoredEntry) int {
	return cmp.Or(
		cmp.Compare(b.hit.Score, a.hit.Score),
		cmp.Compare(a.rarest, b.rarest),
		cmp.Compare(a.shortest, b.shortest),
		cmp.Compare(a.hit.Repo, b.hit.Repo),
	)
}

// scoreAll scores the entries, those of a large registry on all processors. The
// view is only read. When ctx ends, the rest is left out.
func (v *ticketView) scoreAll(ctx context.Context, repos []routing.Repo) []scoredEntry {
	const share = 250 // entries worth another goroutine
	out := make([]scoredEntry, len(repos))
	score := func(from, to int) {
		for i := from; i < to && (i%64 != 0 || ctx.Err() == nil); i++ {
			out[i] = v.score(&repos[i])
		}
	}
	size := max(share, (len(repos)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var workers sync.WaitGroup
	for from := size; from < len(repos); from += size {
		workers.Go(func() { score(from, min(from+size, len(repos))) })
	}
	score(0, min(size, len(repos)))
	workers.Wait()
	return out
}

// score fires the table for one entry.
func (v *ticketView) score(repo *routing.Repo) scoredEntry {
	c := &card{tables: v.tables}
	s := scoredEntry{hit: routing.Hit{Repo: repo.Name, Divisor: max(1, len(repo.Owns)-1)}}
	s.hit.OwnsRaw, s.said = v.owns(repo, c)
	fired := len(c.points)
	v.others(repo, c)
	s.hit.Score = s.hit.OwnsRaw / float64(s.hit.Divisor)
	for _, p := range c.points[fired:] {
		s.hit.Score += p.Points
	}
	if s.hit.Points = c.points; len(c.points) > 0 {
		s.hit.Reasons = registryReasons(s.said, c.points[fired:])
	}
	return s
}

// rarer keeps the rarer of two keywords, the shorter of equally rare ones.
func rarer(rarest, length, held, mine int) (int, int) {
	if held < rarest || held == rarest && mine < length {
		return held, mine
	}
	return rarest, length
}

// registryWarnings says what makes the ranking weaker than it looks.
func registryWarnings(known []*routing.Repo, hits []routing.Hit) []string {
	var out, silent []string
	for _, r := range known {
		if len(r.Owns) == 0 {
			silent = append(silent, r.Name)
		}
	}
	if len(silent) > 0 {
		out = append(out, fmt.Sprintf("owns is empty in the entry of %s: tickets that describe what it does will miss it; add the words they use with pointsman edit",
			joinSome(silent, 5)))
	}
	if len(hits) == 1 && onlyPartial(hits[0]) {
		out = append(out, fmt.Sprintf("the registry knows %s by a part of a word only (%s); that it is alone says little",
			hits[0].Repo, hits[0].Reasons[0]))
	}
	return out
}

func onlyPartial(h routing.Hit) bool {
	return !slices.ContainsFunc(h.Points, func(p routing.Point) bool { return p.Rule != RulePartial })
}

// Ratio is the routing document's confidence in percent, from 0 to 100:
// top/(top+second+1), where scores are those of the candidates in any order. One
// candidate has 100, none 0.
func Ratio(scores []float64) int {
	top, second, n := 0.0, 0.0, 0
	for _, s := range scores {
		if !(s > 0) {
			continue
		}
		n++
		switch {
		case s > top:
			top, second = s, top
		case s > second:
			second = s
		}
	}
	switch n {
	case 0:
		return 0
	case 1:
		return 100
	}
	return int(math.Round(top / (top + second + 1) * 100))
}
