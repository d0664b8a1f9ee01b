package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/routing"
)

func TestAsOfReadsThePast(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ledger")
	first, err := gittest.Write(dir, true, map[string]string{"a.go": "package a\n"}, "first")
	if err != nil {
		t.Fatal(err)
	}
	second, err := gittest.Commit(dir, map[string]string{"b.go": "package b\n"}, "second")
	if err != nil {
		t.Fatal(err)
	}
	at := func(commit string) time.Time {
		t.Helper()
		r, err := open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.close()
		o, err := openObjects(r.common)
		if err != nil {
			t.Fatal(err)
		}
		defer o.close()
		data, err := o.read(plumbing.NewHash(commit), plumbing.CommitObject)
		if err != nil {
			t.Fatal(err)
		}
		_, when, err := firstParent(data)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	for name, tc := range map[string]struct {
		before time.Time
		want   string
	}{
		"now":              {at(second).Add(time.Hour), second},
		"at the second":    {at(second), first}, // strictly before
		"after the first":  {at(first).Add(time.Second / 2), first},
		"at the very time": {at(first), ""},
		"before it all":    {at(first).Add(-time.Hour), ""},
	} {
		head, err := New().AsOf(tc.before).Head(t.Context(), dir, "")
		if tc.want == "" {
			if !errors.Is(err, routing.ErrEmpty) {
				t.Errorf("%s: %v, want routing.ErrEmpty", name, err)
			}
			continue
		}
		if err != nil || head.Commit != tc.want || head.Branch == "" {
			t.Errorf("%s: %+v, %v; want commit %s", name, head, err, tc.want)
		}
	}
}

func TestFirstParentReadsHeaders(t *testing.T) {
	t.Parallel()
	h := strings.Repeat("ab", 20)
	good := "tree " + h + "\nparent " + h + "\nparent " + strings.Repeat("cd", 20) + "\nauthor A <a@b> 1 +0000\ncommitter B > <b@c> 1700000000 +0100\n\nparent x\n"
	parent, when, err := firstParent([]byte(good))
	if err != nil || parent.String() != h || when.Unix() != 1_700_000_000 {
		t.Errorf("parent %s, time %v, %v", parent, when, err)
	}
	for _, bad := range []string{"", "tree x\n\ncommitter B <b@c> 1 +0\n", "parent short\n", "committer B <b@c>\n", "committer B <b@c> soon +0000\n"} {
		if _, _, err := firstParent([]byte(bad)); err == nil {
			t.Errorf("firstParent(%q) gives no error", bad)
		}
	}
}

func TestHeadThatIsNoReference(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ledger")
	if _, err := gittest.Write(dir, true, map[string]string{"a.go": "package a\n"}, "first"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte("garbage\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New().Head(t.Context(), dir, ""); err == nil || !strings.Contains(err.Error(), "neither a branch nor a commit") {
		t.Errorf("Head: %v", err)
	}
}
