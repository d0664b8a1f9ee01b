package draft_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/routing/draft"
	"github.com/pointsman/pointsman/routing/facts"
)

// The keys are put together here, so that no scanner takes this file for a leak.
func keys() map[string]string {
	return map[string]string{
		"jwt": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiJxIn0.c2ln", "github": "ghp" + "_Zq81mBv03KdTy7LwXc2Rn9Ue5Hs4",
		"fine": "github" + "_pat_11QZ0aXy7b", "gitlab": "glpat" + "-q81mBv03KdTy7LwX", "stripe": "sk_" + "live_q81mBv03KdTy7L",
		"restricted": "rk_" + "live_q81mBv03KdTy7L", "model": "sk" + "-q81mBv03KdTy7LwXc2Rn9", "amazon": "AKIA" + "QZ7MBVKDTYLWXCRN",
		"passing": "ASIA" + "QZ7MBVKDTYLWXCRN", "slack": "xoxb" + "-41873-q81mBv03Kd", "google": "AIza" + "Sq81mBv03KdTy7LwXc2Rn9Ue5Hs4Jf6Pg",
		"telegram": "AAHq81mBv03KdTy7LwXc2Rn9Ue5Hs4Jf6Pg", "hex": "9f86d081884c7d659a2feaa0c55ad015", "base64": "q8/1mBv03KdTy7+LwXc2Rn9Ue5Hs4Jf6PgWzQ==",
	}
}

func TestSecretsAreNotDrafted(t *testing.T) {
	t.Parallel()
	for name, key := range keys() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := []facts.Name{{Value: key}, {Value: "keptname"}}
			drafts := draft.Drafts([]draft.Input{{
				Name: "tills",
				Facts: facts.Facts{
					Readme:    []byte("# Tills\n\nTills counts money with Bearer " + key + " at https://me:hunter2@shop.example/x every day.\n"),
					Endpoints: []facts.Endpoint{{Method: "POST", Path: "/hook/" + key}, {Method: "POST", Path: "/bot1{" + key + "}/update"}, {Method: "GET", Path: "/tills/{id}"}},
					Emits:     n, Consumes: n, EnvVars: n, Codes: n, Requires: n, Issues: n,
					Paths: []string{"src/" + key + ".js"}, Packages: []string{key},
				},
				Declared: draft.Declared{Title: "Tills " + key, Team: key, Names: []string{key}},
			}})
			data, err := json.Marshal(drafts)
			if err != nil {
				t.Fatal(err)
			}
			told := strings.ToLower(string(data))
			for part := range strings.FieldsFuncSeq(strings.ToLower(key), func(r rune) bool { return strings.ContainsRune("._-/+=", r) }) {
				if len(part) > 4 && strings.Contains(told, part) {
					t.Errorf("the draft tells %q:\n%s", part, data)
				}
			}
			if strings.Contains(told, "hunter2") {
				t.Errorf("the draft tells the password:\n%s", data)
			}
			for _, want := range []string{"counts money", "shop.example/x every day", "GET /tills/{id}", "keptname"} {
				if !strings.Contains(string(data), want) {
					t.Errorf("the draft lost %q:\n%s", want, data)
				}
			}
		})
	}
}

func TestKeysInProseAndHooksAreNotDrafted(t *testing.T) {
	t.Parallel()
	block := "-----BEGIN " + "PRIVATE KEY-----\nabcdefgh\nijklmnop\n-----END " + "PRIVATE KEY-----"
	got := draft.Entries([]draft.Input{{
		Name:  "tills",
		Host:  draft.HostFacts{Description: "Counts money. " + block + " Prints receipts."},
		Facts: facts.Facts{Endpoints: []facts.Endpoint{{Method: "POST", Path: "/services/T0QZ7MBVK/B0DTYLW7C/q81mBv03KdTy7LwXc2Rn9Ue5"}}},
	}})[0]
	if got.Description != "Counts money.  Prints receipts." || len(got.Endpoints) != 0 {
		t.Errorf("drafted %q, %q", got.Description, got.Endpoints)
	}
}

// What only looks odd stays as it is.
func TestOrdinaryNamesAreDrafted(t *testing.T) {
	t.Parallel()
	for _, word := range []string{
		"v1.22.333-rc.4+build.20261201", "0b7c8f5e-3d2a-4c1b-9e8f-7a6b5c4d3e2f", "{0b7c8f5e-3d2a-4c1b-9e8f-7a6b5c4d3e2f}",
		"PAYMENT_GATEWAY_MERCHANT_ACCOUNT_IDENTIFIER_V2", "ConvertUtf8ToBase64StringRepresentation", "sk-toolbar", "task-runner", "ASIANORTHEASTREGIONAL",
		"com.example.payments.events.v1.PaymentAuthorised", "me@example.com", "customer-relationship-management-service-2", "getV2CustomersByIdAndOrdersByOrderId",
		"sk_live", "eyJ", "AKIA", "1234567890123456789012345678901234567890", "naïve-façade-ünïcode",
	} {
		n := []facts.Name{{Value: word}}
		got := draft.Entries([]draft.Input{{
			Name: "tills", Host: draft.HostFacts{Description: "Counts " + word + " for https://shop.example/a."},
			Facts: facts.Facts{EnvVars: n, Emits: n, Endpoints: []facts.Endpoint{{Method: "GET", Path: "/a/" + word}}},
		}})[0]
		if got.Description != "Counts "+word+" for https://shop.example/a." || len(got.Emits) != 1 || len(got.ConfigContracts.EnvVars) != 1 || len(got.Endpoints) != 1 {
			t.Errorf("%s: drafted %q, %q, %q, %q", word, got.Description, got.Emits, got.ConfigContracts.EnvVars, got.Endpoints)
		}
	}
}

// What a terminal obeys, or shows in another order, is not drafted.
func TestControlCharactersAreNotDrafted(t *testing.T) {
	t.Parallel()
	for _, sign := range []string{"\x1b[31m", "\u202e", "\u0085", "\x07"} {
		n := []facts.Name{{Value: "till" + sign}, {Value: "keptname"}}
		d := draft.Drafts([]draft.Input{{
			Name: "tills",
			Facts: facts.Facts{
				Endpoints: []facts.Endpoint{{Method: "GET", Path: "/a" + sign + "b"}, {Method: "GET", Path: "/tills/{id}"}},
				Emits:     n, Consumes: n, EnvVars: n, Paths: []string{"src/" + sign + "x.js"},
			},
			Declared: draft.Declared{Description: "Counts " + sign + "money.", Team: "team" + sign, Owners: []string{"@a" + sign}, FiledIn: []string{sign}},
		}})[0]
		data, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"\\u001b", "\u202e", "\u0085", "\\u0007"} {
			if strings.Contains(string(data), bad) {
				t.Errorf("%q is drafted: %s", sign, data)
			}
		}
		if !strings.Contains(string(data), "keptname") || len(d.Repo.Endpoints) != 1 || !strings.Contains(d.Repo.Description, "money.") {
			t.Errorf("%q: too little is drafted: %s", sign, data)
		}
	}
}
