package routing

import "context"

// Ranker orders repositories for a ticket by one kind of evidence.
type Ranker interface {
	// Name is the ranker's key in weights, coverage and score parts.
	Name() string
	// Rank looks at the repositories it can see among repos. It returns an error
	// only when ctx ends or its own data are broken; "nothing found" is a Ranking.
	Rank(ctx context.Context, t Ticket, repos []Repo) (Ranking, error)
}

// Ranking is one ranker's answer. A repository absent from CanRank was never
// heard of; one in CanRank but not in Hits was looked at and nothing was found.
// The two must never be confused.
type Ranking struct {
	Ranker  string
	Version string

	CanRank []string  // names, in the order of the registry
	Missing []Missing // the others, each with the reason
	Hits    []Hit     // best first; ties by name

	// Comparable says that scores were computed with statistics shared across
	// repositories, so that fusion may use their proportions, not only their order.
	Comparable bool

	// Strength is the share of the ticket's words, by weight, that the best answer
	// accounts for, in [0,1]; 0 where the ranker cannot say.
	Strength  float64
	Keywords  []string // the words of the ticket it looked for
	Warnings  []string
	Abstained string // why it gave no opinion at all; "" when it did
}

// Missing is a repository that a ranker cannot see, and why.
type Missing struct {
	Repo  string
	Why   string
	Empty bool // it has no content: it does not count against full coverage
}

// Hit is one repository's score with one ranker, and what it stands on.
type Hit struct {
	Repo     string
	Score    float64 // above 0; the scale is the ranker's own
	Points   []Point // the registry's table rows that fired
	OwnsRaw  float64 // the registry's points of owns, before they are divided
	Divisor  int     // by which they are divided, at least 1; 0 for other rankers
	Views    []View  // named sub-scores, each in [0,1]
	Reasons  []string
	Evidence []Evidence
}

// Point is one row of the points table that fired.
type Point struct {
	Rule   string  `json:"rule"`
	Term   string  `json:"term"`
	Points float64 `json:"points"`
}

// View is one named sub-score of a ranker, in [0,1].
type View struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// Freshness of a piece of evidence against the state the caller would edit.
const (
	FreshCurrent = "current"
	FreshStale   = "stale"
	FreshUnknown = "unknown"
)

// Evidence is a place that supports a candidate, pinned to a commit.
type Evidence struct {
	Repo         string   `json:"repo"`
	Branch       string   `json:"branch"`
	Commit       string   `json:"commit"` // 40 hex digits
	Generation   string   `json:"generation"`
	Path         string   `json:"path"`
	StartLine    int      `json:"startLine"` // from 1
	EndLine      int      `json:"endLine"`   // inclusive
	Symbol       string   `json:"symbol"`
	Freshness    string   `json:"freshness"`
	IndexVersion string   `json:"indexVersion"`
	Failures     []string `json:"failures"`
	Why          string   `json:"why"`
}
