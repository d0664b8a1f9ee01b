package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a person wrote is only gone once it is in the registry.
func TestEditedTextIsKept(t *testing.T) { //nolint:paralleltest // the environment names its editor
	_, file := ferryline(t)
	withEditor(t, "Works out what a crossing costs=>Says what a crossing costs")
	before := contents(t, file)
	for _, command := range []string{"edit", "describe"} {
		var said []string
		_, _, errOut := pointsman("", command, "fares-api", "--registry", file) // nobody is here
		said = append(said, errOut)
		_, out, _ := pointsman("", command, "fares-api", "--registry", file, "--dry-run")
		said = append(said, strings.Replace(out, "Your text", "your text", 1))
		if code, _ := answering("n\n", command, "fares-api", "--registry", file); code != exitFailed {
			t.Errorf("%s, after no: code %d", command, code)
		}
		for _, s := range said {
			kept := keptIn(t, s)
			if text := contents(t, kept); !strings.Contains(text, "Says what a crossing costs") || contents(t, file) != before {
				t.Errorf("%s: %s holds %s", command, kept, text)
			}
			if err := os.Chmod(kept, 0o400); err != nil {
				t.Fatal(err)
			}
		}
		// Going on where they were.
		code, _, errOut := pointsman("", command, "fares-api", "--registry", file, "--from", keptIn(t, said[0]), "--yes")
		if r := entriesOf(t, file)["fares-api"]; code != exitDone || !strings.HasPrefix(r.Description, "Says what") || r.DescriptionSource != "human" {
			t.Errorf("%s, gone on: code %d, %s, %+v", command, code, errOut, r)
		}
		for _, s := range said {
			contents(t, keptIn(t, s)) // is still the person's
			if err := os.RemoveAll(filepath.Dir(keptIn(t, s))); err != nil {
				t.Error(err)
			}
		}
		if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"edit", "fares-api", "owns+=a", "--from", "x"}, {"describe", "fares-api", "--text", "x", "--from", "x"}, {"edit", "fares-api", "--from", "x"}} {
		if code, _, errOut := pointsman("", append(args, "--registry", file)...); code != exitUsage || errOut == "" {
			t.Errorf("%q: code %d, %s", args, code, errOut)
		}
	}
}

// The registry that somebody else changed while the editor was open.
func TestEditedTextOutlivesAChange(t *testing.T) {
	_, file := ferryline(t)
	t.Setenv("VISUAL", "")
	script := filepath.Join(t.TempDir(), "editor")
	t.Setenv("EDITOR", script)
	text := "#!/bin/sh\nsed -i 's/Works out what/Says what/' \"$1\" && echo >> \"" + file + "\"\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil { //nolint:gosec // it is a program
		t.Fatal(err)
	}
	code, _, errOut := pointsman("", "edit", "fares-api", "--registry", file, "--yes")
	if code != exitFailed || !strings.Contains(errOut, "was changed while") {
		t.Errorf("code %d, %s", code, errOut)
	}
	kept := keptIn(t, errOut)
	t.Cleanup(func() { _ = os.RemoveAll(filepath.Dir(kept)) })
	if code, _, errOut := pointsman("", "edit", "fares-api", "--registry", file, "--from", kept, "--yes"); code != exitDone || !strings.Contains(contents(t, file), "Says what") {
		t.Errorf("gone on: code %d, %s", code, errOut)
	}
}

// Text from outside that stands in an error moves no cursor and forges no line.
func TestErrorsOnTheScreen(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a\nb":                        "a\n  b",
		"\x1b[31mred\x1b]0;title\x07": "[31mred]0;title",
		"one\r\u202etwo\x00":          "one\n  two",
	} {
		if got := onScreen(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
	if got := onScreen(strings.Repeat("é", 2*maxMessage)); len(got) > 2*maxMessage+10 {
		t.Errorf("%d bytes are shown", len(got))
	}
	file := t.TempDir() + "/no\x1b[31m\npointsman: all is well.json"
	if code, _, errOut := pointsman("", "lint", file); code != exitUsage || strings.Contains(errOut, "\x1b") || strings.Contains(errOut, "\npointsman") {
		t.Errorf("code %d, %q", code, errOut)
	}
}
