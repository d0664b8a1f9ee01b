package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Labels that are set at the same time are all kept.
func TestGoldLabelsTogether(t *testing.T) {
	t.Parallel()
	const n = 40
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, `{"id":"%d","title":"Fold the map","repos":["atlas"]}`+"\n", i)
	}
	file := filepath.Join(t.TempDir(), "gold.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			code, _, errOut := pointsman("", "gold", "label", file, "--id", fmt.Sprint(i), "--state", "open")
			if code != exitDone || errOut != fmt.Sprintf("%d is open\n", i) {
				t.Errorf("%d: code %d, %s", i, code, errOut)
			}
		})
	}
	all.Wait()
	cases, err := readGold(file)
	if err != nil {
		t.Fatal(err)
	}
	labelled := 0
	for _, c := range cases {
		if c.Present != nil {
			labelled++
		}
	}
	if labelled != n {
		t.Errorf("%d labels said, %d in the file", n, labelled)
	}
	if code, _, _ := pointsman("", "gold", "label", filepath.Join(filepath.Dir(file), "gone"), "--id", "1", "--state", "open"); code != exitUsage {
		t.Errorf("a file that is not there: code %d", code)
	}
	if entries, err := os.ReadDir(filepath.Dir(file)); err != nil || len(entries) != 2 {
		t.Errorf("beside the gold file: %v, %v", entries, err)
	}
}
