package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/pointsman/pointsman/bot/app"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/routing"
)

const (
	// glance is how often the hosts are looked at for a comment.
	glance = 25 * time.Millisecond
	// maxDecision bounds the answer that is read back, in bytes.
	maxDecision = 4 << 20
)

// running is the real server, at work on the sample.
type running struct {
	app    *app.App
	url    string
	client *http.Client
}

// startBot writes the configuration an operator would write, and starts the service with it.
func startBot(ctx context.Context, dir, registry string, h *hosts, program string, log *slog.Logger) (*running, error) {
	file, err := writeConfig(dir, registry, h)
	if err != nil {
		return nil, err
	}
	cfg, err := config.Load(file, nil)
	if err != nil {
		return nil, err
	}
	a, err := app.New(cfg, app.Options{Log: log, Program: program})
	if err != nil {
		return nil, err
	}
	if err := a.Start(ctx); err != nil {
		return nil, err
	}
	return &running{app: a, url: "http://" + a.Addr(), client: &http.Client{Timeout: 30 * time.Second}}, nil
}

func (r *running) stop(ctx context.Context) error {
	r.client.CloseIdleConnections()
	return r.app.Stop(ctx)
}

// writeConfig writes pointsman.yml and the secrets it names, each in a file of its own.
func writeConfig(dir, registry string, h *hosts) (string, error) {
	secrets := map[string]string{
		"github-app.pem": h.github.PrivateKey().Reveal(),
		"webhook-secret": h.webhookSecret.Reveal(),
		"jira-token":     h.jiraToken.Reveal(),
	}
	for name, text := range secrets {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", fmt.Errorf("writing the demo's secrets: %w", err)
		}
	}
	text, err := yaml.Marshal(map[string]any{
		"listen":   "127.0.0.1:0",
		"dataDir":  "data",
		"mode":     config.ModeLive,
		"registry": map[string]any{"file": registry},
		"github": map[string]any{
			"appID": appID, "privateKeyFile": "github-app.pem", "webhookSecretFile": "webhook-secret", "apiURL": h.github.URL() + "/",
		},
		"jira": []any{map[string]any{
			"tenant": jiraTenant, "url": h.jira.URL(), "flavour": config.FlavourCloud, "user": jiraUser,
			"tokenFile": "jira-token", "webhookSecretFile": "webhook-secret",
		}},
	})
	if err != nil {
		return "", fmt.Errorf("writing the demo's configuration: %w", err)
	}
	file := filepath.Join(dir, "pointsman.yml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", fmt.Errorf("writing the demo's configuration: %w", err)
	}
	return file, nil
}

// deliver sends a ticket's webhook over HTTP, signed, as its host would.
func (r *running) deliver(ctx context.Context, f filed) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+f.webhook, strings.NewReader(f.body))
	if err != nil {
		return fmt.Errorf("delivering %s: %w", f.key, err)
	}
	req.Header = f.header.Clone()
	resp, err := r.client.Do(req)
	if err != nil {
		return fmt.Errorf("delivering %s: %w", f.key, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusAccepted {
		text, err := io.ReadAll(io.LimitReader(resp.Body, 1000))
		return errors.Join(fmt.Errorf("delivering %s: the bot answered %s: %s", f.key, resp.Status, text), err)
	}
	return nil
}

// decision asks the bot's API for what it decided.
func (r *running) decision(ctx context.Context, key string) (routing.Decision, error) {
	var d routing.Decision
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.decisionURL(key), http.NoBody)
	if err != nil {
		return d, fmt.Errorf("asking for the decision on %s: %w", key, err)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return d, fmt.Errorf("asking for the decision on %s: %w", key, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return d, fmt.Errorf("asking for the decision on %s: the bot answered %s", key, resp.Status)
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxDecision)).Decode(&d); err != nil {
		return d, fmt.Errorf("reading the decision on %s: %w", key, err)
	}
	return d, nil
}

func (r *running) decisionURL(key string) string {
	return r.url + "/api/v1/decisions?ticket=" + url.QueryEscape(key)
}

// waitForComment looks at a ticket until it has a comment, and returns the comment
// as the ticket's page shows it. ctx bounds the wait.
func waitForComment(ctx context.Context, f filed, failed <-chan error) (string, error) {
	look := time.NewTicker(glance)
	defer look.Stop()
	for {
		if pages := f.comments(); len(pages) > 0 {
			return string(pages[0]), nil
		}
		select {
		case <-look.C:
		case err := <-failed:
			return "", err
		case <-ctx.Done():
			return "", fmt.Errorf("waiting for the comment on %s: %w", f.key, context.Cause(ctx))
		}
	}
}
