package github

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/pointsman/pointsman/bot"
)

// GitHub's bounds of a check run and a status.
const (
	maxRemarks       = 50    // of one request
	maxAllRemarks    = 1_000 // that we make of one commit
	maxRemark        = 4_000 // characters; GitHub takes 64 KB
	maxSummary       = 60_000
	maxCheckTitle    = 200
	maxDescription   = 140
	statusSuccess    = "success"
	checkCompleted   = "completed"
	checkInProgress  = "in_progress"
	checkPermissions = "the App may lack the permission checks: write; grant it on the App's page and accept it in the organisation"
)

// Conclude puts a check on its commit, once: a check run of ours that is there
// already is brought up to date, and the remarks it lacks are added, since none can
// be taken away. Without an App it is a commit status with the title alone. Errors
// are *bot.Error; Unknown is set when something may have been written all the same.
func (c *Client) Conclude(ctx context.Context, k bot.Check) (bot.Said, error) {
	if err := c.checkable(k); err != nil {
		return bot.Said{}, err
	}
	api, err := c.api(ctx, k.Target)
	if err != nil {
		return bot.Said{}, err
	}
	if c.auth.mode != modeApp {
		return c.status(ctx, api, k)
	}
	run, err := c.ourRun(ctx, api, k)
	if err != nil {
		return bot.Said{}, err
	}
	missing := remarks(k)
	if run.ID != 0 && run.Output.Count > 0 {
		there, err := pages[annotation](ctx, c, api, "reading the remarks of our check", fmt.Sprintf("repos/%s/check-runs/%d/annotations", k.Target.Repo, run.ID), 10*maxAllRemarks)
		if err != nil {
			return bot.Said{}, err
		}
		missing = slices.DeleteFunc(missing, func(a annotation) bool { return slices.Contains(there, a) })
	}
	if len(missing) == 0 && run.says(k) {
		s := run.said()
		s.Unchanged = true
		return s, nil
	}
	return c.writeRun(ctx, api, k, run, missing)
}

// checkable refuses what GitHub would refuse, before anything is sent.
func (c *Client) checkable(k bot.Check) error {
	_, _, err := splitRepo(k.Target.Repo)
	switch {
	case err != nil:
		return err
	case !validCommit(k.Commit):
		return bot.Errorf(bot.CodeInvalid, "checking on github: the commit is none that git knows")
	case k.Name == "" || k.Title == "" || k.Summary == "":
		return bot.Errorf(bot.CodeInvalid, "checking on github: name, title or summary is missing")
	case !slices.Contains([]string{bot.CheckSuccess, bot.CheckNeutral, bot.CheckFailure}, k.Conclusion):
		return bot.Errorf(bot.CodeInvalid, "checking on github: %q is no conclusion", bot.CleanLine(k.Conclusion, maxName))
	}
	return c.CanSpeak()
}

// run is a check run as GitHub holds it.
type run struct {
	ID         int64  `json:"id"`
	HTMLURL    string `json:"html_url"`
	ExternalID string `json:"external_id"`
	Status     string `json:"status"`
	Conclusion string `json:"conclusion"`
	App        struct {
		ID int64 `json:"id"`
	} `json:"app"`
	Output struct {
		Title   string `json:"title"`
		Summary string `json:"summary"`
		Count   int    `json:"annotations_count"`
	} `json:"output"`
}

func (r run) said() bot.Said {
	return bot.Said{CommentID: strconv.FormatInt(r.ID, 10), URL: bot.CleanLine(r.HTMLURL, maxURL)}
}

// says tells whether the run reads as the check wants it to, remarks apart.
func (r run) says(k bot.Check) bool {
	return r.ID != 0 && r.Status == checkCompleted && r.Conclusion == k.Conclusion && r.ExternalID == k.Mark &&
		sameText(r.Output.Title, title(k)) && sameText(r.Output.Summary, summary(k))
}

// annotation is a remark in GitHub's words.
type annotation struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Level     string `json:"annotation_level"`
	Message   string `json:"message"`
}

// remarks are the check's, bounded, each once.
func remarks(k bot.Check) (list []annotation) {
	for _, r := range k.Remarks {
		a := annotation{
			Path: r.Path, StartLine: max(r.Line, 1), EndLine: max(r.Line, 1), Level: r.Level,
			Message: strings.TrimSpace(bot.Clean(r.Text, maxRemark)),
		}
		if a.Message != "" && validPath(a.Path) && !slices.Contains(list, a) {
			list = append(list, a)
		}
		if len(list) == maxAllRemarks {
			break
		}
	}
	return list
}

func title(k bot.Check) string   { return bot.CleanLine(k.Title, maxCheckTitle) }
func summary(k bot.Check) string { return strings.TrimSpace(clip(bot.Clean(k.Summary, maxSummary))) }

// clip keeps a text below GitHub's bound, which is in bytes.
func clip(s string) string {
	if len(s) <= maxSummary {
		return s
	}
	return strings.ToValidUTF8(s[:maxSummary], "")
}

