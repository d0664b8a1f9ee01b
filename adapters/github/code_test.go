package github_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/bot"
)

const (
	regRepo = "ferry/.github"
	regFile = "a folder/registry.json"
)

func coded(t *testing.T, h how) (*bench, githubtest.Push) {
	t.Helper()
	b := setup(t, h)
	b.AddRepo(githubtest.Repo{FullName: regRepo, DefaultBranch: "trunk"})
	p, err := b.PushFiles(regRepo, "trunk", map[string]string{regFile: "{}\n", "big": strings.Repeat("x", 3_000_000)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.PushFiles(regRepo, "rel/1.0", map[string]string{regFile: "[]"}); err != nil {
		t.Fatal(err)
	}
	return b, p
}

func TestHead(t *testing.T) {
	t.Parallel()
	for _, app := range []bool{false, true} {
		b, p := coded(t, how{app: app})
		ask := func(branch, tag string) (string, string, bool) {
			t.Helper()
			commit, tag, changed, err := b.client.Head(t.Context(), regRepo, branch, tag)
			if err != nil {
				t.Fatal(err)
			}
			return commit, tag, changed
		}
		commit, tag, changed := ask("", "")
		if commit != p.After || !changed || tag == "" {
			t.Fatalf("the default branch is at %q, tag %q, changed %v; want %s", commit, tag, changed, p.After)
		}
		if same, kept, changed := ask("", tag); changed || same != "" || kept != tag {
			t.Errorf("unmoved it is %q, tag %q, changed %v", same, kept, changed)
		}
		if other, _, _ := ask("rel/1.0", ""); other == commit || other == "" {
			t.Errorf("the other branch is at %q", other)
		}
		if err := b.RenameRepo(regRepo, "ferry/meta"); err != nil {
			t.Fatal(err)
		}
		if moved, _, changed := ask("trunk", ""); moved != commit || !changed {
			t.Errorf("renamed, the branch is at %q", moved)
		}
		if r, err := b.client.RepositoryNamed(t.Context(), regRepo); err != nil || r.FullName != "ferry/meta" || r.DefaultBranch != "trunk" {
			t.Errorf("renamed, it is %+v, %v", r, err)
		}
		if text, err := b.client.File(t.Context(), regRepo, commit, regFile, 100); err != nil || string(text) != "{}\n" {
			t.Errorf("renamed, the file is %q, %v", text, err)
		}
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	b, p := coded(t, how{app: true})
	number, head, err := b.OpenPull(regRepo, "trunk", true, map[string]string{regFile: `{"new":1}`, "README.md": "x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		commit, path, want string
		limit              int
		code               bot.Code
	}{
		{p.After, regFile, "{}\n", 3, ""},
		{head, regFile, `{"new":1}`, 100, ""}, // of a fork, through the base
		{p.After, "big", strings.Repeat("x", 3_000_000), 3_000_000, ""},
		{p.After, "big", "", 2_999_999, bot.CodeInvalid},
		{p.After, "none", "", 100, bot.CodeNotFound},
		{strings.Repeat("0", 40), regFile, "", 100, bot.CodeNotFound},
		{"trunk", regFile, "", 100, bot.CodeInvalid},
		{p.After, "../" + regFile, "", 100, bot.CodeInvalid},
		{p.After, "/etc/passwd", "", 100, bot.CodeInvalid},
		{p.After, "a/./b", "", 100, bot.CodeInvalid},
		{p.After, "", "", 100, bot.CodeInvalid},
	} {
		text, err := b.client.File(t.Context(), regRepo, c.commit, c.path, c.limit)
		if bot.CodeOf(err) != c.code || (c.code == "" && string(text) != c.want) {
			t.Errorf("%s at %s: %d bytes, %v; want code %q", c.path, c.commit, len(text), err, c.code)
		}
	}
	files, err := b.client.PullFiles(t.Context(), regRepo, number)
	if err != nil || !slices.Equal(files, []string{"README.md", regFile}) {
		t.Errorf("the pull request changes %q, %v", files, err)
	}
}

func TestCodeRefuses(t *testing.T) {
	t.Parallel()
	b, p := coded(t, how{app: true})
	for branch, want := range map[string]bot.Code{
		"none": bot.CodeInvalid, "a/../b": bot.CodeInvalid, "a b": bot.CodeInvalid, "/x": bot.CodeInvalid, "x?y": bot.CodeInvalid,
	} {
		if _, _, _, err := b.client.Head(t.Context(), regRepo, branch, ""); bot.CodeOf(err) != want {
			t.Errorf("%q: %v, want code %s", branch, err, want)
		}
	}
	if _, _, _, err := b.client.Head(t.Context(), "ferry/none", "", ""); bot.CodeOf(err) != bot.CodeNotFound {
		t.Errorf("no repository: %v", err)
	}
	if _, _, _, err := b.client.Head(t.Context(), repoName, "", ""); bot.CodeOf(err) != bot.CodeInvalid {
		t.Errorf("an empty repository: %v", err)
	}
	b.Deny("contents")
	if _, err := b.client.File(t.Context(), regRepo, p.After, regFile, 9); bot.CodeOf(err) != bot.CodeForbidden || !strings.Contains(err.Error(), "contents: read") {
		t.Errorf("without the permission: %v", err)
	}
}

// Whoever answers may send us elsewhere: nothing follows, above all no token.
func TestCodeStaysOnItsHost(t *testing.T) {
	t.Parallel()
	for _, to := range []string{
		"http://elsewhere.example/x", "https://127.0.0.1/x", "http://127.0.0.1:9/x", "http://user@127.0.0.1/x", "//elsewhere.example/x",
	} {
		var dialled []string
		armed := false
		b, p := coded(t, how{app: true, rt: roundTripper(func(r *http.Request) (*http.Response, error) {
			if armed {
				dialled = append(dialled, r.URL.Host)
			}
			return http.DefaultTransport.RoundTrip(r)
		})})
		if _, err := b.client.File(t.Context(), regRepo, p.After, regFile, 9); err != nil { // tokens are there now
			t.Fatal(err)
		}
		armed = true
		for _, path := range []string{"/contents/", "/installation"} {
			b.FailPath(1, path, http.StatusFound, http.Header{"Location": {to}}, "{}")
			if _, err := b.client.File(t.Context(), regRepo, p.After, regFile, 9); bot.CodeOf(err) != bot.CodeForbidden {
				t.Errorf("%s, sent to %s: %v", path, to, err)
			}
		}
		own := strings.TrimPrefix(b.URL(), "http://")
		if slices.ContainsFunc(dialled, func(h string) bool { return h != own }) {
			t.Errorf("sent to %s, hosts %q were called", to, dialled)
		}
	}
}
