package sync_test

import (
	"strings"
	"testing"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
	"github.com/pointsman/pointsman/routing/sync"
)

// TestDescriptionOfAPerson holds that a description which a person rewrote in the
// file is theirs after a sync, and that no other is.
func TestDescriptionOfAPerson(t *testing.T) {
	t.Parallel()
	describes := func(r routing.Repo) routing.Repo { r.Description = "Written by Ada"; return r }
	owns := func(r routing.Repo) routing.Repo { r.Owns = append(r.Owns, "quay"); return r }
	other := func(r *routing.Repo) { r.Owns = []string{"other words"} } // more repositories than then
	for name, tc := range map[string]struct {
		entry, now routing.Repo
		human      bool
	}{
		"the description":                         {describes(draft("tides", "a")), draft("tides", "a"), true},
		"of an entry that was theirs already":     {adopted(describes(draft("tides", "a"))), draft("tides", "a"), true},
		"with other words":                        {owns(describes(draft("tides", "a"))), draft("tides", "a"), true},
		"while the draft moves on elsewhere":      {describes(draft("tides", "a")), draft("tides", "a", other), true},
		"other words alone":                       {owns(draft("tides", "a")), draft("tides", "a"), false},
		"other words, and the README is new":      {owns(draft("tides", "a")), draft("tides", "b"), false},
		"nothing":                                 {draft("tides", "a"), draft("tides", "a"), false},
		"nothing, and the code could not be read": {draft("tides", "a"), routing.Repo{Name: "tides"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := []sync.Seen{{Repo: tc.now}}
			_, out := synced(t, written(t, tc.entry), seen, sync.Options{}, sync.Choices{Now: now})
			reg, err := registry.Parse("r.json", out)
			if err != nil {
				t.Fatal(err)
			}
			got := reg.Repos[0]
			if (got.DescriptionSource == "human") != tc.human || got.Description != tc.entry.Description {
				t.Errorf("source %q of %q, want a person's: %v", got.DescriptionSource, got.Description, tc.human)
			}
			if rows, _ := synced(t, out, seen, sync.Options{}, sync.Choices{Now: now}); told(rows) != "" {
				t.Errorf("once written, there is still to do: %s", told(rows))
			}
		})
	}
}

// TestDateOfAComparison holds that an entry which is found true long after it was
// last compared gets the date of today, so that lint calls it stale no more, and
// that a newer date stays, for a file that changes with every run is no help.
func TestDateOfAComparison(t *testing.T) {
	t.Parallel()
	for was, moves := range map[string]bool{
		"2026-01-30T08:00:00Z": true, "2026-01-30T10:00:00Z": false, now: false, "last week": true, "": false, "2027-01-01T00:00:00Z": false,
	} {
		entry := draft("tides", "a")
		entry.LastIndexed = was
		data := written(t, entry)
		rows, out := synced(t, data, []sync.Seen{{Repo: draft("tides", "a")}}, sync.Options{}, sync.Choices{Now: now, Renew: true})
		if told(rows) != "" {
			t.Errorf("%s: %s", was, told(rows))
		}
		if got := strings.Contains(string(out), `"lastIndexed": "`+now+`"`) && was != now; got != moves {
			t.Errorf("%s: the date moves: %v, want %v", was, got, moves)
		}
		if _, out := synced(t, data, []sync.Seen{{Repo: draft("tides", "a")}}, sync.Options{}, sync.Choices{Now: now}); string(out) != string(data) {
			t.Errorf("%s: the date moves unasked", was)
		}
		if _, out := synced(t, data, []sync.Seen{{Repo: routing.Repo{Name: "tides"}, Unread: "it is away"}}, sync.Options{}, sync.Choices{Now: now, Renew: true}); string(out) != string(data) {
			t.Errorf("%s: an entry whose code was not read changed", was)
		}
	}
}
