package jira

import (
	"encoding/json"

	"github.com/pointsman/pointsman/bot"
)

// PastEntry reads one entry of a listing, for the fuzzer.
func PastEntry(raw string) bot.Past { return parser{}.entry("ferry", json.RawMessage(raw)) }
