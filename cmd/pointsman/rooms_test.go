package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/pointsman/pointsman"

// pkg is what `go list -json` tells of a package.
type pkg struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Deps         []string // all that Imports lead to
}

// roomRule says what the packages it binds may not import. Patterns are import
// paths; "x/..." covers x and all below it; what has no dot in its first element
// is the standard library, "std" for short.
type roomRule struct {
	name   string
	binds  []string
	except []string
	never  []string // nothing of this, however far away
	direct []string // nothing of this straight on, tests aside: what a library does is its own business
	only   []string // of these only, straight on, tests aside; "self" is the bound pattern
	tests  bool     // tests keep to never as well, straight on
}

// roomRules is the list of rooms in CONTRIBUTING.md, as data.
func roomRules() []roomRule {
	sdks := []string{
		"github.com/gin-gonic/gin/...", "github.com/spf13/cobra/...", "github.com/riverqueue/river/...",
		"github.com/go-git/go-git/v5/...", "github.com/google/go-github/v62/...",
		"github.com/bradleyfalzon/ghinstallation/v2/...", "github.com/andygrunwald/go-jira/...",
		"github.com/prometheus/client_golang/...", "github.com/pressly/goose/v3/...", "modernc.org/sqlite/...",
	}
	rules := []roomRule{
		{
			name: "routing imports the standard library only", binds: []string{module + "/routing"},
			only: []string{"std"},
		},
		{
			name: "routing never acts", binds: []string{module + "/routing/..."},
			never: append([]string{"net/http/...", "database/sql/...", "log/slog/..."}, sdks...), tests: true,
		},
		{
			name: "routing knows no other room", binds: []string{module + "/routing/..."},
			never: []string{module + "/bot/...", module + "/adapters/...", module + "/cmd/..."}, tests: true,
		},
		{
			name: "bot holds nouns", binds: []string{module + "/bot"},
			only: []string{"std", module + "/routing"},
		},
		{
			name: "bot rooms know no adapter", binds: []string{module + "/bot/..."}, except: []string{module + "/bot/app/..."},
			never: []string{module + "/adapters/...", module + "/bot/app/..."}, tests: true,
		},
		{
			name: "nobody imports cmd", binds: []string{module + "/..."}, except: []string{module + "/cmd/..."},
			never: []string{module + "/cmd/..."}, tests: true,
		},
		{
			name: "an adapter imports the nouns and its SDK", binds: []string{module + "/adapters/*/..."},
			except: []string{module + "/adapters/adaptertest/..."},
			only:   []string{"std", "outside", "self", module + "/bot", module + "/routing"},
		},
		{
			name: "code that ships carries no test code", binds: []string{module + "/..."},
			except: []string{module + "/adapters/adaptertest/..."},
			direct: []string{"testing/...", "net/http/httptest", module + "/adapters/adaptertest/..."},
		},
	}
	return rules
}

// checkRooms returns one line for every import that breaks a rule.
func checkRooms(rules []roomRule, pkgs []pkg) []string {
	var broken []string
	for _, r := range rules {
		for _, p := range pkgs {
			self, bound := bindsTo(r, p.ImportPath)
			if !bound {
				continue
			}
			for _, imp := range r.offences(p, self) {
				broken = append(broken, fmt.Sprintf("%s: %s imports %s", r.name, p.ImportPath, imp))
			}
		}
	}
	return broken
}

func (r roomRule) offences(p pkg, self string) []string {
	var bad []string
	straight := slices.Concat(p.Imports, p.TestImports, p.XTestImports)
	seen := p.Deps
	if r.tests {
		seen = slices.Concat(p.Deps, straight)
	}
	for _, imp := range seen {
		if slices.ContainsFunc(r.never, func(pat string) bool { return matches(pat, imp) }) &&
			(self == "" || !matches(self, imp)) {
			bad = append(bad, imp)
		}
	}
	for _, imp := range p.Imports {
		if slices.ContainsFunc(r.direct, func(pat string) bool { return matches(pat, imp) }) {
			bad = append(bad, imp)
		}
	}
	if r.only != nil {
		for _, imp := range p.Imports {
			if !slices.ContainsFunc(r.only, func(pat string) bool { return allowed(pat, self, imp) }) {
				bad = append(bad, imp)
			}
		}
	}
	slices.Sort(bad)
	return slices.Compact(bad)
}

