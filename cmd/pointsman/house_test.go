package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

const (
	moduleRoot   = "../.."
	maxFileLines = 400
)

// houseFiles calls visit for every text file that is the project's own.
func houseFiles(t *testing.T, visit func(path string, data []byte)) {
	t.Helper()
	err := filepath.WalkDir(moduleRoot, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(path, moduleRoot+string(filepath.Separator)))
		if d.IsDir() {
			// Build output, the state of a local server, and git's own.
			if slices.Contains([]string{".git", "bin", "data"}, rel) {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.ContainsRune(data, 0) {
			visit(rel, data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFilesAreShort(t *testing.T) {
	t.Parallel()
	seen := 0
	houseFiles(t, func(path string, data []byte) {
		if !strings.HasSuffix(path, ".go") {
			return
		}
		seen++
		if n := bytes.Count(data, []byte("\n")); n > maxFileLines {
			t.Errorf("%s has %d lines; split it by noun before %d", path, n, maxFileLines)
		}
	})
	if seen == 0 {
		t.Fatal("no Go file was looked at")
	}
}

func TestEveryPackageHasADoc(t *testing.T) {
	t.Parallel()
	denial := regexp.MustCompile(`\b(?:[Nn]ever|[Nn]o|[Nn]ot|nothing|nowhere)\b`)
	docs, dirs := map[string]string{}, map[string]bool{}
	houseFiles(t, func(path string, data []byte) {
		dir, name := filepath.Split(path)
		if strings.HasSuffix(name, ".go") && !strings.HasPrefix(dir, "tools/") && !strings.Contains(dir, "testdata/") {
			dirs[dir] = true
		}
		if name == "doc.go" {
			docs[dir] = string(data)
		}
	})
	for dir := range dirs {
		doc := docs[dir]
		if !strings.HasPrefix(doc, "// Package ") && !strings.HasPrefix(doc, "// Command ") {
			t.Errorf("%sdoc.go must begin with what the package is", dir)
		}
		if !strings.Contains(doc, "import") || !denial.MatchString(doc) {
			t.Errorf("%sdoc.go must say what the package may import and what it never does", dir)
		}
	}
}

// Words of unfinished work, paths of the machines it was written on, and hosts of
// package registries have no place here. They are spelt apart so that this file has none.
func TestNoForbiddenWords(t *testing.T) {
	t.Parallel()
	words := []string{
		`TO` + `DO`, `FIX` + `ME`, `X` + `XX`, `HA` + `CK:`, `not ` + `implemented`, `coming ` + `soon`, `lorem ` + `ipsum`,
		`(?:^|[\s"'(=:])/(?:wo` + `rk|ro` + `ot|ho` + `me|tm` + `p)/`,
		`proxy\.` + `golang`, `registry\.` + `npmjs`, `py` + `pi\.org`,
	}
	forbidden := regexp.MustCompile(strings.Join(words, "|"))
	houseFiles(t, func(path string, data []byte) {
		for i, line := range strings.Split(string(data), "\n") {
			if w := forbidden.FindString(line); w != "" {
				t.Errorf("%s:%d contains %q", path, i+1, w)
			}
		}
	})
}

// eachCommand calls visit for every command a user can see.
func eachCommand(c *cobra.Command, visit func(*cobra.Command)) {
	if c.Hidden || c.Name() == "help" {
		return
	}
	visit(c)
	for _, sub := range c.Commands() {
		eachCommand(sub, visit)
	}
}

func TestEveryCommandShowsAnExample(t *testing.T) {
	t.Parallel()
	root := newRootCommand()
	root.InitDefaultCompletionCmd()
	eachCommand(root, func(c *cobra.Command) {
		if c.Short == "" || c.Example == "" {
			t.Errorf("%s --help needs a short text and an example", c.CommandPath())
		}
	})
}

// An example that does not parse teaches the wrong thing.
func TestExamplesParse(t *testing.T) {
	t.Parallel()
	eachCommand(newRootCommand(), func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			args := shellWords(line)
			at := slices.Index(args, "pointsman")
			if at < 0 {
				continue
			}
			// A fresh tree each time: flags keep what they have parsed.
			cmd, rest, err := newRootCommand().Find(args[at+1:])
			if err != nil {
				t.Errorf("%s: example %q: %v", c.CommandPath(), strings.TrimSpace(line), err)
				continue
			}
			if err := cmd.ParseFlags(rest); err != nil {
				t.Errorf("%s: example %q: %v", c.CommandPath(), strings.TrimSpace(line), err)
			}
		}
	})
}

// shellWords splits a line as a shell would, as far as examples need it: quotes
// group, and a pipe, redirection, comment or && ends the command of interest
// unless "pointsman" is still to come.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	quote, open := rune(0), false
	flush := func() {
		if open {
			words = append(words, word.String())
			word.Reset()
			open = false
		}
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, open = r, true
		case quote == 0 && (r == ' ' || r == '\n' || r == '\t'):
			flush()
		case quote == 0 && strings.ContainsRune("|<>#;&", r):
			flush()
			if slices.Contains(words, "pointsman") {
				return words
			}
			words = nil
		default:
			word.WriteRune(r)
			open = true
		}
	}
	flush()
	return words
}
