package githubtest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pointsman/pointsman/bot"
)

// Repo describes a repository to add.
type Repo struct {
	FullName      string // "owner/name"
	Visibility    string // public, internal, private; "" = public
	Archived      bool   // reads work, writes are 403
	Fork          bool
	Description   string
	DefaultBranch string // "" = main
	Topics        []string
}

// Issue describes an issue to open.
type Issue struct {
	Title, Body string
	Labels      []string
	Author      string // "" = "reporter"
	AuthorType  string // "User" or "Bot"; "" = "User"
	Pull        bool   // a pull request, which GitHub lists among the issues
	Garbled     bool   // its title is sent as a number, which GitHub would never do
}

// Comment is a comment as the server holds it.
type Comment struct {
	ID                   int64
	Author               string
	Body                 string
	History              []string // earlier bodies, oldest first
	URL                  string
	CreatedAt, UpdatedAt time.Time
}

type repo struct {
	Repo
	id           int64
	installation int64
	issues       []*issue
	was          []string // earlier names, lower case

	commits  map[string]*commit // by sha
	branches map[string]string  // shas
	heads    []Push             // oldest first
	pulls    map[int]*pull      // by number
	checks   []*CheckRun
	statuses []Status
}

type issue struct {
	Issue
	id, number           int64
	state                string
	locked               bool
	createdAt, updatedAt time.Time
	comments             []*Comment
	shown                []*Comment // by a list that lags behind
}

// AddRepo adds a repository in which the App is installed.
func (s *Server) AddRepo(r Repo) {
	if r.Visibility == "" {
		r.Visibility = "public"
	}
	if r.DefaultBranch == "" {
		r.DefaultBranch = "main"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.repos[strings.ToLower(r.FullName)] = &repo{
		Repo: r, id: s.id(), installation: s.installationOf(r.FullName),
		commits: map[string]*commit{}, branches: map[string]string{}, pulls: map[int]*pull{},
	}
}

// installationOf gives one owner's repositories one installation.
func (s *Server) installationOf(full string) int64 {
	owner, _, _ := strings.Cut(strings.ToLower(full), "/")
	for name, r := range s.repos {
		if strings.HasPrefix(name, owner+"/") {
			return r.installation
		}
	}
	return s.id()
}

// RenameRepo gives a repository a new name; the old one answers with redirects.
func (s *Server) RenameRepo(from, to string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.repo(from)
	if err != nil {
		return err
	}
	delete(s.repos, strings.ToLower(r.FullName))
	r.was = append(r.was, strings.ToLower(r.FullName))
	r.FullName = to
	s.repos[strings.ToLower(to)] = r
	return nil
}

// OpenIssue opens an issue and returns its number.
func (s *Server) OpenIssue(repo string, i Issue) (int, error) {
	if i.Author == "" {
		i.Author = "reporter"
	}
	if i.AuthorType == "" {
		i.AuthorType = "User"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.repo(repo)
	if err != nil {
		return 0, err
	}
	now := s.now().UTC().Truncate(time.Second)
	n := int64(len(r.issues) + 1)
	r.issues = append(r.issues, &issue{Issue: i, id: s.id(), number: n, state: "open", createdAt: now, updatedAt: now})
	return int(n), nil
}

// EditIssue changes title and body, and returns what they were.
func (s *Server) EditIssue(repo string, number int, title, body string) (was Issue, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, i, err := s.issue(repo, number)
	if err != nil {
		return Issue{}, err
	}
	was = i.Issue
	i.Title, i.Body, i.updatedAt = title, body, s.now().UTC().Truncate(time.Second)
	return was, nil
}

// LockIssue closes the conversation: comments are 403 from then on.
func (s *Server) LockIssue(repo string, number int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, i, err := s.issue(repo, number)
	if err == nil {
		i.locked = true
	}
	return err
}

// TransferIssue moves an issue with its comments, and returns its new number.
func (s *Server) TransferIssue(from string, number int, to string) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, i, err := s.issue(from, number)
	if err != nil {
		return 0, err
	}
	r, err := s.repo(to)
	if err != nil {
		return 0, err
	}
	moved := *i
	moved.id, moved.number = s.id(), int64(len(r.issues)+1)
	r.issues = append(r.issues, &moved)
	i.state, i.comments = "transferred", nil
	return int(moved.number), nil
}

// AddComment lets somebody comment, and returns the comment's id.
func (s *Server) AddComment(repo string, number int, author, body string) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, i, err := s.issue(repo, number)
	if err != nil {
		return 0, err
	}
	return s.addComment(r, i, author, body).ID, nil
}

// DeleteComment removes a comment, as a maintainer may.
func (s *Server) DeleteComment(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(id)
}

func (s *Server) remove(id int64) {
	s.eachIssue(func(i *issue) {
		i.comments = slices.DeleteFunc(slices.Clone(i.comments), func(c *Comment) bool { return c.ID == id })
	})
}

// Comments returns the comments of an issue, oldest first; none for an issue that
// does not exist.
func (s *Server) Comments(repo string, number int) []Comment {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, i, err := s.issue(repo, number)
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
func (s *Server) CommentsAt(t bot.Target) []Comment { return s.Comments(t.Repo, t.Number) }

func (s *Server) eachIssue(do func(*issue)) {
	for _, r := range s.repos {
		for _, i := range r.issues {
			do(i)
		}
	}
}

func (s *Server) id() int64 {
	s.nextID++
	return s.nextID
}

func (s *Server) repo(full string) (*repo, error) {
	if r, ok := s.repos[strings.ToLower(full)]; ok {
		return r, nil
	}
	return nil, fmt.Errorf("finding repository %q: add it with AddRepo first", full)
}

func (s *Server) issue(full string, number int) (*repo, *issue, error) {
	r, err := s.repo(full)
	if err != nil {
		return nil, nil, err
	}
	if number < 1 || number > len(r.issues) {
		return nil, nil, fmt.Errorf("finding issue %s#%d: open it with OpenIssue first", full, number)
	}
	return r, r.issues[number-1], nil
}

func (s *Server) addComment(r *repo, i *issue, author, body string) *Comment {
	now := s.now().UTC().Truncate(time.Second)
	c := &Comment{ID: s.id(), Author: author, Body: body, CreatedAt: now, UpdatedAt: now}
	c.URL = fmt.Sprintf("%s/%s/issues/%d#issuecomment-%d", s.url, r.FullName, i.number, c.ID)
	i.comments = append(i.comments, c)
	return c
}
