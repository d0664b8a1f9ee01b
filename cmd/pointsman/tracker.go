package main

import (
	"regexp"

	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/replay"
)

// The trackers that can be asked for past tickets.
const (
	sourceGitHub = "github"
	sourceJira   = "jira"
)

// maxListed is the most tickets that are taken of a tracker at a time.
const maxListed = 10_000

// tracked are the flags that say which past tickets of a tracker are wanted.
type tracked struct {
	source   string
	repos    []string
	tenant   string
	projects []string
	last     int
}

// about checks what is wanted, without asking anybody.
func (f tracked) about(cfg config.Config) (about replay.About, err error) {
	if f.last < 1 || f.last > maxListed {
		return about, usagef("--last %d: want 1 to %d", f.last, maxListed)
	}
	about = replay.About{Source: f.source, Tenant: f.tenant, Last: f.last}
	if about.Source == "" && len(f.repos) > 0 {
		about.Source = sourceGitHub
	}
	if about.Source == "" && len(f.projects) > 0 {
		about.Source = sourceJira
	}
	switch about.Source {
	case sourceGitHub:
		err = f.github(&about)
	case sourceJira:
		err = f.jira(&about, cfg)
	case "":
		err = usagef("want --repo OWNER/NAME or --project KEY; see --help")
	default:
		err = usagef("--source %s: want github or jira", about.Source)
	}
	return about, err
}

func (f tracked) github(about *replay.About) error {
	switch {
	case len(f.projects) > 0 || f.tenant != "":
		return usagef("--project and --tenant are for --source jira; github wants --repo OWNER/NAME")
	case len(f.repos) == 0:
		return usagef("--source github wants --repo OWNER/NAME")
	}
	return places(about, "--repo", f.repos, regexp.MustCompile(`^[\w.-]+/[\w.-]+$`), "owner/name")
}

func (f tracked) jira(about *replay.About, cfg config.Config) error {
	switch {
	case len(f.repos) > 0:
		return usagef("--repo is for --source github; jira wants --project KEY")
	case len(f.projects) == 0:
		return usagef("--source jira wants --project KEY")
	case about.Tenant == "" && len(cfg.Jira) != 1:
		return usagef("--source jira wants --tenant: the configuration has %d jira sites", len(cfg.Jira))
	case about.Tenant == "":
		about.Tenant = cfg.Jira[0].Tenant
	}
	return places(about, "--project", f.projects, regexp.MustCompile(`^[A-Za-z]\w*$`), "a project key")
}

func places(about *replay.About, flag string, given []string, form *regexp.Regexp, want string) error {
	seen := map[string]bool{}
	for _, p := range given {
		if !form.MatchString(p) {
			return usagef("%s %q: want %s", flag, p, want)
		}
		if !seen[p] {
			about.Places = append(about.Places, p)
		}
		seen[p] = true
	}
	return nil
}
