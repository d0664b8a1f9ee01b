package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/adapters/git/gittest"
)

// harbour writes a workspace: a registry of two entries, and three repositories.
func harbour(t *testing.T, tables string) (registry, dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"till", "ledger", "kiosk"} {
		if _, err := gittest.Write(filepath.Join(dir, name), false, map[string]string{"a.go": "package a\n"}, "first"); err != nil {
			t.Fatal(err)
		}
	}
	folder := filepath.Join(dir, ".repo-orchestrator")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"registry.json": `{"version": 1, "repos": [
		{"name": "till", "path": "./till", "owns": ["card reader", "receipt"], "endpoints": ["POST /v1/sales"]},
		{"name": "ledger", "path": "./ledger", "owns": ["payments", "refunds", "invoices"]}]}`}
	if tables != "" {
		files["tables.json"] = tables
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "registry.json"), dir
}

const sale = "The receipt of POST /v1/sales/42 shows no refunds\nSeen at the kiosk since the morning, in every shop of the south."

func TestRouteBlocks(t *testing.T) {
	t.Parallel()
	reg, _ := harbour(t, "")
	cache := t.TempDir()
	code, out, errOut := pointsman("", "route", "--registry", reg, "--cache", cache, "--format", "decision", sale)
	want := `ROUTING DECISION
================
Ticket keywords: receipt, of, post, v1, sales, 42, shows, no, refunds, seen, at, kiosk, since, morning, in, every, shop, south
Routing confidence: 74%

Candidates (ranked):
1. till  score=7  reason="the ticket names “/v1/sales/42”, one of its endpoints; owns “receipt”"
2. ledger  score=1.5  reason="owns “refunds”"

Action: Spawn Agent Team with candidates 1–2
Warning: the ticket names kiosk, which is in the workspace but has no entry in the registry: it cannot be routed to; run pointsman sync
`
	if code != exitDone || out != want || errOut != "" {
		t.Errorf("code %d, stderr %q, block:\n%s", code, errOut, out)
	}
	code, out, _ = pointsman("", "route", "--registry", reg, "--cache", cache, "--format", "context", "--for", "ledger", sale)
	if code != exitDone || !strings.HasPrefix(out, "ROUTING CONTEXT\n") || !strings.Contains(out, "agent: repo-till  name: till  score=7") {
		t.Errorf("code %d, block:\n%s", code, out)
	}
	code, _, errOut = pointsman("", "route", "--registry", reg, "--cache", cache, "--format", "context", "--for", "shop", sale)
	if code != exitUsage || !strings.Contains(errOut, "ask for one of till, ledger") {
		t.Errorf("code %d, stderr %q", code, errOut)
	}
	for _, args := range [][]string{{"--format", "decision"}, {"--format", "context", "--for", "till"}} {
		code, out, errOut = pointsman("", append([]string{"route", "--registry", reg, "--cache", cache, "Tea"}, args...)...)
		if code != exitNothing || !strings.Contains(out+errOut, "No responsible repository identified") {
			t.Errorf("%v: code %d, %s%s", args, code, out, errOut)
		}
	}
}

func TestRouteAsksWhoIsThere(t *testing.T) {
	t.Parallel()
	reg, _ := harbour(t, "")
	cache := t.TempDir()
	const question = "Which service, endpoint or user action is affected?"
	for _, tc := range []struct {
		args  []string
		asked bool
	}{
		{nil, true},
		{[]string{"--format", "decision"}, true},
		{[]string{"--json"}, false},
		{[]string{"--headless"}, false},
		{[]string{"--headless", "--format", "decision"}, false},
	} {
		code, out, _ := pointsman("", append([]string{"route", "--registry", reg, "--cache", cache, "Receipt is blank"}, tc.args...)...)
		if code != exitDone || strings.Contains(out, question) != tc.asked || !strings.Contains(out, "low confidence") {
			t.Errorf("%v: code %d, %s", tc.args, code, out)
		}
	}
}

