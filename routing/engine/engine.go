package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/decide"
	"github.com/pointsman/pointsman/routing/fuse"
	"github.com/pointsman/pointsman/routing/index"
	"github.com/pointsman/pointsman/routing/rank"
	"github.com/pointsman/pointsman/routing/text"
)

// DefaultKeep is how many candidates a decision holds unless told otherwise.
const DefaultKeep = 5

// MaxMinPartial is the greatest MinPartial: few words are longer.
const MaxMinPartial = 20

// Options are what an Engine is made of. The zero value is the default engine.
type Options struct {
	Keep       int    // candidates kept; 0 = DefaultKeep
	Weights    []byte // JSON of fuse.Weights; nil = the default
	MinPartial int    // least length of a word that matches a part of a keyword; 0 = rank.DefaultMinPartial
	Program    string // name of this build, for asOf
	ConfigHash string // hash of the configuration, for asOf
	// Tail keeps every repository with any evidence after the Keep that count, so
	// that an evaluation can see how far down an answer stood.
	Tail bool
	// IgnoreFiledIn leaves out where a ticket was filed: on, in evaluation, because
	// a tracker key may never be evidence there.
	IgnoreFiledIn bool
}

// Engine routes tickets. It is immutable and safe for concurrent use.
type Engine struct {
	opts    Options
	weights fuse.Weights
	cleaner *text.Cleaner
	queries *rank.Queries
	tables  *rank.Tables
}

// Snapshot is the state of the organisation that one decision stands on. It is
// never changed; a newer state is a new Snapshot.
type Snapshot struct {
	Repos        []routing.Repo
	RegistryHash string // "sha256:.." of the registry's bytes; "" without one
	Index        *index.Set
	Missing      []routing.Missing // repositories without a segment, and why
	Tables       *rank.Tables      // the organisation's routing tables; nil = the built-in ones
	Unregistered []string          // names of repositories that are there, but in no entry
	Warnings     []string
}

// New returns an Engine; the error names what is wrong with the weights.
func New(o Options) (*Engine, error) {
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	if o.Keep < 0 {
		return nil, fmt.Errorf("routing.keep: want 1 or more, got %d", o.Keep)
	}
	if o.MinPartial < 0 || o.MinPartial > MaxMinPartial {
		return nil, fmt.Errorf("routing.minPartial: want 1 to %d, got %d", MaxMinPartial, o.MinPartial)
	}
	if o.MinPartial == 0 {
		o.MinPartial = rank.DefaultMinPartial
	}
	w, err := fuse.ParseWeights(o.Weights)
	if err != nil {
		return nil, err
	}
	return &Engine{
		opts: o, weights: w, cleaner: text.NewCleaner(), queries: rank.NewQueries(), tables: rank.DefaultTables(),
	}, nil
}

// Route decides where a ticket belongs, given the state of the organisation. The
// same ticket and snapshot give the same decision but for TookMs. Errors are
// those of ctx.
func (e *Engine) Route(ctx context.Context, t routing.Ticket, s Snapshot) (routing.Decision, error) {
	d, _, err := e.Trace(ctx, t, s)
	return d, err
}

// Trace is Route that also returns what each ranker alone said, which is what an
// evaluation measures beside the decision.
func (e *Engine) Trace(ctx context.Context, t routing.Ticket, s Snapshot) (routing.Decision, []routing.Ranking, error) {
	began := time.Now()
	clean := e.clean(t)
	rankings, err := e.rank(ctx, clean, s)
	if err != nil {
		return routing.Decision{}, nil, err
	}
	fused := fuse.Fuse(rankings, s.Repos, e.weights)
	warned := slices.Concat(s.Warnings, warnings(clean, s), bare(s, rankings, fused, e.weights))
	d, err := decide.Decide(decide.Input{
		Ticket: clean, Repos: s.Repos, Rankings: rankings, Fused: fused, Weights: e.weights, Keep: e.opts.Keep, Tail: e.opts.Tail,
		Useful: e.queries.Useful(clean), Ratio: ratio(rankings), Strength: strength(rankings), Keywords: e.keywords(clean, rankings), Warnings: warned,
		Separate: func(members []string) (map[string]float64, error) {
			return e.separate(ctx, clean, s, members, rankings)
		},
	})
	if err != nil {
		return routing.Decision{}, nil, err
	}
	e.stamp(&d, t, s)
	d.TookMs = float64(time.Since(began).Microseconds()) / 1000
	return d, rankings, nil
}

// Coverage says which repositories each ranker can rank, without a ticket.
func (e *Engine) Coverage(ctx context.Context, s Snapshot) ([]routing.Coverage, error) {
	rankings, err := e.rank(ctx, routing.Ticket{}, s)
	if err != nil {
		return nil, err
	}
	return fuse.Fuse(rankings, s.Repos, e.weights).Coverage, nil
}

