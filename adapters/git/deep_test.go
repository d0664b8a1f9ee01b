package git_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/adapters/git/smarttest"
	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing"
)

// forge is a git host with one repository, acme/cart.
type forge struct {
	*smarttest.Server
	url  string
	repo string // where it lies
	dir  string // of the mirrors
	days int
}

func newForge(t *testing.T) *forge {
	t.Helper()
	f := &forge{dir: filepath.Join(t.TempDir(), "mirrors")}
	root := t.TempDir()
	f.repo = filepath.Join(root, "acme", "cart.git")
	if err := gittest.Empty(f.repo, true); err != nil {
		t.Fatal(err)
	}
	f.Server = smarttest.New(root)
	web := httptest.NewServer(f.Server)
	t.Cleanup(web.Close)
	f.url = web.URL + "/acme/cart.git"
	return f
}

func (f *forge) record(t *testing.T, e gittest.Entry) {
	t.Helper()
	f.days++
	e.Authored = time.Date(2024, 1, f.days, 9, 0, 0, 0, time.UTC)
	if _, err := gittest.Record(f.repo, e); err != nil {
		t.Fatal(err)
	}
}

// keep opens the folder, keeps one mirror and lets go.
func (f *forge) keep(t *testing.T, o git.MirrorOptions) (string, error) {
	t.Helper()
	m, err := git.OpenMirrors(f.dir, o)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := m.Keep(t.Context(), "acme/cart", f.url)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, err
}

// titles lists the messages of a history with their branches, sorted.
func titles(t *testing.T, dir string) (list []string) {
	t.Helper()
	failures, err := git.New().History(t.Context(), dir, git.HistoryOptions{}, func(c routing.Commit) error {
		list = append(list, fmt.Sprintf("%s %v %s", c.Branch, c.Default, strings.TrimSpace(c.Message)))
		return nil
	})
	if err != nil || len(failures) > 0 {
		t.Fatalf("%v, %v", failures, err)
	}
	slices.Sort(list)
	return list
}

// files lists all files of the folder of mirrors.
func (f *forge) files(t *testing.T) (list []string) {
	t.Helper()
	err := filepath.WalkDir(f.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(f.dir, path) // both are below one folder
			list = append(list, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func source(s string) map[string]string { return map[string]string{"cart/main.py": s} }

func TestMirror(t *testing.T) {
	t.Parallel()
	for _, plain := range []bool{false, true} {
		f := newForge(t)
		f.Set(smarttest.Plan{Plain: plain})
		f.record(t, gittest.Entry{Message: "start", Files: source("1")})
		f.record(t, gittest.Entry{Message: "PAY-1 more", Files: source("2")})
		f.record(t, gittest.Entry{Message: "aside", Files: source("3"), Branch: "PAY-2"})
		dir, err := f.keep(t, git.MirrorOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"PAY-2 false aside", "main true PAY-1 more", "main true start"}
		if d := cmp.Diff(want, titles(t, dir)); d != "" || filepath.Base(dir) != "acme%2Fcart.git" {
			t.Errorf("%s: %s", dir, d)
		}
		if r := f.Requests(); len(r) != 2 || r[1].Wants != 2 || r[1].Haves != 0 {
			t.Errorf("the first time: %+v", r)
		}
		// Nothing new: nothing is fetched.
		if _, err := f.keep(t, git.MirrorOptions{}); err != nil {
			t.Fatal(err)
		}
		if r := f.Requests(); len(r) != 1 {
			t.Errorf("with nothing new: %+v", r)
		}
		// Only what is new, and a branch that is gone goes.
		if err := os.Remove(filepath.Join(f.repo, "refs", "heads", "PAY-2")); err != nil {
			t.Fatal(err)
		}
		f.record(t, gittest.Entry{Message: "PAY-3 later", Files: source("4")})
		if _, err := f.keep(t, git.MirrorOptions{}); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{"main true PAY-1 more", "main true PAY-3 later", "main true start"}, titles(t, dir)); d != "" {
			t.Error(d)
		}
		if r := f.Requests(); len(r) != 2 || r[1].Wants != 1 || r[1].Haves != 2 || r[1].Sent > 600 {
			t.Errorf("with one commit more: %+v", r)
		}
		// Its changes can be read, too: all objects are there.
		head, err := git.New().Head(t.Context(), dir, "")
		if err != nil {
			t.Fatal(err)
		}
		failures, err := git.New().Changes(t.Context(), dir, []string{head.Commit}, 10, func(c routing.Change) error {
			if len(c.Files) != 1 {
				t.Errorf("change is %+v", c)
			}
			return nil
		})
		if err != nil || len(failures) > 0 {
			t.Errorf("%v, %v", failures, err)
		}
	}
}

// big makes a repository of about a megabyte that does not pack.
func (f *forge) big(t *testing.T) {
	t.Helper()
	noise := make([]byte, 1<<20)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	f.record(t, gittest.Entry{Message: "noise", Files: source(string(noise))})
}

func TestMirrorOverTheBound(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	f.record(t, gittest.Entry{Message: "start", Files: source("1")})
	dir, err := f.keep(t, git.MirrorOptions{MaxBytes: 512 << 10})
	if err != nil {
		t.Fatal(err)
	}
	before := f.files(t)
	f.big(t)
	got, err := f.keep(t, git.MirrorOptions{MaxBytes: 512 << 10})
	if err == nil || !strings.Contains(err.Error(), "more than 512 KiB; raise --max-mirror-size") || got != dir {
		t.Errorf("grown: %q, %v", got, err)
	}
	if d := cmp.Diff(before, f.files(t)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"main true start"}, titles(t, dir)); d != "" {
		t.Error(d)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	got, err = f.keep(t, git.MirrorOptions{MaxBytes: 512 << 10})
	if err == nil || !strings.Contains(err.Error(), "more than 512 KiB") || got != "" {
		t.Errorf("new: %q, %v", got, err)
	}
	if d := cmp.Diff([]string{".lock"}, f.files(t)); d != "" {
		t.Error(d)
	}
	if _, err = f.keep(t, git.MirrorOptions{}); err != nil {
		t.Errorf("with the usual bound: %v", err)
	}
}

func TestMirrorThatBreaksOff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		plan smarttest.Plan
		want string
	}{
		{"cut", smarttest.Plan{CutAfter: 300 << 10}, "the pack broke off"},
		{"cut without a side-band", smarttest.Plan{CutAfter: 300 << 10, Plain: true}, "the pack broke off"},
		{"cut at once", smarttest.Plan{CutAfter: 5}, "fetching from 127.0.0.1"},
		{"damaged", smarttest.Plan{Flip: true}, "cut short or damaged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newForge(t)
			f.big(t)
			f.Set(c.plan)
			if got, err := f.keep(t, git.MirrorOptions{}); err == nil || !strings.Contains(err.Error(), c.want) || got != "" || strings.Contains(err.Error(), "\n") {
				t.Errorf("new: %q, %v", got, err)
			}
			if d := cmp.Diff([]string{".lock"}, f.files(t)); d != "" {
				t.Error(d)
			}
			f.Set(smarttest.Plan{})
			dir, err := f.keep(t, git.MirrorOptions{})
			if err != nil {
				t.Fatal(err)
			}
			before := f.files(t)
			f.record(t, gittest.Entry{Message: "later", Files: source("1")})
			f.big(t)
			f.Requests()
			c.plan.CutAfter = min(c.plan.CutAfter, 200)
			f.Set(c.plan)
			if got, err := f.keep(t, git.MirrorOptions{}); err == nil || got != dir {
				t.Errorf("again: %q, %v", got, err)
			}
			if d := cmp.Diff(before, f.files(t)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff([]string{"main true noise"}, titles(t, dir)); d != "" {
				t.Error(d)
			}
			f.Set(smarttest.Plan{})
			if _, err := f.keep(t, git.MirrorOptions{}); err != nil || len(titles(t, dir)) != 3 {
				t.Errorf("mended: %v, %v", err, titles(t, dir))
			}
		})
	}
}

