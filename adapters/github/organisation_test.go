package github_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/github"
	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/bot"
)

// fleet adds an organisation of four repositories to the bench.
func fleet(t *testing.T, b *bench) {
	t.Helper()
	for _, r := range []githubtest.Repo{
		{FullName: "fleet/Tides", Description: "When the water\nis high.", Topics: []string{"water", " "}, DefaultBranch: "trunk"},
		{FullName: "fleet/berths", Visibility: "internal", Archived: true, Fork: true},
		{FullName: "fleet/empty", Visibility: "private"},
		{FullName: "fleet/.github"},
	} {
		b.AddRepo(r)
		if !strings.HasSuffix(r.FullName, "/empty") {
			if _, err := b.PushFiles(r.FullName, "main", map[string]string{"README.md": "text"}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestOrganisation(t *testing.T) {
	t.Parallel()
	for _, app := range []bool{false, true} {
		b := setup(t, how{app: app})
		fleet(t, b)
		b.SetPageSize(2)
		host := strings.TrimPrefix(b.URL(), "http://")
		clone := func(name string) string { return b.URL() + "/fleet/" + name + ".git" }
		id := func(name string) int64 { return b.RepoID("fleet/" + name) }
		want := []github.Repository{
			{ID: id(".github"), Host: host, FullName: "fleet/.github", Name: ".github", CloneURL: clone(".github"), DefaultBranch: "main", Visibility: "public"},
			{ID: id("berths"), Host: host, FullName: "fleet/berths", Name: "berths", CloneURL: clone("berths"), DefaultBranch: "main", Visibility: "internal", Archived: true, Fork: true},
			{ID: id("empty"), Host: host, FullName: "fleet/empty", Name: "empty", CloneURL: clone("empty"), DefaultBranch: "main", Visibility: "private", Empty: true},
			{ID: id("tides"), Host: host, FullName: "fleet/Tides", Name: "Tides", Description: "When the water is high.", CloneURL: clone("Tides"), DefaultBranch: "trunk", Visibility: "public", Topics: []string{"water"}},
		}
		got, err := b.client.Organisation(t.Context(), "Fleet")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("app %v: repositories differ (-want +got):\n%s", app, diff)
		}
		if err := b.RenameRepo("fleet/berths", "quay/berths"); err != nil {
			t.Fatal(err)
		}
		one, err := b.client.Repository(t.Context(), want[1].ID)
		if err != nil || one.FullName != "quay/berths" || one.ID != want[1].ID {
			t.Errorf("app %v: after a transfer it is %+v, %v", app, one, err)
		}
	}
}

// A name may be a person's.
func TestOrganisationOfOne(t *testing.T) {
	t.Parallel()
	b := setup(t, how{})
	fleet(t, b)
	b.SetUser("fleet")
	got, err := b.client.Organisation(t.Context(), "fleet")
	if err != nil || len(got) != 4 {
		t.Errorf("%d repositories, %v; want 4", len(got), err)
	}
}

func TestOrganisationRefuses(t *testing.T) {
	t.Parallel()
	token, app := setup(t, how{}), setup(t, how{app: true})
	for _, c := range []struct {
		b    *bench
		org  string
		want bot.Code
	}{
		{token, "a/b", bot.CodeInvalid},
		{token, "..", bot.CodeInvalid},
		{token, "", bot.CodeInvalid},
		{token, "nobody", bot.CodeNotFound},
		{app, "nobody", bot.CodeNotFound},
	} {
		if _, err := c.b.client.Organisation(t.Context(), c.org); bot.CodeOf(err) != c.want {
			t.Errorf("%q: %v, want code %s", c.org, err, c.want)
		}
	}
	for _, id := range []int64{-1, 0, 7} {
		want := bot.CodeNotFound
		if id <= 0 {
			want = bot.CodeInvalid
		}
		for _, b := range []*bench{token, app} {
			if _, err := b.client.Repository(t.Context(), id); bot.CodeOf(err) != want {
				t.Errorf("%d: %v, want code %s", id, err, want)
			}
		}
	}
	for status, want := range map[int]bot.Code{
		http.StatusServiceUnavailable: bot.CodeUnavailable, http.StatusUnauthorized: bot.CodeUnauthorized, http.StatusTooManyRequests: bot.CodeLimited,
	} {
		token.Fail(1, status, nil, `{"message":"no"}`)
		if _, err := token.client.Organisation(t.Context(), "ferry"); bot.CodeOf(err) != want {
			t.Errorf("%d: %v, want code %s", status, err, want)
		}
	}
}
