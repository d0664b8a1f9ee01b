package draft

import (
	"slices"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/facts"
	"github.com/pointsman/pointsman/routing/registry"
)

// MaxEndpoints is the most endpoints an entry is given.
const MaxEndpoints = 100

// Input is what is known of one repository.
type Input struct {
	Name     string
	Host     HostFacts
	Facts    facts.Facts
	Declared Declared
}

// HostFacts is what the host of a repository, or the folder it was found in,
// knows about it. What is not known stays empty.
type HostFacts struct {
	ID                                                     any // number or string
	Host, CloneURL, DefaultBranch, Visibility, Description string
	Archived                                               bool
	Topics                                                 []string
	Path                                                   string // as the entry is to say it
	Components                                             []string
}

// Declared is what a repository says of itself in CODEOWNERS and Backstage's
// catalog-info.yaml. Its fields are those of catalog.Declared.
type Declared struct {
	Team                                      string
	Owners, DependsOn, ProvidesTo, Components []string
	Description, Title, Lifecycle, System     string
	Names                                     []string // names the catalog calls it by
	Archived                                  bool
	FiledIn                                   []string // tracker projects
	Tags                                      []string
}

// Draft is one entry and why it says what it says.
type Draft struct {
	Repo routing.Repo
	// Why gives, for each word of Repo.Owns, where it was read and what makes it
	// tell this repository from the others.
	Why map[string]string
}

// Entries drafts one entry for each input, in the order given.
func Entries(in []Input) []routing.Repo {
	var repos []routing.Repo
	for _, d := range Drafts(in) {
		repos = append(repos, d.Repo)
	}
	return repos
}

// Drafts is Entries with the reasons.
func Drafts(in []Input) []Draft {
	drafts := make([]Draft, len(in))
	for i, input := range in {
		drafts[i] = Draft{Repo: entry(input), Why: map[string]string{}}
	}
	return drafts
}

// entry is the part of a draft that depends on one repository alone.
func entry(in Input) routing.Repo {
	f, h, d := in.Facts, in.Host, in.Declared
	repo := routing.Repo{
		Name: in.Name, Path: h.Path, ID: h.ID, Host: h.Host, CloneURL: h.CloneURL, DefaultBranch: h.DefaultBranch,
		Visibility: h.Visibility, Archived: h.Archived || d.Archived,
		Languages: f.Languages, Frameworks: f.Frameworks, Packages: f.Packages,
		Endpoints: endpoints(f.Endpoints), Emits: values(f.Emits), Consumes: values(f.Consumes),
		DependsOn: d.DependsOn, ProvidesTo: d.ProvidesTo, Owners: d.Owners, FiledIn: d.FiledIn,
		Components: union(d.Components, h.Components),
	}
	repo.Owner.Team = d.Team
	repo.ErrorContracts.Codes = values(f.Codes)
	repo.AuthContracts.Requires, repo.AuthContracts.Issues = values(f.Requires), values(f.Issues)
	repo.ConfigContracts.EnvVars = values(f.EnvVars)
	for _, text := range []string{d.Description, h.Description, registry.Prose(f.Readme)} {
		if text != "" {
			repo.Description, repo.DescriptionSource = text, registry.Generated
			break
		}
	}
	return repo
}

func endpoints(found []facts.Endpoint) []string {
	var out []string
	for _, e := range found {
		line := e.Path
		if e.Method != "" {
			line = e.Method + " " + e.Path
		}
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out[:min(len(out), MaxEndpoints)]
}

func values(names []facts.Name) []string {
	var out []string
	for _, n := range names {
		out = append(out, n.Value)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
