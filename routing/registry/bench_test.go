package registry_test

import (
	"fmt"
	"testing"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

// large is a registry of n entries as init writes them.
func large(tb testing.TB, n int) []byte {
	tb.Helper()
	e, err := registry.NewEdit("r.json", nil)
	if err != nil {
		tb.Fatal(err)
	}
	for i := range n {
		var owns, endpoints []string
		for j := range 8 {
			owns = append(owns, fmt.Sprintf("domain%d part%d", i, j))
		}
		for j := range 20 {
			endpoints = append(endpoints, fmt.Sprintf("GET /v1/things%d/{id}/parts%d", i, j))
		}
		err := e.PutRepo(routing.Repo{
			Name: fmt.Sprintf("service-%d", i), ID: int64(i + 1), CloneURL: fmt.Sprintf("https://git.example/acme/service-%d.git", i),
			Description: fmt.Sprintf("Keeps the things of district %d and tells billing%d what they cost.", i, i*7),
			Owns:        owns, Endpoints: endpoints, Languages: []string{"Go"}, Emits: []string{fmt.Sprintf("thing%d.made", i)},
			Owner: routing.Owner{Team: fmt.Sprintf("team-%d", i%40)}, DependsOn: []string{fmt.Sprintf("service-%d", (i+1)%n)},
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	text, err := e.Bytes()
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

func BenchmarkParse(b *testing.B) {
	text := large(b, 1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := registry.Parse("r.json", text); err != nil {
			b.Fatal(err)
		}
	}
}
