package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Broken tables stop the server, so lint says so before.
func TestLintReadsTheTablesBeside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, tables := filepath.Join(dir, "registry.json"), filepath.Join(dir, "tables.json")
	if err := os.WriteFile(file, []byte(`{"version":1,"repos":[{"name":"a","owns":["berth plan"],"description":"Plans berths of ferries by day."}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{`{"version":"1","points":{"team":1}}`: exitDone, `{"version":"1","points":{"team":"x"}}`: exitFailed, "{": exitFailed} {
		if err := os.WriteFile(tables, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, errOut := pointsman("", "lint", file)
		if code != want || strings.Contains(out, "tables.json") != (want == exitFailed) {
			t.Errorf("%s: code %d, want %d\n%s%s", text, code, want, out, errOut)
		}
	}
}
