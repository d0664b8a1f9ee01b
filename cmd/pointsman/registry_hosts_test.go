package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/adapters/git/smarttest"
	"github.com/pointsman/pointsman/adapters/github/githubtest"
	"github.com/pointsman/pointsman/adapters/jira/jiratest"
)

// hosted is a GitHub with an organisation, and the flags that name it.
func hosted(t *testing.T) (s *githubtest.Server, flags []string, file string) {
	t.Helper()
	s, err := githubtest.New(githubtest.Options{Token: "gh-token", WebhookSecret: "gs"})
	if err != nil {
		t.Fatal(err)
	}
	address, err := s.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.AddRepo(githubtest.Repo{FullName: "ferries/berths", Description: "Berths of the quays, and who lies there", Visibility: "private"})
	s.AddRepo(githubtest.Repo{FullName: "ferries/fares", Description: "What a crossing costs", DefaultBranch: "trunk"})
	s.AddRepo(githubtest.Repo{FullName: "ferries/old-till", Description: "The till of last century", Archived: true})
	for _, name := range []string{"berths", "fares", "old-till"} {
		if _, err := s.PushFiles("ferries/"+name, map[string]string{"fares": "trunk"}[name], map[string]string{"README.md": "# " + name}); err != nil {
			t.Fatal(err)
		}
	}
	s.AddRepo(githubtest.Repo{FullName: "ferries/void"})
	dir := t.TempDir()
	token := filepath.Join(dir, "token")
	if err := os.WriteFile(token, []byte("gh-token\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "registry.json")
	return s, []string{"--github", "ferries", "--api-url", address + "/", "--token-file", token, "--registry", file, "--no-code", "--yes"}, file
}

func TestInitAndSyncOfAnOrganisation(t *testing.T) {
	t.Parallel()
	s, flags, file := hosted(t)
	code, out, errOut := pointsman("", append([]string{"init"}, flags...)...)
	if code != exitDone || strings.Contains(out+errOut, "gh-token") {
		t.Fatalf("code %d, %s%s", code, out, errOut)
	}
	got := entriesOf(t, file)
	if r := got["berths"]; r.ID != s.RepoID("ferries/berths") || r.Visibility != "private" || r.Description == "" || !strings.HasSuffix(r.CloneURL, "/ferries/berths.git") {
		t.Errorf("berths: %+v", r)
	}
	if r := got["fares"]; r.DefaultBranch != "trunk" {
		t.Errorf("fares: %+v", r)
	}
	if !got["old-till"].Archived || got["void"].Name == "" || !strings.Contains(out, "no commits yet") {
		t.Errorf("archived %v, empty %q, output %s", got["old-till"].Archived, got["void"].Name, out)
	}
	if code, out, _ := pointsman("", append([]string{"sync"}, flags...)...); code != exitDone || !strings.Contains(out, "3 repositories are as the registry says") {
		t.Errorf("sync of nothing: code %d, %s", code, out)
	}
	for from, to := range map[string]string{"ferries/fares": "ferries/tariffs", "ferries/berths": "harbour/berths"} {
		if err := s.RenameRepo(from, to); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errOut = pointsman("", append([]string{"sync"}, flags...)...)
	if code != exitDone {
		t.Fatalf("code %d, %s%s", code, out, errOut)
	}
	got = entriesOf(t, file)
	if r := got["tariffs"]; cmp.Diff([]string{"fares"}, r.Aliases) != "" || !strings.HasSuffix(r.CloneURL, "/ferries/tariffs.git") {
		t.Errorf("renamed: %+v", r)
	}
	if r := got["berths"]; !strings.HasSuffix(r.CloneURL, "/harbour/berths.git") || !strings.Contains(out, "moved") {
		t.Errorf("transferred: %+v in %s", r, out)
	}
	if code, out, _ := pointsman("", append([]string{"sync", "--check"}, flags[:len(flags)-1]...)...); code != exitDone {
		t.Errorf("afterwards: code %d, %s", code, out)
	}
}

func TestOrganisationThatIsNotThere(t *testing.T) {
	t.Parallel()
	_, flags, _ := hosted(t)
	flags[1] = "nobody"
	if code, _, errOut := pointsman("", append([]string{"init"}, flags...)...); code != exitFailed || !strings.Contains(errOut, "404") && !strings.Contains(errOut, "nobody") {
		t.Errorf("code %d, %s", code, errOut)
	}
}

// A list names folders, names of its own, and addresses that are mirrored.
func TestInitOfAList(t *testing.T) {
	t.Parallel()
	dir, cache := t.TempDir(), t.TempDir()
	ferries(t, dir)
	served := t.TempDir()
	if _, err := gittest.Write(filepath.Join(served, "fares-api"), true, ferryFiles()["fares-api"], "first"); err != nil {
		t.Fatal(err)
	}
	host := httptest.NewServer(smarttest.New(served))
	t.Cleanup(host.Close)
	list := filepath.Join(dir, "list.txt")
	text := "# what we have\nberths\nShop = tickets-web\n" + host.URL + "/fares-api\n"
	if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "registry.json")
	code, out, errOut := pointsman("", "init", "--list", list, "--registry", file, "--cache", cache, "--yes")
	if code != exitDone {
		t.Fatalf("code %d, %s%s", code, out, errOut)
	}
	got := entriesOf(t, file)
	if len(got) != 3 || got["Shop"].Path != "./tickets-web" || got["berths"].Path != "./berths" {
		t.Errorf("entries %+v", got)
	}
	if r := got["fares-api"]; r.CloneURL != host.URL+"/fares-api" || r.Fingerprint == "" || r.Owner.Team != "tariff" {
		t.Errorf("mirrored: %+v in %s", r, out)
	}
	for _, c := range []struct{ list, want string }{
		{"berths\nnowhere\n", "list.txt:2: there is no folder nowhere"},
		{"berths\nberths\n", "list.txt:2: berths is also the name on line 1"},
		{"git@git.example:acme/x.git\n", "list.txt:1: there is no folder"},
		{"ssh://git.example/acme/x.git\n", "only https addresses are fetched"},
		{"x=\n", "write NAME=PATH"},
		{"# nothing\n", "it names no repository"},
	} {
		if err := os.WriteFile(list, []byte(c.list), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, errOut := pointsman("", "init", "--list", list, "--registry", file, "--cache", cache); code != exitUsage || !strings.Contains(errOut, c.want) {
			t.Errorf("%q: code %d, %s", c.list, code, errOut)
		}
	}
}

func TestInitTakesComponents(t *testing.T) {
	t.Parallel()
	s := jiratest.New(jiratest.Options{DataCenter: true, Token: "jira-token"})
	address, err := s.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.SetComponents("OPS", jiratest.Component{Name: "Tickets Web"}, jiratest.Component{Name: "Berths"}, jiratest.Component{Name: "Moon"})
	dir := t.TempDir()
	ferries(t, dir)
	token := filepath.Join(dir, "token")
	if err := os.WriteFile(token, []byte("jira-token"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := pointsman("", "init", "--repos", dir, "--jira", address, "--jira-project", "OPS", "--jira-token-file", token, "--yes")
	if code != exitDone {
		t.Fatalf("code %d, %s%s", code, out, errOut)
	}
	file := filepath.Join(dir, ".repo-orchestrator", "registry.json")
	got := entriesOf(t, file)
	if d := cmp.Diff([]string{"Tickets Web"}, got["tickets-web"].Components); d != "" || len(got["fares-api"].Components) != 0 {
		t.Errorf("fares-api has %v, tickets-web (-want +got):\n%s", got["fares-api"].Components, d)
	}
	if code, out, _ := pointsman("", "sync", "--repos", dir, "--check"); code != exitDone {
		t.Errorf("without the tracker: code %d, %s", code, out)
	}
}

func TestSourcesThatContradict(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ferries(t, dir)
	for _, c := range []struct{ args, want string }{
		{"init --repos . --list x", "give one of them"},
		{"init --repos DIR --yes --dry-run", "contradict"},
		{"init --repos DIR/nowhere", "no such folder"},
		{"init --repos DIR --jira https://jira.example", "go together"},
		{"init --github acme --token-file DIR/nowhere", "--token-file"},
		{"sync --repos DIR --check --yes", "--check writes nothing"},
		{"sync --repos DIR", "make it with pointsman init"},
		{"edit x a=b --registry DIR/nowhere.json", "make it with pointsman init"},
		{"edit", "want the name"},
		{"describe", "want the name"},
		{"lint a b", "want one registry"},
		{"lint --format yaml", "want table or github"},
		{"lint DIR/nowhere.json", "does not exist"},
	} {
		args := strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))
		if code, _, errOut := pointsman("", args...); code != exitUsage || !strings.Contains(errOut, c.want) {
			t.Errorf("%s: code %d, %s", c.args, code, errOut)
		}
	}
}
