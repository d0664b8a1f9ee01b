package lint

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

// Severity is how much a finding matters.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // the registry is refused
	Warning Severity = "warning" // routing suffers
	Note    Severity = "note"    // worth a look
)

// Finding is one thing to mend, at its place.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Entry    string   `json:"entry"` // name, "" for the file as a whole
	File     string   `json:"file"`
	Line     int      `json:"line"` // from 1; 0 when there is no place
	Col      int      `json:"col"`
	Path     string   `json:"path"` // JSON path
	Text     string   `json:"text"`
	Mend     string   `json:"mend"`
}

// String is one line, as compilers write theirs.
func (f Finding) String() string {
	d := registry.Defect{File: f.File, Line: f.Line, Col: f.Col, Path: f.Path, Text: f.Text, Mend: f.Mend}
	return fmt.Sprintf("%s [%s: %s]", d, f.Severity, f.Rule)
}

// Options say what cannot be seen from the registry itself.
type Options struct {
	Now        time.Time     // zero: nothing is stale
	StaleAfter time.Duration // 0 = 30 days
	Located    bool          // Registry.Locate was called: an empty Dir means not found
	MinPartial int           // the scorer's least length of a partial match; 0 = 4
}

const (
	staleAfter = 30 * 24 * time.Hour
	minPartial = 4 // as routing/rank has it
	minInside  = 3 // likewise: of a keyword that counts inside a ticket's word
)

// checker collects findings about one registry.
type checker struct {
	reg   *registry.Registry
	o     Options
	at    map[string]int // names and aliases
	stop  map[string]bool
	keys  [][]string // of each entry, its keywords as they are compared
	found []Finding

	vocabulary *vocabulary // of the descriptions
}

// Check returns what is wrong with a registry that was read, in the order of the
// file. Its running time grows with the size of the registry, not with its square.
func Check(reg registry.Registry, o Options) []Finding {
	o.StaleAfter = cmp.Or(o.StaleAfter, staleAfter)
	o.MinPartial = cmp.Or(o.MinPartial, minPartial)
	c := &checker{reg: &reg, o: o, at: map[string]int{}, stop: setOf(empty)}
	for i, r := range reg.Repos {
		for _, alias := range r.Aliases {
			c.at[alias] = i
		}
	}
	for i, r := range reg.Repos {
		c.at[r.Name] = i
	}
	prose := *c // with findings of its own: keywords and descriptions take about the same time
	var both sync.WaitGroup
	both.Go(prose.descriptions)
	c.owns()
	both.Wait()
	c.found = append(c.found, prose.found...)
	for _, d := range reg.Defects {
		c.found = append(c.found, ofDefect(d, Warning))
	}
	c.relations()
	c.state()
	return inOrder(c.found)
}

// Refused returns the findings of a registry that could not be read: every defect
// that its error holds.
func Refused(file string, err error) []Finding {
	if err == nil {
		return nil
	}
	var bad *registry.Invalid
	if !errors.As(err, &bad) {
		return []Finding{{Rule: "format", Severity: Error, File: file, Text: err.Error()}}
	}
	var out []Finding
	for _, d := range bad.Defects {
		out = append(out, ofDefect(d, Error))
	}
	return inOrder(out)
}

func ofDefect(d registry.Defect, s Severity) Finding {
	return Finding{Rule: "format", Severity: s, File: d.File, Line: d.Line, Col: d.Col, Path: d.Path, Text: d.Text, Mend: d.Mend}
}

// inOrder returns findings in the order of the file. Their numbers are sorted in
// their place: a finding is large, and most have a line of their own.
func inOrder(found []Finding) []Finding {
	if len(found) == 0 {
		return nil
	}
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &found[i], &found[j]
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return cmp.Or(a.Col-b.Col, strings.Compare(a.Rule, b.Rule), strings.Compare(a.Text, b.Text), i-j)
	})
	out := make([]Finding, len(found))
	for k, i := range order {
		out[k] = found[i]
	}
	return out
}

// add notes a finding about an entry; keys lead to its place.
func (c *checker) add(entry int, rule string, s Severity, mend, text string, keys ...any) {
	d := c.reg.At(entry, keys...)
	c.found = append(c.found, Finding{
		Rule: rule, Severity: s, Entry: c.repo(entry).Name, File: d.File, Line: d.Line, Col: d.Col, Path: d.Path, Text: text, Mend: mend,
	})
}

func (c *checker) repo(i int) *routing.Repo { return &c.reg.Repos[i] }

// someOf lists names, the first few by name.
func (c *checker) someOf(entries []int) string {
	const shown = 3
	text := ""
	for k, i := range entries[:min(len(entries), shown)] {
		if k > 0 {
			text += ", "
		}
		text += c.repo(i).Name
	}
	if n := len(entries) - shown; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// widely is the number of entries from which on a word says nothing: a fifth of
// them, at least three.
func (c *checker) widely() int { return max(3, (len(c.reg.Repos)+4)/5) }
