package main

import (
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
