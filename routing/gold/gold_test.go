package gold

import (
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	t.Parallel()
	good := "\ufeff{\"id\":\"1\",\"title\":\"x\",\"repos\":[\"a\"],\"named\":true,\"created\":\"2024-05-01T12:00:00Z\"}\n\n{\"id\":\"2\",\"title\":\"y\",\"repos\":[\"a\",\"b\"]}\n"
	cases, err := Read("g.jsonl", strings.NewReader(good))
	if err != nil || len(cases) != 2 || cases[1].Repos[1] != "b" || cases[0].Ticket().CreatedAt.Year() != 2024 {
		t.Errorf("cases %+v, %v", cases, err)
	}
	for in, want := range map[string]string{
		"": "holds no case",
		good + "{\"id\":\"3\",\"title\":\"Geb\xfchr\",\"repos\":[\"a\"]}": "g.jsonl:4: byte 0xfc after",
		"{":                                                    "g.jsonl:1: want one JSON object a line",
		`{"id":"1","title":"x"}`:                               "g.jsonl:1: repos: want",
		`{"title":"x","repos":["a"]}`:                          "g.jsonl:1: id: want",
		`{"id":"1","repos":["a"]}`:                             "g.jsonl:1: title: want",
		`{"id":1,"title":"x","repos":["a"]}`:                   "g.jsonl:1: id: want a string, got number",
		`{"id":"1","title":"x","repos":"a"}`:                   "g.jsonl:1: repos: want a list, got string",
		good + `{"id":"1","title":"x","repos":["a"]}`:          `g.jsonl:4: id "1" stands already in line 1`,
		`{"id":"1","title":"x","repos":["a"],"created":"May"}`: "g.jsonl:1: created: want",
		`{"id":"1","title":"x","repos":["a"],"present":{"state":"done"}}`:                  "g.jsonl:1: present.state: want open, shipped or moved",
		`{"id":"1","title":"x","repos":["a"],"present":{"state":"shipped","repos":["a"]}}`: "g.jsonl:1: present.repos: want none of a shipped ticket",
		`{"id":"1","title":"x","repos":["a"],"present":{"state":"moved","repos":[]}}`:      "g.jsonl:1: present.repos: want the repositories a moved ticket",
		`{"id":"1","title":"x","repos":["a"],"present":{"state":"moved"}}`:                 "g.jsonl:1: present.repos: want the repositories a moved ticket",
	} {
		if _, err := Read("g.jsonl", strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%q): %v, want %q", in, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"id":"1","title":"x","repos":["a"]}`)
	f.Add("\x00{\n[1]")
	f.Fuzz(func(t *testing.T, s string) {
		cases, err := Read("g", strings.NewReader(s))
		for _, c := range cases {
			if c.ID == "" || len(c.Repos) == 0 {
				t.Errorf("case %+v passed, error %v", c, err)
			}
		}
	})
}
