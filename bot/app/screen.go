package app

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/comment"
)

// screen refuses webhooks that bear nothing that could be a signature: anybody can
// send those, and not a byte of their bodies needs to be read to know.
func screen(source string, h http.Header) error {
	name := "X-Hub-Signature"
	if source == comment.GitHub {
		name = "X-Hub-Signature-256"
	}
	sum, ok := strings.CutPrefix(h.Get(name), "sha256=")
	if !ok {
		return bot.Errorf(bot.CodeUnauthorized, "there is no %s header with a sha256: set a secret on the webhook", name)
	}
	if raw, err := hex.DecodeString(sum); err != nil || len(raw) != sha256.Size {
		return bot.Errorf(bot.CodeUnauthorized, "the %s header does not hold a sha256", name)
	}
	return nil
}
