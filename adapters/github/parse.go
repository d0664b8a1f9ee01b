package github

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing"
)

// Bounds of what is taken over. GitHub's own are lower; these hold for anyone
// who knows the secret.
const (
	maxTitle  = 1_000
	maxBody   = 70_000 // GitHub keeps 65,536 at most
	maxLabels = 100
	maxName   = 200
	maxURL    = 1_000
)

const (
	ignorePull = "a pull request, not an issue"
	ignoreSelf = "done by the account that we write as: give the bot one of its own if a person uses it"
	typeBot    = "Bot" // of an account
)

// payload is the part of a webhook that is read. Whole SDK types would refuse
// bodies for fields nobody looks at.
type payload struct {
	Action     string      `json:"action"`
	Issue      *issue      `json:"issue"`
	Repository *repository `json:"repository"`
	Sender     user        `json:"sender"`
	Changes    *changes    `json:"changes"` // nil: the event does not say what changed

	Installation struct {
		ID int64 `json:"id"`
	} `json:"installation"`
}

type issue struct {
	Number      int             `json:"number"`
	Title       string          `json:"title"`
	Body        string          `json:"body"`
	HTMLURL     string          `json:"html_url"`
	State       string          `json:"state"`
	StateReason string          `json:"state_reason"`
	User        user            `json:"user"`
	Labels      []label         `json:"labels"`
	CreatedAt   string          `json:"created_at"`
	UpdatedAt   string          `json:"updated_at"`
	PullRequest json.RawMessage `json:"pull_request"`
}

func (i *issue) isPull() bool { return len(i.PullRequest) > 0 && string(i.PullRequest) != "null" }

type label struct {
	Name string `json:"name"`
}

type user struct {
	Login string `json:"login"`
	Type  string `json:"type"`
}

type repository struct {
	FullName   string `json:"full_name"`
	Private    bool   `json:"private"`
	Visibility string `json:"visibility"`
	Archived   bool   `json:"archived"`
}

type changes struct {
	Title         *was        `json:"title"`
	Body          *was        `json:"body"`
	NewIssue      *issue      `json:"new_issue"`
	NewRepository *repository `json:"new_repository"`
}

type was struct {
	From string `json:"from"`
}

// parser knows our own login, once the client has learnt it.
type parser struct{ self *atomic.Pointer[string] }

// ourselves says that a login is the account that we write as.
func (p parser) ourselves(login string) bool {
	self := p.self.Load()
	return self != nil && strings.EqualFold(*self, login)
}

// The kinds of events that mean something. Those of app.yml are held to them.
const (
	kindIssues = "issues"
	kindPush   = "push"
	kindPull   = "pull_request"
)

// Parse implements bot.Parser. Issues that were opened, edited, reopened or
// transferred become tickets, save what our own account did; pushes to branches and
// pull requests with new code become what they are. All else is ignored, with the
// reason.
func (p parser) Parse(d bot.Delivery) (bot.Event, error) {
	d.Body = unform(d.Body)
	switch d.Kind {
	case kindPush:
		return push(d.Body)
	case kindPull:
		return pull(d.Body)
	case kindIssues:
	default:
		return ignoreOther(d)
	}
	var in payload
	if err := json.Unmarshal(d.Body, &in); err != nil {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading github issues event: not the JSON we know: %w", err)
	}
	if in.Issue == nil || in.Repository == nil || in.Action == "" {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading github issues event: action, issue or repository is missing")
	}
	if p.ourselves(in.Sender.Login) {
		return bot.Event{Ignore: ignoreSelf}, nil
	}
	if why := in.ignore(); why != "" {
		return bot.Event{Ignore: why}, nil
	}
	iss, repo, installation := in.place()
	return event(iss, repo, installation)
}

// unform takes the JSON out of a form, which is how a webhook sends it whose content
// type was left at GitHub's default.
func unform(body []byte) []byte {
	if !bytes.HasPrefix(body, []byte("payload=")) {
		return body
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return body
	}
	return []byte(form.Get("payload"))
}

// ignoreOther still wants JSON, so that junk is shown as junk.
func ignoreOther(d bot.Delivery) (bot.Event, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(d.Body, &object); err != nil {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading github %s event: not a JSON object: %w", bot.CleanLine(d.Kind, maxName), err)
	}
	switch d.Kind {
	case "ping":
		return bot.Event{Ignore: "GitHub only asks whether somebody is here"}, nil
	case "issue_comment":
		return bot.Event{Ignore: "a comment, not a ticket: the route follows the issue's own text"}, nil
	default:
		return bot.Event{Ignore: fmt.Sprintf("%s events say nothing about a ticket's text", bot.CleanLine(d.Kind, maxName))}, nil
	}
}

