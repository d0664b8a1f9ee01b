package jira

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/routing"
)

// Bounds of what is taken over. Jira's own are lower; these hold for anyone who
// knows the secret.
const (
	maxTitle = 1_000
	maxBody  = 70_000 // Jira keeps 32,767 by default
	maxList  = 100
	maxName  = 200

	timeLayout = "2006-01-02T15:04:05.999-0700"
)

const (
	typeApp    = "app" // of an account
	ignoreApp  = "created by an app"
	ignoreSelf = "done by ourselves: give the bot an account of its own if a person uses it"
)

// payload is the part of a webhook that is read, in both dialects.
type payload struct {
	WebhookEvent string    `json:"webhookEvent"`
	Issue        *issue    `json:"issue"`
	User         user      `json:"user"`
	Changelog    changelog `json:"changelog"`
}

type issue struct {
	Key    string `json:"key"`
	Fields fields `json:"fields"`
}

type fields struct {
	Summary     string          `json:"summary"`
	Description json.RawMessage `json:"description"` // string, null, or ADF
	Environment json.RawMessage `json:"environment"`
	Labels      []string        `json:"labels"`
	Components  []named         `json:"components"`
	Status      named           `json:"status"`
	Resolution  named           `json:"resolution"`
	Security    *named          `json:"security"`
	Reporter    user            `json:"reporter"`
	Creator     user            `json:"creator"`
	Created     string          `json:"created"`
	Updated     string          `json:"updated"`
	Project     project         `json:"project"`
}

// byApp says that a program created the issue, whomever it named as the reporter.
func (i *issue) byApp() bool { return i != nil && i.Fields.Creator.AccountType == typeApp }

type named struct {
	Name string `json:"name"`
}

type project struct {
	Key  string `json:"key"`
	Type string `json:"projectTypeKey"`
}

// user is a Cloud or a Server account.
type user struct {
	AccountID   string `json:"accountId"`
	Name        string `json:"name"`
	Key         string `json:"key"`
	Email       string `json:"emailAddress"`
	DisplayName string `json:"displayName"`
	AccountType string `json:"accountType"`
}

type changelog struct {
	Items []change `json:"items"`
}

type change struct {
	Field string `json:"field"`
	From  string `json:"fromString"`
	To    string `json:"toString"`
}

// parser knows the site's address and our own account there.
type parser struct {
	base string                // ends in "/"
	user string                // our account as configured; may be empty
	self *atomic.Pointer[user] // our account, once the client has learnt it
}

// ourselves says that an account is the one that we write as.
func (p parser) ourselves(u *user) bool {
	if p.user != "" && (strings.EqualFold(u.Email, p.user) || strings.EqualFold(u.Name, p.user)) {
		return true
	}
	self := p.self.Load()
	return self != nil && self.same(u)
}

// Parse implements bot.Parser. Issues that were created, or whose summary or
// description changed, become tickets; all else, and what apps and our own account
// did, is ignored, with the reason.
func (p parser) Parse(d bot.Delivery) (bot.Event, error) {
	var in payload
	if err := json.Unmarshal(d.Body, &in); err != nil {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading jira event: not the JSON we know: %w", err)
	}
	if in.WebhookEvent == "" {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading jira event: webhookEvent is missing")
	}
	if why := p.ignore(&in); why != "" {
		return bot.Event{Ignore: why}, nil
	}
	if in.Issue == nil || !validKey(in.Issue.Key) {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading jira event: the issue or its key is missing")
	}
	return p.event(d.Tenant, in.Issue)
}

// ignore returns why the event is none of our business, or "".
func (p parser) ignore(in *payload) string {
	if p.ourselves(&in.User) {
		return ignoreSelf
	}
	switch kind := in.WebhookEvent; {
	case kind == "jira:issue_created" && (in.User.AccountType == typeApp || in.Issue.byApp()):
		return ignoreApp
	case kind == "jira:issue_created":
		return ""
	case kind != "jira:issue_updated" && strings.HasPrefix(kind, "comment_"):
		return "a comment, not a ticket: the route follows the ticket's own text"
	case kind != "jira:issue_updated":
		return fmt.Sprintf("%s events say nothing about a ticket's text", bot.CleanLine(kind, maxName))
	case !in.Changelog.textChanged():
		return "updated, but summary and description read as before"
	case in.User.AccountType == typeApp:
		return "edited by an app"
	}
	return ""
}

