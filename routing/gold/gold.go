package gold

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/pointsman/pointsman/routing"
)

// Case is one ticket with its known answer: a line of a gold file.
type Case struct {
	ID      string              `json:"id"`
	Title   string              `json:"title"`
	Body    string              `json:"body,omitempty"`
	Created string              `json:"created,omitempty"` // RFC 3339
	Repos   []string            `json:"repos"`
	Files   map[string][]string `json:"files,omitempty"`
	Commits map[string][]string `json:"commits,omitempty"`
	Present *Present            `json:"present,omitempty"`

	// Provenance says how the answer is known. It is never part of the question.
	Provenance *Provenance `json:"provenance,omitempty"`
}

// Present is the right answer today, where it differs from history.
type Present struct {
	State string   `json:"state"` // open, shipped, moved
	Repos []string `json:"repos"`
}

// The states of a ticket today.
const (
	StateOpen    = "open"    // still to be done: Repos is where
	StateShipped = "shipped" // done: nothing is left to route, and Repos is empty
	StateMoved   = "moved"   // what it is about lives elsewhere now: Repos is where, and never empty
)

// Where a case comes from, and whose its text is.
const (
	SourceMine   = "mine"   // from histories
	SourceImport = "import" // from a file that somebody made

	TextTracker = "tracker" // the ticket's own
	TextProxy   = "proxy"   // the message of the first commit of it, with the keys it cites
)

// Provenance is how the answer of a case is known.
type Provenance struct {
	Source  string `json:"source"`
	Tracker string `json:"tracker,omitempty"` // jira, issues, bugs
	Text    string `json:"text,omitempty"`
	Listed  string `json:"listed,omitempty"` // the tracker that was asked for the text: "github", "jira:tenant"; "" for an export or a proxy
	File    string `json:"file,omitempty"`   // of an import
	Links   []Link `json:"links,omitempty"`
}

// Link is a commit that cites the ticket, and the rule by which it was linked.
type Link struct {
	Repo   string   `json:"repo"`
	Commit string   `json:"commit"`
	Rule   string   `json:"rule"`
	Ref    string   `json:"ref"`             // as it stands in the message
	Out    string   `json:"out,omitempty"`   // why the commit is no part of the answer; "" when it is
	Marks  []string `json:"marks,omitempty"` // what else speaks against it
}

// Ticket returns what the rankers may know of the case.
func (c Case) Ticket() routing.Ticket {
	created, _ := time.Parse(time.RFC3339, c.Created) // checked by Read
	return routing.Ticket{Ref: routing.Ref{System: "gold", Key: c.ID}, Title: c.Title, Body: c.Body, CreatedAt: created}
}

// maxLine is the longest line of a gold file, in bytes.
const maxLine = 16 << 20

// Read reads a gold file: one JSON object a line, blank lines passed over.
// name is used in errors, which name the line and the field.
func Read(name string, r io.Reader) ([]Case, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	var cases []Case
	seen := map[string]int{}
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		if _, why := notUTF8(line); why != "" {
			return nil, fmt.Errorf("%s:%d: %s", name, n, why)
		}
		var c Case
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, wording(err))
		}
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if first, ok := seen[c.ID]; ok {
			return nil, fmt.Errorf("%s:%d: id %q stands already in line %d", name, n, c.ID, first)
		}
		seen[c.ID] = n
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("%s holds no case; want lines such as {\"id\":\"1\",\"title\":\"...\",\"repos\":[\"name\"]}", name)
	}
	return cases, nil
}

func (p Present) check() error {
	switch p.State {
	case StateOpen:
		return nil
	case StateShipped:
		if len(p.Repos) > 0 {
			return errors.New("present.repos: want none of a shipped ticket, for nothing is left to route; one that belongs elsewhere now is moved")
		}
		return nil
	case StateMoved:
		if len(p.Repos) == 0 {
			return errors.New("present.repos: want the repositories a moved ticket belongs in now; one with nothing left to route is shipped")
		}
		return nil
	}
	return fmt.Errorf("present.state: want open, shipped or moved, got %q", p.State)
}

// wording says of a JSON error which field wants what, not which Go type.
func wording(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) || wrong.Field == "" {
		return fmt.Errorf("want one JSON object a line: %w", err)
	}
	want := "a string"
	if kind := wrong.Type.Kind(); kind == reflect.Slice {
		want = "a list"
	} else if kind == reflect.Map || kind == reflect.Struct {
		want = "an object"
	}
	return fmt.Errorf("%s: want %s, got %s", wrong.Field, want, wrong.Value)
}

func (c Case) check() error {
	switch {
	case c.ID == "":
		return errors.New("id: want a string that is not empty")
	case c.Title == "" && c.Body == "":
		return errors.New("title: want the ticket's text")
	case len(c.Repos) == 0:
		return errors.New("repos: want the names of the repositories the ticket belongs in")
	}
	if p := c.Present; p != nil {
		if err := p.check(); err != nil {
			return err
		}
	}
	if c.Created != "" {
		if _, err := time.Parse(time.RFC3339, c.Created); err != nil {
			return fmt.Errorf("created: want a time such as 2024-05-01T12:00:00Z, got %q", c.Created)
		}
	}
	return nil
}
