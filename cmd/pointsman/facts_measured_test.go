package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/facts"
	"github.com/pointsman/pointsman/routing/facts/measure"
)

// TestFactsMeasured reads real applications and compares what was found with the
// lists that were counted by hand (make bench-facts APPS=DIR). DIR holds clones
// named owner+name. It prints a table; with VERBOSE set also what was invented or
// missed.
func TestFactsMeasured(t *testing.T) {
	t.Parallel()
	apps := os.Getenv("POINTSMAN_APPS")
	if apps == "" {
		t.Skip("POINTSMAN_APPS names no folder of applications; make bench-facts APPS=DIR")
	}
	lists, err := filepath.Glob("../../routing/facts/measure/testdata/*.json")
	if err != nil || len(lists) == 0 {
		t.Fatalf("no lists of facts: %v", err)
	}
	sums := map[string]measure.Score{}
	var table strings.Builder
	for _, file := range lists {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		truth, err := measure.Parse(file, data)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(apps, strings.ReplaceAll(truth.Repo, "/", "+"))
		if _, err := os.Stat(dir); err != nil {
			t.Logf("%s is not there", truth.Repo)
			continue
		}
		r := measure.Compare(truth, factsOf(t, dir, truth.Commit))
		factsRow(&table, sums, truth, r)
		if os.Getenv("VERBOSE") != "" {
			detail(t, truth.Repo, r)
		}
	}
	t.Logf("\n"+"| application | ecosystem | held out | endpoints P / R (n) | paths P / R | env P / R (n) | frameworks P / R | events P / R (n) |\n|---|---|---|---|---|---|---|---|\n%s", table.String())
	for _, held := range []bool{true, false} {
		name := map[bool]string{true: "held out", false: "the others"}[held]
		t.Logf("\n"+"| **all %s** | | | %s | %s | %s | %s | %s |\n", name, sumCell(sums, "endpoints", held), sumCell(sums, "paths", held),
			sumCell(sums, "env", held), sumCell(sums, "frameworks", held), sumCell(sums, "events", held))
	}
}

func factsOf(t *testing.T, dir, commit string) facts.Facts {
	t.Helper()
	scan := facts.NewScan()
	_, err := git.New().Walk(t.Context(), dir, commit, scan.Want, func(d routing.Document) error {
		scan.Add(d)
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return scan.Facts()
}

func factsRow(out *strings.Builder, sums map[string]measure.Score, truth measure.Truth, r measure.Result) {
	cell := func(kind string, s *measure.Score) string {
		if s == nil {
			return ""
		}
		k := fmt.Sprint(kind, truth.HeldOut)
		sums[k] = sums[k].Add(*s)
		return fmt.Sprintf("%.2f / %.2f (%d)", s.Precision(), s.Recall(), s.Found+s.Missed)
	}
	held := ""
	if truth.HeldOut {
		held = "yes"
	}
	fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", truth.Repo, truth.Ecosystem, held, cell("endpoints", r.Endpoints),
		cell("paths", r.Paths), cell("env", r.Env), cell("frameworks", r.Frameworks), cell("events", r.Events))
}

func sumCell(sums map[string]measure.Score, kind string, held bool) string {
	s := sums[fmt.Sprint(kind, held)]
	return fmt.Sprintf("%.2f / %.2f (%d)", s.Precision(), s.Recall(), s.Found+s.Missed)
}

func detail(t *testing.T, repo string, r measure.Result) {
	t.Helper()
	for kind, s := range map[string]*measure.Score{"endpoint": r.Endpoints, "env": r.Env, "framework": r.Frameworks, "event": r.Events} {
		if s == nil {
			continue
		}
		for _, x := range s.Invented {
			t.Logf("%s: invented %s: %s", repo, kind, x)
		}
		for _, x := range s.Lost {
			t.Logf("%s: missed %s: %s", repo, kind, x)
		}
	}
}
