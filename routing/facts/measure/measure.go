package measure

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing/facts"
)

// Truth is what a person found in one application at one commit. Scope lists the
// files, or the beginnings of their paths, that were counted to the last one.
type Truth struct {
	Repo      string `json:"repo"`   // owner/name
	Commit    string `json:"commit"` // 40 hex digits
	Ecosystem string `json:"ecosystem"`
	// HeldOut says that nobody who wrote a reader had the application at hand.
	HeldOut bool `json:"heldOut"`
	Scope   struct {
		Endpoints []string `json:"endpoints"`
		Env       []string `json:"env"`
		Events    []string `json:"events"`
	} `json:"scope"`
	Endpoints  []Endpoint `json:"endpoints"`
	Doubtful   []Endpoint `json:"doubtful"` // counted neither way
	Env        []string   `json:"env"`
	EnvMay     []string   `json:"env_may"`
	Frameworks *struct {
		Must []string `json:"must"`
		May  []string `json:"may"`
	} `json:"frameworks"`
	Events *struct {
		Emits    []string `json:"emits"`
		Consumes []string `json:"consumes"`
		May      struct {
			Emits    []string `json:"emits"`
			Consumes []string `json:"consumes"`
		} `json:"may"` // counted neither way
	} `json:"events"`
}

// Endpoint is one row of a list: Method "" stands for any.
type Endpoint struct {
	Method string `json:"method"`
	Path   string `json:"path"`
}

// Parse reads a list. Unknown keys, such as notes, are passed over.
func Parse(name string, data []byte) (Truth, error) {
	var t Truth
	if err := json.Unmarshal(data, &t); err != nil {
		return Truth{}, fmt.Errorf("reading %s: %w", name, err)
	}
	if t.Repo == "" || len(t.Commit) != 40 {
		return Truth{}, fmt.Errorf("reading %s: want repo and a commit of 40 hex digits", name)
	}
	return t, nil
}

// Score counts one kind of fact. Right and Wrong are what was read within the
// scope; Found and Missed are what should have been.
type Score struct {
	Right, Wrong, Found, Missed int
	Invented, Lost              []string // examples, in order
}

// Precision is the share of what was read that is true; 0 when nothing was read.
func (s Score) Precision() float64 { return share(s.Right, s.Wrong) }

// Recall is the share of what is there that was read; 0 when nothing is there.
func (s Score) Recall() float64 { return share(s.Found, s.Missed) }

// Add sums two scores.
func (s Score) Add(o Score) Score {
	return Score{
		Right: s.Right + o.Right, Wrong: s.Wrong + o.Wrong, Found: s.Found + o.Found, Missed: s.Missed + o.Missed,
		Invented: slices.Concat(s.Invented, o.Invented), Lost: slices.Concat(s.Lost, o.Lost),
	}
}

func share(yes, no int) float64 {
	if yes+no == 0 {
		return 0
	}
	return float64(yes) / float64(yes+no)
}

// Result holds the scores of one application; nil where a kind was not counted.
type Result struct {
	Endpoints  *Score // method and path
	Paths      *Score // path alone
	Env        *Score
	Frameworks *Score
	Events     *Score
}

// Compare holds what was read against the list. Names of parameters and the case
// of paths do not count. What was read outside the scope is not judged, unless it
// is on the list: some readers name the file that mounts a route, or a copy.
func Compare(t Truth, f facts.Facts) Result {
	var r Result
	if len(t.Endpoints) > 0 {
		r.Endpoints, r.Paths = t.endpoints(f, true), t.endpoints(f, false)
	}
	if len(t.Env) > 0 {
		r.Env = names(t.Scope.Env, t.Env, t.EnvMay, f.EnvVars, strings.Clone)
	}
	if t.Frameworks != nil {
		r.Frameworks = t.frameworks(f)
	}
	if t.Events != nil {
		all := names(t.Scope.Events, t.Events.Emits, t.Events.May.Emits, f.Emits, strings.ToLower).
			Add(*names(t.Scope.Events, t.Events.Consumes, t.Events.May.Consumes, f.Consumes, strings.ToLower))
		r.Events = &all
	}
	return r
}

// key is a path as it is compared.
func key(path string) string {
	parameter := regexp.MustCompile(`\{[^}/]*\}`)
	return strings.ToLower(strings.Trim(parameter.ReplaceAllString(path, "{}"), "/"))
}

func (t Truth) endpoints(f facts.Facts, methods bool) *Score {
	form := func(method, path string) string {
		if methods {
			return method + " " + key(path)
		}
		return key(path)
	}
	there, doubtful := map[string]bool{}, map[string]bool{}
	for _, e := range t.Endpoints {
		there[form(e.Method, e.Path)] = true
	}
	for _, e := range t.Doubtful {
		doubtful[key(e.Path)] = true
	}
	var s Score
	read, judged := map[string]bool{}, map[string]bool{}
	for _, e := range f.Endpoints {
		k := form(e.Method, e.Path)
		read[k], read[form("*", e.Path)] = true, true
		if judged[k] {
			continue
		}
		judged[k] = true
		switch {
		case there[k] || methods && there[form("", e.Path)]:
			s.Right++
		case within(t.Scope.Endpoints, e.At.Path) && !doubtful[key(e.Path)]:
			s.Wrong++
			s.Invented = append(s.Invented, k+" ("+e.At.Path+")")
		}
	}
	for k := range there {
		_, path, _ := strings.Cut(k, " ")
		if read[k] || methods && strings.HasPrefix(k, " ") && read["* "+path] {
			s.Found++
		} else {
			s.Missed++
			s.Lost = append(s.Lost, k)
		}
	}
	slices.Sort(s.Lost)
	return &s
}

// within tells whether a file is one of the scope's, or below one of its folders.
func within(scope []string, file string) bool {
	return slices.ContainsFunc(scope, func(p string) bool { return strings.HasPrefix(file, p) })
}

func names(scope, must, may []string, read []facts.Name, fold func(string) string) *Score {
	there, tolerated, got := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, n := range must {
		there[fold(n)] = true
	}
	for _, n := range may {
		tolerated[fold(n)] = true
	}
	var s Score
	for _, n := range read {
		v := fold(n.Value)
		if got[v] {
			continue
		}
		got[v] = true
		switch {
		case !within(scope, n.At.Path):
		case there[v]:
			s.Right++
		case !tolerated[v]:
			s.Wrong++
			s.Invented = append(s.Invented, n.Value+" ("+n.At.Path+")")
		}
	}
	for n := range there {
		if got[n] {
			s.Found++
		} else {
			s.Missed++
			s.Lost = append(s.Lost, n)
		}
	}
	slices.Sort(s.Lost)
	return &s
}

func (t Truth) frameworks(f facts.Facts) *Score {
	var s Score
	known := map[string]bool{}
	for _, n := range slices.Concat(t.Frameworks.Must, t.Frameworks.May) {
		known[plain(n)] = true
	}
	read := map[string]bool{}
	for _, n := range f.Frameworks {
		read[plain(n)] = true
		if known[plain(n)] {
			s.Right++
		} else {
			s.Wrong++
			s.Invented = append(s.Invented, n)
		}
	}
	for _, n := range t.Frameworks.Must {
		if read[plain(n)] {
			s.Found++
		} else {
			s.Missed++
			s.Lost = append(s.Lost, n)
		}
	}
	return &s
}

// plain folds the spellings of a framework: Next.js, NextJS, next js.
func plain(name string) string {
	name = strings.ToLower(name)
	name = strings.NewReplacer(".", "", " ", "", "-", "", "core", "").Replace(name)
	return strings.TrimSuffix(name, "js")
}
