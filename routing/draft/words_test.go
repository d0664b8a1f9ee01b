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
