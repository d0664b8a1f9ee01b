package draft

import (
	"cmp"
	"slices"
	"strings"

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
	safe := make([]Input, len(in))
	for i, input := range in {
		safe[i] = withoutSecrets(input)
	}
	in = safe
	words, why := owns(in)
	drafts := make([]Draft, len(in))
	for i, input := range in {
		drafts[i] = Draft{Repo: entry(input), Why: why[i]}
		drafts[i].Repo.Owns = words[i]
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
	repo.ErrorContracts.Codes = without(values(f.Codes), everydayCodes)
	repo.AuthContracts.Requires, repo.AuthContracts.Issues = values(f.Requires), values(f.Issues)
	repo.ConfigContracts.EnvVars = without(values(f.EnvVars), everydaySettings)
	for _, text := range []string{d.Description, h.Description, registry.Prose(f.Readme)} {
		if text != "" {
			repo.Description, repo.DescriptionSource = text, registry.Generated
			break
		}
	}
	return repo
}

// endpoints writes addresses as entries do. Of more than MaxEndpoints those are
// kept that begin differently, so that each area of an API is spoken for.
func endpoints(found []facts.Endpoint) []string {
	var out, later []string
	areas := map[string]int{}
	seen := map[string]bool{}
	for _, e := range found {
		line := endpointLine(e)
		if seen[line] {
			continue
		}
		seen[line] = true
		out = append(out, line)
	}
	if len(out) <= MaxEndpoints {
		return out
	}
	all := out
	out = nil
	for round := 1; len(out) < MaxEndpoints; round *= 2 {
		later = nil
		for _, line := range all {
			_, p, _ := strings.Cut(line, "/")
			area, _, _ := strings.Cut(p, "/")
			if areas[area] < round && len(out) < MaxEndpoints {
				areas[area]++
				out = append(out, line)
			} else {
				later = append(later, line)
			}
		}
		all = later
	}
	slices.SortFunc(out, func(a, b string) int {
		_, p, _ := strings.Cut(a, "/")
		_, q, _ := strings.Cut(b, "/")
		return cmp.Or(cmp.Compare(p, q), cmp.Compare(a, b))
	})
	return out
}

// endpointLine writes an address as people do: "GET /tills/{id}", "QUERY tillById"
// for a field of GraphQL, "/shop.Tills/Open" for a remote call.
func endpointLine(e facts.Endpoint) string {
	switch e.Method {
	case "QUERY", "MUTATION", "SUBSCRIPTION":
		return e.Method + " " + strings.TrimPrefix(e.Path, "/")
	case "RPC":
		return e.Path
	}
	return strings.TrimSpace(e.Method + " " + e.Path)
}

// What every service answers with, and what belongs to the machine or is a common
// word of tickets, would only point everywhere.
const (
	everydayCodes    = " 301 302 303 304 400 404 500 "
	everydaySettings = " PATH HOME USER PWD CI TZ LANG TERM SHELL TMPDIR TEMP TMP PORT HOST DEBUG NODE_ENV HOSTNAME CLASSPATH JAVA_HOME APPDATA LOCALAPPDATA USERPROFILE "
)

// without leaves the everyday words out.
func without(names []string, everyday string) []string {
	var out []string
	for _, n := range names {
		if !strings.Contains(everyday, " "+n+" ") {
			out = append(out, n)
		}
	}
	return out
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
