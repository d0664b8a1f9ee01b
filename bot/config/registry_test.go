package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const hosted = "github: {webhookSecret: s, token: t}\n"

func TestRegistryInARepository(t *testing.T) {
	t.Parallel()
	file := write(t, hosted+"registry: {repo: acme/.github}\n")
	if err := os.Mkdir(filepath.Join(filepath.Dir(file), "clones"), 0o700); err != nil {
		t.Fatal(err)
	}
	got, err := Load(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Registry{Repo: "acme/.github", Path: ".repo-orchestrator/registry.json"}
	if d := cmp.Diff(want, got.Registry); d != "" {
		t.Errorf("registry (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"github.com"}, got.GitHosts()); d != "" {
		t.Errorf("hosts (-want +got):\n%s", d)
	}
	got, err = Load(file, []string{
		"POINTSMAN_REGISTRY_BRANCH=rel/1", "POINTSMAN_REGISTRY_PATH=r.json", "POINTSMAN_REGISTRY_ROOTS_0=clones",
		"POINTSMAN_REGISTRY_HOSTS_0=Git.Example.com:8443", "POINTSMAN_REGISTRY_HOSTS_1=10.0.0.1", "POINTSMAN_GITHUB_APIURL=https://ghe.example.com/api/v3",
	})
	if err != nil {
		t.Fatal(err)
	}
	want = Registry{
		Repo: "acme/.github", Branch: "rel/1", Path: "r.json",
		Roots: []string{filepath.Join(filepath.Dir(file), "clones")}, Hosts: []string{"git.example.com:8443", "10.0.0.1"},
	}
	if d := cmp.Diff(want, got.Registry); d != "" {
		t.Errorf("registry (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"ghe.example.com", "git.example.com:8443", "10.0.0.1"}, got.GitHosts()); d != "" {
		t.Errorf("hosts (-want +got):\n%s", d)
	}
}

func TestRegistryInARepositoryRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, yml, env, want string }{
		{"both", hosted + "registry: {repo: a/b, file: registry.json}\n", "", "registry: has both file and repo"},
		{"no repository", hosted + "registry: {branch: main}\n", "", "registry.repo: is missing"},
		{"roots for a file", "registry: {file: registry.json, roots: [.]}\n", "", "registry.repo: is missing"},
		{"tables of its own", hosted + "registry: {repo: a/b}\nrouting: {tablesFile: t.json}\n", "", "routing.tablesFile: the registry is read from a/b"},
		{"a part of nothing", hosted + "registry: {repo: a/b}\nrouting: {minPartial: 0}\n", "", "routing.minPartial: is 0; it must be 1 to 20"},
		{"no owner", hosted + "registry: {repo: b}\n", "", "registry.repo: is \"b\""},
		{"three parts", hosted + "registry: {repo: a/b/c}\n", "", "registry.repo: is \"a/b/c\""},
		{"dots", hosted + "registry: {repo: a/..}\n", "", "registry.repo: is \"a/..\""},
		{"a URL", hosted + "registry: {repo: 'https://github.com/a/b'}\n", "", "registry.repo: is "},
		{"no github", "registry: {repo: a/b}\n", "", "registry.repo: needs github"},
		{"no credentials", "github: {webhookSecret: s}\nregistry: {repo: a/b}\n", "", "registry.repo: needs github"},
		{"branch", hosted + "registry: {repo: a/b, branch: 'x y'}\n", "", "registry.branch: "},
		{"branch of dots", hosted + "registry: {repo: a/b, branch: a/../b}\n", "", "registry.branch: "},
		{"absolute path", hosted + "registry: {repo: a/b, path: /etc/passwd}\n", "", "registry.path: "},
		{"path that climbs", hosted + "registry: {repo: a/b, path: ../r.json}\n", "", "registry.path: "},
		{"path with a dot", hosted + "registry: {repo: a/b, path: ./r.json}\n", "", "registry.path: "},
		{"root is a file", hosted + "registry: {repo: a/b, roots: [registry.json]}\n", "", "registry.roots[0]: "},
		{"root is gone", hosted + "registry: {repo: a/b, roots: [., gone]}\n", "", "registry.roots[1]: "},
		{"root is all", hosted + "registry: {repo: a/b, roots: [/]}\n", "", "registry.roots[0]: is the whole machine"},
		{"host with a scheme", hosted + "registry: {repo: a/b, hosts: ['https://x.example']}\n", "", "registry.hosts[0]: "},
		{"host with a user", hosted + "registry: {repo: a/b, hosts: [u@x.example]}\n", "", "registry.hosts[0]: "},
		{"host with a path", hosted + "registry: {repo: a/b, hosts: [x.example/a]}\n", "", "registry.hosts[0]: "},
		{"host of other letters", hosted + "registry: {repo: a/b, hosts: [gïthub.com]}\n", "", "registry.hosts[0]: "},
		{"host with an odd port", hosted + "registry: {repo: a/b, hosts: ['x.example:0']}\n", "", "registry.hosts[0]: "},
		{"host is a list", hosted + "registry: {repo: a/b, hosts: [[x]]}\n", "", "pointsman.yml:2: registry.hosts[0]: want one value"},
		{"variable behind a gap", hosted + "registry: {repo: a/b}\n", "POINTSMAN_REGISTRY_HOSTS_1=x", "names no key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := Load(write(t, c.yml), []string{c.env})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v does not say %q in one line", err, c.want)
			}
		})
	}
}
