package gold

import (
	"slices"
	"sort"
)

// The ways in which two gold files can differ on a case.
const (
	DiffMissing  = "missing"  // no case of the other file holds any of its commits
	DiffCommits  = "commits"  // the same repositories, but not all of its commits
	DiffWider    = "wider"    // the other file has its repositories and more
	DiffNarrower = "narrower" // the other file has some of its repositories only
	DiffOther    = "other"    // neither set holds the other
)

// Difference is a case on which two gold files differ.
type Difference struct {
	Kind  string   `json:"kind"`
	Want  string   `json:"want"` // id
	Got   string   `json:"got"`  // id of the case that holds most of its commits; "" for none
	Repos []string `json:"repos"`
	Have  []string `json:"have"`
	Lost  []string `json:"lost"` // commits that the other case does not hold, as repository@commit
}

// Comparison is how far a gold file finds the cases of another one again.
type Comparison struct {
	N       int            `json:"n"`       // cases that could be compared: they name commits
	Same    int            `json:"same"`    // found with the same set of repositories
	Exact   int            `json:"exact"`   // of these, with all the commits
	Kinds   map[string]int `json:"kinds"`   // differences by kind; DiffCommits counts in Same
	Skipped int            `json:"skipped"` // cases without commits
	Differ  []Difference   `json:"differ"`
}

// Compare looks for every case of want among got. Ids may differ: the case that
// holds most of its commits is taken for the same ticket.
func Compare(want, got []Case) Comparison {
	holders := map[string][]int{}
	for i, c := range got {
		for _, k := range commitKeys(c) {
			holders[k] = append(holders[k], i)
		}
	}
	r := Comparison{Kinds: map[string]int{}, Differ: []Difference{}}
	for _, c := range want {
		keys := commitKeys(c)
		if len(keys) == 0 {
			r.Skipped++
			continue
		}
		r.N++
		d := diff(c, keys, got, holders)
		if d.Kind == "" || d.Kind == DiffCommits {
			r.Same++
		}
		if d.Kind == "" {
			r.Exact++
			continue
		}
		r.Kinds[d.Kind]++
		r.Differ = append(r.Differ, d)
	}
	return r
}

func commitKeys(c Case) []string {
	var keys []string
	for repo, hashes := range c.Commits {
		for _, h := range hashes {
			keys = append(keys, repo+"@"+h)
		}
	}
	sort.Strings(keys)
	return keys
}

func diff(c Case, keys []string, got []Case, holders map[string][]int) Difference {
	held := map[int]int{}
	best := -1
	for _, k := range keys {
		for _, i := range holders[k] {
			held[i]++
		}
	}
	for i, n := range held {
		if best < 0 || n > held[best] || n == held[best] && i < best {
			best = i
		}
	}
	d := Difference{Want: c.ID, Repos: sorted(c.Repos), Have: []string{}, Lost: []string{}}
	for _, k := range keys {
		if !slices.Contains(holders[k], best) {
			d.Lost = append(d.Lost, k)
		}
	}
	if best < 0 {
		d.Kind = DiffMissing
		return d
	}
	d.Got, d.Have = got[best].ID, sorted(got[best].Repos)
	switch wider, narrower := within(d.Repos, d.Have), within(d.Have, d.Repos); {
	case wider && narrower && len(d.Lost) == 0:
	case wider && narrower:
		d.Kind = DiffCommits
	case wider:
		d.Kind = DiffWider
	case narrower:
		d.Kind = DiffNarrower
	default:
		d.Kind = DiffOther
	}
	return d
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	sort.Strings(list)
	return list
}

func within(a, b []string) bool {
	for _, s := range a {
		if !slices.Contains(b, s) {
			return false
		}
	}
	return true
}
