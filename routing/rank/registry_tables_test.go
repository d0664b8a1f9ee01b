package rank_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/rank"
)

// The built-in tables are a sound file, with every row of the points table.
func TestBuiltInTables(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("tables.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rank.ParseTables("tables.json", data); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{ // from name-words on ours
		"owns": 3, "owns-partial": 1, "endpoint": 4, "event": 3, "name": 5, "language": 1, "framework": 1, "team": 2, "status-code": 4, "jwt-claim": 3, "env-var": 2,
		"name-words": 3, "host": 4, "package": 4, "package-word": 2, "component": 4, "label": 4,
	}
	if diff := cmp.Diff(want, rank.DefaultTables().Points()); diff != "" {
		t.Errorf("points (-want +got):\n%s", diff)
	}
}

// Every row of both tables turns its key into each of its words, but for "be",
// which is a stop word too.
func TestEveryRowExpands(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("tables.json")
	if err != nil {
		t.Fatal(err)
	}
	var tables struct{ Acronyms, Synonyms map[string][]string }
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&tables); err != nil {
		t.Fatal(err)
	}
	if len(tables.Acronyms) != 24 || len(tables.Synonyms) != 19 {
		t.Fatalf("%d acronyms and %d synonyms, want 24 and 19", len(tables.Acronyms), len(tables.Synonyms))
	}
	g := rank.NewRegistry(rank.RegistryOptions{})
	for _, rows := range []map[string][]string{tables.Acronyms, tables.Synonyms} {
		for key, words := range rows {
			for _, w := range words {
				r, err := g.Rank(t.Context(), routing.Ticket{Title: key}, []routing.Repo{{Name: "one", Owns: []string{w}}})
				if err != nil {
					t.Fatal(err)
				}
				got := len(r.Hits) == 1 && r.Hits[0].Score == 3 && slices.Contains(r.Keywords, w)
				if got == (key == "be") {
					t.Errorf("%q as %q: hits = %+v, keywords = %v", key, w, r.Hits, r.Keywords)
				}
			}
		}
	}
}

