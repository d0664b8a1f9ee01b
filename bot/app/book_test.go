package app

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/bot/store"
	"github.com/pointsman/pointsman/routing/rank"
)

// The word "reimbursement" is one of the organisation's own for a refund.
const ownTables = `{"version": "acme 1", "synonyms": {"reimbursement": ["refund"]}}`

// Tables beside a registry count, are followed, and are kept with it.
func TestTablesBesideTheRegistry(t *testing.T) {
	t.Parallel()
	tables := path.Join(path.Dir(regFile), rank.TablesName)
	w := hostedWorld(t, true)
	a := w.start(t)
	answered(t, a, organisation, "tickets")
	if d := w.took(t, a, w.push(t, "main", map[string]string{tables: ownTables})); !strings.Contains(d.Reason, "was read") {
		t.Errorf("the tables became %s: %s", d.Status, d.Reason)
	}
	version := func(a *App) string {
		now, ok := a.router.hosted.current()
		if !ok || now.tables == nil {
			return ""
		}
		return now.tables.Version
	}
	if got := version(a); !strings.Contains(got, "acme 1") {
		t.Errorf("tables %q are in force", got)
	}
	const wrong = "{\n\"points\": {\"team\": 99}}"
	if d := w.took(t, a, w.push(t, "main", map[string]string{tables: wrong})); !strings.Contains(d.Reason, "cannot be used") {
		t.Errorf("wrong tables became %s: %s", d.Status, d.Reason)
	}
	stop(t, a)
	a = w.start(t)
	answered(t, a, organisation, "tickets")
	if got := version(a); !strings.Contains(got, "acme 1") {
		t.Errorf("after a restart tables %q are in force", got)
	}
	_, _, opened := w.pull(t, false, map[string]string{tables: "{\n\"points\": {\"team\": -1}}"})
	if d := w.took(t, a, opened); d.Status != store.StatusDone {
		t.Errorf("the pull request became %s: %s", d.Status, d.Reason)
	}
	runs := w.github.CheckRuns(regRepo)
	if len(runs) != 1 || runs[0].Conclusion != "failure" || len(runs[0].Annotations) != 1 || runs[0].Annotations[0].Path != tables || runs[0].Annotations[0].StartLine != 2 {
		t.Errorf("check runs are %+v", runs)
	}
}

// The same of a registry that is a file.
func TestTablesBesideTheFile(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.write(t, rank.TablesName, ownTables)
	a := w.start(t)
	until(t, "the index", func() bool { return a.Ready() == nil })
	version := func() string {
		now, err := a.router.registry(t.Context())
		if err != nil || now.tables == nil {
			return ""
		}
		return now.tables.Version
	}
	if got := version(); !strings.Contains(got, "acme 1") {
		t.Errorf("tables %q are in force", got)
	}
	w.write(t, rank.TablesName, "{")
	if got := version(); !strings.Contains(got, "acme 1") {
		t.Errorf("with broken tables, %q are in force", got)
	}
	w.write(t, rank.TablesName, strings.ReplaceAll(ownTables, "acme 1", "acme 2"))
	if got := version(); !strings.Contains(got, "acme 2") {
		t.Errorf("mended, tables %q are in force", got)
	}
	stop(t, a)
	w.write(t, rank.TablesName, "{")
	if _, err := New(w.cfg, Options{}); err == nil || !strings.Contains(err.Error(), rank.TablesName+":1") {
		t.Errorf("it starts with broken tables: %v", err)
	}
}

// Tables beside the registry need not be there; those that were named must be.
func TestPagesAt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "registry.json")
	if err := os.WriteFile(file, []byte(`{"version": 1, "repos": []}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := pagesAt(file, tablesBeside(file)); err != nil || p.tables != nil {
		t.Errorf("pages %+v, %v", p, err)
	}
	other := filepath.Join(dir, "own.json")
	if _, err := pagesAt(file, other); err == nil {
		t.Error("named tables that are not there gave no error")
	}
	if err := os.WriteFile(other, []byte(`{"version": "1"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := pagesAt(file, other); err != nil || p.tables == nil {
		t.Errorf("pages %+v, %v", p, err)
	}
}
