package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/routing"
)

func day(n int) time.Time { return time.Date(2023, 1, n, 12, 0, 0, 0, time.UTC) }

// branched makes: a - b - merge on main, a - side on topic, c on a tag only, and
// a pull request that belongs to nobody.
func branched(t *testing.T, dir string) map[string]string {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	record := func(e gittest.Entry) string {
		t.Helper()
		hash, err := gittest.Record(dir, e)
		must(err)
		return hash
	}
	must(gittest.Empty(dir, true))
	h := map[string]string{}
	files := map[string]string{"src/app/main.go": "one", "src/app/old.go": "old", "src/lib/deep/x.go": "x", "README.md": "r"}
	h["a"] = record(gittest.Entry{Files: files, Message: "a: first\n\nwith a body\r\nof two lines\n", Authored: day(1)})
	h["side"] = record(gittest.Entry{
		Branch: "topic", Parents: []string{h["a"]}, Authored: day(2), Committed: day(5), Name: "Ada", Email: "ada@example.com",
		Files: map[string]string{"src/app/main.go": "two", "src/lib/deep/x.go": "x", "README.md": "r", "src/app/new.go": "n"}, Message: "side",
	})
	h["b"] = record(gittest.Entry{Files: map[string]string{"src/app": "now a file", "src/lib/deep/x.go": "x", "README.md": "r"}, Message: "b", Authored: day(3)})
	h["merge"] = record(gittest.Entry{Files: map[string]string{"src/lib/deep/x.go": "y", "README.md": "r"}, Message: "merge", Authored: day(6), Parents: []string{h["b"], h["side"]}})
	h["late"] = record(gittest.Entry{Branch: "topic", Files: map[string]string{"a": "a"}, Message: "late", Authored: day(4)})
	h["c"] = record(gittest.Entry{Branch: "gone", Files: map[string]string{"c": "c"}, Message: "c", Authored: day(7), Parents: []string{h["a"]}})
	must(gittest.Annotate(dir, "v1", h["c"], day(8)))
	must(os.Remove(filepath.Join(dir, "refs", "heads", "gone")))
	h["pull"] = record(gittest.Entry{Branch: "gone", Files: map[string]string{"p": "p"}, Message: "pull", Authored: day(9)})
	must(gittest.Point(dir, "refs/pull/1/head", h["pull"]))
	must(os.Remove(filepath.Join(dir, "refs", "heads", "gone")))
	return h
}

func readHistory(t *testing.T, dir string, o HistoryOptions) ([]routing.Commit, []routing.Failure, error) {
	t.Helper()
	var commits []routing.Commit
	failures, err := New().History(t.Context(), dir, o, func(c routing.Commit) error {
		commits = append(commits, c)
		return nil
	})
	return commits, failures, err
}

func TestHistory(t *testing.T) {
	t.Parallel()
	for _, packed := range []bool{false, true} {
		t.Run(fmt.Sprintf("packed %t", packed), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			h := branched(t, dir)
			if packed {
				if err := gittest.Pack(dir); err != nil {
					t.Fatal(err)
				}
			}
			commits, failures, err := readHistory(t, dir, HistoryOptions{})
			if err != nil || len(failures) > 0 {
				t.Fatal(failures, err)
			}
			var got []string
			for _, c := range commits {
				title, _, _ := strings.Cut(c.Message, "\n")
				got = append(got, fmt.Sprintf("%s %s %t", title, c.Branch, c.Default))
			}
			// "side" comes after "late", its child, though it was committed after it.
			want := []string{"c  false", "merge main true", "late topic false", "side main true", "b main true", "a: first main true"}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			side := commits[3]
			if d := cmp.Diff(routing.Commit{
				Hash: h["side"], Parents: []string{h["a"]}, AuthorName: "Ada", AuthorEmail: "ada@example.com",
				AuthoredAt: day(2), CommittedAt: day(5), Message: "side", Branch: "main", Default: true,
			}, side); d != "" {
				t.Error(d)
			}
			if got := commits[5].Message; got != "a: first\n\nwith a body\nof two lines\n" {
				t.Errorf("message %q", got)
			}
		})
	}
}

