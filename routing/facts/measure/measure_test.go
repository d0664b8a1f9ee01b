package measure_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing/facts"
	"github.com/pointsman/pointsman/routing/facts/measure"
)

// The counts are by hand: three of four endpoints that were judged are right; of four that
// are there three were read, one of them under any method.
func TestCompare(t *testing.T) {
	t.Parallel()
	truth, err := measure.Parse("truth", []byte(`{"repo":"a/b","commit":"0123456789012345678901234567890123456789",
		"scope":{"endpoints":["src/"],"env":["src/"],"events":["src/"]},
		"endpoints":[{"method":"GET","path":"/users/{id}"},{"method":"POST","path":"/users"},{"method":"","path":"/any"},{"method":"PUT","path":"/lost"}],
		"doubtful":[{"method":"GET","path":"/perhaps"}],
		"env":["HOST","PORT"],"env_may":["HOME"],
		"frameworks":{"must":["Next.js","Gin"],"may":["Jest"]},
		"events":{"emits":["Order.Placed"],"consumes":["order.paid"],"may":{"emits":["orders"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	at := facts.Place{Path: "src/a.js", Line: 1}
	got := measure.Compare(truth, facts.Facts{
		Endpoints: []facts.Endpoint{
			{Method: "GET", Path: "/Users/{userID}", At: at},
			{Method: "GET", Path: "/any", At: at},
			{Method: "GET", Path: "/invented", At: at},
			{Method: "GET", Path: "/perhaps", At: at},
			{Method: "POST", Path: "/users", At: facts.Place{Path: "app.js"}},
			{Method: "GET", Path: "/elsewhere", At: facts.Place{Path: "app.js"}},
		},
		EnvVars:    []facts.Name{{Value: "HOST", At: at}, {Value: "HOME", At: at}, {Value: "SHELL", At: at}},
		Frameworks: []string{"NextJS", "Jest", "Rails"},
		Emits:      []facts.Name{{Value: "order.placed", At: at}, {Value: "orders", At: at}},
	})
	want := measure.Result{
		Endpoints:  &measure.Score{Right: 3, Wrong: 1, Found: 3, Missed: 1, Invented: []string{"GET invented (src/a.js)"}, Lost: []string{"PUT lost"}},
		Paths:      &measure.Score{Right: 3, Wrong: 1, Found: 3, Missed: 1, Invented: []string{"invented (src/a.js)"}, Lost: []string{"lost"}},
		Env:        &measure.Score{Right: 1, Wrong: 1, Found: 1, Missed: 1, Invented: []string{"SHELL (src/a.js)"}, Lost: []string{"PORT"}},
		Frameworks: &measure.Score{Right: 2, Wrong: 1, Found: 1, Missed: 1, Invented: []string{"Rails"}, Lost: []string{"Gin"}},
		Events:     &measure.Score{Right: 1, Found: 1, Missed: 1, Lost: []string{"order.paid"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if p, r := got.Endpoints.Precision(), got.Endpoints.Recall(); p != 3.0/4 || r != 3.0/4 {
		t.Errorf("precision %v, recall %v", p, r)
	}
}

func TestParseRefusesWhatNamesNoCommit(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{`{`, `{"repo":"a/b"}`, `{"commit":"0123456789012345678901234567890123456789"}`} {
		if _, err := measure.Parse("x.json", []byte(bad)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}
