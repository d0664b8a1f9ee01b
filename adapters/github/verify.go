package github

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/pointsman/pointsman/bot"
)

const (
	headerSignature = "X-Hub-Signature-256"
	headerDelivery  = "X-GitHub-Delivery"
	headerEvent     = "X-GitHub-Event"

	// Header values are kept as keys; nobody honest needs more.
	maxHeader = 200
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

// Verify implements bot.Verifier: X-Hub-Signature-256 over the raw body, the id
// from X-GitHub-Delivery, the kind from X-GitHub-Event.
func (v verifier) Verify(h http.Header, body []byte) (id, kind string, err error) {
	given, ok := strings.CutPrefix(h.Get(headerSignature), "sha256=")
	if !ok {
		return "", "", bot.Errorf(bot.CodeUnauthorized, "verifying github delivery: no %s header: set a secret on the webhook", headerSignature)
	}
	want, err := hex.DecodeString(given)
	if err != nil || !hmac.Equal(want, v.sum(body)) {
		return "", "", bot.Errorf(bot.CodeUnauthorized, "verifying github delivery: the signature does not match: is github.webhookSecret the webhook's secret?")
	}
	if id, err = header(h, headerDelivery); err != nil {
		return "", "", err
	}
	if kind, err = header(h, headerEvent); err != nil {
		return "", "", err
	}
	return id, kind, nil
}

func header(h http.Header, name string) (string, error) {
	v := bot.CleanLine(h.Get(name), maxHeader+1)
	if v == "" || len(v) > maxHeader {
		return "", bot.Errorf(bot.CodeInvalid, "verifying github delivery: the %s header is missing or too long", name)
	}
	return v, nil
}