func TestHistoryBounds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := branched(t, dir)
	commits, failures, err := readHistory(t, dir, HistoryOptions{MaxCommits: 3})
	if err != nil || len(commits) != 3 || len(failures) != 1 || !strings.Contains(failures[0].Why, "more than 3 commits") {
		t.Errorf("%d commits, %v, %v", len(commits), failures, err)
	}
	// A shallow clone lacks the commits before its edge.
	if err := os.Remove(filepath.Join(dir, "objects", h["a"][:2], h["a"][2:])); err != nil {
		t.Fatal(err)
	}
	commits, failures, err = readHistory(t, dir, HistoryOptions{})
	if err != nil || len(commits) != 5 || len(failures) != 1 || !strings.Contains(failures[0].Why, "full depth") {
		t.Errorf("%d commits, %v, %v", len(commits), failures, err)
	}
	stop := errors.New("stop")
	_, err = New().History(t.Context(), dir, HistoryOptions{}, func(routing.Commit) error { return stop })
	if !errors.Is(err, stop) {
		t.Errorf("error of visit: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New().History(ctx, dir, HistoryOptions{}, func(routing.Commit) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}

func TestHistoryOfNothing(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	if err := gittest.Empty(empty, false); err != nil {
		t.Fatal(err)
	}
	if _, _, err := readHistory(t, empty, HistoryOptions{}); !errors.Is(err, routing.ErrEmpty) {
		t.Errorf("empty repository: %v", err)
	}
	if _, _, err := readHistory(t, t.TempDir(), HistoryOptions{}); err == nil {
		t.Error("a folder without repository: no error")
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := branched(t, dir)
	want := map[string][]string{
		"a":     {"README.md", "src/app/main.go", "src/app/old.go", "src/lib/deep/x.go"},
		"side":  {"src/app/main.go", "src/app/new.go", "src/app/old.go"},
		"b":     {"src/app", "src/app/main.go", "src/app/old.go"}, // a folder became a file
		"merge": {"src/app", "src/lib/deep/x.go"},                 // against its first parent
	}
	var order []string
	for name := range want {
		order = append(order, h[name])
	}
	got := map[string][]string{}
	failures, err := New().Changes(t.Context(), dir, append(order, "nonsense", strings.Repeat("0", 39)+"1"), 0, func(c routing.Change) error {
		for name, hash := range h {
			if hash == c.Commit {
				got[name] = c.Files
			}
		}
		if c.Cut {
			t.Errorf("%s was cut", c.Commit)
		}
		return nil
	})
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
	if len(failures) != 2 {
		t.Errorf("failures %v, want one for each commit that is none", failures)
	}
	_, err = New().Changes(t.Context(), dir, []string{h["a"]}, 2, func(c routing.Change) error {
		if !c.Cut || len(c.Files) != 2 {
			t.Errorf("change %+v, want two files and the mark that there were more", c)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func FuzzParseCommit(f *testing.F) {
	f.Add([]byte("tree 0000000000000000000000000000000000000000\nparent 0000000000000000000000000000000000000001\n" +
		"author A <a@example.com> 1700000000 +0100\ncommitter B <b@example.com> 1700000001 -0000\ngpgsig -----\n x\n\ntitle\r\n\nbody"))
	f.Add([]byte("author <> 99999999999999999999\n\n\xff"))
	f.Add([]byte("committer A>b< 1 +0000"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := parseCommit([20]byte{}, data)
		if strings.ToValidUTF8(c.Message+c.AuthorName+c.AuthorEmail, "") != c.Message+c.AuthorName+c.AuthorEmail {
			t.Errorf("commit %+v holds invalid text", c)
		}
		if y := c.CommittedAt.Year(); y != 1 && (y < 1970 || y > 9999) {
			t.Errorf("year %d", y)
		}
		if len(parseShape(data).parents) != len(c.Parents) {
			t.Error("the two readings differ in parents")
		}
	})
}