// Clean returns the ticket as the rankers see it: without tracker keys, links to
// tickets and control characters, and without FiledIn where that is ignored.
func (e *Engine) Clean(t routing.Ticket) routing.Ticket { return e.clean(t) }

func (e *Engine) clean(t routing.Ticket) routing.Ticket {
	t = e.cleaner.Ticket(t)
	if e.opts.IgnoreFiledIn {
		t.FiledIn = ""
	}
	return t
}

// rankers lists the rankers over a snapshot, in the order of their parts.
func (e *Engine) rankers(s Snapshot) []routing.Ranker {
	views := make([]rank.ViewWeight, 0, len(e.weights.CodeViews))
	for name, w := range e.weights.CodeViews {
		views = append(views, rank.ViewWeight{View: name, Weight: w})
	}
	slices.SortFunc(views, func(a, b rank.ViewWeight) int { return strings.Compare(a.View, b.View) })
	return []routing.Ranker{
		rank.NewRegistry(rank.RegistryOptions{MinPartial: e.opts.MinPartial, Tables: cmp.Or(s.Tables, e.tables)}),
		rank.NewDescription(e.queries),
		rank.NewCode(e.queries, s.Index, s.Missing, views),
	}
}

func (e *Engine) rank(ctx context.Context, t routing.Ticket, s Snapshot) ([]routing.Ranking, error) {
	var rankings []routing.Ranking
	for _, r := range e.rankers(s) {
		ranking, err := r.Rank(ctx, t, s.Repos)
		if err != nil {
			return nil, fmt.Errorf("ranking by %s: %w", r.Name(), err)
		}
		rankings = append(rankings, ranking)
	}
	return rankings, nil
}

func (e *Engine) separate(ctx context.Context, t routing.Ticket, s Snapshot, members []string, rankings []routing.Ranking) (map[string]float64, error) {
	var repos []routing.Repo
	for _, r := range s.Repos {
		if slices.Contains(members, r.Name) {
			repos = append(repos, r)
		}
	}
	sep := rank.Separator{Queries: e.queries, Set: s.Index, Code: e.weights.Rankers["code"], Description: e.weights.Rankers["description"]}
	return sep.Apart(ctx, t, repos, rankings)
}

// ratio is the routing document's confidence over the registry's points.
func ratio(rankings []routing.Ranking) int {
	var scores []float64
	for _, r := range rankings {
		if r.Ranker == "registry" {
			for _, h := range r.Hits {
				scores = append(scores, h.Score)
			}
		}
	}
	return rank.Ratio(scores)
}

// strength is the greatest share of the ticket that any ranker's best answer
// accounts for, where the ranker can say.
func strength(rankings []routing.Ranking) float64 {
	most := 0.0
	for _, r := range rankings {
		most = max(most, r.Strength)
	}
	return most
}

// keywords are the words code search found to weigh most, else the ticket's own.
func (e *Engine) keywords(t routing.Ticket, rankings []routing.Ranking) []string {
	for _, r := range rankings {
		if r.Ranker == "code" && len(r.Keywords) > 0 {
			return r.Keywords
		}
	}
	return e.queries.Words(t)
}

// stamp adds what the decision is about and all that is needed to replay it.
func (e *Engine) stamp(d *routing.Decision, t routing.Ticket, s Snapshot) {
	d.Schema = routing.DecisionSchema
	d.Ticket = routing.TicketName{
		Source: t.Ref.System, Key: t.Ref.Key, Title: strings.Join(strings.Fields(text.Printable(t.Title)), " "),
		URL: t.Ref.URL, Version: t.Version,
	}
	d.AsOf = routing.AsOf{
		Registry: s.RegistryHash, Generations: map[string]string{}, Config: e.opts.ConfigHash,
		Weights: e.WeightsHash(s), History: emptyHash(), Program: e.opts.Program,
	}
	if s.Index == nil {
		return
	}
	for _, seg := range s.Index.Segments() {
		d.AsOf.Generations[seg.Identity().Repo] = seg.Identity().Commit
	}
}

// WeightsHash names the constants of a decision, for asOf: the weights, and where
// they are not the built-in ones also the routing tables and the least partial
// match. Who holds the three can compute it again.
func (e *Engine) WeightsHash(s Snapshot) string {
	if s.Tables == nil && e.opts.MinPartial == rank.DefaultMinPartial {
		return e.weights.Hash
	}
	tables := ""
	if s.Tables != nil {
		tables = s.Tables.Hash
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "weights %s\ntables %s\nminPartial %d\n", e.weights.Hash, tables, e.opts.MinPartial))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// emptyHash stands for the history snapshot of an engine that uses none.
func emptyHash() string {
	sum := sha256.Sum256(nil)
	return "sha256:" + hex.EncodeToString(sum[:])
}
