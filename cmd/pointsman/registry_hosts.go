package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/adapters/github"
	"github.com/pointsman/pointsman/adapters/jira"
	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/draft"
	"github.com/pointsman/pointsman/routing/sync"
)

// maxToken bounds a file with a token, in bytes.
const maxToken = 64 << 10

// hub are the flags that name a GitHub organisation.
type hub struct {
	owner     string
	apiURL    string
	tokenFile string

	token  bot.Secret
	client *github.Client
}

func (h *hub) addFlags(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&h.owner, "github", "", "GitHub organisation whose repositories are listed; the token is read from POINTSMAN_GITHUB_TOKEN")
	fl.StringVar(&h.apiURL, "api-url", github.DefaultAPIURL, "address of the GitHub API; Enterprise: https://HOST/api/v3/")
	fl.StringVar(&h.tokenFile, "token-file", "", "file with the GitHub token, instead of POINTSMAN_GITHUB_TOKEN")
}

func (h *hub) check() (err error) {
	if h.owner == "" {
		return nil
	}
	if h.token, err = secretFrom("--token-file", h.tokenFile, "POINTSMAN_GITHUB_TOKEN"); err != nil {
		return err
	}
	// No webhook will ever be verified by this client: nobody knows the secret.
	h.client, err = github.New(github.Options{Token: h.token, APIURL: h.apiURL, WebhookSecret: bot.Secret(rand.Text())})
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	return nil
}

// host is where the organisation's repositories are cloned from.
func (h *hub) host() string {
	api, err := url.Parse(h.apiURL)
	if err != nil {
		return ""
	}
	if api.Host == "api.github.com" {
		return "github.com"
	}
	return api.Host
}

// tokenFor gives the token to the host it is for, and to no other.
func (h *hub) tokenFor(host string) bot.Secret {
	if h.owner != "" && strings.EqualFold(host, h.host()) {
		return h.token
	}
	return ""
}

// hosted lists an organisation's repositories.
func (s *sources) hosted(ctx context.Context, errOut io.Writer) ([]candidate, error) {
	list, err := s.hub.client.Organisation(ctx, s.hub.owner)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("listing %s: it has no repository that this token may see; set POINTSMAN_GITHUB_TOKEN to one that may read them", s.hub.owner)
	}
	found := make([]candidate, len(list))
	for i, r := range list {
		found[i] = hostedCandidate(r)
	}
	return found, s.mirror(ctx, errOut, found)
}

func hostedCandidate(r github.Repository) candidate {
	c := candidate{
		name: r.Name, full: r.FullName,
		host: draft.HostFacts{
			ID: r.ID, Host: r.Host, CloneURL: r.CloneURL, DefaultBranch: r.DefaultBranch, Visibility: r.Visibility,
			Description: r.Description, Archived: r.Archived, Topics: r.Topics,
		},
	}
	if r.Empty {
		c.unread = routing.ErrEmpty.Error()
	}
	return c
}

// follow looks up entries that the organisation does not list any more: by their
// ids, they are found wherever they were transferred to.
func (s *sources) follow(ctx context.Context, errOut io.Writer, entries []routing.Repo, found []candidate) ([]candidate, error) {
	if s.hub.owner == "" {
		return found, nil
	}
	listed := map[string]bool{}
	for _, c := range found {
		listed[fmt.Sprint(c.host.ID)] = true
	}
	was := len(found)
	for _, e := range entries {
		id, ok := e.ID.(int64)
		if !ok || listed[fmt.Sprint(id)] || e.Host != "" && !strings.EqualFold(e.Host, s.hub.host()) {
			continue
		}
		r, err := s.hub.client.Repository(ctx, id)
		switch code := bot.CodeOf(err); {
		case code == bot.CodeNotFound:
		case err != nil:
			return nil, err
		default:
			found = append(found, hostedCandidate(r))
		}
	}
	return found, s.mirror(ctx, errOut, found[was:])
}

// componentSource are the flags that name Jira projects whose components become
// those of repositories with the same name.
type componentSource struct {
	url, user, tokenFile string
	projects             []string

	client *jira.Client
}

func (c *componentSource) addFlags(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&c.url, "jira", "", "address of a Jira site whose components are matched to repositories by name;\nthe token is read from POINTSMAN_JIRA_TOKEN")
	fl.StringSliceVar(&c.projects, "jira-project", nil, "key of a Jira project, once for each")
	fl.StringVar(&c.user, "jira-user", "", "e-mail address of the account on Jira Cloud; without it the token is sent as Data Center wants it")
	fl.StringVar(&c.tokenFile, "jira-token-file", "", "file with the Jira token, instead of POINTSMAN_JIRA_TOKEN")
}

func (c *componentSource) wanted() bool { return c.url != "" }

func (c *componentSource) check() error {
	if (c.url == "") != (len(c.projects) == 0) {
		return usagef("--jira URL and --jira-project KEY go together")
	}
	if c.url == "" {
		return nil
	}
	token, err := secretFrom("--jira-token-file", c.tokenFile, "POINTSMAN_JIRA_TOKEN")
	if err != nil {
		return err
	}
	flavour := jira.Cloud
	if c.user == "" {
		flavour = jira.DataCenter
	}
	c.client, err = jira.New(jira.Options{
		Tenant: "components", URL: c.url, Flavour: flavour, User: c.user, Token: token, WebhookSecret: bot.Secret(rand.Text()),
	})
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	return nil
}

// attach gives the repositories the components that are called like them.
func (c *componentSource) attach(ctx context.Context, found []candidate) error {
	for _, project := range c.projects {
		list, err := c.client.Components(ctx, project)
		if err != nil {
			return err
		}
		for _, component := range list {
			for i := range found {
				if sync.SameName(component.Name, found[i].name) {
					found[i].host.Components = append(found[i].host.Components, component.Name)
				}
			}
		}
	}
	return nil
}

// secretFrom reads a secret from a file or the environment; "" when there is none.
func secretFrom(flag, file, env string) (bot.Secret, error) {
	if file == "" {
		return bot.Secret(strings.TrimSpace(os.Getenv(env))), nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", usagef("%s: %w", flag, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		return "", usagef("%s %s: %w", flag, file, err)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxToken))
	if err != nil {
		return "", usagef("%s %s: %w", flag, file, err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" || strings.ContainsAny(token, "\n\r") {
		return "", usagef("%s %s: want the token alone, on one line", flag, file)
	}
	return bot.Secret(token), nil
}
