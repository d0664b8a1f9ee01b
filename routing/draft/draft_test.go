package draft_test

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/draft"
	"github.com/pointsman/pointsman/routing/facts"
	"github.com/pointsman/pointsman/routing/rank"
)

var update = flag.Bool("update", false, "write the golden file anew")

// read scans files given as path and text in turn.
func read(files ...string) facts.Facts {
	s := facts.NewScan()
	for i := 0; i+1 < len(files); i += 2 {
		if s.Want(files[i], int64(len(files[i+1]))) {
			s.Add(routing.Document{Path: files[i], Text: []byte(files[i+1])})
		}
	}
	return s.Facts()
}

// organisation is a small one: three services, one of which declares itself.
func organisation() []draft.Input {
	return []draft.Input{
		{
			Name: "acme-tills",
			Facts: read(
				"README.md", "# Tills\n\nTills counts the money in the drawers of every shop, and prints receipts for customers.\n",
				"package.json", `{"name":"@acme/tills","dependencies":{"express":"4","kafkajs":"2"}}`,
				"src/drawerController.js", "const { Kafka } = require('kafkajs');\nproducer.send({ topic: 'drawer-counted' });\nres.status(409).end(); res.status(404).end(); process.env.PORT; process.env.DRAWER_LIMIT",
				"src/receiptPrinter.js", "x", "src/receiptQueue.js", "x", "src/drawerTable.js", "x",
			),
			Host: draft.HostFacts{
				ID: 7, Host: "git.example.com", CloneURL: "https://git.example.com/acme/acme-tills.git", DefaultBranch: "main",
				Visibility: "private", Topics: []string{"cash"}, Path: "./acme-tills", Components: []string{"Drawers"},
			},
			Declared: draft.Declared{Team: "money", Owners: []string{"@acme/money"}, Components: []string{"Tills"}, FiledIn: []string{"TILL"}, DependsOn: []string{"acme-ledger"}},
		},
		{
			Name: "acme-ledger",
			Facts: read(
				"README.md", "# Ledger\n\nThe ledger keeps the bookings of all accounts and closes each month with a balance.\n",
				"go.mod", "module git.example.com/acme/ledger\n\nrequire github.com/gin-gonic/gin v1\n",
				"booking/booking.go", "package booking\nfunc f() { os.Getenv(\"LEDGER_DSN\"); _ = claims[\"tenant\"]; _ = jwt.Parse }", "balance/balance.go", "package balance", "booking/account.go", "package booking",
			),
			Host: draft.HostFacts{CloneURL: "https://git.example.com/acme/acme-ledger.git", Description: "Books of the company"},
		},
		{
			Name:     "acme-search",
			Facts:    read("README.md", "# Search\n\nFinds articles by what customers type, with spelling mistakes and synonyms.\n", "app/synonyms.py", "x = 1", "app/spelling.py", "y = 2"),
			Host:     draft.HostFacts{CloneURL: "https://git.example.com/acme/acme-search.git"},
			Declared: draft.Declared{Archived: true, Description: "Finds articles"},
		},
	}
}

