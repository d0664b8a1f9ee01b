package adaptertest

import (
	"os"
	"path/filepath"
	"testing"
)

// Real returns a folder or file of real sample data, which lies beside the module
// in shared/real and is never part of it. Without it the test is skipped, and says
// so; where CI is "true" it fails instead.
func Real(tb testing.TB, elem ...string) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			tb.Fatal("no go.mod above the test's folder")
		}
		dir = up
	}
	path := filepath.Join(append([]string{dir, "..", "shared", "real"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") == "true" {
			tb.Fatalf("real sample data are missing: %v", err)
		}
		tb.Skipf("real sample data are missing: %v", err)
	}
	return path
}
