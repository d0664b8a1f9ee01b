package github_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/adapters/github"
	"github.com/pointsman/pointsman/bot"
)

func asError(err error, e **bot.Error) bool { return errors.As(err, e) }

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		o    github.Options
		want string // part of the error
	}{
		{"no webhook secret", github.Options{Token: "t0ken"}, "webhookSecret"},
		{"App without key", github.Options{WebhookSecret: "s", AppID: 1}, "privateKeyFile"},
		{"key without App", github.Options{WebhookSecret: "s", PrivateKey: "k3y"}, "appID"},
		{"broken key", github.Options{WebhookSecret: "s", AppID: 1, PrivateKey: "k3y"}, ".pem"},
		{"no address", github.Options{WebhookSecret: "s", APIURL: "ftp://x"}, "apiURL"},
		{"broken address", github.Options{WebhookSecret: "s", APIURL: "https://u:t0ken@[::1"}, "apiURL"},
		{"password in the address", github.Options{WebhookSecret: "s", APIURL: "https://u:t0ken@ghe.example/"}, "token"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := github.New(tt.o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want one that names %q", err, tt.want)
			}
			if strings.Contains(err.Error(), "t0ken") || strings.Contains(err.Error(), "k3y") {
				t.Errorf("the error shows a secret: %v", err)
			}
		})
	}
}

// In shadow mode a bot needs no credentials.
func TestWithoutCredentials(t *testing.T) {
	t.Parallel()
	c, err := github.New(github.Options{WebhookSecret: "s"})
	if err != nil {
		t.Fatal(err)
	}
	_, spoke := c.Speak(t.Context(), bot.Reply{Target: bot.Target{Repo: "a/b", Number: 1}, Marker: "m", Body: "m"})
	for _, err := range []error{c.CanSpeak(), c.Check(t.Context()), spoke} {
		if bot.CodeOf(err) != bot.CodeUnauthorized {
			t.Errorf("%v, want code %s", err, bot.CodeUnauthorized)
		}
	}
}