// ourRun finds the newest check run of ours on the commit: that is the one people
// see. Its ID is 0 when there is none.
func (c *Client) ourRun(ctx context.Context, api *github.Client, k bot.Check) (newest run, err error) {
	q := url.Values{"check_name": {k.Name}, "filter": {"all"}, "app_id": {strconv.FormatInt(c.auth.appID, 10)}, "per_page": {fmt.Sprint(pageSize)}}
	var list struct {
		Runs bot.Page[run] `json:"check_runs"`
	}
	err = c.callFor(ctx, "looking for our check", hints{bot.CodeForbidden: checkPermissions}, func(ctx context.Context) error {
		_, err := get(ctx, api, fmt.Sprintf("repos/%s/commits/%s/check-runs?%s", k.Target.Repo, k.Commit, q.Encode()), &list)
		return err
	})
	for _, r := range list.Runs {
		if r.App.ID == c.auth.appID && r.ID > newest.ID {
			newest = r
		}
	}
	return newest, err
}

// output is what a write to a check run says.
type output struct {
	Title       string       `json:"title"`
	Summary     string       `json:"summary"`
	Annotations []annotation `json:"annotations,omitempty"`
}

type runBody struct {
	Name       string `json:"name"`
	HeadSHA    string `json:"head_sha,omitempty"`
	ExternalID string `json:"external_id,omitempty"`
	Status     string `json:"status,omitempty"`
	Conclusion string `json:"conclusion,omitempty"`
	Output     output `json:"output"`
}

// writeRun makes or edits the check run, in as many writes as the remarks need. It
// is concluded with the last one: what was cut short is seen to be unfinished.
func (c *Client) writeRun(ctx context.Context, api *github.Client, k bot.Check, now run, missing []annotation) (bot.Said, error) {
	for first := true; first || len(missing) > 0; first = false {
		n := min(len(missing), maxRemarks)
		body := runBody{Name: k.Name, ExternalID: k.Mark, Status: checkInProgress, Output: output{title(k), summary(k), missing[:n]}}
		missing = missing[n:]
		if len(missing) == 0 {
			body.Status, body.Conclusion = checkCompleted, k.Conclusion
		}
		method, path, act := http.MethodPatch, fmt.Sprintf("repos/%s/check-runs/%d", k.Target.Repo, now.ID), "bringing our check up to date"
		if now.ID == 0 {
			method, path, act = http.MethodPost, "repos/"+k.Target.Repo+"/check-runs", "making our check"
			body.HeadSHA = k.Commit
		}
		err := c.callWriteFor(ctx, act, hints{bot.CodeForbidden: checkPermissions}, func(ctx context.Context) error {
			return send(ctx, api, method, path, body, &now)
		})
		if err != nil {
			return bot.Said{}, err
		}
		if now.ID == 0 {
			return bot.Said{}, &bot.Error{Code: bot.CodeUnavailable, Message: act + ": the answer names no check run", Unknown: true}
		}
	}
	return now.said(), nil
}

func send(ctx context.Context, api *github.Client, method, path string, body, out any) error {
	req, err := api.NewRequest(method, path, body)
	if err != nil {
		return err
	}
	_, err = api.Do(ctx, req, out)
	return err
}

// commitStatus is a status in GitHub's words.
type commitStatus struct {
	State       string `json:"state"`
	Context     string `json:"context"`
	Description string `json:"description"`
	Creator     *user  `json:"creator,omitempty"`
}

// status says the title as a commit status: all that a token may do. There is no
// neutral one.
func (c *Client) status(ctx context.Context, api *github.Client, k bot.Check) (bot.Said, error) {
	me, err := c.whoami(ctx)
	if err != nil {
		return bot.Said{}, err
	}
	want := commitStatus{State: statusSuccess, Context: k.Name, Description: bot.CleanLine(k.Title, maxDescription)}
	if k.Conclusion == bot.CheckFailure {
		want.State = bot.CheckFailure
	}
	h := hints{bot.CodeForbidden: "the token may lack the permission commit statuses: write"}
	var list bot.Page[commitStatus]
	err = c.callFor(ctx, "looking for our status", h, func(ctx context.Context) error {
		_, err := get(ctx, api, fmt.Sprintf("repos/%s/commits/%s/statuses?per_page=%d", k.Target.Repo, k.Commit, pageSize), &list)
		return err
	})
	if err != nil {
		return bot.Said{}, err
	}
	for _, s := range list { // newest first; it alone counts
		if !strings.EqualFold(s.Context, want.Context) {
			continue
		}
		if s.Creator != nil && strings.EqualFold(s.Creator.Login, me) && s.State == want.State && s.Description == want.Description {
			return bot.Said{Unchanged: true}, nil
		}
		break
	}
	err = c.callWriteFor(ctx, "setting our status", h, func(ctx context.Context) error {
		return send(ctx, api, http.MethodPost, fmt.Sprintf("repos/%s/statuses/%s", k.Target.Repo, k.Commit), want, nil)
	})
	return bot.Said{}, err
}
