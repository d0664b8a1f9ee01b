package facts

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// manifest is what one file of a build says: what it uses, and what it makes.
type manifest struct {
	uses      []string // direct dependencies, as the ecosystem names them
	publishes []string
}

// ecosystemOf names the ecosystem of a manifest by its file's name, or "".
func ecosystemOf(p string) string {
	base := strings.ToLower(path.Base(p))
	switch base {
	case "package.json":
		return "npm"
	case "go.mod":
		return "go"
	case "pom.xml":
		return "maven"
	case "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "libs.versions.toml", "build.sbt":
		return "gradle"
	case "directory.packages.props", "packages.props", "packages.config", "directory.build.props":
		return "nuget"
	case "pyproject.toml", "pipfile", "setup.py", "setup.cfg":
		return "pip"
	case "gemfile", "gems.rb":
		return "gem"
	case "composer.json":
		return "composer"
	case "cargo.toml":
		return "cargo"
	case "mix.exs":
		return "hex"
	case "pubspec.yaml":
		return "pub"
	}
	switch {
	case strings.HasSuffix(base, ".csproj"), strings.HasSuffix(base, ".fsproj"), strings.HasSuffix(base, ".vbproj"):
		return "nuget"
	case strings.HasSuffix(base, ".gemspec"):
		return "gem"
	case strings.HasSuffix(base, ".txt") && (strings.HasPrefix(base, "requirements") || strings.HasSuffix(path.Dir(p), "requirements")),
		strings.HasSuffix(base, ".in") && strings.HasPrefix(base, "requirements"):
		return "pip"
	case strings.HasSuffix(base, ".gradle"), strings.HasSuffix(base, ".gradle.kts"):
		return "gradle"
	}
	return ""
}

// readManifest adds what a manifest says to the frameworks and packages.
func (s *Scan) readManifest(p string, text []byte) {
	ecosystem := ecosystemOf(p)
	m, err := parseManifest(ecosystem, strings.ToLower(path.Base(p)), text)
	if err != nil {
		s.fail(p, err.Error())
	}
	for _, dependency := range m.uses {
		for _, name := range s.frameworks.named(ecosystem, dependency) {
			s.used[name] = true
		}
	}
	for _, name := range m.publishes {
		if name = strings.TrimSpace(name); name != "" && len(name) <= maxValue && !strings.ContainsAny(name, "${}\n\t ") && len(s.published) < maxKept {
			depth := strings.Count(p, "/")
			if old, ok := s.published[name]; !notPublished(p) && (!ok || depth < old) {
				s.published[name] = depth
			}
		}
	}
}

func parseManifest(ecosystem, base string, text []byte) (manifest, error) {
	switch ecosystem {
	case "npm":
		return npm(text)
	case "composer":
		return composer(text)
	case "maven":
		return maven(text)
	case "nuget":
		return nuget(text)
	case "go":
		return goMod(string(text)), nil
	case "gradle":
		return gradle(string(text)), nil
	case "pip":
		return pip(base, string(text)), nil
	case "gem":
		return gem(base, string(text)), nil
	case "cargo":
		return tables(string(text), "package", "dependencies", "dev-dependencies", "workspace.dependencies"), nil
	case "hex":
		return hex(string(text)), nil
	case "pub":
		return pub(string(text)), nil
	}
	return manifest{}, nil
}

// sideFolder tells examples, documents and benchmarks near the top, whose
// frameworks and settings are not the repository's.
func sideFolder(p string) bool {
	parts := strings.Split(strings.ToLower(p), "/")
	for _, part := range parts[:min(len(parts)-1, 2)] {
		if slices.Contains([]string{"example", "examples", "sample", "samples", "docs", "doc", "documentation", "benchmark", "benchmarks", "website"}, part) {
			return true
		}
	}
	return false
}

// maxPackages is how many packages of a repository are told, the highest first.
const maxPackages = 30

// notPublished tells the manifests of tests and examples: what they name is for no
// one to use.
func notPublished(p string) bool {
	parts := strings.Split(strings.ToLower(p), "/")
	for _, part := range parts[:len(parts)-1] {
		switch part {
		case "it", "its", "test", "tests", "testing", "testdata", "test-data", "__tests__", "__fixtures__", "fixture", "fixtures", "e2e",
			"integration-test", "integration-tests", "integration_tests", "integrationtests", "integrationtest", "functional-tests",
			"example", "examples", "sample", "samples", "demo", "demos", "playground", "playgrounds", "template", "templates",
			"benchmark", "benchmarks", "docs", "doc", "website", "tutorial", "tutorials":
			return true
		}
		if strings.HasSuffix(part, "-tests") || strings.HasSuffix(part, "-samples") || strings.HasSuffix(part, "-examples") {
			return true
		}
	}
	return false
}

// packages are the published names: those of the root first, then by depth.
func (s *Scan) packages() []string {
	var names []string
	for name := range s.published {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.published[a], s.published[b]), cmp.Compare(a, b))
	})
	return names[:min(len(names), maxPackages)]
}
