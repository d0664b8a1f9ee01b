package registry_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

// A registry as RepoOrch writes it: every field of its format, none of ours.
func repoOrch() string {
	return `{
  "version": 1,
  "generatedAt": "2026-05-01T10:00:00Z",
  "repos": [
    {
      "name": "payments",
      "path": "./payments",
      "agentType": "repo-payments",
      "agentFile": ".claude/agents/repo-payments.md",
      "contextFile": ".repo-orchestrator/context/payments.md",
      "languages": ["TypeScript"],
      "frameworks": ["NestJS"],
      "owns": ["billing", "refunds"],
      "endpoints": ["POST /v1/refunds"],
      "emits": ["refund.created"],
      "consumes": ["order.placed"],
      "dependsOn": ["ledger"],
      "providesTo": [],
      "fingerprint": "sha256:0000000000000000000000000000000000000000000000000000000000000000",
      "lastIndexed": "2026-05-01T10:00:00Z",
      "userEdited": true,
      "owner": {"team": "Money", "contact": "money@example.com", "oncall": "money-oncall"},
      "apiVersion": "v2",
      "deprecates": ["v1"],
      "authContracts": {"requires": ["account_id"], "issues": [], "scopes": ["pay"]},
      "errorContracts": {"codes": ["402 card refused"], "idempotent": "by key", "retryOn": ["503"], "retryStrategy": "backoff"},
      "configContracts": {"envVars": ["PSP_KEY"], "featureFlags": ["new-refunds"]},
      "dataContracts": {"sharedTables": ["orders"], "sharedCacheKeys": []},
      "serviceLevel": {"availability": "99.9%"},
      "testContracts": {"contractTests": ["ledger"]}
    }
  ]
}`
}