// ignore returns why the event is none of our business, or "".
func (p *payload) ignore() string {
	switch {
	case p.Issue.isPull():
		return ignorePull
	case p.Sender.Type == typeBot:
		return "done by a bot"
	}
	switch p.Action {
	case "opened", "reopened":
	case "edited":
		if !p.textChanged() {
			return "edited, but title and body read as before"
		}
	case "transferred":
		if p.Changes == nil || p.Changes.NewIssue == nil || p.Changes.NewRepository == nil {
			return "transferred to a place the event does not name: the issue is routed when it opens there"
		}
	default:
		return fmt.Sprintf("%q does not change what the issue says", bot.CleanLine(p.Action, maxName))
	}
	if _, repo, _ := p.place(); repo.Archived {
		return "the repository is archived and takes no comments"
	}
	return ""
}

func (p *payload) textChanged() bool {
	c := p.Changes
	if c == nil { // it may have: a needless look is better than an old answer
		return true
	}
	return (c.Title != nil && c.Title.From != p.Issue.Title) || (c.Body != nil && c.Body.From != p.Issue.Body)
}

// place is where the ticket now lives. A transferred issue is answered at its
// new place, never at the old one; an issue opened by a transfer is there already.
func (p *payload) place() (*issue, *repository, int64) {
	if p.Action != "transferred" {
		return p.Issue, p.Repository, p.Installation.ID
	}
	installation := p.Installation.ID
	if !sameOwner(p.Repository.FullName, p.Changes.NewRepository.FullName) {
		installation = 0 // the other owner's installation is another one
	}
	return p.Changes.NewIssue, p.Changes.NewRepository, installation
}

func sameOwner(a, b string) bool {
	x, _, _ := strings.Cut(a, "/")
	y, _, _ := strings.Cut(b, "/")
	return strings.EqualFold(x, y)
}

func event(iss *issue, repo *repository, installation int64) (bot.Event, error) {
	if _, _, err := splitRepo(repo.FullName); err != nil {
		return bot.Event{}, err
	}
	if iss.Number <= 0 {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading github issues event: the issue has no number")
	}
	created, _ := time.Parse(time.RFC3339, iss.CreatedAt) // unknown stays zero: it is no reason to lose the ticket
	return bot.Event{
		Ticket: routing.Ticket{
			Ref: routing.Ref{
				System: "github",
				Key:    fmt.Sprintf("%s#%d", repo.FullName, iss.Number),
				URL:    bot.CleanLine(iss.HTMLURL, maxURL),
			},
			FiledIn:    repo.FullName,
			Title:      bot.CleanLine(iss.Title, maxTitle),
			Body:       plain(bot.Clean(iss.Body, maxBody)),
			Labels:     labels(iss.Labels),
			Status:     bot.CleanLine(iss.State, maxName),
			Resolution: bot.CleanLine(iss.StateReason, maxName),
			Reporter:   bot.CleanLine(iss.User.Login, maxName),
			CreatedAt:  created,
			Version:    version(iss),
			Audience:   routing.Audience{Level: audience(repo)},
		},
		Target: bot.Target{System: "github", Installation: installation, Repo: repo.FullName, Number: iss.Number},
	}, nil
}

func labels(ls []label) []string {
	out := make([]string, 0, min(len(ls), maxLabels))
	for _, l := range ls[:min(len(ls), maxLabels)] {
		if name := bot.CleanLine(l.Name, maxName); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// version changes whenever title or body change. The time alone would not do:
// two edits may fall into one second.
func version(iss *issue) string {
	sum := sha256.Sum256([]byte(iss.Title + "\x00" + iss.Body))
	return bot.CleanLine(iss.UpdatedAt, maxName) + "-" + hex.EncodeToString(sum[:6])
}

// audience reads two fields that may disagree; the narrower one holds.
func audience(r *repository) string {
	switch {
	case r.Visibility == "internal":
		return "internal"
	case r.Private, r.Visibility == "private":
		return "private"
	default:
		return "public"
	}
}

// splitRepo checks "owner/name". Both parts become parts of request paths, so
// nothing but the letters GitHub allows may pass.
func splitRepo(full string) (owner, name string, err error) {
	owner, name, ok := strings.Cut(full, "/")
	if !ok || !validName(owner) || !validName(name) {
		return "", "", bot.Errorf(bot.CodeInvalid, "reading github repository name: %q is not owner/name", bot.CleanLine(full, maxName))
	}
	return owner, name, nil
}

func validName(s string) bool {
	if s == "" || len(s) > maxName || s == "." || s == ".." {
		return false
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.", r) {
			return false
		}
	}
	return true
}