func TestEntries(t *testing.T) {
	t.Parallel()
	got, err := json.MarshalIndent(draft.Entries(organisation()), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/organisation.json"
	if *update {
		if err := os.WriteFile(golden, append(got, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
		t.Errorf("entries differ; -update writes them anew:\n%s", diff)
	}
}

func TestEveryWordSaysWhy(t *testing.T) {
	t.Parallel()
	for _, d := range draft.Drafts(organisation()) {
		if n := len(d.Repo.Owns); n < 3 || n > 8 {
			t.Errorf("%s owns %d words: %q", d.Repo.Name, n, d.Repo.Owns)
		}
		for _, w := range d.Repo.Owns {
			if !strings.Contains(d.Why[w], "no other repository is about it") {
				t.Errorf("%s, %q: %q", d.Repo.Name, w, d.Why[w])
			}
			if w == "acme" || w == "customers" {
				t.Errorf("%s owns %q, which tells nothing apart", d.Repo.Name, w)
			}
		}
	}
}

func TestOneRepositoryAlone(t *testing.T) {
	t.Parallel()
	one := organisation()[1:2]
	d := draft.Drafts(one)[0]
	if !slices.Contains(d.Repo.Owns, "ledger") || len(d.Repo.Owns) < 3 {
		t.Errorf("owns %q", d.Repo.Owns)
	}
	if got := draft.Entries(nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestEndpointsSpeakForEveryArea(t *testing.T) {
	t.Parallel()
	var f facts.Facts
	for _, area := range []string{"a", "b", "c"} {
		for i := range 150 {
			if area == "a" || i < 10 {
				f.Endpoints = append(f.Endpoints, facts.Endpoint{Method: "GET", Path: "/" + area + "/" + strings.Repeat("x", i+1)})
			}
		}
	}
	got := draft.Entries([]draft.Input{{Name: "x", Facts: f}})[0].Endpoints
	areas := map[byte]int{}
	for _, line := range got {
		areas[line[5]]++
	}
	if len(got) != 100 || areas['b'] != 10 || areas['c'] != 10 {
		t.Errorf("%d endpoints, by area %v", len(got), areas)
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	a := read("go.mod", "module x\n", "a.go", "package a\n// x\nfunc f() { os.Getenv(\"A_B\") }")
	b := read("go.mod", "module x\n", "src/a.go", "package a\nfunc f() { os.Getenv(\"A_B\") }")
	c := read("go.mod", "module x\n", "a.go", "package a\nfunc f() { os.Getenv(\"A_C\") }")
	if draft.Fingerprint(a) != draft.Fingerprint(b) || !strings.HasPrefix(draft.Fingerprint(a), "sha256:") {
		t.Error("a comment or a moved file changes the fingerprint")
	}
	if draft.Fingerprint(a) == draft.Fingerprint(c) {
		t.Error("another setting does not change the fingerprint")
	}
}

// TestFingerprintFollowsWords holds that new files which change the words drafted
// change the fingerprint, and that an edit, a file more of what is there already or
// a test does not.
func TestFingerprintFollowsWords(t *testing.T) {
	t.Parallel()
	files := []string{"README.md", "# Tides\n\nTells the tides of every port.\n", "tides/gauge.py", "x = 1", "tides/moon.py", "x = 1"}
	before := read(files...)
	of := func(f facts.Facts) string {
		in := append(organisation(), draft.Input{Name: "tides", Facts: f})
		return strings.Join(draft.Entries(in)[3].Owns, " ")
	}
	for name, tc := range map[string]struct {
		more  []string
		other bool
	}{
		"a family of files": {[]string{"loom_shuttle1.py", "", "loom_shuttle2.py", "", "loom_shuttle3.py", ""}, true},
		"a line":            {[]string{"tides/gauge.py", "x = 2"}, false},
		"more of the same":  {[]string{"tides/gauge2.py", "x = 1"}, false},
		"a test":            {[]string{"tests/loom.py", "x = 1"}, false},
		"a handler":         {[]string{"tides/handler.py", "x = 1"}, false},
	} {
		after := read(append(slices.Clone(files), tc.more...)...)
		if (draft.Fingerprint(before) != draft.Fingerprint(after)) != tc.other {
			t.Errorf("%s: want another fingerprint: %v; owns %q, before %q", name, tc.other, of(after), of(before))
		}
		if (of(before) != of(after)) != tc.other {
			t.Errorf("%s: owns %q, before %q", name, of(after), of(before))
		}
	}
}

// What is drafted must be met by a ticket that names the field or the call.
func TestFieldsAndCallsAreMet(t *testing.T) {
	t.Parallel()
	f := facts.Facts{Endpoints: []facts.Endpoint{
		{Method: "QUERY", Path: "/tillById"},
		{Method: "MUTATION", Path: "/refund"},
		{Method: "RPC", Path: "/shop.till.v1.Tills/Open"},
		{Method: "POST", Path: "/v1/tills/{name}:open"},
	}}
	entry := draft.Entries([]draft.Input{{Name: "kiosk", Facts: f}})[0]
	want := []string{"QUERY tillById", "MUTATION refund", "/shop.till.v1.Tills/Open", "POST /v1/tills/{name}:open"}
	if !slices.Equal(entry.Endpoints, want) {
		t.Fatalf("endpoints %q, want %q", entry.Endpoints, want)
	}
	for text, met := range map[string]bool{
		"tillById returns null":           true,
		"the refund mutation times out":   true,
		"no refund was paid":              false,
		"rpc error from Tills/Open":       true,
		"shop.till.v1.Tills/Open is slow": true,
		"we open the tills at nine":       false,
	} {
		repos := []routing.Repo{{Name: "kiosk", Endpoints: entry.Endpoints}}
		got, err := rank.NewRegistry(rank.RegistryOptions{}).Rank(t.Context(), routing.Ticket{Title: text}, repos)
		if err != nil || len(got.Hits) > 0 != met {
			t.Errorf("%q: hits %v, error %v", text, got.Hits, err)
		}
	}
}
