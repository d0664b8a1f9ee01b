package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnified(t *testing.T) {
	t.Parallel()
	numbers := strings.Join(strings.Split("abcdefghijklmnopqrst", ""), "\n") + "\n"
	for _, c := range []struct{ name, before, after, want string }{
		{"equal", "a\n", "a\n", ""},
		{"new", "", "a\nb\n", "--- /dev/null\n+++ r\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"emptied", "a\n", "", "--- r\n+++ r\n@@ -1 +0,0 @@\n-a\n"},
		{
			"one line", numbers, strings.Replace(numbers, "j\n", "J\n", 1),
			"--- r\n+++ r\n@@ -7,7 +7,7 @@\n g\n h\n i\n-j\n+J\n k\n l\n m\n",
		},
		{
			"two hunks", numbers, strings.Replace(strings.Replace(numbers, "a\n", "", 1), "t\n", "t\nu\n", 1),
			"--- r\n+++ r\n@@ -1,4 +1,3 @@\n-a\n b\n c\n d\n@@ -18,3 +17,4 @@\n r\n s\n t\n+u\n",
		},
		{
			"near each other", numbers, strings.Replace(strings.Replace(numbers, "e\n", "E\n", 1), "j\n", "J\n", 1),
			"--- r\n+++ r\n@@ -2,12 +2,12 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n i\n-j\n+J\n k\n l\n m\n",
		},
	} {
		if d := cmp.Diff(c.want, unified("r", c.before, c.after)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// Both texts can be read off a comparison, whatever they are.
func TestCompareLinesLosesNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // for tests
	for range 300 {
		a, b := lines(random), lines(random)
		var was, is []string
		for _, e := range compareLines(a, b) {
			if e.mark != '+' {
				was = append(was, e.line)
			}
			if e.mark != '-' {
				is = append(is, e.line)
			}
		}
		if strings.Join(was, "\n") != strings.Join(a, "\n") || strings.Join(is, "\n") != strings.Join(b, "\n") {
			t.Fatalf("%q and %q became %q and %q", a, b, was, is)
		}
	}
}

func lines(random *rand.Rand) []string {
	out := make([]string, random.IntN(30))
	for i := range out {
		out[i] = fmt.Sprint(random.IntN(12))
	}
	return out
}

// A registry of a thousand entries, each changed, is compared at once.
func TestUnifiedOfManyEntries(t *testing.T) {
	t.Parallel()
	text := func(word string) string {
		var b strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&b, "{\n\"name\": \"r%d\",\n", i)
			for j := range 40 {
				fmt.Fprintf(&b, "\"common %d\"\n", j)
			}
			fmt.Fprintf(&b, "%q\n}\n", word)
		}
		return b.String()
	}
	added, removed := changedLines(unified("r", text("old"), text("new")))
	if added != 1000 || removed != 1000 {
		t.Errorf("%d added, %d removed; want 1000 each", added, removed)
	}
}

// TestDiffOfWindowsLines holds that a file with CRLF shows no empty line after each
// of its lines.
func TestDiffOfWindowsLines(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := writeDiff(&out, unified("r.json", "{\r\n  1\r\n}\r\n", "{\r\n  2\r\n}\r\n")); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "--- r.json\n+++ r.json\n@@ -1,3 +1,3 @@\n {\n-  1\n+  2\n }\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
