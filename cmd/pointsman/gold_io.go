package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing/gold"
)

// readGold reads a gold file.
func readGold(name string) ([]gold.Case, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, usagef("reading the gold file: %w", err)
	}
	defer file.Close()
	cases, err := gold.Read(name, file)
	if err != nil {
		return nil, &exitError{code: exitUsage, err: err}
	}
	return cases, nil
}

// writeGold writes cases to a file, all of them or none, or to out without a name.
func writeGold(out io.Writer, name string, cases []gold.Case) error {
	if name == "" {
		return gold.Write(out, cases)
	}
	var b bytes.Buffer
	if err := gold.Write(&b, cases); err != nil {
		return err
	}
	return replaceFile(name, b.Bytes())
}

// replaceFile puts new content in the place of a file in one step, so that a
// reader sees the old or the new one. It keeps the file's mode, and writes
// through a link. What is no plain file, such as a pipe, is written straight.
func replaceFile(name string, data []byte) (err error) {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			if err := os.WriteFile(name, data, mode); err != nil {
				return fmt.Errorf("writing %s: %w", name, err)
			}
			return nil
		}
		mode = info.Mode().Perm()
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", name, err)
		}
	}()
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // gone already when all went well
	_, err = file.Write(data)
	if err == nil {
		err = file.Chmod(mode)
	}
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}

type row struct {
	name string
	n    int
}

// ordered lists counts, the largest first.
func ordered(m map[string]int) []row {
	var rows []row
	for name, n := range m {
		rows = append(rows, row{name, n})
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name)) })
	return rows
}

func counts(m map[string]int) string {
	var parts []string
	for _, r := range ordered(m) {
		parts = append(parts, fmt.Sprintf("%s %d", r.name, r.n))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
