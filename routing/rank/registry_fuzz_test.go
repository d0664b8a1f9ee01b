package rank_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/rank"
)

func FuzzRegistry(f *testing.F) {
	f.Add("POST https://a.example/v1/x?y=z (/v1/x) C++ 401", "POST /v1/{id}", "C++")
	f.Add("\xff\x00/", "//", "")
	f.Add("/", "*", "/")
	f.Fuzz(func(t *testing.T, text, a, b string) {
		repo := routing.Repo{
			Name: b, Owns: []string{a, b}, Endpoints: []string{a, b}, Emits: []string{a}, Hosts: []string{a, b}, Packages: []string{a},
			Languages: []string{a, b}, Owner: routing.Owner{Team: a}, ErrorContracts: routing.ErrorContracts{Codes: []string{a, b}},
			ConfigContracts: routing.ConfigContracts{EnvVars: []string{a}}, AuthContracts: routing.AuthContracts{Issues: []string{b}},
		}
		for _, least := range []int{1, 4} {
			r, err := rank.NewRegistry(rank.RegistryOptions{MinPartial: least}).Rank(t.Context(), routing.Ticket{Body: text}, []routing.Repo{repo})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range r.Hits {
				if len(h.Points) == 0 || len(h.Reasons) == 0 || !(h.Score > 0) {
					t.Errorf("a hit that does not explain itself: %+v", h)
				}
			}
		}
	})
}

// What the tokeniser makes of a text: no stop word, no capital, no punctuation.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"The Billing page isn't up", "don\u2019t", "İstanbul ſ ǅ", "支払い e\u0301", "\xff\x00a", "C++ k8s 2fa 401"} {
		f.Add(s)
	}
	g := rank.NewRegistry(rank.RegistryOptions{})
	f.Fuzz(func(t *testing.T, text string) {
		r, err := g.Rank(t.Context(), routing.Ticket{Title: text}, []routing.Repo{{Name: "x", Owns: []string{text}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range r.Keywords {
			if w == "" || strings.ContainsAny(w, " \t\n.,;:-_/") || w != strings.ToLower(w) || w == "the" {
				t.Errorf("%q became %q", text, w)
			}
		}
		// A text that is itself a keyword is met word for word.
		if len(r.Keywords) > 0 && !slices.ContainsFunc(r.Hits, func(h routing.Hit) bool { return h.Points[0].Rule == rank.RuleOwns }) {
			t.Errorf("the keyword %q does not meet itself: %+v", text, r.Hits)
		}
	})
}

// The matcher of endpoints: an endpoint with something to tell meets itself, and
// what meets an endpoint is a path that the ticket has.
func FuzzEndpoint(f *testing.F) {
	for _, s := range [][2]string{
		{"GET /v1/refunds/{id}", "/v1/refunds/42"},
		{"/a/*", "/a/b/c"},
		{"/{x...}", "/"},
		{"//", "//"},
		{"https://a.example/x?y#z", "a.example/x"},
		{"Service.Method", "Service.Method"},
		{"/a/:b/[c]/<d>/$e", "[/a/1/2/3/4]"},
		{"POST ", "**/x**"},
	} {
		f.Add(s[0], s[1])
	}
	g := rank.NewRegistry(rank.RegistryOptions{})
	f.Fuzz(func(t *testing.T, endpoint, text string) {
		repo := []routing.Repo{{Name: "?", Endpoints: []string{endpoint}}}
		r, err := g.Rank(t.Context(), routing.Ticket{Title: text}, repo)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Hits {
			for _, p := range h.Points {
				if !strings.Contains(text, p.Term) && !strings.EqualFold(endpoint, p.Term) && !strings.Contains(strings.ToLower(endpoint), strings.ToLower(p.Term)) {
					t.Errorf("%q met %q by %q, which stands in neither", text, endpoint, p.Term)
				}
			}
		}
	})
}

func FuzzTables(f *testing.F) {
	f.Add([]byte(`{"version": "a", "stopWords": {"add": ["x"], "remove": ["can"]}, "acronyms": {"pos": ["till", "point of sale"], "ci": null}, "points": {"team": 3}}`))
	f.Add([]byte(`{"version": "a", "stopWords": ["x"], "synonyms": {"a b": ["c"]}}`))
	f.Add([]byte("{\n\"version\": 1}"))
	f.Add([]byte(`{"version":"a","points":{"team":1e999}}`))
	f.Add([]byte("[{]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tables, err := rank.ParseTables("t.json", data)
		if err != nil {
			if !strings.Contains(err.Error(), "t.json") {
				t.Errorf("the error names no file: %v", err)
			}
			return
		}
		for rule, n := range tables.Points() {
			if !(n >= 0 && n <= 10) {
				t.Errorf("points.%s = %v", rule, n)
			}
		}
		if tables.Version == "" || tables.Hash == "" {
			t.Errorf("no name: %+v", tables)
		}
		if _, err := rank.NewRegistry(rank.RegistryOptions{Tables: tables}).Rank(t.Context(), routing.Ticket{Title: "pos ci login team"}, []routing.Repo{{Name: "x", Owns: []string{"till"}}}); err != nil {
			t.Fatal(err)
		}
	})
}
