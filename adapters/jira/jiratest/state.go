package jiratest

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/pointsman/pointsman/bot"
)

// Issue describes an issue to create.
type Issue struct {
	Summary, Description string // Description is wiki markup; "" is sent as null
	Environment          string
	Labels, Components   []string
	Security             string // name of a security level
	ServiceDesk          bool   // the project is one
	Reporter             string // "" = "reporter"
	Garbled              bool   // its summary is sent as a list, which Jira would never do
}

// Comment is a comment as the site holds it.
type Comment struct {
	ID               string
	Author           string
	Body             string
	History          []string // earlier bodies, oldest first
	Internal         bool     // hidden from a service desk's customers
	Created, Updated time.Time
}

type issue struct {
	Issue
	id               int64
	key, project     string
	created, updated time.Time
	comments         []*Comment
	shown            []*Comment // by a list that lags behind
}

// CreateIssue creates an issue in a project, which need not exist, and returns its key.
func (s *Server) CreateIssue(project string, i Issue) string {
	if i.Reporter == "" {
		i.Reporter = "reporter"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.numbers[project]++
	now := s.now().UTC().Truncate(time.Millisecond)
	key := project + "-" + strconv.Itoa(s.numbers[project])
	s.issues[key] = &issue{Issue: i, id: s.id(), key: key, project: project, created: now, updated: now}
	s.order = append(s.order, key)
	return key
}

// EditIssue changes summary and description, and returns what they were.
func (s *Server) EditIssue(key, summary, description string) (was Issue, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, err := s.issue(key)
	if err != nil {
		return Issue{}, err
	}
	was = i.Issue
	i.Summary, i.Description, i.updated = summary, description, s.now().UTC().Truncate(time.Millisecond)
	return was, nil
}

// AddComment lets somebody comment, and returns the comment's id.
func (s *Server) AddComment(key, author, body string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, err := s.issue(key)
	if err != nil {
		return "", err
	}
	return s.addComment(i, author, body).ID, nil
}

// DeleteComment removes a comment, as an administrator may.
func (s *Server) DeleteComment(key, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, err := s.issue(key); err == nil {
		i.remove(id)
	}
}

func (i *issue) remove(id string) {
	i.comments = slices.DeleteFunc(slices.Clone(i.comments), func(c *Comment) bool { return c.ID == id })
}

// Comments returns the comments of an issue, oldest first; none for an issue that
// does not exist.
func (s *Server) Comments(key string) []Comment {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, err := s.issue(key)
	if err != nil {
		return nil
	}
	out := make([]Comment, 0, len(i.comments))
	for _, c := range i.comments {
		cp := *c
		cp.History = append([]string(nil), c.History...)
		out = append(out, cp)
	}
	return out
}

// CommentsAt is Comments for a target.
func (s *Server) CommentsAt(t bot.Target) []Comment { return s.Comments(t.Key) }

// BotName is the account that the token belongs to.
func (s *Server) BotName() string { return s.opts.BotName }

func (s *Server) eachIssue(do func(*issue)) {
	for _, i := range s.issues {
		do(i)
	}
}

func (s *Server) id() int64 {
	s.nextID++
	return s.nextID
}

func (s *Server) issue(key string) (*issue, error) {
	if i, ok := s.issues[key]; ok {
		return i, nil
	}
	return nil, fmt.Errorf("finding issue %q: create it with CreateIssue first", key)
}

func (s *Server) addComment(i *issue, author, body string) *Comment {
	now := s.now().UTC().Truncate(time.Millisecond)
	c := &Comment{ID: strconv.FormatInt(s.id(), 10), Author: author, Body: body, Created: now, Updated: now}
	i.comments = append(i.comments, c)
	return c
}
