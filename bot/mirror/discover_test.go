package mirror_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot/mirror"
	"github.com/pointsman/pointsman/routing"
)

func TestDiscover(t *testing.T) {
	t.Parallel()
	src := newSource()
	src.put("/ws/desk", 1, map[string]string{
		"main.go": "package main", "readme.txt": "The plain text one, which is only second choice here.",
		"README.md": "# Desk\n\nPrints labels for parcels and books the courier.\n", "docs/README.md": "Not at the root, so not the one that counts.",
	})
	src.put("/ws/quiet", 1, sources("quiet"))
	src.put("/ws/empty", 1, nil)
	src.repos["/ws/empty"].headErr = fmt.Errorf("reading head: %w", routing.ErrEmpty)
	src.put("/ws/torn", 1, nil)
	src.repos["/ws/torn"].walkErr = errors.New("root folder is missing")
	for _, name := range []string{"desk", "empty", "quiet", "torn"} {
		src.found = append(src.found, routing.Found{Name: name, Dir: "/ws/" + name})
	}
	reg, missing, err := mirror.Discover(t.Context(), src, src, "/ws")
	if err != nil {
		t.Fatal(err)
	}
	wantRepos := []routing.Repo{
		{
			Name: "desk", Dir: "/ws/desk", Languages: []string{"Go"},
			Description: "Prints labels for parcels and books the courier.", DescriptionSource: "generated",
		},
		{Name: "empty", Dir: "/ws/empty"},
		{Name: "quiet", Dir: "/ws/quiet", Languages: []string{"Go"}},
		{Name: "torn", Dir: "/ws/torn"},
	}
	if diff := cmp.Diff(wantRepos, reg.Repos); diff != "" {
		t.Errorf("repos (-want +got):\n%s", diff)
	}
	wantMissing := []routing.Missing{
		{Repo: "empty", Why: "repository has no commits yet", Empty: true},
		{Repo: "torn", Why: "root folder is missing"},
	}
	if diff := cmp.Diff(wantMissing, missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	again, _, err := mirror.Discover(t.Context(), src, src, "/ws")
	if err != nil || again.Hash != reg.Hash || !strings.HasPrefix(reg.Hash, "sha256:") || reg.File != "" {
		t.Errorf("Hash = %q then %q, File = %q, err %v", reg.Hash, again.Hash, reg.File, err)
	}
}

func TestDiscoverNothing(t *testing.T) {
	t.Parallel()
	src := newSource()
	_, _, err := mirror.Discover(t.Context(), src, src, "/ws")
	if err == nil || !strings.Contains(err.Error(), "/ws: it holds no git repository") || !strings.Contains(err.Error(), "--registry FILE") {
		t.Errorf("err = %v, want one that says what to do", err)
	}
}
