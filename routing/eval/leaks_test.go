package eval

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/gold"
)

func TestLeaksFindTitlesWordForWord(t *testing.T) {
	t.Parallel()
	clean := func(tk routing.Ticket) routing.Ticket { return tk }
	l := NewLeaks([]gold.Case{
		{ID: "1", Title: "Refund reaches the card twice", Repos: []string{"ledger"}},
		{ID: "2", Title: "Refund reaches the card twice on Fridays", Repos: []string{"shop"}},
		{ID: "3", Title: "It is broken", Repos: []string{"shop"}}, // too short to mean anything
	}, clean)
	l.Look("ledger", routing.Document{Path: "a.go", Text: []byte("// It is broken: refund\n// reaches THE card, twice! And refund reaches the card twice.\n")})
	l.Look("shop", routing.Document{Path: "b.md", Text: []byte("refund reaches the card twice on fridays")})
	l.Look("shop", routing.Document{Path: "c.md", Text: []byte("refund reaches the card")})
	want := []Leak{
		{ID: "1", Title: "Refund reaches the card twice", Repo: "ledger", Path: "a.go", Answer: true},
		{ID: "1", Title: "Refund reaches the card twice", Repo: "shop", Path: "b.md", Answer: false},
		{ID: "2", Title: "Refund reaches the card twice on Fridays", Repo: "shop", Path: "b.md", Answer: true},
	}
	if d := cmp.Diff(want, l.Found); d != "" {
		t.Errorf("leaks (-want +got):\n%s", d)
	}
}