func TestParseRepoOrch(t *testing.T) {
	t.Parallel()
	reg, err := registry.Parse("registry.json", []byte(repoOrch()))
	if err != nil {
		t.Fatal(err)
	}
	want := []routing.Repo{{
		Name: "payments", Path: "./payments",
		Owns: []string{"billing", "refunds"}, Endpoints: []string{"POST /v1/refunds"},
		Emits: []string{"refund.created"}, Consumes: []string{"order.placed"},
		Languages: []string{"TypeScript"}, Frameworks: []string{"NestJS"}, DependsOn: []string{"ledger"},
		Owner:           routing.Owner{Team: "Money", Contact: "money@example.com", Oncall: "money-oncall"},
		ErrorContracts:  routing.ErrorContracts{Codes: []string{"402 card refused"}},
		AuthContracts:   routing.AuthContracts{Requires: []string{"account_id"}, Scopes: []string{"pay"}},
		ConfigContracts: routing.ConfigContracts{EnvVars: []string{"PSP_KEY"}, FeatureFlags: []string{"new-refunds"}},
		AgentType:       "repo-payments", AgentFile: ".claude/agents/repo-payments.md",
		ContextFile: ".repo-orchestrator/context/payments.md",
		APIVersion:  "v2", Deprecates: []string{"v1"}, LastIndexed: "2026-05-01T10:00:00Z", UserEdited: true,
		Fingerprint: "sha256:0000000000000000000000000000000000000000000000000000000000000000",
	}}
	if diff := cmp.Diff(want, reg.Repos); diff != "" {
		t.Errorf("repos (-want +got):\n%s", diff)
	}
	wantWarnings := []string{`registry.json:17:20: $.repos[0].dependsOn[0]: no entry is named "ledger"; write the name or an alias of another entry, or leave it out`}
	if diff := cmp.Diff(wantWarnings, reg.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	var kept map[string]any
	if err := json.Unmarshal(reg.Entries["payments"], &kept); err != nil {
		t.Fatal(err)
	}
	if kept["serviceLevel"] == nil || kept["dataContracts"] == nil {
		t.Errorf("unknown fields were not kept: %v", kept)
	}
	// printf '...' | sha256sum of the text above would tell; any change must show.
	other, err := registry.Parse("registry.json", []byte(repoOrch()+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(reg.Hash) != len("sha256:")+64 || reg.Hash == other.Hash {
		t.Errorf("Hash = %q, and %q of other bytes", reg.Hash, other.Hash)
	}
}

func TestHashIsOfTheBytes(t *testing.T) {
	t.Parallel()
	reg, err := registry.Parse("r", []byte(`{"version":1,"repos":[{"name":"a"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	const want = "sha256:0bdc18924da99fc68b076a6d4b1852f236130cc9c34461d0c90db798d66b6d04"
	if reg.Hash != want {
		t.Errorf("Hash = %s, want %s", reg.Hash, want)
	}
}

func TestParseAdditions(t *testing.T) {
	t.Parallel()
	const text = "\ufeff" + `{"version": 1, "repos": [
		{"name": "Old_Site.v1", "id": 42, "aliases": ["site"], "visibility": "private", "audience": ["web"],
		 "errorContracts": {"codes": [401, "403 no seat"]}, "archived": true, "description": null,
		 "siblings": [{"repo": "new-site", "relation": "replacedBy",
			"tell": [{"ask": "Which host?", "matches": {"hosts": ["old.example.com"], "words": ["legacy"]}}]}]},
		{"name": "new-site", "id": "R_9", "owns": ["pages", " "], "Endpoints": ["/x"], "filedIn": ["WEB"], "hosts": ["www.example.com"]}
	]}`
	reg, err := registry.Parse("r.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []routing.Repo{
		{
			Name: "Old_Site.v1", ID: int64(42), Aliases: []string{"site"}, Visibility: "private", Audience: []string{"web"},
			ErrorContracts: routing.ErrorContracts{Codes: []string{"401", "403 no seat"}}, Archived: true,
			Siblings: []routing.Sibling{{Repo: "new-site", Relation: "replacedBy", Tell: []routing.Tell{{
				Ask: "Which host?", Matches: routing.Match{Hosts: []string{"old.example.com"}, Words: []string{"legacy"}},
			}}}},
		},
		{Name: "new-site", ID: "R_9", Owns: []string{"pages"}, FiledIn: []string{"WEB"}, Hosts: []string{"www.example.com"}},
	}
	if diff := cmp.Diff(want, reg.Repos); diff != "" {
		t.Errorf("repos (-want +got):\n%s", diff)
	}
	wantWarnings := []string{
		`r.json:6:55: $.repos[1].owns[1]: it is empty and left out; write a word, or remove it`,
		`r.json:6:61: $.repos[1].Endpoints: it is not read; write "endpoints"`,
	}
	if diff := cmp.Diff(wantWarnings, reg.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	entry := func(s string) string { return "{\"version\": 1, \"repos\": [\n  " + s + "\n]}" }
	for name, tc := range map[string]struct{ text, want string }{
		"owns a string": {
			entry(`{"name": "a", "owns": "billing"}`),
			`r.json:2:25: $.repos[0].owns: want a list of strings, got a string; write ["..."]`,
		},
		"endpoints of objects": {entry(`{"name": "a", "endpoints": [{"path": "/x"}]}`), `r.json:2:31: $.repos[0].endpoints[0]: want a string, got an object`},
		"name a number":        {entry(`{"name": 7}`), `r.json:2:12: $.repos[0].name: want a string, got a number; write "..."`},
		"name missing":         {entry(`{"path": "./a"}`), `r.json:2:3: $.repos[0]: it has no "name"`},
		"name blank":           {entry(`{"name": " "}`), `$.repos[0].name: it is empty`},
		"name with a newline":  {entry(`{"name": "a\nb"}`), `holds a control character`},
		"name turned about":    {entry(`{"name": "a\u202eb"}`), `$.repos[0].name: "a\u202eb" holds a character that nobody sees`},
		"name with a joiner":   {entry(`{"name": "a\u200db"}`), `holds a character that nobody sees`},
		"name of two lines":    {entry(`{"name": "a\u2028b"}`), `holds a character that nobody sees`},
		"owner a string":       {entry(`{"name": "a", "owner": "web"}`), `$.repos[0].owner: want an object, got a string`},
		"siblings of names":    {entry(`{"name": "a", "siblings": ["b"]}`), `$.repos[0].siblings[0]: want an object, got a string`},
		"archived a string":    {entry(`{"name": "a", "archived": "yes"}`), `$.repos[0].archived: want true or false, got a string`},
		"id a list":            {entry(`{"name": "a", "id": [1]}`), `$.repos[0].id: want a string or a number`},
		"id a fraction":        {entry(`{"name": "a", "id": 1.5}`), `$.repos[0].id: want a whole number`},
		"visibility misspelt":  {entry(`{"name": "a", "visibility": "Private"}`), `"Private" is not known; write one of public, internal, private`},
		"entry a string":       {entry(`"a"`), `r.json:2:3: $.repos[0]: want an object, got a string`},
		"duplicate name":       {entry(`{"name": "a"},` + "\n" + `{"name": "a"}`), `r.json:3:1: $.repos[1].name: "a" is also the name of $.repos[0]`},
		"alias taken":          {entry(`{"name": "a"}, {"name": "b", "aliases": ["a"]}`), `$.repos[1].aliases[0]: "a" already stands for "a"`},
		"two errors":           {entry(`{"name": "a", "owns": 1, "emits": 2}`), `(and 1 more)`},
		"no repos":             {`{"version": 1}`, `r.json:1:1: $: it has no "repos"`},
		"empty repos":          {`{"version": 1, "repos": []}`, `$.repos: it lists no repository`},
		"repos an object":      {`{"version": 1, "repos": {}}`, `$.repos: want a list of objects, got an object`},
		"a list":               {`[]`, `r.json:1:1: $: want an object, got a list`},
		"version 2":            {`{"version": 2, "repos": [{"name": "a"}]}`, `r.json:1:13: $.version: version 2 is not known; this program reads version 1`},
		"version a string":     {`{"version": "1", "repos": [{"name": "a"}]}`, `$.version: want the number 1, got a string`},
		"empty file":           {" \n", `r.json: it is empty`},
		"not JSON":             {"version: 1\n", `r.json:1:1: invalid character 'v'`},
		"trailing comma":       {"{\"repos\": [\n  {\"name\": \"a\"},\n]}", `r.json:3:1: invalid character ']' looking for beginning of value; remove the comma before it`},
		"missing comma":        {"{\"version\": 1\n \"repos\": []}", `r.json:2:2: invalid character '"' after object key:value pair; a comma is missing before it`},
		"comment":              {"{\n// ours\n}", `JSON has no comments`},
		"cut short":            {`{"version": 1, "repos": [`, `the file ends too early`},
		"two documents":        {`{"version": 1, "repos": [{"name": "a"}]} {}`, `r.json:1:42: invalid character '{' after top-level value`},
		"UTF-16":               {"\xff\xfe{\x00}\x00", `UTF-16`},
		"Latin-1":              {"{\n \"name\": \"caf\xe9\"}", `r.json:2:14: a byte that is not UTF-8`},
		"nested deep":          {`{"x":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`, `nested more than 64 deep`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := registry.Parse("r.json", []byte(tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("err = %v\nwant %s", err, tc.want)
			}
			if !strings.HasPrefix(err.Error(), "reading registry: r.json") {
				t.Errorf("err = %v, want it to name the act and the file", err)
			}
		})
	}
}

func TestParseWarnings(t *testing.T) {
	t.Parallel()
	var keywords strings.Builder
	for i := range 101 {
		fmt.Fprintf(&keywords, `"%02x",`, i)
	}
	text := `{"repos": [
{"name": "a", "owns": [` + keywords.String() + `"k"], "siblings": [{"repo": "gone"}, {"relation": "fork"}, {"repo": "a", "relation": "twin"}]},
{"name": "A", "owns": ["x"], "owns": ["y"], "descriptionSource": "robot"}
]}`
	reg, err := registry.Parse("r", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`r:1:1: $: it has no "version" and is read as version 1; write "version": 1`,
		`r:2:23: $.repos[0].owns: 2 of its elements are left out: 100 are read; keep those that tell this repository from the others`,
		`r:2:557: $.repos[0].siblings[0].repo: no entry is named "gone", and the relation is left out; write the name or an alias of another entry`,
		`r:2:566: $.repos[0].siblings[1]: it has no "repo", and the relation is left out; write the name of another entry`,
		`r:2:597: $.repos[0].siblings[2].repo: "a" is the entry itself, and the relation is left out; write the name of another entry`,
		`r:2:614: $.repos[0].siblings[2].relation: "twin" is not known; write one of replaces, replacedBy, variant, fork`,
		`r:3:1: $.repos[1].name: "A" and "a" of $.repos[0] differ only in case, and a ticket that names one names both; write which is meant into their descriptions, or leave one out`,
		`r:3:30: $.repos[1].owns: it is given twice, and the last one counts; leave one out`,
		`r:3:66: $.repos[1].descriptionSource: "robot" is not known; write one of human, generated`,
	}
	if diff := cmp.Diff(want, reg.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"y"}, reg.Repos[1].Owns); diff != "" {
		t.Errorf("owns (-want +got):\n%s", diff)
	}
}

// What is wrong with a large registry, which is read in parts, is told as of a small one.
func TestDefectsOfManyEntries(t *testing.T) {
	t.Parallel()
	many := func(entry string) []byte {
		var b strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&b, ",\n"+entry, i)
		}
		return []byte(`{"version":1,"repos":[` + b.String()[1:] + "]}")
	}
	_, err := registry.Parse("r.json", many(`{"name":"n%d","owns":"x"}`))
	var bad *registry.Invalid
	if !errors.As(err, &bad) || len(bad.Defects) != 100 || bad.Defects[0].Line != 2 || bad.Defects[99].Line != 101 || !strings.Contains(err.Error(), "999 more") {
		t.Errorf("err = %v", err)
	}
	reg, err := registry.Parse("r.json", many(`{"name":"n%d","owns":["x","x"]}`))
	if err != nil || len(reg.Repos) != 1000 || len(reg.Defects) != 100 || reg.Defects[99].Path != "$.repos[99].owns[1]" ||
		reg.Warnings[100] != "r.json: 900 more of the kind" {
		t.Errorf("err = %v, %d entries, warnings %q", err, len(reg.Repos), reg.Warnings)
	}
	for i, r := range reg.Repos {
		if r.Name != fmt.Sprintf("n%d", i) || len(r.Owns) != 1 {
			t.Fatalf("entry %d is %+v", i, r)
		}
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "registry.json")
	if _, err := registry.Load(file); err == nil || !strings.Contains(err.Error(), file+" does not exist; write one with pointsman init") {
		t.Errorf("err = %v", err)
	}
	if err := os.WriteFile(file, []byte(repoOrch()), 0o600); err != nil {
		t.Fatal(err)
	}
	reg, err := registry.Load(file)
	if err != nil || reg.File != file || len(reg.Repos) != 1 {
		t.Errorf("Load = %v, %v", reg, err)
	}
	if _, err := registry.Load(dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("err = %v, want one that names the folder", err)
	}
}

// A pipe would be waited for, /dev/zero never ends.
func TestLoadOnlyRegularFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	zero := filepath.Join(dir, "zero.json")
	if err := os.Symlink("/dev/zero", zero); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(dir, "pipe.json")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{zero, pipe, dir} {
		if _, err := registry.Load(file); err == nil || !strings.Contains(err.Error(), file+" is not a regular file") {
			t.Errorf("err = %v", err)
		}
	}
	link := filepath.Join(dir, "link.json")
	if err := os.WriteFile(filepath.Join(dir, "real.json"), []byte(repoOrch()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.json", link); err != nil {
		t.Fatal(err)
	}
	if _, err := registry.Load(link); err != nil {
		t.Errorf("a link to a regular file: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(repoOrch()))
	f.Add([]byte("\ufeff{\"version\":1,\"repos\":[{\"name\":\"a\",\"id\":1,\"siblings\":[{\"repo\":\"b\"}]}]}"))
	f.Add([]byte(`{"repos":[null]}`))
	f.Add([]byte(`{"repos":[{"name":"a","siblings":[{"repo":"x"}],"siblings":null}]}`))
	f.Add([]byte(`{"repos":[{"name":"a","owns":[[],{},null,1e999]}],"repos":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		reg, err := registry.Parse("f", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "reading registry: f") || strings.Contains(err.Error(), "\n") {
				t.Errorf("err = %q, want one line that names the act and the file", err)
			}
			return
		}
		if len(reg.Repos) == 0 {
			t.Error("no repositories and no error")
		}
		for _, r := range reg.Repos {
			if strings.ContainsAny(r.Name+r.Description+strings.Join(r.Owns, ""), "\x00\x1b\u202e\u2066") {
				t.Errorf("invisible characters were kept: %+v", r)
			}
			if strings.TrimSpace(r.Name) == "" {
				t.Errorf("an entry without a name: %+v", r)
			}
		}
		registry.Groups(reg.Repos)
	})
}
