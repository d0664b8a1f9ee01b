package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/git/gittest"
)

var updateGuide = flag.Bool("update-guide", false, "write the outputs of docs/registry-life.md anew")

// ferryFiles are the repositories of the guide's organisation.
func ferryFiles() map[string]map[string]string {
	return map[string]map[string]string{
		"fares-api": {
			"README.md":          "# Fares API\n\nWorks out what a crossing costs: zones, discounts, refunds. Used by the web shop and the ticket machines on the quays.\n",
			"go.mod":             "module git.example/ferries/fares-api\n\ngo 1.26\n\nrequire github.com/go-chi/chi/v5 v5.2.1\n",
			"main.go":            "package main\n\nimport (\n\t\"net/http\"\n\t\"os\"\n\n\t\"github.com/go-chi/chi/v5\"\n)\n\nfunc main() {\n\tr := chi.NewRouter()\n\tr.Get(\"/fares/{zone}\", quote)\n\tr.Post(\"/fares/{zone}/refunds\", refund)\n\t_ = http.ListenAndServe(os.Getenv(\"FARES_LISTEN\"), r)\n}\n",
			"discount/pass.go":   "package discount\n\n// CommuterPass makes crossings cheaper on weekdays.\ntype CommuterPass struct{ Zone string }\n",
			".github/CODEOWNERS": "* @ferries/tariff\n",
		},
		"tickets-web": {
			"README.md":           "# Tickets web\n\nThe web shop: travellers search crossings, pay by card and get their boarding pass.\n",
			"package.json":        "{\"name\": \"@ferries/tickets-web\", \"dependencies\": {\"express\": \"^4.19.0\", \"kafkajs\": \"^2.2.0\"}}\n",
			"src/server.ts":       "import express from 'express';\n\nconst app = express();\napp.get('/basket/:id', basket);\napp.post('/checkout', checkout);\napp.listen(process.env.PORT);\n",
			"src/boardingPass.ts": "export function boardingPass(ticket: string) { return ticket; }\n",
			"CODEOWNERS":          "* @ferries/web\n",
		},
		"berths": {
			"README.md":        "# Berths\n\nSays which ferry lies at which berth of a quay, and moves them when a ship is late. Used by the harbour masters.\n",
			"requirements.txt": "fastapi==0.115.0\n",
			"berths/api.py":    "import os\nfrom fastapi import FastAPI\n\napp = FastAPI()\nQUAYS = os.environ[\"QUAYS_FILE\"]\n\n\n@app.get(\"/berths/{quay}\")\ndef berths_of(quay: str):\n    return []\n",
		},
	}
}

// ferries writes the organisation of the guide.
func ferries(t *testing.T, dir string) {
	t.Helper()
	for name, files := range ferryFiles() {
		if _, err := gittest.Write(filepath.Join(dir, name), false, files, "first"); err != nil {
			t.Fatal(err)
		}
	}
	if err := gittest.Empty(filepath.Join(dir, "notes"), false); err != nil {
		t.Fatal(err)
	}
}

// commit changes files of a repository of the organisation.
func commit(t *testing.T, dir, name string, changed map[string]string) {
	t.Helper()
	files := ferryFiles()[name]
	maps.Copy(files, changed)
	if _, err := gittest.Commit(filepath.Join(dir, name), files, "Go on"); err != nil {
		t.Fatal(err)
	}
}

// stepOf does what the guide's reader does besides running pointsman.
func stepOf(t *testing.T, line string) {
	t.Helper()
	var err error
	switch line {
	case "mv berths quays":
		err = os.Rename("berths", "quays")
	case "git -C fares-api commit -am \"Group tickets\"":
		commit(t, ".", "fares-api", map[string]string{"README.md": "# Fares API\n\nWorks out what a crossing costs: zones, discounts, group tickets. Used by the web shop and the ticket machines on the quays.\n"})
	case "git -C tickets-web commit -am \"Pay later\"":
		commit(t, ".", "tickets-web", map[string]string{"src/payLater.ts": "export const days = process.env.PAY_LATER_DAYS;\n"})
	case "rm -r notes":
		err = os.RemoveAll("notes")
	default:
		t.Fatalf("the guide has the step %q, which this test does not know", line)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// play runs the lines of a block that begin with "$" and returns the block with
// what they print.
func play(t *testing.T, clock *int, block string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(block) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "$ ")
		if !ok {
			continue
		}
		fmt.Fprintf(&out, "$ %s\n", text)
		args := shellWords(text)
		if args[0] != "pointsman" {
			stepOf(t, text)
			continue
		}
		// Each command has an hour of its own, or what differs would hang on the second it ran in.
		*clock += 3600
		t.Setenv("SOURCE_DATE_EPOCH", strconv.Itoa(*clock))
		var o bytes.Buffer
		code := run(args[1:], strings.NewReader(""), &o, &o)
		out.WriteString(folded(o.String()))
		if code != exitDone {
			fmt.Fprintf(&out, "(exit code %d)\n", code)
		}
	}
	return out.String()
}

// folded takes out what is never the same, and shortens long additions.
func folded(s string) string {
	s = regexp.MustCompile(`sha256:[0-9a-f]{64}`).ReplaceAllString(s, "sha256:…")
	s = regexp.MustCompile(`"lastIndexed": "[^"]+"`).ReplaceAllString(s, `"lastIndexed": "…"`)
	s = strings.ReplaceAll(s, string(filepath.Separator), "/")
	const most = 24
	var out []string
	added := 0
	flush := func() {
		if added > most {
			out = append(out, fmt.Sprintf("  … %d more lines", added-most))
		}
		added = 0
	}
	for _, line := range strings.Split(s, "\n") {
		if !strings.HasPrefix(line, "+") {
			flush()
		} else if added++; added > most {
			continue
		}
		out = append(out, line)
	}
	flush()
	return strings.Join(out, "\n")
}

// Every output in the guide is what the program prints.
func TestGuideToTheRegistry(t *testing.T) {
	guide, err := filepath.Abs(filepath.Join(moduleRoot, "docs", "registry-life.md"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ferries(t, dir)
	t.Chdir(dir)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	clock := int(time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC).Unix())
	parts := strings.Split(string(data), "```")
	for i := 1; i < len(parts); i += 2 {
		if block, ok := strings.CutPrefix(parts[i], "console\n"); ok {
			parts[i] = "console\n" + play(t, &clock, block)
		}
	}
	got := strings.Join(parts, "```")
	if *updateGuide {
		if err := os.WriteFile(guide, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := strings.ReplaceAll(string(data), "\r\n", "\n")
	if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" && !*updateGuide {
		t.Errorf("docs/registry-life.md shows what the program does not print; go test -run Guide -update-guide (-want +got):\n%s", d)
	}
	if n := len(parts) / 2; n < 5 || !slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(p, "Written.") }) {
		t.Errorf("the guide has %d blocks, and writes nothing", n)
	}
}
