package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/pointsman/pointsman/adapters/git/gittest"
)

// The sample's files carry one more suffix, so that no compiler, linter or editor
// takes them for files of this project.
const sampleSuffix = ".txt"

//go:embed all:sample
var sampleFS embed.FS

// Sample is the organisation: its repositories, its registry, and tickets whose
// answers are known.
type Sample struct {
	Repos    map[string]map[string]string // by name: slash-separated path to text
	Registry []byte                       // registry.json; paths relative to the folder of the repositories
	Tickets  []Ticket
}

// Ticket is one ticket as a person filed it, and where it turned out to belong.
type Ticket struct {
	System   string `yaml:"system"`  // "github" or "jira"
	FiledIn  string `yaml:"filedIn"` // "owner/name", or the project's key
	Reporter string `yaml:"reporter"`
	Title    string `yaml:"title"`
	Body     string `yaml:"body"` // Markdown, or Jira's wiki markup
	Answer   string `yaml:"answer"`
	Because  string `yaml:"because"` // why Answer is right, for whoever reads a wrong route
}

// LoadSample reads the embedded organisation.
func LoadSample() (Sample, error) {
	s := Sample{Repos: map[string]map[string]string{}}
	err := fs.WalkDir(sampleFS, "sample/repos", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := sampleFS.ReadFile(name)
		if err != nil {
			return err
		}
		rel := strings.TrimSuffix(strings.TrimPrefix(name, "sample/repos/"), sampleSuffix)
		repo, file, _ := strings.Cut(rel, "/")
		if s.Repos[repo] == nil {
			s.Repos[repo] = map[string]string{}
		}
		s.Repos[repo][file] = string(data)
		return nil
	})
	if err != nil {
		return Sample{}, fmt.Errorf("reading the sample: %w", err)
	}
	if s.Registry, err = sampleFS.ReadFile("sample/registry.json"); err != nil {
		return Sample{}, fmt.Errorf("reading the sample: %w", err)
	}
	tickets, err := sampleFS.ReadFile("sample/tickets.yml")
	if err != nil {
		return Sample{}, fmt.Errorf("reading the sample: %w", err)
	}
	into := struct {
		Tickets []Ticket `yaml:"tickets"`
	}{}
	if err := yaml.UnmarshalWithOptions(tickets, &into, yaml.Strict()); err != nil {
		return Sample{}, fmt.Errorf("reading the sample's tickets: %w", err)
	}
	s.Tickets = into.Tickets
	return s, nil
}

// Write puts the repositories as git work trees, and the registry beside them, into
// dir. The commits are the same every time. It returns the registry's path.
func (s Sample) Write(dir string) (registry string, err error) {
	for _, name := range slices.Sorted(maps.Keys(s.Repos)) {
		if _, err := gittest.Write(filepath.Join(dir, name), false, s.Repos[name], "Add "+name); err != nil {
			return "", fmt.Errorf("writing the sample: %w", err)
		}
	}
	registry = filepath.Join(dir, "registry.json")
	if err := os.WriteFile(registry, s.Registry, 0o600); err != nil {
		return "", fmt.Errorf("writing the sample's registry: %w", err)
	}
	return registry, nil
}
