package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/adapters/git/gittest"
)

// A folder whose name no entry can have is told, and the others are drafted.
func TestInitGoesOnAfterAnOddName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"berths", "bad\x1b[31m\nname"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Skipf("this file system has no such names: %v", err)
		}
		if _, err := gittest.Write(filepath.Join(dir, name), false, map[string]string{"README.md": "# Berths\n\nPlans the berths of ferries.\n"}, "Begin"); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "r.json")
	for range 2 { // sync says the same
		args := []string{"init", "--repos", dir, "--registry", file, "--yes"}
		if _, err := os.Stat(file); err == nil {
			args[0] = "sync"
		}
		code, out, errOut := pointsman("", args...)
		if code != exitDone || !strings.Contains(out+errOut, "[31m name was not searched: its name cannot stand in a registry") {
			t.Errorf("%s: code %d\n%s%s", args[0], code, out, errOut)
		}
	}
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), `"name": "berths"`) {
		t.Errorf("the registry is %s, %v", data, err)
	}
}

func TestListRefusesNamesThatAreSteps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"..", ".", "a\x1bb"} {
		list := filepath.Join(dir, "list.txt")
		if err := os.WriteFile(list, []byte(name+"=https://git.example/acme/web\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, errOut := pointsman("", "init", "--list", list, "--registry", filepath.Join(dir, "r.json"), "--yes")
		if code != exitUsage || !strings.Contains(errOut, "is no name for a repository") {
			t.Errorf("%q: code %d, %s", name, code, errOut)
		}
	}
}
