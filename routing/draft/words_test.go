package draft_test

import (
	"slices"
	"testing"

	"github.com/pointsman/pointsman/routing/draft"
	"github.com/pointsman/pointsman/routing/facts"
)

// TestWordsOfEveryReadme holds that what stands in every README, and what every
// folder is called, never is a word that a repository owns.
func TestWordsOfEveryReadme(t *testing.T) {
	t.Parallel()
	readme := func(subject string) []byte {
		return []byte("# " + subject + "\n\nA web service for " + subject + ". Requirements: the api server of the test app. Installation and prerequisites follow.\n")
	}
	in := []draft.Input{
		{Name: "harbour-api", Facts: facts.Facts{Readme: readme("harbour berths"), Paths: []string{"requirements/berth.txt", "web/server/api/berth.go", "test/app/service.go"}}},
		{Name: "crane-web", Facts: facts.Facts{Readme: readme("crane drivers"), Paths: []string{"requirements.txt", "service/driver.go"}}},
		{Name: "ledger", Facts: facts.Facts{Readme: readme("ledger accounts"), Paths: []string{"account.go"}}},
	}
	for _, repo := range draft.Entries(in) {
		if len(repo.Owns) == 0 {
			t.Errorf("%s owns nothing", repo.Name)
		}
		for _, word := range []string{"requirement", "requirements", "api", "web", "service", "server", "app", "test", "installation", "prerequisites"} {
			if slices.Contains(repo.Owns, word) {
				t.Errorf("%s owns %q among %v", repo.Name, word, repo.Owns)
			}
		}
	}
}

// TestFragmentsAreNotWords holds that the short ends and pieces of file names, which
// are parts of everyday words, are not drafted, and that names and acronyms are.
func TestFragmentsAreNotWords(t *testing.T) {
	t.Parallel()
	in := []draft.Input{
		{Name: "harbour-io", Facts: facts.Facts{
			Readme: []byte("# Harbour IO\n\nReads AIS messages of ships, everyone's and at any date, and a sum of them.\n"),
			Paths:  []string{"src/ais/Stream.go", "src/ais/Sum.go", "src/gen/Ash.go", "src/gen/ash_approx.go", "src/stat/optim.go", "src/stat/Buoy.go"},
		}},
		{Name: "harbour-cli", Facts: facts.Facts{Readme: []byte("# Harbour CLI\n\nA terminal for dispatchers of tugs.\n"), Paths: []string{"cmd/tug.go", "cmd/dispatch.go"}}},
		{Name: "ledger", Facts: facts.Facts{Readme: []byte("# Ledger\n\nBooks accounts of our shipping company every month.\n"), Paths: []string{"account.go"}}},
	}
	drafts := draft.Entries(in)
	for _, word := range []string{"sum", "gen", "ash", "approx", "stat", "optim", "everyone", "date", "tug"} {
		for _, repo := range drafts {
			if slices.Contains(repo.Owns, word) {
				t.Errorf("%s owns %q among %v", repo.Name, word, repo.Owns)
			}
		}
	}
	for i, words := range [][]string{{"io", "ais", "buoy"}, {"cli"}} {
		for _, word := range words {
			if !slices.Contains(drafts[i].Owns, word) {
				t.Errorf("%s does not own %q: %v", drafts[i].Name, word, drafts[i].Owns)
			}
		}
	}
}

// TestNamesOfGenericWords holds that a generic word in a name is owned where nothing
// else in the name tells the repository apart, and never beside such a word.
func TestNamesOfGenericWords(t *testing.T) {
	t.Parallel()
	in := []draft.Input{{Name: "acme-text"}, {Name: "acme-io"}, {Name: "acme-harbour-api"}, {Name: "acme"}}
	for i, want := range [][]string{{"text"}, {"io"}, {"harbour"}, {"acme"}} {
		if got := draft.Entries(in)[i].Owns; !slices.Equal(got, want) {
			t.Errorf("%s owns %q, want %q", in[i].Name, got, want)
		}
	}
}
