package registry_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing/registry"
)

// Nothing reads a misspelt key of a sibling rule: it must be said where it stands.
func TestParseSiblingSlips(t *testing.T) {
	t.Parallel()
	reg, err := registry.Parse("r.json", []byte(`{"version": 1, "repos": [
{"name": "pier-app", "aliases": ["pier"], "team": "ours to ignore", "siblings": [
  {"repo": "gangway-ap", "relation": "forks", "tells": [], "note": "x"},
  {"repo": "pier"},
  {"repo": "gangway", "tell": [
    {"ask": "Which?", "match": {}, "matches": {
      "hots": ["a.example"],
      "Words": ["old"], "labels": ["b"]
    }}
  ]}
]},
{"name": "gangway-app", "aliases": ["gangway"]}
]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`r.json:3:12: $.repos[0].siblings[0].repo: no entry is named "gangway-ap", and the relation is left out; write "gangway-app"`,
		`r.json:3:38: $.repos[0].siblings[0].relation: "forks" is not known; write "fork"`,
		`r.json:3:47: $.repos[0].siblings[0].tells: it is not known and not read; write "tell"`,
		`r.json:3:60: $.repos[0].siblings[0].note: it is not known and not read; write one of relation, repo, tell`,
		`r.json:4:12: $.repos[0].siblings[1].repo: "pier" is the entry itself, and the relation is left out; write the name of another entry`,
		`r.json:6:23: $.repos[0].siblings[2].tell[0].match: it is not known and not read; write "matches"`,
		`r.json:7:7: $.repos[0].siblings[2].tell[0].matches.hots: it is not known and not read; write "hosts"`,
		`r.json:8:7: $.repos[0].siblings[2].tell[0].matches.Words: it is not known and not read; write "words"`,
	}
	if diff := cmp.Diff(want, reg.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestParseLeavesOutWhatNobodySees(t *testing.T) {
	t.Parallel()
	reg, err := registry.Parse("r.json", []byte(`{"version": 1, "repos": [
{"name": "a", "description": "fares\u001b[31m and\n\u202ezones \u0645\u200c\u0646",
 "owns": ["til\u2066ls", "\u202e"], "owner": {"team": "Mo\u0000ney"}, "id": "R\u200e9"}
]}`))
	if err != nil {
		t.Fatal(err)
	}
	r := reg.Repos[0]
	got := []string{r.Description, r.Owner.Team, r.ID.(string)}
	got = append(got, r.Owns...)
	if diff := cmp.Diff([]string{"fares[31m and\nzones م\u200cن", "Money", "R9", "tills"}, got); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	const ends = ", which is left out; write the text without it"
	want := []string{
		`r.json:2:30: $.repos[0].description: it holds a character that nobody sees (U+001B)` + ends,
		`r.json:3:11: $.repos[0].owns[0]: it holds a character that nobody sees (U+2066)` + ends,
		`r.json:3:26: $.repos[0].owns[1]: it holds a character that nobody sees (U+202E)` + ends,
		`r.json:3:26: $.repos[0].owns[1]: it is empty and left out; write a word, or remove it`,
		`r.json:3:55: $.repos[0].owner.team: it holds a character that nobody sees (U+0000)` + ends,
		`r.json:3:77: $.repos[0].id: it holds a character that nobody sees (U+200E)` + ends,
	}
	if diff := cmp.Diff(want, reg.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}
