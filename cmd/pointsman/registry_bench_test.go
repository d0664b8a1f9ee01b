package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/rank"
	"github.com/pointsman/pointsman/routing/registry"
	"github.com/pointsman/pointsman/routing/registry/lint"
)

// shape is how much an entry of an invented registry holds.
type shape struct{ entries, owns, endpoints, events, vars int }

// usual is what init drafts for an organisation of 1,000 repositories; full is
// one whose entries hold every route of their code.
func usual() shape { return shape{1000, 8, 6, 3, 5} }
func full() shape  { return shape{1000, 8, 24, 6, 10} }

// thing invents a word: some are in many entries, most in a few.
func thing(i, j int) string {
	const heads = "berth cargo crane customs depot driver fleet freight gate harbour hatch invoice lane loading manifest mooring parcel pilot quay ramp reefer route stowage tariff tide toll towage truck vessel yard"
	const tails = "allowance balance booking calendar claim dispute export forecast history label ledger limit notice order permit plan quote rate receipt refund reminder report schedule slot statement surcharge ticket transfer voucher window"
	h, t := strings.Fields(heads), strings.Fields(tails)
	n := i*37 + j*j*101 + i/len(h)*13
	return h[n%len(h)] + " " + t[(n/len(h)+i+j*7)%len(t)]
}

// own invents a word that few entries share.
func own(i int) string {
	syllables := strings.Fields("ba re ti mon la su dri ke vol pa ni gor te lum fa si ro bel du ca")
	return syllables[i%20] + syllables[i/20%20] + syllables[(i/7+3)%20]
}

// inventedRegistry writes a registry as init writes it.
func inventedRegistry(tb testing.TB, s shape) string {
	tb.Helper()
	e, err := registry.NewEdit("r.json", nil)
	if err != nil {
		tb.Fatal(err)
	}
	for i := range s.entries {
		name := fmt.Sprintf("%s-%d", strings.ReplaceAll(thing(i, 0), " ", "-"), i)
		r := routing.Repo{
			Name: name, ID: int64(90_000_000 + i*17), Host: "git.example", CloneURL: "https://git.example/acme/" + name + ".git",
			DefaultBranch: "main", Visibility: "internal", Languages: []string{"Go", "TypeScript"}, Frameworks: []string{"Echo"},
			Description: fmt.Sprintf("Keeps the %s of the %s office: takes what the %s desk enters, tells the %s service when it changes, and answers to agents who ask about a %s or want the %s put right.",
				thing(i, 1), own(i), thing(i, 3), own(i/2), thing(i, 5), own(i/3)),
			Owner: routing.Owner{Team: fmt.Sprintf("@acme/team-%d", i%60)},
		}
		for j := range s.owns {
			word := thing(i, j)
			if j >= 3 { // most keywords are an entry's own
				word = own(i/2*7+j) + " " + strings.Fields(word)[j%2]
			}
			r.Owns = append(r.Owns, word)
		}
		for j := range s.endpoints {
			head, tail, _ := strings.Cut(thing(i, j), " ")
			r.Endpoints = append(r.Endpoints, fmt.Sprintf("%s /api/v%d/%ss/{id}/%ss%d", []string{"GET", "POST", "DELETE"}[j%3], 1+i%2, head, tail, j/30))
		}
		for j := range s.events {
			r.Emits = append(r.Emits, strings.ReplaceAll(thing(i, j+9), " ", ".")+".v1")
		}
		for j := range s.vars {
			r.ConfigContracts.EnvVars = append(r.ConfigContracts.EnvVars, strings.ToUpper(strings.ReplaceAll(thing(i, j+3), " ", "_"))+"_URL")
		}
		if err := e.PutRepo(r); err != nil {
			tb.Fatal(err)
		}
	}
	text, err := e.Bytes()
	if err != nil {
		tb.Fatal(err)
	}
	file := filepath.Join(tb.TempDir(), "registry.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		tb.Fatal(err)
	}
	return file
}

// aTicket is a report of the usual length.
func aTicket() routing.Ticket {
	return routing.Ticket{
		Title: "Refund of a mooring surcharge is paid twice",
		Body: "Since Tuesday the quay desk sees two refunds in the ledger after they press the button once. POST /api/v1/moorings/42/refunds answers 409 the second time, " +
			"and mooring.refund.v1 goes out again. On staging with MOORING_REFUND_URL set to the old host it does not happen. The pilot who asked has no receipt, " +
			"and the statement for the month shows both. Please look at the berth booking screen as well, it shows the old balance until the page is loaded anew.",
	}
}

func load(tb testing.TB, file string) registry.Registry {
	tb.Helper()
	reg, err := registry.Load(file)
	if err != nil {
		tb.Fatal(err)
	}
	return reg
}

// check returns how many findings there are.
func check(reg registry.Registry) int {
	return len(lint.Check(reg, lint.Options{Now: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)}))
}

func score(tb testing.TB, reg registry.Registry) routing.Ranking {
	tb.Helper()
	ranking, err := rank.NewRegistry(rank.RegistryOptions{}).Rank(tb.Context(), aTicket(), reg.Repos)
	if err != nil {
		tb.Fatal(err)
	}
	return ranking
}

// BenchmarkRegistryThousand measures what stands between a person and the first
// answer of the points of a registry: reading its file, linting it, scoring a ticket.
func BenchmarkRegistryThousand(b *testing.B) {
	for name, s := range map[string]shape{"usual": usual(), "full": full()} {
		file := inventedRegistry(b, s)
		reg := load(b, file)
		steps := []struct {
			name string
			run  func()
		}{
			{"load", func() { load(b, file) }},
			{"lint", func() { check(reg) }},
			{"score", func() { score(b, reg) }},
			{"all", func() { r := load(b, file); check(r); score(b, r) }},
		}
		for _, step := range steps {
			b.Run(name+"/"+step.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					step.run()
				}
			})
		}
	}
}

// A time is not the same on two machines. Allocations are, nearly, and they grow
// with whatever would make the three slow.
func TestRegistryThousandAllocates(t *testing.T) { //nolint:paralleltest // allocations are counted for the whole program
	file := inventedRegistry(t, usual())
	reg := load(t, file)
	if hits := score(t, reg).Hits; len(hits) == 0 {
		t.Fatal("the ticket meets no entry: the figures would say nothing")
	}
	for _, step := range []struct {
		name string
		most float64 // about twice what was measured
		run  func()
	}{
		{"load", 40_000, func() { load(t, file) }},
		{"lint", 115_000, func() {
			if check(reg) == 0 {
				t.Error("lint finds nothing: the figure would say little")
			}
		}},
		{"score", 40_000, func() { score(t, reg) }},
	} {
		if got := testing.AllocsPerRun(2, step.run); got > step.most {
			t.Errorf("%s: %.0f allocations for 1,000 entries, want at most %.0f", step.name, got, step.most)
		}
	}
}
