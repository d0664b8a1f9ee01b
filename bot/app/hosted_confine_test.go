package app

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/bot/store"
)

// registryWith is a registry whose one entry holds these fields too.
func registryWith(fields string) string {
	return `{"version": 1, "repos": [{"name": "berths", "description": "Quay berths."` + fields + `}]}`
}

// What a pull request may not do: each registry is refused as a whole, where it is
// proposed and where it was merged all the same, and the last good one answers.
func TestHostedRegistryIsConfined(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, false)
	leak(t, w)
	h, d := w.bare(t)
	if err := h.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, fields := range map[string]string{
		"path upwards":               `, "path": "../../etc"`,
		"path upwards inside":        `, "path": "berths/../../x"`,
		"absolute path":              `, "path": "/etc"`,
		"link out of the root":       `, "path": "leak"`,
		"link on the way":            `, "path": "leak/secret"`,
		"unknown host":               `, "cloneURL": "https://evil.example/a/b.git"`,
		"known host, another port":   `, "cloneURL": "http://127.0.0.1:1/a/b.git"`,
		"user in the address":        `, "cloneURL": "http://HOST@evil.example/a/b.git"`,
		"user at the right host":     `, "cloneURL": "http://token@HOST/a/b.git"`,
		"host in a look-alike":       `, "cloneURL": "http://HOST.evil.example/a/b.git"`,
		"full-width letters":         `, "cloneURL": "https://ｇithub.com/a/b.git"`,
		"backslash":                  `, "cloneURL": "https://evil.example\\@HOST/a/b.git"`,
		"no host at all":             `, "cloneURL": "file:///etc"`,
		"a command":                  `, "cloneURL": "ext::sh -c id"`,
		"ssh":                        `, "cloneURL": "git@evil.example:a/b.git"`,
		"metadata service":           `, "cloneURL": "http://169.254.169.254/latest"`,
		"screens elsewhere":          `, "screens": "https://evil.example/screens.json"`,
		"screens upwards":            `, "screens": "../../etc/passwd"`,
		"agent file upwards":         `, "agentFile": "/etc/passwd"`,
		"host field":                 `, "host": "evil.example"`,
		"unknown host, upper case":   `, "cloneURL": "HTTPS://EVIL.example/a/b.git"`,
		"known host and a query":     `, "cloneURL": "http://HOST/a/b.git?x=http://evil.example"`,
		"known host, no encryption":  `, "cloneURL": "http://github.com/a/b.git"`,
		"address that holds a token": `, "cloneURL": "https://x:hunter2@evil.example/a/b.git"`,
	} {
		text := registryWith(strings.ReplaceAll(fields, "HOST", d.open))
		w.push(t, "main", map[string]string{regFile: text})
		if err := h.read(t.Context()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		now, ok := h.current()
		if !ok || len(now.reg.Repos) != 2 {
			t.Errorf("%s: the registry in force has %d entries", name, len(now.reg.Repos))
		}
		why := h.why()
		if why == "" || strings.Contains(why+h.outcome, "hunter2") {
			t.Errorf("%s: the reason is %q, the outcome %q", name, why, h.outcome)
		}
		if len(d.tried) > 0 {
			t.Errorf("%s: hosts %q were dialled, %q with credentials", name, d.tried, d.sent)
		}
	}
	// The same fields, harmless, are taken.
	w.push(t, "main", map[string]string{regFile: registryWith(strings.ReplaceAll(`, "path": "berths", "cloneURL": "http://HOST/a/b.git", "screens": "docs/s.json"`, "HOST", d.open))})
	if err := h.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now, ok := h.current(); !ok || len(now.reg.Repos) != 1 || h.why() != "" {
		t.Errorf("a harmless registry is refused: %s", h.why())
	}
}

// leak puts a repository outside of the roots, and a link to it inside.
func leak(t *testing.T, w *world) {
	t.Helper()
	outside := t.TempDir()
	if _, err := gittest.Write(filepath.Join(outside, "secret"), false, map[string]string{"a.go": "package a\n"}, "start"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(w.dir, "leak")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(w.dir, "berth2")); err != nil {
		t.Fatal(err)
	}
}

