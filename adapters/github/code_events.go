package github

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pointsman/pointsman/bot"
)

const maxBranch = 255 // bytes

// place is a repository as events about code tell it.
type place struct {
	ID            int64  `json:"id"`
	FullName      string `json:"full_name"`
	DefaultBranch string `json:"default_branch"`
}

type installedIn struct {
	ID int64 `json:"id"`
}

// push reads the event of a push. Tags are ignored: nobody routes by them.
func push(body []byte) (bot.Event, error) {
	var in struct {
		Ref          string      `json:"ref"`
		Before       string      `json:"before"`
		After        string      `json:"after"`
		Repository   *place      `json:"repository"`
		Installation installedIn `json:"installation"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading github push event: not the JSON we know: %w", err)
	}
	if in.Repository == nil || in.Ref == "" {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading github push event: ref or repository is missing")
	}
	if _, _, err := splitRepo(in.Repository.FullName); err != nil {
		return bot.Event{}, err
	}
	branch, ok := strings.CutPrefix(in.Ref, "refs/heads/")
	switch {
	case !ok:
		return bot.Event{Ignore: "a push of a tag, not of a branch"}, nil
	case !validBranch(branch), !validCommit(in.Before), !validCommit(in.After):
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading github push event: branch or commits are none that git knows")
	}
	return bot.Event{Push: &bot.Push{
		Target: bot.Target{System: "github", Installation: in.Installation.ID, Repo: in.Repository.FullName},
		RepoID: in.Repository.ID, Branch: branch, Default: branch == in.Repository.DefaultBranch,
		Before: in.Before, After: in.After,
	}}, nil
}

// pull reads the event of a pull request: one with new code, or with another branch
// to go to, is to be looked at. Who made it does not matter.
func pull(body []byte) (bot.Event, error) {
	var in struct {
		Action      string `json:"action"`
		Number      int    `json:"number"`
		PullRequest *struct {
			Head struct {
				SHA string `json:"sha"`
			} `json:"head"`
			Base struct {
				Ref string `json:"ref"`
				SHA string `json:"sha"`
			} `json:"base"`
		} `json:"pull_request"`
		Changes struct {
			Base json.RawMessage `json:"base"`
		} `json:"changes"`
		Repository   *place      `json:"repository"`
		Installation installedIn `json:"installation"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading github pull_request event: not the JSON we know: %w", err)
	}
	p := in.PullRequest
	if p == nil || in.Repository == nil || in.Action == "" {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading github pull_request event: action, pull request or repository is missing")
	}
	switch {
	case in.Action == "opened", in.Action == "synchronize", in.Action == "reopened":
	case in.Action == "edited" && len(in.Changes.Base) > 0:
	default:
		return bot.Event{Ignore: fmt.Sprintf("%q does not change the code of a pull request", bot.CleanLine(in.Action, maxName))}, nil
	}
	if _, _, err := splitRepo(in.Repository.FullName); err != nil {
		return bot.Event{}, err
	}
	if in.Number <= 0 || !validBranch(p.Base.Ref) || !validCommit(p.Base.SHA) || !validCommit(p.Head.SHA) {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading github pull_request event: number, branch or commits are none that git knows")
	}
	return bot.Event{Pull: &bot.Pull{
		Target: bot.Target{System: "github", Installation: in.Installation.ID, Repo: in.Repository.FullName, Number: in.Number},
		RepoID: in.Repository.ID, Branch: p.Base.Ref, Default: p.Base.Ref == in.Repository.DefaultBranch,
		Base: p.Base.SHA, Head: p.Head.SHA,
	}}, nil
}

// validCommit wants a whole hash, in hexadecimal: it becomes part of a request.
func validCommit(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// validBranch wants a name that git allows: it becomes part of a request.
func validBranch(s string) bool {
	if s == "" || len(s) > maxBranch || strings.ContainsAny(s, "~^:?*[\\ \x7f") || strings.HasSuffix(s, ".lock") {
		return false
	}
	for _, r := range s {
		if r < ' ' || r == '\ufffd' {
			return false
		}
	}
	return validSegments(s)
}

// validSegments says that no part of a path with slashes is empty or leads elsewhere.
func validSegments(s string) bool {
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || part == "." || strings.Contains(part, "..") {
			return false
		}
	}
	return true
}