func TestOwnTables(t *testing.T) {
	t.Parallel()
	tables, err := rank.ParseTables("tables.json", []byte(`{
		"version": "acme 1",
		"stopWords": {"add": ["Please"], "remove": ["can"]},
		"acronyms": {"POS": ["till", "point of sale"], "ci": null, "ui": ["screens"]},
		"synonyms": {"gift-card": ["voucher"], "please": ["x"]},
		"points": {"owns": 2.5, "owns-partial": 0}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	if tables.Version != "acme 1" || !strings.HasPrefix(tables.Hash, "sha256:") || len(tables.Warnings) != 1 || !strings.Contains(tables.Warnings[0], `"please"`) {
		t.Errorf("version %q, hash %q, warnings %q", tables.Version, tables.Hash, tables.Warnings)
	}
	g := rank.NewRegistry(rank.RegistryOptions{Tables: tables})
	for _, tc := range []struct {
		text, keyword string
		want          float64
	}{
		{"the POS is down", "till", 2.5},
		{"the pos is down", "point-of-sale", 2.5},
		{"gift card", "voucher", 2.5},
		{"ci", "build", 0},
		{"ui", "screens", 2.5},
		{"ui", "frontend", 0},
		{"sso", "identity", 2.5}, // a row of the document that nobody touched
		{"a tin can", "can", 2.5},
		{"please", "please", 0},
		{"bill", "billing", 0},
	} {
		r, err := g.Rank(t.Context(), routing.Ticket{Title: tc.text}, []routing.Repo{{Name: "one", Owns: []string{tc.keyword}}})
		if err != nil {
			t.Fatal(err)
		}
		got := 0.0
		if len(r.Hits) > 0 {
			got = r.Hits[0].Score
		}
		if got != tc.want {
			t.Errorf("%q against %q: %v, want %v", tc.text, tc.keyword, got, tc.want)
		}
	}
	if r, _ := rank.NewRegistry(rank.RegistryOptions{}).Rank(t.Context(), routing.Ticket{Title: "ci"}, []routing.Repo{{Name: "one", Owns: []string{"build"}}}); len(r.Hits) != 1 {
		t.Error("the built-in tables were changed by reading others")
	}
}

func TestBadTables(t *testing.T) {
	t.Parallel()
	many := strings.Repeat(`"aaaa",`, 30)
	for _, tc := range []struct{ data, want string }{
		{"", "t.json:1: the file ends too early"},
		{"{\n\"version\": \"1\",\n}", "t.json:3: not JSON"},
		{"[]", "t.json:1: the file: want an object"},
		{"{}", "t.json:1: version is missing"},
		{"{\"version\": \"1\"}\n7", "t.json:2: something follows"},
		{"{\n\"version\": 1}", "t.json:2: version: want a short name"},
		{"{\n\"rows\": {}}", `t.json:2: "rows" is no key`},
		{"{\"version\":\"1\",\"version\":\"2\"}", `"version" stands twice`},
		{"{\"stopWords\": {\"drop\": []}}", `stopWords: "drop" is no key`},
		{"{\"stopWords\": {\"add\": 1}}", "stopWords.add: want a list"},
		{"{\"stopWords\": 1}", "stopWords: want a list"},
		{"{\"stopWords\": [\"two words\"]}", `"two words": want one word`},
		{"{\"acronyms\":\n{\"a\": \"b\"}}", "t.json:2: acronyms.a: want a list of words, or null"},
		{"{\"acronyms\": {\"a\": []}}", "acronyms.a: the list is empty"},
		{"{\"acronyms\": {\"a\": [1]}}", "acronyms.a: want words in quotes"},
		{"{\"acronyms\": {\"a\": [\"!\"]}}", "has no letter or digit"},
		{"{\"acronyms\": {\"A\":[\"b\"],\"a\":[\"b\"]}}", `"a" stands twice`},
		{"{\"synonyms\": {\"a b c d e f\": [\"x\"]}}", "want at most 5 words"},
		{"{\"synonyms\": {\"a\": [\"" + strings.Repeat("x", 61) + "\"]}}", "want at most 60 bytes"},
		{"{\"synonyms\": {\"a\": [" + strings.ReplaceAll(many, "aaaa", "b") + "\"c\"]}}", "version is missing"}, // the same word again is one
		{"{\"points\": {\"teams\": 1}}", `points: "teams" is no row; want one of owns, owns-partial`},
		{"{\"points\": {\"team\": 11}}", "points.team: want a number from 0, which turns the row off, to 10"},
		{"{\"points\": {\"team\": \"2\"}}", "points.team: want a number"},
		{"{\"version\": \"\xff\"}", "t.json:1: the file is not UTF-8"},
		{strings.Repeat(" ", rank.MaxTables+1), "want at most 256 KiB"},
	} {
		_, err := rank.ParseTables("t.json", []byte(tc.data))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%.60q: err = %v, want %q", tc.data, err, tc.want)
		}
	}
}

// What a file holds forges no line of an error, moves no cursor and fills no log.
func TestBadTablesAreQuoted(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{`\u001b[31m`, `\nregistry ok`, `\u202e`, `a\u001bb`, strings.Repeat("x", 100_000), strings.Repeat("9", 1000) + "e999"} {
		for _, data := range []string{
			`{"ODD":1}`, `{"version":"ODD"}`, `{"stopWords":{"ODD":[]}}`, `{"stopWords":["ODD"]}`, `{"stopWords":["ODD","ODD"]}`, `{"acronyms":{"ODD":1}}`,
			`{"synonyms":{"ODD":[]}}`, `{"synonyms":{"ODD":["ODD ODD"]}}`, `{"synonyms":{"a":["ODD"]}}`, `{"points":{"ODD":1}}`, `{"points":{"team":"ODD"}}`,
			`{"points":{"team":ODD}}`, `{"stopWords":{"add":["!ODD"]}}`,
		} {
			_, err := rank.ParseTables("t.json", []byte(strings.ReplaceAll(data, "ODD", odd)))
			if err == nil {
				t.Errorf("%s with %.20q is taken", data, odd)
			} else if s := err.Error(); len(s) > 400 || strings.ContainsAny(s, "\x1b\n\u202e") {
				t.Errorf("%s: %d bytes: %.300q", data, len(s), s)
			}
		}
	}
}