// What is found on this machine lies below the roots, by path and by name; without
// roots nothing is found.
func TestHostedRegistryLooksBelowItsRoots(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, false)
	leak(t, w)
	named := `{"version": 1, "repos": [{"name": "berths", "path": "berths"}, {"name": "tickets"}, {"name": "berth2"}, {"name": "secret", "aliases": ["leak/secret"]}]}`
	for _, roots := range [][]string{{w.dir}, nil} {
		w.cfg.Registry.Roots = roots
		w.push(t, "main", map[string]string{regFile: named})
		h, d := w.bare(t)
		r := &router{hosted: h}
		if err := h.read(t.Context()); err != nil {
			t.Fatal(err)
		}
		now, err := r.registry(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, repo := range now.reg.Repos {
			if repo.Dir != "" {
				found = append(found, filepath.Base(repo.Dir))
			}
		}
		want := []string{"berths", "tickets"}
		if roots == nil {
			want = nil
		}
		if !slices.Equal(found, want) || len(d.tried) > 0 {
			t.Errorf("with roots %q %q are found, want %q; dialled %q", roots, found, want, d.tried)
		}
	}
}

// Whatever the host answers, a token goes to it alone.
func TestHostedRegistryKeepsItsTokens(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, true)
	h, d := w.bare(t)
	if err := h.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, to := range []string{"https://evil.example/x", "//evil.example/x", "http://127.0.0.1:1/x", "https://HOST/x", "http://evil.example@HOST.evil.example/"} {
		for _, path := range []string{"/commits/", "/contents/", "/pulls/"} {
			w.push(t, "main", map[string]string{regFile: organisation + strings.Repeat("\n", i+1), "x": path})
			w.github.FailPath(1, path, http.StatusFound, http.Header{"Location": {strings.ReplaceAll(to, "HOST", d.open)}}, "{}")
			_ = h.read(t.Context())
			_, _, event := w.pull(t, true, map[string]string{regFile: "{"})
			got, err := newParser(t, w).Parse(delivery(event.Header, event.Body))
			if err != nil {
				t.Fatal(err)
			}
			_, _, _ = h.Review(t.Context(), *got.Pull)
			if len(d.tried) > 0 {
				t.Errorf("%s, sent to %s: hosts %q were dialled, %q with credentials", path, to, d.tried, d.sent)
			}
			if now, ok := h.current(); !ok || len(now.reg.Repos) != 2 {
				t.Errorf("%s, sent to %s: there is no registry", path, to)
			}
		}
	}
}

// The same through the whole service: the check says why, and shows no secret.
func TestConfinedPullRequest(t *testing.T) {
	t.Parallel()
	w := hostedWorld(t, true)
	a := w.start(t)
	until(t, "the registry", func() bool { return a.Ready() == nil })
	text := registryWith("\n\t, \"path\": \"../../etc\"\n\t, \"cloneURL\": \"https://evil.example/a.git\"\n")
	_, _, opened := w.pull(t, true, map[string]string{regFile: text})
	if d := w.took(t, a, opened); d.Status != store.StatusDone || !strings.HasPrefix(d.Reason, "failure: 2 errors") {
		t.Errorf("the pull request became %s: %s", d.Status, d.Reason)
	}
	runs := w.github.CheckRuns(regRepo)
	if len(runs) != 1 || len(runs[0].Annotations) != 2 {
		t.Fatalf("check runs are %+v", runs)
	}
	for i, want := range []string{"out of the configured roots", "a host that the configuration does not allow"} {
		if at := runs[0].Annotations[i]; at.StartLine != i+2 || !strings.Contains(at.Message, want) || strings.Contains(at.Message, "evil") {
			t.Errorf("remark %d is %+v", i, at)
		}
	}
	_, _, leaky := w.pull(t, true, map[string]string{regFile: registryWith(`, "cloneURL": "https://x:hunter2@evil.example/a.git"`)})
	w.took(t, a, leaky)
	for _, run := range w.github.CheckRuns(regRepo) {
		if run.Conclusion != "failure" || strings.Contains(run.Title+run.Summary+fmt.Sprint(run.Annotations), "hunter2") {
			t.Errorf("the check run is %+v", run)
		}
	}
	w.took(t, a, w.push(t, "main", map[string]string{regFile: text})) // merged all the same
	answered(t, a, organisation, "tickets")
}
