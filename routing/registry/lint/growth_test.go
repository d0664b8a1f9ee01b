package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/routing/registry/lint"
)

// mixedUp are two entries that name each other n times, each time with n rules.
func mixedUp(n int) string {
	entry := func(name, other string) string {
		tell := strings.TrimSuffix(strings.Repeat(`{"ask":"?","matches":{"words":["w"]}},`, n), ",")
		sibling := fmt.Sprintf(`{"repo":%q,"tell":[%s]},`, other, tell)
		return fmt.Sprintf(`{"name":%q,"owns":["%s one"],"description":"d","siblings":[%s]}`, name, name, strings.TrimSuffix(strings.Repeat(sibling, n), ","))
	}
	return `{"version":1,"repos":[` + entry("aa", "bb") + "," + entry("bb", "aa") + `]}`
}

// Twice the siblings with twice the rules are four times the text, and no more than
// that in work.
func TestGrowth(t *testing.T) { //nolint:paralleltest // allocations are counted
	work := func(n int) float64 {
		reg := read(t, mixedUp(n))
		return testing.AllocsPerRun(1, func() { lint.Check(reg, lint.Options{}) })
	}
	few, many := work(12), work(24)
	if many > 6*few {
		t.Errorf("four times the text is %.1f times the work: %.0f and %.0f allocations", many/few, few, many)
	}
}
