package jira

import (
	"context"
	"net/http"
	"net/url"

	"github.com/pointsman/pointsman/bot"
)

// maxComponents bounds the components that are taken of one project.
const maxComponents = 5_000

// Component is a part of a project that issues can be filed under.
type Component struct {
	Name        string // bounded, one line
	Description string // likewise; "" when nobody wrote one
}

// Components lists the components of a project, in Jira's order. Errors are
// *bot.Error. It only reads.
func (c *Client) Components(ctx context.Context, project string) ([]Component, error) {
	if !validKey(project + "-1") {
		return nil, bot.Errorf(bot.CodeInvalid, "listing jira components: %q is not a project key", bot.CleanLine(project, maxName))
	}
	var answer bot.Page[struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}]
	path := "rest/api/2/project/" + url.PathEscape(project) + "/components"
	if err := c.do(ctx, "listing jira components of "+project, http.MethodGet, path, nil, &answer); err != nil {
		return nil, err
	}
	var out []Component
	for _, a := range answer {
		if name := bot.CleanLine(a.Name, maxName); name != "" && len(out) < maxComponents {
			out = append(out, Component{Name: name, Description: bot.CleanLine(a.Description, 4*maxName)})
		}
	}
	return out, nil
}
