package github

import (
	"encoding/json"
	"net/http"
	"sync/atomic"

	"github.com/pointsman/pointsman/bot"
)

// PastEntry reads one entry of a listing, for the fuzzer.
func PastEntry(repo, raw string) bot.Past {
	p, _ := (&listing{client: &Client{parser: parser{self: &atomic.Pointer[string]{}}}, place: repository{FullName: repo}}).past(json.RawMessage(raw))
	return p
}

// NextQuery is the query of the page that a Link header names next.
func NextQuery(link string) string { return nextQuery(http.Header{"Link": {link}}) }