// bindsTo tells whether the rule binds the package, and which subtree counts as its own.
func bindsTo(r roomRule, path string) (self string, bound bool) {
	if slices.ContainsFunc(r.except, func(pat string) bool { return matches(pat, path) }) {
		return "", false
	}
	for _, pat := range r.binds {
		root, star := strings.CutSuffix(pat, "/*/...")
		if !star {
			if matches(pat, path) {
				return "", true
			}
			continue
		}
		if rest, ok := strings.CutPrefix(path, root+"/"); ok {
			first, _, _ := strings.Cut(rest, "/")
			return root + "/" + first + "/...", true
		}
	}
	return "", false
}

func allowed(pat, self, imp string) bool {
	first, _, _ := strings.Cut(imp, "/")
	outside := strings.Contains(first, ".")
	switch pat {
	case "std":
		return !outside
	case "outside":
		return outside && imp != module && !strings.HasPrefix(imp, module+"/")
	case "self":
		return matches(self, imp)
	default:
		return matches(pat, imp)
	}
}

func matches(pat, path string) bool {
	root, tree := strings.CutSuffix(pat, "/...")
	return path == root || tree && strings.HasPrefix(path, root+"/")
}

// goList reads the packages of this module; overlay plants files that are not there.
func goList(t *testing.T, overlay map[string]string) []pkg {
	t.Helper()
	args := []string{"list", "-json=ImportPath,Imports,TestImports,XTestImports,Deps"}
	if overlay != nil {
		file := filepath.Join(t.TempDir(), "overlay.json")
		data, err := json.Marshal(map[string]any{"Replace": overlay})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "-overlay", file)
	}
	cmd := exec.CommandContext(t.Context(), "go", append(args, "./...")...)
	cmd.Dir = moduleRoot
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var pkgs []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatalf("reading go list: %v", err)
		}
		pkgs = append(pkgs, p)
	}
}

func TestRoomsKeepTheirImports(t *testing.T) {
	t.Parallel()
	pkgs := goList(t, nil)
	if len(pkgs) < 3 {
		t.Fatalf("go list named %d packages; it looked in the wrong place", len(pkgs))
	}
	for _, line := range checkRooms(roomRules(), pkgs) {
		t.Error(line)
	}
}

// A rule that cannot fail is not a rule: each must catch a package made to break it.
func TestRoomRulesBite(t *testing.T) {
	t.Parallel()
	culprits := map[string]pkg{
		"routing imports the standard library only": {ImportPath: module + "/routing", Imports: []string{"time", "golang.org/x/text/cases"}},
		"routing never acts":                        {ImportPath: module + "/routing/rank", Deps: []string{"strings", "net/http"}},
		"routing knows no other room":               {ImportPath: module + "/routing/fuse", XTestImports: []string{module + "/bot/config"}},
		"bot holds nouns":                           {ImportPath: module + "/bot", Imports: []string{"net/http", module + "/routing/text"}},
		"bot rooms know no adapter":                 {ImportPath: module + "/bot/flow", Deps: []string{module + "/routing", module + "/adapters/jira"}},
		"nobody imports cmd":                        {ImportPath: module + "/bot/app", Deps: []string{module + "/adapters/jira", module + "/cmd/pointsman/demo"}},
		"an adapter imports the nouns and its SDK":  {ImportPath: module + "/adapters/jira/jiratest", Imports: []string{module + "/adapters/jira", module + "/adapters/github", "net/http"}},
		"code that ships carries no test code":      {ImportPath: module + "/adapters/jira/jiratest", Imports: []string{"net/http/httptest"}},
	}
	for _, r := range roomRules() {
		culprit, ok := culprits[r.name]
		if !ok {
			t.Errorf("no package breaks %q", r.name)
			continue
		}
		broken := checkRooms(roomRules(), []pkg{culprit})
		if len(broken) != 1 || !strings.HasPrefix(broken[0], r.name+": ") {
			t.Errorf("%q: broken = %q, want just this rule once", r.name, broken)
		}
	}
}

// The same, through `go list`, on a file planted in a real room.
func TestRoomsNoticeAPlantedFile(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(moduleRoot)
	if err != nil {
		t.Fatal(err)
	}
	plant := filepath.Join(t.TempDir(), "planted.go")
	src := "package routing\n\nimport _ \"net/http\"\n"
	if err := os.WriteFile(plant, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	pkgs := goList(t, map[string]string{filepath.Join(root, "routing", "planted.go"): plant})
	broken := checkRooms(roomRules(), pkgs)
	want := "routing never acts: " + module + "/routing imports net/http"
	if !slices.Contains(broken, want) {
		t.Errorf("broken = %q, want %q among them", broken, want)
	}
}
