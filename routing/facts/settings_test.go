package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/facts"
)

// Only names are read from a sample: the lines of a value that goes on are not
// names, though base64 often ends like one.
func TestNamesOfASample(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"double quotes":  {"ONE=\"-----BEGIN X-----\nMIIEQZAAA=\nQZQZQZ==\n-----END X-----\"\nTWO=2\n", []string{"ONE", "TWO"}},
		"single quotes":  {"ONE='a\nQZQZ=\\\n'\nTWO=2\n", []string{"ONE", "TWO"}},
		"no quotes":      {"ONE=-----BEGIN X-----\nQZQZQZ=\n-----END X-----\nTWO=2\n", []string{"ONE", "TWO"}},
		"escaped quote":  {"ONE=\"a\\\"\nQZQZ=\n\"\nTWO=2\n", []string{"ONE", "TWO"}},
		"closed at once": {"ONE=\"a\" # it's\nTWO='b'\nexport THREE=\n", []string{"ONE", "THREE", "TWO"}},
		"mixed case":     {"MIIEqz7AAA=\nlower_name=1\nONE=1\n", []string{"ONE", "lower_name"}},
		"never closed":   {"ONE=\"a\nQZQZ=\n", []string{"ONE"}},
		"an apostrophe":  {"ONE=it's\nTWO=2\n", []string{"ONE", "TWO"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := facts.NewScan()
			s.Want(".env.example", int64(len(tc.text)))
			s.Add(routing.Document{Path: ".env.example", Text: []byte(tc.text)})
			var got []string
			for _, n := range s.Facts().EnvVars {
				got = append(got, n.Value)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}
