package jira

import (
	"encoding/json"
	"sync/atomic"

	"github.com/pointsman/pointsman/bot"
)

// PastEntry reads one entry of a listing, for the fuzzer.
func PastEntry(raw string) bot.Past {
	return parser{self: &atomic.Pointer[user]{}}.entry("ferry", json.RawMessage(raw))
}
