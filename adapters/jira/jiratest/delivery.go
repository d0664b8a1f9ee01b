package jiratest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"

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

// Created signs the jira:issue_created event of an issue as it stands.
func (s *Server) Created(key string) (Delivery, error) {
	return s.event("jira:issue_created", "issue_created", key, nil)
}

// Updated signs the jira:issue_updated event of an edit; was is what EditIssue returned.
func (s *Server) Updated(key string, was Issue) (Delivery, error) {
	s.mu.Lock()
	i, err := s.issue(key)
	if err != nil {
		s.mu.Unlock()
		return Delivery{}, err
	}
	var items []any
	for _, f := range [][3]string{
		{"summary", was.Summary, i.Summary},
		{"description", was.Description, i.Description},
	} {
		if f[1] != f[2] {
			items = append(items, map[string]any{"field": f[0], "fieldId": f[0], "fieldtype": "jira", "fromString": f[1], "toString": f[2]})
		}
	}
	s.mu.Unlock()
	return s.event("jira:issue_updated", "issue_updated", key, items)
}

func (s *Server) event(kind, short, key string, items []any) (Delivery, error) {
	s.mu.Lock()
	i, err := s.issue(key)
	if err != nil {
		s.mu.Unlock()
		return Delivery{}, err
	}
	body := map[string]any{
		"timestamp": s.now().UnixMilli(), "webhookEvent": kind, "issue_event_type_name": short,
		"user": s.account(i.Reporter), "issue": s.issueJSON(i),
	}
	if items != nil {
		body["changelog"] = map[string]any{"id": "1", "items": items}
	}
	s.mu.Unlock()
	raw, err := json.Marshal(body)
	if err != nil {
		return Delivery{}, fmt.Errorf("writing a delivery: %w", err)
	}
	return s.Sign(raw), nil
}

// Sign makes a delivery of any body, with an id of its own.
func (s *Server) Sign(body []byte) Delivery {
	s.mu.Lock()
	id := s.id()
	s.mu.Unlock()
	return SignWith(s.opts.WebhookSecret, fmt.Sprintf("jiratest-%d", id), body)
}

// SignWith signs a body with any secret and identifier; "" sends none, as old
// servers do.
func SignWith(secret bot.Secret, id string, body []byte) Delivery {
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	mac.Write(body)
	h := http.Header{}
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("User-Agent", "Atlassian Webhook HTTP Client")
	h.Set("X-Hub-Signature", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	if id != "" {
		h.Set("X-Atlassian-Webhook-Identifier", id)
	}
	return Delivery{Header: h, Body: body}
}
