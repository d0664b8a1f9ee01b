package githubtest

import (
	"fmt"
	"strings"
	"time"
)

func account(login, kind string) map[string]any {
	return map[string]any{"login": login, "id": int64(len(login)) * 1009, "type": kind, "site_admin": false}
}

func accountOf(login string) map[string]any {
	if strings.HasSuffix(login, "[bot]") {
		return account(login, "Bot")
	}
	return account(login, "User")
}

func (s *Server) repoJSON(r *repo) map[string]any {
	owner, name, _ := strings.Cut(r.FullName, "/")
	topics := append([]string{}, r.Topics...)
	out := map[string]any{
		"id": r.id, "name": name, "full_name": r.FullName, "owner": account(owner, "Organization"),
		"private": r.Visibility != "public", "visibility": r.Visibility, "archived": r.Archived, "fork": r.Fork,
		"html_url": s.url + "/" + r.FullName, "clone_url": s.url + "/" + r.FullName + ".git", "default_branch": r.DefaultBranch,
		"description": nil, "topics": topics, "size": len(r.commits) / 2, // KiB, rounded down
	}
	if r.Description != "" {
		out["description"] = r.Description
	}
	return out
}

func (s *Server) issueJSON(r *repo, i *issue) map[string]any {
	labels := make([]any, 0, len(i.Labels))
	for _, l := range i.Labels {
		labels = append(labels, map[string]any{"name": l})
	}
	out := map[string]any{
		"id": i.id, "number": i.number, "title": i.Title, "state": i.state, "locked": i.locked,
		"user": account(i.Author, i.AuthorType), "labels": labels, "comments": len(i.comments),
		"html_url":   fmt.Sprintf("%s/%s/issues/%d", s.url, r.FullName, i.number),
		"created_at": i.createdAt.Format(time.RFC3339), "updated_at": i.updatedAt.Format(time.RFC3339),
		"body": nil,
	}
	if i.Body != "" {
		out["body"] = i.Body
	}
	if i.Pull {
		out["pull_request"] = map[string]any{"html_url": fmt.Sprintf("%s/%s/pull/%d", s.url, r.FullName, i.number)}
	}
	if i.Garbled {
		out["title"] = i.number
	}
	return out
}

func commentJSON(c *Comment) map[string]any {
	return map[string]any{
		"id": c.ID, "body": c.Body, "user": accountOf(c.Author), "html_url": c.URL,
		"created_at": c.CreatedAt.Format(time.RFC3339), "updated_at": c.UpdatedAt.Format(time.RFC3339),
	}
}
