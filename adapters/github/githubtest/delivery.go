package githubtest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/pointsman/pointsman/bot"
)

// Delivery is one signed webhook request.
type Delivery struct {
	Header http.Header
	Body   []byte
}

// Request makes an HTTP request of it; a delivery can be sent many times.
func (d Delivery) Request(ctx context.Context, url string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(d.Body))
	if err != nil {
		return nil, fmt.Errorf("preparing a delivery: %w", err)
	}
	req.Header = d.Header.Clone()
	return req, nil
}

// Issue signs an issues event about an issue as it stands: opened, reopened,
// closed and the like. The issue's author is the sender.
func (s *Server) Issue(action, repo string, number int) (Delivery, error) {
	return s.issueEvent(action, repo, number, nil)
}

// Edited signs the event of an edit; was is what EditIssue returned.
func (s *Server) Edited(repo string, number int, was Issue) (Delivery, error) {
	return s.issueEvent("edited", repo, number, map[string]any{
		"title": map[string]any{"from": was.Title},
		"body":  map[string]any{"from": was.Body},
	})
}

// Transferred signs the two events of a transfer: the old place says where the
// issue went, the new one that an issue opened.
func (s *Server) Transferred(from string, number int, to string, newNumber int) (left, arrived Delivery, err error) {
	s.mu.Lock()
	oldRepo, oldIssue, err := s.issue(from, number)
	if err != nil {
		s.mu.Unlock()
		return left, arrived, err
	}
	newRepo, newIssue, err := s.issue(to, newNumber)
	if err != nil {
		s.mu.Unlock()
		return left, arrived, err
	}
	gone := map[string]any{"new_issue": s.issueJSON(newRepo, newIssue), "new_repository": s.repoJSON(newRepo)}
	here := map[string]any{"old_issue": s.issueJSON(oldRepo, oldIssue), "old_repository": s.repoJSON(oldRepo)}
	s.mu.Unlock()
	if left, err = s.issueEvent("transferred", from, number, gone); err != nil {
		return left, arrived, err
	}
	arrived, err = s.issueEvent("opened", to, newNumber, here)
	return left, arrived, err
}

func (s *Server) issueEvent(action, repo string, number int, changes map[string]any) (Delivery, error) {
	s.mu.Lock()
	r, i, err := s.issue(repo, number)
	if err != nil {
		s.mu.Unlock()
		return Delivery{}, err
	}
	body := map[string]any{
		"action": action, "issue": s.issueJSON(r, i), "repository": s.repoJSON(r),
		"sender": account(i.Author, i.AuthorType),
	}
	if s.opts.AppID != 0 {
		body["installation"] = map[string]any{"id": r.installation}
	}
	if changes != nil {
		body["changes"] = changes
	}
	s.mu.Unlock()
	raw, err := json.Marshal(body)
	if err != nil {
		return Delivery{}, fmt.Errorf("writing a delivery: %w", err)
	}
	return s.Sign("issues", raw), nil
}

// Pushed signs the event of a push.
func (s *Server) Pushed(full string, p Push) (Delivery, error) {
	return s.codeEvent("push", full, func(*repo) (map[string]any, error) {
		return map[string]any{
			"ref": "refs/heads/" + p.Branch, "before": p.Before, "after": p.After, "forced": false, "deleted": p.After == noCommit,
			"commits": []any{map[string]any{"id": p.After, "added": p.Added, "modified": p.Modified, "removed": p.Removed}},
		}, nil
	})
}

// PullEvent signs an event of a pull request as it stands: "opened", "reopened",
// "closed" and the like.
func (s *Server) PullEvent(action, full string, number int) (Delivery, error) {
	return s.codeEvent("pull_request", full, func(r *repo) (map[string]any, error) {
		p, ok := r.pulls[number]
		if !ok {
			return nil, fmt.Errorf("finding pull request %s#%d: open it with OpenPull first", full, number)
		}
		return map[string]any{
			"action": action, "number": number,
			"pull_request": map[string]any{
				"number": number, "state": "open", "draft": false,
				"head": map[string]any{"ref": p.head, "sha": p.sha},
				"base": map[string]any{"ref": p.base, "sha": r.branches[p.base], "repo": s.repoJSON(r)},
			},
		}, nil
	})
}

func (s *Server) codeEvent(kind, full string, fill func(*repo) (map[string]any, error)) (Delivery, error) {
	s.mu.Lock()
	r, err := s.repo(full)
	var body map[string]any
	if err == nil {
		body, err = fill(r)
	}
	if err != nil {
		s.mu.Unlock()
		return Delivery{}, err
	}
	body["repository"], body["sender"] = s.repoJSON(r), account("developer", "User")
	if s.opts.AppID != 0 {
		body["installation"] = map[string]any{"id": r.installation}
	}
	s.mu.Unlock()
	raw, err := json.Marshal(body)
	if err != nil {
		return Delivery{}, fmt.Errorf("writing a delivery: %w", err)
	}
	return s.Sign(kind, raw), nil
}

// Sign makes a delivery of any event and body, with an id of its own.
func (s *Server) Sign(event string, body []byte) Delivery {
	s.mu.Lock()
	id := s.id()
	s.mu.Unlock()
	return SignWith(s.opts.WebhookSecret, event, fmt.Sprintf("00000000-0000-4000-8000-%012d", id), body)
}

// SignWith signs a body with any secret and delivery id.
func SignWith(secret bot.Secret, event, id string, body []byte) Delivery {
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	mac.Write(body)
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", "GitHub-Hookshot/githubtest")
	h.Set("X-GitHub-Event", strings.TrimSpace(event))
	h.Set("X-GitHub-Delivery", id)
	h.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	return Delivery{Header: h, Body: body}
}
