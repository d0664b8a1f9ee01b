package app

import (
	"strings"
	"testing"
	"time"

	"github.com/pointsman/pointsman/bot/store"
)

// TestCommentThatLandsLate: the host hangs up on our write, and carries it out while
// we wait; there is one comment all the same, and the delivery says what went on.
func TestCommentThatLandsLate(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.grace = 3 * time.Second // time enough to look, and to land
	w.github.Late(1)
	a := w.start(t)
	n := w.opened(t, a, "No berth at the quay", "Allocation of a berth for our longest ferry fails.")
	list := w.untilAll(t, "the delivery to be put off", func(list []store.Delivery) bool {
		return len(list) == 1 && !list[0].RetryAt.IsZero()
	})
	if list[0].Status != store.StatusReceived || list[0].Reason == "" {
		t.Errorf("meanwhile the delivery is %+v", list[0])
	}
	if comments := w.github.Comments("acme/helpdesk", n); len(comments) != 0 {
		t.Fatalf("comments are %+v", comments)
	}
	w.github.Land()
	w.untilDone(t)
	if comments := w.github.Comments("acme/helpdesk", n); len(comments) != 1 || !strings.Contains(comments[0].Body, "berths") {
		t.Errorf("comments are %+v", comments)
	}
}