func TestMirrorOfOneThatHangs(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	f.record(t, gittest.Entry{Message: "start", Files: source("1")})
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	f.Set(smarttest.Plan{Hold: hold})
	if got, err := f.keep(t, git.MirrorOptions{MaxTime: 50 * time.Millisecond}); err == nil || !strings.Contains(err.Error(), "not fetched within 50ms") || got != "" {
		t.Errorf("%q, %v", got, err)
	}
	m, err := git.OpenMirrors(f.dir, git.MirrorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Keep(ctx, "cart", f.url); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if d := cmp.Diff([]string{".lock"}, f.files(t)); d != "" {
		t.Error(d)
	}
	if _, err := git.OpenMirrors(f.dir, git.MirrorOptions{}); err == nil || !strings.Contains(err.Error(), "in use by another pointsman") {
		t.Errorf("twice at once: %v", err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestMirrorWithAToken(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	f.record(t, gittest.Entry{Message: "start", Files: source("1")})
	f.Set(smarttest.Plan{Password: "open-sesame"})
	if _, err := f.keep(t, git.MirrorOptions{}); err == nil || !strings.Contains(err.Error(), "github.token") {
		t.Errorf("without a token: %v", err)
	}
	host := strings.TrimSuffix(strings.TrimPrefix(f.url, "http://"), "/acme/cart.git")
	o := git.MirrorOptions{Token: func(h string) bot.Secret {
		if h == host {
			return "open-sesame"
		}
		return ""
	}}
	if _, err := f.keep(t, o); err != nil {
		t.Fatal(err)
	}
	for _, name := range f.files(t) {
		data, err := os.ReadFile(filepath.Join(f.dir, name))
		if err != nil || strings.Contains(string(data), "sesame") {
			t.Errorf("%s holds the token, or cannot be read: %v", name, err)
		}
	}
	// Another host neither gets the request nor the token.
	asked := make(chan *http.Request, 9)
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r }))
	defer other.Close()
	f.Set(smarttest.Plan{Moved: map[string]string{"/acme/cart.git/info/refs": other.URL + "/acme/cart.git/info/refs"}})
	_, err := f.keep(t, o)
	if err == nil || !strings.Contains(err.Error(), "leads on to "+other.URL) || len(asked) != 0 {
		t.Errorf("a redirect to another host: %v, asked %d times", err, len(asked))
	}
	// One on the same host is followed, as after a rename.
	f.Set(smarttest.Plan{Password: "open-sesame", Moved: map[string]string{"/acme/old.git/info/refs": "/acme/cart.git/info/refs"}})
	f.url = strings.Replace(f.url, "cart", "old", 1)
	if _, err := f.keep(t, o); err != nil {
		t.Errorf("a renamed repository: %v", err)
	}
}
