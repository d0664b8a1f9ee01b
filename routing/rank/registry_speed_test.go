package rank_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/rank"
)

// word invents one of n words of three or four syllables, the same for the same i.
func word(i, n int) string {
	syllables := strings.Fields("ba re ti mon la su dri ke vol pa ni gor te lum fa si ro bel du ca")
	i = i % n * 7919
	var b strings.Builder
	for range 3 + i%2 {
		b.WriteString(syllables[i%len(syllables)])
		i = i/len(syllables) + i*31
	}
	return b.String()
}

// manyEntries is a registry of the size the points table must be quick on: 1,000
// entries with 30 keywords, 20 endpoints, 10 events and 10 settings each.
func manyEntries() []routing.Repo {
	var repos []routing.Repo
	for i := range 1000 {
		r := routing.Repo{Name: fmt.Sprintf("service-%d", i), Languages: []string{"Go", "TypeScript"}, Frameworks: []string{"Echo"}, Owner: routing.Owner{Team: "@acme/team-" + word(i, 80)}}
		for j := range 30 {
			r.Owns = append(r.Owns, word(i*31+j*7, 900)+" "+word(i*17+j*5, 700))
		}
		for j := range 20 {
			r.Endpoints = append(r.Endpoints, fmt.Sprintf("GET /v1/%s/{id}/%s%d", word(i+j, 300), word(j, 90), i))
		}
		for j := range 10 {
			r.Emits = append(r.Emits, fmt.Sprintf("%s.%s.v1", word(i+j, 600), word(j, 40)))
			r.ConfigContracts.EnvVars = append(r.ConfigContracts.EnvVars, strings.ToUpper(word(i+j*3, 500))+"_URL")
			r.AuthContracts.Requires = append(r.AuthContracts.Requires, word(i+j, 30)+"_id")
		}
		r.ErrorContracts.Codes = []string{"401 no token", "409 conflict", "429 too many"}
		repos = append(repos, r)
	}
	return repos
}

// ticketOf invents a ticket of about so many bytes: prose, with a word of the
// registry in each sentence and a path now and then.
func ticketOf(size int) routing.Ticket {
	prose := strings.Fields(`Since this morning people see an old page after they have sent their form twice and
		nobody knows whether the second one was taken because no message comes back while earlier ones did so within minutes`)
	var body strings.Builder
	for i := 0; body.Len() < size; i++ {
		for j := range 12 {
			body.WriteString(prose[(i*5+j*7)%len(prose)] + " ")
		}
		fmt.Fprintf(&body, "in %s, with %d. ", word(i*13, 1200), 400+i%60)
		if i%10 == 0 {
			fmt.Fprintf(&body, "GET /v1/%s/42 said so.\n", word(i, 300))
		}
	}
	return routing.Ticket{Title: "It breaks at /v1/" + word(7, 300) + "/42", Body: body.String()}
}

func TestRegistryIsQuick(t *testing.T) {
	t.Parallel()
	repos, ticket := manyEntries(), ticketOf(25_000)
	best := time.Hour
	for range 5 {
		start := time.Now()
		if _, err := rank.NewRegistry(rank.RegistryOptions{}).Rank(t.Context(), ticket, repos); err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	// A busy machine and the race detector get their share; quadratic work does not.
	if best > 2*time.Second {
		t.Errorf("1,000 entries took %v", best)
	}
}

func BenchmarkRegistry(b *testing.B) {
	repos := manyEntries()
	for _, size := range []int{500, 2_500, 25_000} {
		ticket := ticketOf(size)
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rank.NewRegistry(rank.RegistryOptions{}).Rank(b.Context(), ticket, repos); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A large registry is scored on all processors, and each entry as if it stood alone.
func TestManyEntriesScoreAsFewDo(t *testing.T) {
	t.Parallel()
	var repos []routing.Repo
	for i := range 1000 {
		repos = append(repos, routing.Repo{Name: fmt.Sprintf("quay-%d", i), Owns: []string{fmt.Sprintf("berth %d", i), "mooring"}})
	}
	ticket := routing.Ticket{Title: "Berth 7 and berth 612 share a mooring with quay-999"}
	scores := func(repos []routing.Repo) map[string]float64 {
		r, err := rank.NewRegistry(rank.RegistryOptions{}).Rank(t.Context(), ticket, repos)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]float64{}
		for _, h := range r.Hits {
			out[h.Repo] = h.Score
		}
		return out
	}
	want := map[string]float64{}
	for some := range slices.Chunk(repos, 100) {
		maps.Copy(want, scores(some))
	}
	got := scores(repos)
	if d := cmp.Diff(want, got); d != "" || len(got) != 1000 || got["quay-612"] <= got["quay-8"] {
		t.Errorf("scores of %d (-few +many):\n%s", len(got), d)
	}
}
