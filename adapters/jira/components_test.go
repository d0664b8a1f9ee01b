package jira_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/jira"
	"github.com/pointsman/pointsman/adapters/jira/jiratest"
	"github.com/pointsman/pointsman/bot"
)

func TestComponents(t *testing.T) {
	t.Parallel()
	for _, flavour := range []string{jira.Cloud, jira.DataCenter} {
		s, c := archive(t, flavour, jiratest.Issue{Summary: "one"})
		s.SetComponents("HELP", jiratest.Component{Name: "Berths", Description: "Which ferry lies\nwhere"}, jiratest.Component{Name: " "}, jiratest.Component{Name: "Tide tables"})
		got, err := c.Components(t.Context(), "HELP")
		want := []jira.Component{{Name: "Berths", Description: "Which ferry lies where"}, {Name: "Tide tables"}}
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", flavour, err, d)
		}
		if got, err := c.Components(t.Context(), "OTHER"); len(got) != 0 || err != nil {
			t.Errorf("%s: a project without components has %v, %v", flavour, got, err)
		}
		if _, err := c.Components(t.Context(), "NONE"); bot.CodeOf(err) != bot.CodeNotFound || !strings.Contains(err.Error(), "listing jira components of NONE") {
			t.Errorf("%s: a project that is not there: %v", flavour, err)
		}
		if _, err := c.Components(t.Context(), "../secret"); bot.CodeOf(err) != bot.CodeInvalid {
			t.Errorf("%s: no key: %v", flavour, err)
		}
		for _, r := range s.Requests() {
			if r.Method != http.MethodGet {
				t.Errorf("%s: listing sent %s %s", flavour, r.Method, r.Path)
			}
		}
	}
}

// Whatever a site answers, there is a list or an error that says whose.
func TestComponentsOfOddSites(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"errorMessages":["no"]}`, `"x"`, `[1]`, `[{"name":7}]`, `[`} {
		s, c := archive(t, jira.Cloud, jiratest.Issue{Summary: "one"})
		s.Fail(1, http.StatusOK, nil, body)
		if got, err := c.Components(t.Context(), "HELP"); err == nil {
			t.Errorf("%s gave %v", body, got)
		}
	}
}
