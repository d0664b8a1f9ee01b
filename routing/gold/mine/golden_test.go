package mine

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing/gold"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The whole file, and the whole report, of a small organisation.
func TestGolden(t *testing.T) {
	t.Parallel()
	cases, report := tell(t, Options{}, map[string]Ticket{"PAY-1": {Title: "Refunds are charged twice", Body: "After a retry.", Created: "2022-12-30T08:00:00Z"}}, map[string][]made{
		"cart": {
			{id: "a", message: "start", files: "cart/a.py"},
			{id: "b", message: "PAY-1 Charge once", files: "cart/a.py cart/tests/test_a.py", day: 1},
			{id: "c", message: "PAY-1 More tests", files: "cart/tests/test_a.py", day: 2},
			{id: "d", message: "Show the total\n\nIt was hidden.\n\nCloses-Bug: #1234567\nRelated-Bug: #1234500", files: "cart/b.py", day: 3},
			{id: "e", message: "Merge branch 'PAY-2'", parents: "d b", day: 4},
		},
		"ledger": {
			{id: "f", message: "start of ledger", files: "ledger/a.py"},
			{id: "g", message: "Book once (PAY-1)", files: "ledger/a.py ledger/b.py", day: 2},
			{id: "h", message: "Revert \"Book once (PAY-1)\"", files: "ledger/a.py", day: 3},
			{id: "i", message: "Book once, again (PAY-1)", files: "ledger/a.py", day: 4},
			{id: "j", message: "Round the total\n\nPartial-Bug: #1234567", files: "ledger/c.py", day: 5},
		},
	})
	var got bytes.Buffer
	if err := gold.Write(&got, cases); err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got.Write(append(text, '\n'))
	name := filepath.Join("testdata", "mined.golden")
	if *update {
		if err := os.WriteFile(name, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Error(d)
	}
}
