package document_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/document"
	"github.com/pointsman/pointsman/routing/engine"
	"github.com/pointsman/pointsman/routing/registry"
)

// The worksheet was written from the routing document alone, by somebody who had
// not seen the scorer. Its files are never edited; docs/registry-worksheet.md shows
// the arithmetic.
const worksheet = "../rank/testdata/worksheet"

type expectedPoint struct {
	Rule   string
	Term   string
	Points float64
}

type expectedRepo struct {
	Repo        string
	Points      []expectedPoint
	OwnsRaw     float64
	Divisor     int
	Owns, Other float64
	Score       float64
}

type expectedTicket struct {
	ID         string
	Keywords   []string
	Expansions []string
	Repos      []expectedRepo
	Kept       []string
	Ratio      int
	Gap        float64
	Action     document.Action
	Warnings   []string
}

func sheet(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(worksheet, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sheetRegistry reads the worksheet's registry. Its writer guessed that userEdited
// lists fields; it is true or false, and nothing is computed from it.
func sheetRegistry(t *testing.T) registry.Registry {
	t.Helper()
	var file map[string]any
	if err := json.Unmarshal(sheet(t, "registry.json"), &file); err != nil {
		t.Fatal(err)
	}
	repos, _ := file["repos"].([]any)
	for _, r := range repos {
		entry, _ := r.(map[string]any)
		fields, _ := entry["userEdited"].([]any)
		entry["userEdited"] = len(fields) > 0
	}
	data, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	reg, err := registry.Parse("registry.json", data)
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

func TestWorksheet(t *testing.T) {
	t.Parallel()
	reg := sheetRegistry(t)
	var want struct{ Tickets []expectedTicket }
	if err := json.Unmarshal(sheet(t, "expected.json"), &want); err != nil {
		t.Fatal(err)
	}
	eng, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(sheet(t, "tickets.jsonl")), []byte("\n"))
	if len(lines) != len(want.Tickets) || len(lines) != 12 || len(reg.Repos) != 6 {
		t.Fatalf("%d tickets, %d expected, %d repositories", len(lines), len(want.Tickets), len(reg.Repos))
	}
	for i, line := range lines {
		var in struct{ ID, Title, Body string }
		if err := json.Unmarshal(line, &in); err != nil {
			t.Fatal(err)
		}
		t.Run(in.ID, func(t *testing.T) {
			t.Parallel()
			ticket := routing.Ticket{Title: in.Title, Body: in.Body}
			d, rankings, err := eng.Trace(t.Context(), ticket, engine.Snapshot{Repos: reg.Repos})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, want.Tickets[i], asExpected(in.ID, document.Of(d, rankings), rankings[0]))
		})
	}
}

// asExpected writes what the scorer said in the shape of the worksheet.
func asExpected(id string, v document.View, r routing.Ranking) expectedTicket {
	got := expectedTicket{ID: id, Keywords: v.Keywords, Ratio: v.Confidence, Gap: v.Gap, Action: v.Action}
	for _, h := range r.Hits {
		e := expectedRepo{Repo: h.Repo, OwnsRaw: h.OwnsRaw, Divisor: h.Divisor, Owns: h.OwnsRaw / float64(h.Divisor), Score: h.Score}
		for _, p := range h.Points {
			e.Points = append(e.Points, expectedPoint(p))
			if !strings.HasPrefix(p.Rule, "owns") {
				e.Other += p.Points
			}
		}
		got.Repos = append(got.Repos, e)
	}
	for _, c := range v.Candidates {
		got.Kept = append(got.Kept, c.Repo)
	}
	for _, w := range v.Warnings {
		switch {
		case strings.HasPrefix(w, "owns is empty in the entry of "):
			name, _, _ := strings.Cut(strings.TrimPrefix(w, "owns is empty in the entry of "), ":")
			got.Warnings = append(got.Warnings, "empty-owns:"+name)
		case strings.HasPrefix(w, "the registry knows "):
			name, _, _ := strings.Cut(strings.TrimPrefix(w, "the registry knows "), " ")
			got.Warnings = append(got.Warnings, "partial-only:"+name)
		}
	}
	if v.Short {
		got.Warnings = append(got.Warnings, "short")
	}
	return got
}

func compare(t *testing.T, want, got expectedTicket) {
	t.Helper()
	if n := len(want.Expansions); n > 0 && !slices.Equal(sorted(got.Keywords[len(got.Keywords)-n:]), sorted(want.Expansions)) {
		t.Errorf("expansions %v, want %v", got.Keywords[len(got.Keywords)-n:], want.Expansions)
	}
	want.Expansions = nil
	opts := []cmp.Option{
		cmpopts.SortSlices(func(a, b expectedPoint) bool { return a.Rule+a.Term < b.Rule+b.Term }),
		cmpopts.EquateEmpty(),
		cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }),
	}
	want.Keywords, got.Keywords = sorted(want.Keywords), sorted(got.Keywords)
	want.Warnings, got.Warnings = sorted(want.Warnings), sorted(got.Warnings)
	if diff := cmp.Diff(want, got, opts...); diff != "" {
		t.Errorf("the worksheet and the scorer differ (-worksheet +scorer):\n%s", diff)
	}
}

func sorted(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}

// Every point of the JSON is a named part: those of owns sum to ownsRaw, and with
// the divisor and the others they come to the total.
func TestPartsAddUp(t *testing.T) {
	t.Parallel()
	eng, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	repos := sheetRegistry(t).Repos
	for _, id := range []string{"W1", "W5", "W9", "W11"} {
		title, body := ticketOf(t, id)
		d, err := eng.Route(t.Context(), routing.Ticket{Title: title, Body: body}, engine.Snapshot{Repos: repos})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range d.Candidates {
			part := c.Parts[slices.IndexFunc(c.Parts, func(p routing.Part) bool { return p.Ranker == "registry" })]
			owns, others := 0.0, 0.0
			for _, p := range part.Points {
				if strings.HasPrefix(p.Rule, "owns") {
					owns += p.Points
				} else {
					others += p.Points
				}
			}
			if part.Divisor < 1 && len(part.Points) > 0 || owns != part.OwnsRaw || len(part.Points) > 0 && math.Abs(owns/float64(part.Divisor)+others-part.Total) > 1e-9 {
				t.Errorf("%s, %s: %+v", id, c.Repo, part)
			}
		}
	}
}
