package gold

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	c := func(id string, commits map[string][]string) Case {
		k := Case{ID: id, Title: id, Commits: commits}
		for repo := range commits {
			k.Repos = append(k.Repos, repo)
		}
		return k
	}
	want := []Case{
		c("w1", map[string][]string{"a": {"1"}, "b": {"2"}}),
		c("w2", map[string][]string{"a": {"3", "4", "5"}}),
		c("w3", map[string][]string{"a": {"6"}}),
		c("w4", map[string][]string{"a": {"7"}, "b": {"8"}}),
		c("w5", map[string][]string{"a": {"9"}}),
		c("w6", map[string][]string{"a": {"10"}, "b": {"11"}}),
		c("w7", nil),
	}
	got := []Case{
		c("g1", map[string][]string{"b": {"2"}, "a": {"1", "99"}}),
		c("g2", map[string][]string{"a": {"3"}}), c("g2b", map[string][]string{"a": {"5", "4"}}),
		c("g3", map[string][]string{"a": {"6"}, "c": {"77"}}),
		c("g4", map[string][]string{"b": {"8"}}),
		c("g6", map[string][]string{"a": {"10"}, "c": {"12"}}),
	}
	r := Compare(want, got)
	d := cmp.Diff(Comparison{
		N: 6, Same: 2, Exact: 1, Skipped: 1,
		Kinds: map[string]int{DiffCommits: 1, DiffWider: 1, DiffNarrower: 1, DiffMissing: 1, DiffOther: 1},
		Differ: []Difference{
			{DiffCommits, "w2", "g2b", []string{"a"}, []string{"a"}, []string{"a@3"}},
			{DiffWider, "w3", "g3", []string{"a"}, []string{"a", "c"}, []string{}},
			{DiffNarrower, "w4", "g4", []string{"a", "b"}, []string{"b"}, []string{"a@7"}},
			{DiffMissing, "w5", "", []string{"a"}, []string{}, []string{"a@9"}},
			{DiffOther, "w6", "g6", []string{"a", "b"}, []string{"a", "c"}, []string{"b@11"}},
		},
	}, r)
	if d != "" {
		t.Error(d)
	}
}
