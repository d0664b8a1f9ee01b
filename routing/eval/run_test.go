package eval

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/engine"
	"github.com/pointsman/pointsman/routing/gold"
)

// broken is a router that fails on one title, and calls off before another.
type broken struct {
	cancel context.CancelFunc
}

var errTorn = errors.New("reading the index: torn")

func (b broken) Trace(ctx context.Context, t routing.Ticket, _ engine.Snapshot) (routing.Decision, []routing.Ranking, error) {
	switch t.Title {
	case "torn":
		return routing.Decision{}, nil, errTorn
	case "stop":
		b.cancel()
		return routing.Decision{}, nil, ctx.Err()
	}
	return routing.Decision{Verdict: routing.VerdictNone}, nil, nil
}

func TestARunThatFailsSaysWhere(t *testing.T) {
	t.Parallel()
	s := organisation("a")
	case1, torn, stop := ticket("1", "a"), ticket("torn", "a"), ticket("stop", "a")
	_, err := Run(t.Context(), []gold.Case{case1, torn, ticket("2", "a")}, s, broken{}, Options{Workers: 2})
	if !errors.Is(err, errTorn) || !strings.HasPrefix(err.Error(), "case torn: ") {
		t.Errorf("%v, want %v of case torn", err, errTorn)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Run(ctx, []gold.Case{stop, case1}, s, broken{cancel}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("called off: %v", err)
	}
}

func TestProgressCountsEveryTicketOnce(t *testing.T) {
	t.Parallel()
	var seen []int
	cases := []gold.Case{ticket("1", "a"), ticket("2", "a"), ticket("3", "a")}
	_, err := Run(t.Context(), cases, organisation("a"), oracle{"1": "1a", "2": "1a"}, Options{Workers: 3, Progress: func(done, total int) {
		if total != 3 {
			t.Errorf("of %d", total)
		}
		seen = append(seen, done)
	}})
	if err != nil || len(seen) != 3 || seen[0] != 1 || seen[2] != 3 {
		t.Errorf("progress %v, %v", seen, err)
	}
}

// Every key of the JSON report is explained.
func TestReportKeysAreDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/evaluation.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[Report](), reflect.TypeFor[System](), reflect.TypeFor[Sets](), reflect.TypeFor[Against]()} {
		for i := range typ.NumField() {
			if key := typ.Field(i).Tag.Get("json"); key != "schema" && !strings.Contains(string(doc), "`"+key+"`") {
				t.Errorf("docs/evaluation.md lacks `%s` of %s", key, typ.Name())
			}
		}
	}
}