func (c changelog) textChanged() bool {
	for _, it := range c.Items {
		if (strings.EqualFold(it.Field, "summary") || strings.EqualFold(it.Field, "description")) && it.From != it.To {
			return true
		}
	}
	return false
}

func (p parser) event(tenant string, iss *issue) (bot.Event, error) {
	f := &iss.Fields
	body, err := prose(f.Description)
	if err != nil {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading jira description: %w", err)
	}
	environment, err := prose(f.Environment)
	if err != nil {
		return bot.Event{}, bot.Errorf(bot.CodeInvalid, "reading jira environment: %w", err)
	}
	projectKey := f.Project.Key
	if !validKey(projectKey + "-1") {
		projectKey, _, _ = strings.Cut(iss.Key, "-")
	}
	created, _ := time.Parse(timeLayout, f.Created) // unknown stays zero: it is no reason to lose the ticket
	desk := f.Project.Type == "service_desk"
	return bot.Event{
		Ticket: routing.Ticket{
			Ref:         routing.Ref{System: "jira", Tenant: tenant, Key: iss.Key, URL: p.base + "browse/" + iss.Key},
			FiledIn:     projectKey,
			Title:       bot.CleanLine(f.Summary, maxTitle),
			Body:        body,
			Labels:      f.labels(),
			Components:  f.components(),
			Environment: environment,
			Status:      bot.CleanLine(f.Status.Name, maxName),
			Resolution:  bot.CleanLine(f.Resolution.Name, maxName),
			Reporter:    bot.CleanLine(f.Reporter.DisplayName, maxName),
			CreatedAt:   created,
			Version:     f.version(),
			Audience:    routing.Audience{Level: f.audience()},
		},
		Target: bot.Target{System: "jira", Tenant: tenant, Key: iss.Key, Internal: desk},
	}, nil
}

// audience: a site is read by its organisation; a security level narrows that.
func (f *fields) audience() string {
	if f.Security != nil {
		return "private"
	}
	return "internal"
}

func (f *fields) labels() []string {
	return names(f.Labels, func(s string) string { return s })
}

func (f *fields) components() []string {
	return names(f.Components, func(n named) string { return n.Name })
}

func names[T any](in []T, of func(T) string) []string {
	out := make([]string, 0, min(len(in), maxList))
	for _, v := range in[:min(len(in), maxList)] {
		if s := bot.CleanLine(of(v), maxName); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// version changes whenever summary or description change.
func (f *fields) version() string {
	sum := sha256.Sum256([]byte(f.Summary + "\x00" + string(f.Description)))
	return bot.CleanLine(f.Updated, maxName) + "-" + hex.EncodeToString(sum[:6])
}

// prose reads a text field: wiki markup as a string, null, or a document in
// Atlassian's format, whose texts are taken.
func prose(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	if raw[0] == '"' {
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return "", err
		}
		return plain(bot.Clean(s, maxBody)), nil
	}
	var n node
	if err := json.Unmarshal(raw, &n); err != nil {
		return "", err
	}
	var b strings.Builder
	n.write(&b)
	return strings.TrimSpace(bot.Clean(b.String(), maxBody)), nil
}

// node is one node of an Atlassian document.
type node struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	Content []node `json:"content"`
}

func (n *node) write(b *strings.Builder) {
	b.WriteString(n.Text)
	if n.Type == "hardBreak" {
		b.WriteByte('\n')
	}
	for i := range n.Content {
		n.Content[i].write(b)
	}
	switch n.Type {
	case "paragraph", "heading", "codeBlock", "tableCell", "tableHeader":
		b.WriteByte('\n')
	}
}

// validKey checks "PROJ-7". Keys become parts of request paths.
func validKey(key string) bool {
	proj, num, ok := strings.Cut(key, "-")
	if !ok || proj == "" || num == "" || len(key) > maxName {
		return false
	}
	for i, r := range proj {
		letter := (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z')
		if !letter && (i == 0 || (r != '_' && (r < '0' || r > '9'))) {
			return false
		}
	}
	return strings.Trim(num, "0123456789") == ""
}
