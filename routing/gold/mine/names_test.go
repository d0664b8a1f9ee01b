package mine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing/gold"
)

func TestKeyed(t *testing.T) {
	t.Parallel()
	got, err := Keyed([]gold.Text{{Key: "pay-1"}, {Key: "12"}, {Key: "bug#13"}, {Key: "Shop/Ledger#7"}, {Key: "books#8"}, {Key: "else/where#9"}}, names())
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for k := range got {
		keys = append(keys, k)
	}
	for _, want := range []string{"PAY-1", "bug#12", "bug#13", "ledger#7", "ledger#8", "else/where#9"} {
		if _, ok := got[want]; !ok {
			t.Errorf("no %s among %v", want, keys)
		}
	}
}

// TestListed mines with texts that a live tracker gave: cases of its places bear
// the tracker's own keys, whether it listed them or not.
func TestListed(t *testing.T) {
	t.Parallel()
	repos := map[string][]made{"cart": {
		{id: "a", message: "Sum up\n\nFixes #12, see #40", files: "a.go", day: 1},
		{id: "b", message: "Round\n\ncloses #7", files: "a.go", day: 2},
		{id: "c", message: "Print\n\ncloses shop/desk#3", files: "a.go", day: 3},
		{id: "d", message: "Show the tax (#13)", files: "a.go", day: 4}, // a pull request, or so it seems
	}, "ledger": {{id: "e", message: "Book\n\nFixes #12", files: "b.go", day: 5}}}
	texts := []gold.Text{
		{Key: "Shop/Cart#12", Title: "The total is wrong", Listed: "github"},
		{Key: "Shop/Cart#13", Title: "The tax is hidden", Listed: "github"},
		{Key: "Shop/Desk#3", Title: "Paper is wasted", Listed: "github"},
		{Key: "Shop/Cart#40", Title: "Cited second", Listed: "github"},
		{Key: "Shop/Cart#99", Title: "Still open", Listed: "github"},
	}
	tickets, err := Keyed(texts, names())
	if err != nil {
		t.Fatal(err)
	}
	cases, r := tell(t, Options{}, tickets, repos)
	var got []string
	for _, c := range cases {
		got = append(got, fmt.Sprintf("%s %s: %s, %s %s", c.ID, c.Repos, c.Title, c.Provenance.Text, c.Provenance.Listed))
	}
	want := []string{
		"Shop/Cart#12 [cart]: The total is wrong, tracker github",
		"Shop/Cart#7 [cart]: Round, proxy ",
		"Shop/Desk#3 [cart]: Paper is wasted, tracker github",
		"Shop/Cart#13 [cart]: The tax is hidden, tracker github",
		"ledger#12 [ledger]: Book, proxy ",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if r.Texts != 5 || r.Uncited != 1 || r.Proxies != 2 {
		t.Errorf("report is %+v", r)
	}
	if _, err := Keyed([]gold.Text{{Key: "shop/cart#1", Listed: "github"}, {Key: "fork/cart#1", Listed: "github"}}, names()); err == nil ||
		!strings.Contains(err.Error(), "shop/cart and fork/cart are both cited as cart#1") {
		t.Errorf("two repositories of one name: %v", err)
	}
}
