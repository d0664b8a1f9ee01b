package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/pointsman/pointsman/routing"
)

// maxRecord is the largest run file that is read, in bytes.
const maxRecord = 1 << 30

// Write writes the record as a run file: JSON with one case a line. The same
// record gives the same bytes.
func (rec Record) Write(w io.Writer) error {
	cases := rec.Cases
	rec.Cases = []CaseRecord{}
	head, err := json.Marshal(rec)
	if err != nil {
		return fmt.Errorf("writing the run file: %w", err)
	}
	// The head ends in `"cases":[]}`; its entries go between the brackets.
	var buf bytes.Buffer
	buf.Write(bytes.TrimSuffix(head, []byte("]}")))
	for i, c := range cases {
		line, err := json.Marshal(c)
		if err != nil {
			return fmt.Errorf("writing the run file: case %s: %w", c.ID, err)
		}
		if i > 0 {
			buf.WriteByte(',')
		}
		buf.WriteByte('\n')
		buf.Write(line)
	}
	buf.WriteString("\n]}\n")
	if _, err := buf.WriteTo(w); err != nil {
		return fmt.Errorf("writing the run file: %w", err)
	}
	return nil
}

// ReadRecord reads a run file; name is used in errors, which name the case and
// the field.
func ReadRecord(name string, r io.Reader) (Record, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxRecord+1))
	if err != nil {
		return Record{}, fmt.Errorf("reading the run file %s: %w", name, err)
	}
	if len(data) > maxRecord {
		return Record{}, fmt.Errorf("%s: larger than %d bytes, so it is no run file", name, maxRecord)
	}
	var version struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return Record{}, fmt.Errorf("%s: want a run file as pointsman eval --save writes it: %w", name, err)
	}
	if version.Schema != RecordSchema {
		return Record{}, fmt.Errorf("%s: schema: want %q, got %q; write the run again with this program", name, RecordSchema, version.Schema)
	}
	var rec Record
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&rec); err != nil {
		return Record{}, fmt.Errorf("%s: want a run file as pointsman eval --save writes it: %w", name, err)
	}
	if err := rec.check(); err != nil {
		return Record{}, fmt.Errorf("%s: %w", name, err)
	}
	rec.fill()
	if rec.Head != nil {
		rec.Head.fill()
	}
	return rec, nil
}

// fill makes lists that were left out empty ones, as a run writes them.
func (rec *Record) fill() {
	rec.Repos, rec.Rankers, rec.Settings.Compare = orEmpty(rec.Repos), orEmpty(rec.Rankers), orEmpty(rec.Settings.Compare)
	rec.Groups, rec.Coverage, rec.Skipped = orEmpty(rec.Groups), orEmpty(rec.Coverage), orEmpty(rec.Skipped)
	for i := range rec.Cases {
		c := &rec.Cases[i]
		c.Ranks, c.Spans, c.Ambiguities, c.Rankers = orEmpty(c.Ranks), orEmpty(c.Spans), orEmpty(c.Ambiguities), orEmpty(c.Rankers)
	}
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// check holds what Measure relies on.
func (rec Record) check() error {
	if len(rec.Cases) == 0 {
		return fmt.Errorf("cases: want at least one")
	}
	known := map[string]bool{}
	for _, r := range rec.Repos {
		if r == "" || known[r] {
			return fmt.Errorf("repos: want names, each once, got %q", r)
		}
		known[r] = true
	}
	for _, c := range rec.Coverage {
		if len(c.Why) != len(c.Missing) {
			return fmt.Errorf("coverage: %s: want one reason for each missing name", c.Ranker)
		}
	}
	if rec.Head != nil {
		if rec.Head.Head != nil {
			return fmt.Errorf("head: want a run without a head of its own")
		}
		if err := rec.Head.check(); err != nil {
			return fmt.Errorf("head: %w", err)
		}
	}
	seen := map[string]bool{}
	for i, c := range rec.Cases {
		if c.ID == "" || seen[c.ID] {
			return fmt.Errorf("cases[%d].id: want an id that no other case has, got %q", i, c.ID)
		}
		seen[c.ID] = true
		if err := c.check(known, len(rec.Rankers)); err != nil {
			return fmt.Errorf("case %s: %w", c.ID, err)
		}
	}
	return nil
}

func (c CaseRecord) check(known map[string]bool, rankers int) error {
	verdicts := []routing.Verdict{routing.VerdictRoute, routing.VerdictAsk, routing.VerdictNone}
	switch {
	case len(c.Repos) == 0 || len(sortedSet(c.Repos)) != len(c.Repos):
		return fmt.Errorf("repos: want the right repositories, each once")
	case !slices.Contains(verdicts, c.Verdict):
		return fmt.Errorf("verdict: want route, ask or none, got %q", c.Verdict)
	case len(c.Rankers) != rankers:
		return fmt.Errorf("rankers: want %d entries, one for each ranker of the run, got %d", rankers, len(c.Rankers))
	case c.Verdict == routing.VerdictNone && len(c.Ranks) > 0:
		return fmt.Errorf("ranks: a decision that names nothing has none")
	case c.Confidence != nil && !(inUnit(c.Confidence.Top1) && inUnit(c.Confidence.Top3)):
		return fmt.Errorf("confidence: want probabilities from 0 to 1")
	}
	for _, r := range c.Repos {
		if !known[r] {
			return fmt.Errorf("repos: %s is not among the repos of the run", r)
		}
	}
	if err := checkRanks(c.Ranks, known); err != nil {
		return err
	}
	for i, r := range c.Rankers {
		for repo, s := range r.At {
			if s.Rank < 1 || s.Rank > len(known) || s.Share < 1 || s.Share > len(known)-s.Rank+1 {
				return fmt.Errorf("rankers[%d].at: %s: want [rank, share] within %d repositories, got [%d, %d]", i, repo, len(known), s.Rank, s.Share)
			}
		}
	}
	return nil
}

func inUnit(x float64) bool { return x >= 0 && x <= 1 }

// checkRanks holds that ranks begin at 1, grow, and are shared as 1, 1, 3.
func checkRanks(ranks []Place, known map[string]bool) error {
	seen := map[string]bool{}
	for i, p := range ranks {
		if !known[p.Repo] || seen[p.Repo] {
			return fmt.Errorf("ranks: want repos of the run, each once, got %q", p.Repo)
		}
		seen[p.Repo] = true
		if shared := i > 0 && p.Rank == ranks[i-1].Rank; !shared && p.Rank != i+1 {
			return fmt.Errorf("ranks: want rank %d for %s, or that of the one before it, got %d", i+1, p.Repo, p.Rank)
		}
	}
	return nil
}
