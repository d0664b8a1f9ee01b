package jira

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/pointsman/pointsman/bot"
)

const (
	headerSignature  = "X-Hub-Signature"
	headerIdentifier = "X-Atlassian-Webhook-Identifier"

	// Header values are kept as keys; nobody honest needs more.
	maxHeader = 200

	// kindUnknown stands for a body that names no event.
	kindUnknown = "jira:unknown"
)

// verifier holds the secret behind a function, so that printing it shows an address.
type verifier struct {
	sum func(body []byte) []byte
}

func newVerifier(secret bot.Secret) verifier {
	return verifier{sum: func(body []byte) []byte {
		mac := hmac.New(sha256.New, []byte(secret.Reveal()))
		mac.Write(body)
		return mac.Sum(nil)
	}}
}

// Verify implements bot.Verifier: X-Hub-Signature over the raw body. The id is
// X-Atlassian-Webhook-Identifier, which stays the same when Jira tries again; old
// servers send none, and then the body's hash serves. The kind is the body's
// webhookEvent, read only once the signature has been proven.
func (v verifier) Verify(h http.Header, body []byte) (id, kind string, err error) {
	given, ok := strings.CutPrefix(h.Get(headerSignature), "sha256=")
	if !ok {
		return "", "", bot.Errorf(bot.CodeUnauthorized, "verifying jira delivery: no %s header: set a secret on the webhook", headerSignature)
	}
	want, err := hex.DecodeString(given)
	if err != nil || !hmac.Equal(want, v.sum(body)) {
		return "", "", bot.Errorf(bot.CodeUnauthorized, "verifying jira delivery: the signature does not match: is webhookSecret the webhook's secret?")
	}
	id = bot.CleanLine(h.Get(headerIdentifier), maxHeader+1)
	if len(id) > maxHeader {
		return "", "", bot.Errorf(bot.CodeInvalid, "verifying jira delivery: the %s header is too long", headerIdentifier)
	}
	if id == "" {
		sum := sha256.Sum256(body)
		id = "sha256:" + hex.EncodeToString(sum[:])
	}
	return id, kindOf(body), nil
}

// kindOf never fails: junk with a good signature is kept, and shown as junk.
func kindOf(body []byte) string {
	var p struct {
		WebhookEvent string `json:"webhookEvent"`
	}
	if json.Unmarshal(body, &p) != nil {
		return kindUnknown
	}
	if kind := bot.CleanLine(p.WebhookEvent, maxHeader); kind != "" {
		return kind
	}
	return kindUnknown
}