func TestRouteWithOwnTables(t *testing.T) {
	t.Parallel()
	reg, dir := harbour(t, `{"version": "acme 1", "acronyms": {"pos": ["card reader"]}}`)
	cache := t.TempDir()
	const ticket = "The POS in the south of town stays dark since Friday"
	code, out, errOut := pointsman("", "route", "--registry", reg, "--cache", cache, "--json", ticket)
	if code != exitDone {
		t.Fatalf("code %d, stderr %q", code, errOut)
	}
	d := decode(t, out)
	part := d.Candidates[0].Parts[0]
	if d.Candidates[0].Repo != "till" || part.Total != 3 || part.OwnsRaw != 3 || part.Divisor != 1 || part.Points[0].Term != "card reader" {
		t.Errorf("first candidate %+v", d.Candidates[0])
	}
	other := filepath.Join(dir, "other.json")
	if err := os.WriteFile(other, []byte("{\"version\": \"2\",\n\"rows\": 1}"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errOut = pointsman("", "route", "--registry", reg, "--cache", cache, "--tables", other, ticket)
	if code != exitUsage || !strings.Contains(errOut, `other.json:2: "rows" is no key`) {
		t.Errorf("code %d, stderr %q", code, errOut)
	}
	// Other tables are another asOf, and so is another least partial match.
	if err := os.WriteFile(other, []byte(`{"version": "2"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{d.AsOf.Weights: true}
	for _, args := range [][]string{{"--tables", other}, {"--tables", other, "--min-partial", "1"}} {
		_, out, _ := pointsman("", append([]string{"route", "--registry", reg, "--cache", cache, "--json", sale}, args...)...)
		if now := decode(t, out).AsOf.Weights; seen[now] {
			t.Errorf("%v: asOf.weights is %s again", args, now)
		} else {
			seen[now] = true
		}
	}
}

func TestRouteRefusesFlags(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"want table, decision or context": {"--format", "xml"},
		"prints one block for one ticket": {"--format", "decision", "--json"},
		"go together":                     {"--format", "context"},
		"want 1 to 20":                    {"--min-partial", "0"},
	} {
		if code, _, errOut := pointsman("", append([]string{"route", "x"}, args...)...); code != exitUsage || !strings.Contains(errOut, want) {
			t.Errorf("%v: code %d, stderr %q, want %q", args, code, errOut, want)
		}
	}
}

func TestAggregate(t *testing.T) {
	t.Parallel()
	reg, dir := harbour(t, "")
	const verdicts = `{"verdicts": [
		{"repo": "till", "verdict": "PARTIALLY_RESPONSIBLE", "confidence": 90, "routingConfidence": 74, "missing": ["kiosk", "ledger"], "note": "prints\nonly"},
		{"repo": "shop", "verdict": "NOT_RESPONSIBLE", "confidence": 85, "routingConfidence": 74, "missing": ["kiosk"]}]}`
	code, out, errOut := pointsman(verdicts, "aggregate", "--registry", reg)
	want := `specialist                   verdict                confidence  routing  weighted
till                         PARTIALLY_RESPONSIBLE         90%      74%     66.60
  prints only
shop                         NOT_RESPONSIBLE               85%      74%   dropped
  not responsible, and sure of it (85 % is 80 % or more)

Mean of 1: 66.60%
All of them are partly responsible: times 0.8
Aggregate confidence: 53.28% (low)
Missing: kiosk, says till, shop; it has no entry in the registry, add it with pointsman sync
Missing: ledger, says till; it stands in the registry
`
	if code != exitDone || out != want {
		t.Errorf("code %d, stderr %q, out:\n%s", code, errOut, out)
	}
	file := filepath.Join(dir, "v.json")
	if err := os.WriteFile(file, []byte(verdicts), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, _ = pointsman("", "aggregate", "--json", file)
	var a struct {
		Schema, Band string
		Missing      []struct{ Registered *bool }
	}
	if err := json.Unmarshal([]byte(out), &a); err != nil || code != exitDone || a.Schema != "pointsman.aggregate/v1" || a.Band != "low" || a.Missing[0].Registered != nil {
		t.Errorf("code %d, %v, %s", code, err, out)
	}
	if code, _, errOut = pointsman("{\n\"verdict\": []}", "aggregate", "-"); code != exitUsage || !strings.Contains(errOut, "standard input:2:") {
		t.Errorf("code %d, stderr %q", code, errOut)
	}
}
