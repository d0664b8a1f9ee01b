package registry_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

func change(t *testing.T, text string, do func(e *registry.Edit) error) string {
	t.Helper()
	e, err := registry.NewEdit("r.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := do(e); err != nil {
		t.Fatal(err)
	}
	out, err := e.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// The lines that differ, as a reviewer sees them.
func lineDiff(was, now string) string {
	a, b := strings.Split(was, "\n"), strings.Split(now, "\n")
	lcs := make([][]int, len(a)+1)
	for i := range lcs {
		lcs[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				lcs[i][j] = lcs[i+1][j+1] + 1
			} else {
				lcs[i][j] = max(lcs[i+1][j], lcs[i][j+1])
			}
		}
	}
	var out strings.Builder
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || lcs[i+1][j] >= lcs[i][j+1]):
			out.WriteString("-" + a[i] + "\n")
			i++
		default:
			out.WriteString("+" + b[j] + "\n")
			j++
		}
	}
	return out.String()
}

func TestEditOfNothingKeepsBytes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{repoOrch(), "\ufeff" + repoOrch() + "\r\n\n", strings.ReplaceAll(repoOrch(), "\n", "\r\n")} {
		got := change(t, text, func(e *registry.Edit) error {
			reg, err := registry.Parse("r", []byte(text))
			if err != nil {
				return err
			}
			return e.PutRepo(reg.Repos[0])
		})
		if got != text {
			t.Errorf("bytes changed:\n%s", lineDiff(text, got))
		}
	}
}

func TestEditNew(t *testing.T) {
	t.Parallel()
	e, err := registry.NewEdit("r.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	err = e.PutRepo(routing.Repo{
		Name: "Fare_Box.v2", ID: int64(9007199254740993), CloneURL: "https://git.example/fares.git", Owns: []string{"fares", "zones & <rings>"},
		Description: "Works out fares.", DescriptionSource: "human", Owner: routing.Owner{Team: "Tariff"},
		Siblings: []routing.Sibling{{Repo: "till", Relation: "variant", Tell: []routing.Tell{{Ask: "Which?", Matches: routing.Match{Hosts: []string{"a.example"}}}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Put("till", map[string]any{"path": "./tills/till", "z": 1.50, "owner": map[string]any{"oncall": nil, "team": "Till"}}); err != nil {
		t.Fatal(err)
	}
	got, err := e.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(golden(t, "new.json", got), string(got)); diff != "" {
		t.Errorf("new registry (-want +got):\n%s", diff)
	}
}
