package endpoints

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestApplication prints what is found in the folder that POINTSMAN_APP names: for a
// person who counts by hand. It can only fail on a folder that cannot be read.
func TestApplication(t *testing.T) {
	t.Parallel()
	root := os.Getenv("POINTSMAN_APP")
	if root == "" {
		t.Skip("POINTSMAN_APP names no folder")
	}
	r := NewReader()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		if !r.Want(rel) {
			return nil
		}
		text, err := os.ReadFile(path)
		r.Read(rel, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Found() {
		fmt.Fprintf(t.Output(), "%s %s\t%s %s:%d\n", f.Method, f.Path, f.Framework, f.File, f.Line)
	}
	for _, e := range r.Events() {
		fmt.Fprintf(t.Output(), "%s %s\t%s:%d\n", e.Direction, e.Name, e.File, e.Line)
	}
}
