package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTheTimeOfAnEntry(t *testing.T) {
	for _, c := range []struct{ epoch, want, err string }{
		{"1793610000", "2026-11-02T09:00:00Z", ""},
		{"0", "1970-01-01T00:00:00Z", ""},
		{"-1", "", "not a number of seconds"},
		{"today", "", `"today" is not a number of seconds`},
		{"99999999999999", "", "unset it"},
	} {
		t.Setenv("SOURCE_DATE_EPOCH", c.epoch)
		got, err := now()
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v; want %q, %q", c.epoch, got, err, c.want, c.err)
		}
	}
	t.Setenv("SOURCE_DATE_EPOCH", "")
	got, err := now()
	at, bad := time.Parse(time.RFC3339, got)
	if err != nil || bad != nil || time.Since(at) > time.Hour {
		t.Errorf("the clock says %q, %v", got, err)
	}
}

// TestSyncRenewsADate holds that an entry which lint calls stale is so no more after
// the sync that lint advises, and that a run which may not write stays silent.
func TestSyncRenewsADate(t *testing.T) {
	dir := t.TempDir()
	ferries(t, dir)
	file := filepath.Join(dir, "registry.json")
	t.Setenv("SOURCE_DATE_EPOCH", "1793610000")
	if code, _, errOut := pointsman("", "init", "--repos", dir, "--registry", file, "--yes"); code != exitDone {
		t.Fatal(errOut)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1796300000") // 31 days later
	before := contents(t, file)
	for _, more := range [][]string{{"--check"}, {"--json"}, nil} { // nobody is here, and there is no --yes
		args := append([]string{"sync", "--repos", dir, "--registry", file}, more...)
		if code, out, errOut := pointsman("", args...); code != exitDone || strings.Contains(out, "+++") || contents(t, file) != before {
			t.Errorf("%v: code %d, %s%s", more, code, out, errOut)
		}
	}
	if code, out, errOut := pointsman("", "sync", "--repos", dir, "--registry", file, "--yes"); code != exitDone || !strings.Contains(out, "as the registry says") {
		t.Errorf("code %d, %s%s", code, out, errOut)
	}
	if text := contents(t, file); strings.Contains(text, "2026-11-02T") || !strings.Contains(text, "2026-12-03T") {
		t.Errorf("the dates stayed: %s", text)
	}
}
