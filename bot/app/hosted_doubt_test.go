package app

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/pointsman/pointsman/adapters/github"
	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/console"
)

// partly is a hub, a part of which does not know what another says.
type partly struct {
	head  string
	files map[string]string
	fails map[string]bot.Code // by path
	now   time.Time
}

func (p *partly) RepositoryNamed(_ context.Context, full string) (github.Repository, error) {
	return github.Repository{ID: 7, FullName: full}, nil
}

func (p *partly) Head(_ context.Context, _, _, tag string) (commit, newTag string, changed bool, err error) {
	return p.head, "tag " + p.head, tag != "tag "+p.head, nil
}

func (p *partly) File(_ context.Context, _, commit, path string, _ int) ([]byte, error) {
	if code := p.fails[path]; code != "" && commit == p.head {
		return nil, bot.Errorf(code, "reading %s: refused", path)
	}
	text, ok := p.files[path]
	if !ok {
		return nil, bot.Errorf(bot.CodeNotFound, "reading %s: it is not there", path)
	}
	return []byte(text), nil
}

func (p *partly) PullFiles(context.Context, string, int) ([]string, error) {
	return []string{"r.json", "tables.json"}, nil
}

// doubtful is a registry of one entry with tables, read at commit c1; c2 is pushed
// then, and a file of it cannot be read.
func doubtful(t *testing.T, path string, code bot.Code) (*hosted, *partly) {
	t.Helper()
	p := &partly{
		head: "c1", now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), fails: map[string]bot.Code{},
		files: map[string]string{"r.json": `{"version":1,"repos":[{"name":"a"}]}`, "tables.json": `{"version":"1"}`},
	}
	cfg := config.Config{DataDir: t.TempDir()}
	cfg.Registry.Repo, cfg.Registry.Path = regRepo, "r.json"
	h := newHosted(cfg, p, console.NewMetrics(), slog.New(slog.NewTextHandler(t.Output(), nil)))
	h.now = func() time.Time { return p.now }
	if err := h.read(t.Context()); err != nil || h.why() != "" {
		t.Fatalf("%v, %s", err, h.why())
	}
	p.head, p.fails[path] = "c2", code
	p.files["r.json"] = strings.ReplaceAll(p.files["r.json"], `"a"`, `"b"`)
	return h, p
}

// What the host refuses for a moment is asked for again, though nothing is pushed.
func TestHostedRegistryAsksAgain(t *testing.T) {
	t.Parallel()
	for _, code := range []bot.Code{bot.CodeNotFound, bot.CodeForbidden} {
		h, p := doubtful(t, "r.json", code)
		for range 3 {
			err := h.read(t.Context())
			if now, ok := h.current(); !ok || now.reg.Repos[0].Name != "a" || h.why() == "" {
				t.Errorf("%s: in force is %+v, the reason %q, the error %v", code, now.reg.Repos, h.why(), err)
			}
			p.now = p.now.Add(time.Minute)
		}
		delete(p.fails, "r.json")
		if err := h.read(t.Context()); err != nil {
			t.Error(err)
		}
		if now, _ := h.current(); now.reg.Repos[0].Name != "b" || h.why() != "" {
			t.Errorf("%s, mended: in force is %+v, the reason %q", code, now.reg.Repos, h.why())
		}
	}
}

// Tables that a part of the host does not know of are not dropped, those that were
// taken out are.
func TestHostedTablesAreMissed(t *testing.T) {
	t.Parallel()
	h, p := doubtful(t, "tables.json", bot.CodeNotFound)
	err := h.read(t.Context())
	if now, _ := h.current(); bot.CodeOf(err) != bot.CodeLimited || now.tables == nil || now.reg.Repos[0].Name != "a" {
		t.Errorf("at once: %v, tables %v", err, now.tables)
	}
	p.now = p.now.Add(sureAfter)
	if err := h.read(t.Context()); err != nil {
		t.Error(err)
	}
	if now, _ := h.current(); now.tables != nil || now.reg.Repos[0].Name != "b" {
		t.Errorf("for good: tables %v", now.tables)
	}
}

// A pull request does not fail for a file that its head has, but not everywhere yet.
func TestReviewOfWhatIsMissing(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"r.json", "tables.json"} {
		h, p := doubtful(t, path, bot.CodeNotFound)
		pull := bot.Pull{Target: bot.Target{Repo: regRepo, Number: 1}, Base: "c1", Head: "c2"}
		if c, _, err := h.Review(t.Context(), pull); bot.CodeOf(err) != bot.CodeLimited {
			t.Errorf("%s, at once: %s, %v", path, c.Title, err)
		}
		p.now = p.now.Add(sureAfter)
		if c, touched, err := h.Review(t.Context(), pull); err != nil || !touched || (c.Conclusion == bot.CheckFailure) != (path == "r.json") {
			t.Errorf("%s, for good: %s, %v", path, c.Title, err)
		}
	}
}

// Whoever takes a name that the registry's repository gave up gets neither its place
// nor a list of its entries, also after a restart.
func TestHostedRegistryIsNotItsName(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, true)
	h, _ := w.bare(t)
	if err := h.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.github.RenameRepo(regRepo, "acme/meta"); err != nil {
		t.Fatal(err)
	}
	w.github.AddRepo(githubtest.Repo{FullName: regRepo})
	w.push(t, "main", map[string]string{regFile: registryWith("")})
	_, _, d := w.pull(t, true, map[string]string{regFile: registryWith("\n")})
	e, err := newParser(t, w).Parse(delivery(d.Header, d.Body))
	if err != nil {
		t.Fatal(err)
	}
	again, _ := w.bare(t)
	again.restore()
	for name, h := range map[string]*hosted{"running": h, "restarted": again} {
		if h.Concerns(e.Pull.Target.Repo, e.Pull.RepoID, e.Pull.Branch, e.Pull.Default) {
			t.Errorf("%s: the other repository concerns the registry", name)
		}
		if c, touched, err := h.Review(t.Context(), *e.Pull); touched || err != nil {
			t.Errorf("%s: the check says %s, %v", name, c.Summary, err)
		}
		if err := h.read(t.Context()); err != nil {
			t.Error(err)
		}
		if now, ok := h.current(); !ok || len(now.reg.Repos) != 2 || !strings.Contains(h.why(), "is another repository now") {
			t.Errorf("%s: in force are %d entries, the reason is %q", name, len(now.reg.Repos), h.why())
		}
	}
}
