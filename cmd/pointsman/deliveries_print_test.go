package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/store"
)

// TestDeliveryThatIsTriedAgain shows why, and when.
func TestDeliveryThatIsTriedAgain(t *testing.T) {
	t.Parallel()
	d := store.Delivery{
		Delivery: bot.Delivery{Source: "github", ID: "a", Kind: "issues", ReceivedAt: time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)},
		Row:      1, Status: store.StatusReceived, Reason: "github answered 401", RetryAt: time.Date(2026, 3, 4, 12, 30, 0, 0, time.UTC),
	}
	var list, asJSON, one bytes.Buffer
	if err := printDeliveries(&list, []store.Delivery{d}, false); err != nil {
		t.Fatal(err)
	}
	if err := printDeliveries(&asJSON, []store.Delivery{d}, true); err != nil {
		t.Fatal(err)
	}
	if err := printDelivery(&one, d, false); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want string }{
		{list.String(), "retrying  github answered 401; next attempt 2026-03-04 12:30:00\n"},
		{one.String(), "status        retrying\nreason        github answered 401\nnext attempt  2026-03-04T12:30:00Z\n"},
		{asJSON.String(), `"status":"received","reason":"github answered 401","finished":null,"retryAt":"2026-03-04T12:30:00Z"`},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%q does not hold %q", c.got, c.want)
		}
	}
}
