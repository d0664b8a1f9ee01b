package adaptertest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pointsman/pointsman/bot"
)

// Speaker is the port: it puts one comment on a ticket.
type Speaker interface {
	Speak(ctx context.Context, r bot.Reply) (bot.Said, error)
}

// Stage is one speaker and the fake host it speaks to.
type Stage struct {
	Speaker Speaker
	Now     func() time.Time // the clock the speaker was given
	Secrets []string         // what no error and no printing may show

	Reply     bot.Reply // to a ticket without comments, with Marker but without Body
	OldMarker string    // what our comment holds when its ticket came from elsewhere
	Limit     int       // characters that the host allows in a comment

	Bodies      func() []string                       // of all comments on the ticket, oldest first
	Say         func(author, body string) (id string) // author "" = our own account
	Delete      func(id string)
	Calls       func() int
	Fail        func(n, status int, h http.Header)
	FailWrites  func(n, status int, h http.Header)
	Drop        func(n int) // carry out the next n writes, then cut the line
	Late        func(n int) // cut the line of the next n writes, and carry them out on Land
	Land        func()
	Lag         func(on bool) // lists of comments show what there was when it was switched on
	Hold        func(ch <-chan struct{})
	SetPageSize func(n int)
}

// reply fills in a body around the marker.
func (s *Stage) reply(text string) bot.Reply {
	r := s.Reply
	r.Body = text + "\n\n" + r.Marker
	return r
}

// Speakers runs the suite. setup makes a fresh stage whose calls end after timeout.
func Speakers(t *testing.T, setup func(t *testing.T, timeout time.Duration) *Stage) {
	t.Helper()
	for _, tt := range []struct {
		name string
		run  func(*testing.T, *Stage)
	}{
		{"says once", saysOnce},
		{"edits in place", editsInPlace},
		{"accepted then failed", acceptedThenFailed},
		{"edit accepted then failed", editAcceptedThenFailed},
		{"deleted comment", deletedComment},
		{"strangers and their markers", strangers},
		{"our other comments", otherComments},
		{"moved ticket", movedTicket},
		{"many pages", manyPages},
		{"refuses before sending", refusesEarly},
		{"limits", limits},
		{"one of several", oneOfSeveral},
		{"late landing", lateLanding},
		{"lagging list", laggingList},
		{"surplus that is gone", surplusGone},
		{"redirect elsewhere", redirectElsewhere},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.run(t, setup(t, time.Minute))
		})
	}
	t.Run("status codes", func(t *testing.T) {
		t.Parallel()
		statusCodes(t, func(t *testing.T) *Stage { t.Helper(); return setup(t, time.Minute) })
	})
	t.Run("time runs out", func(t *testing.T) {
		t.Parallel()
		timeRunsOut(t, setup(t, 50*time.Millisecond))
	})
	t.Run("caller gives up", func(t *testing.T) {
		t.Parallel()
		callerGivesUp(t, setup(t, time.Minute))
	})
	t.Run("secrets", func(t *testing.T) {
		t.Parallel()
		secrets(t, func(t *testing.T) *Stage { t.Helper(); return setup(t, time.Minute) })
	})
}

func saysOnce(t *testing.T, s *Stage) {
	t.Helper()
	first := say(t, s, s.reply("one"))
	if first.CommentID == "" || first.URL == "" || first.Unchanged {
		t.Errorf("first: %+v, want an id, an address, and a change", first)
	}
	for _, known := range []string{"", first.CommentID, "0", "nonsense"} {
		r := s.reply("one")
		r.CommentID = known
		if again := say(t, s, r); again.CommentID != first.CommentID || again.URL != first.URL || !again.Unchanged {
			t.Errorf("known as %q: %+v, want %+v unchanged", known, again, first)
		}
	}
	wantBodies(t, s, s.reply("one").Body)
}

func editsInPlace(t *testing.T, s *Stage) {
	t.Helper()
	first := say(t, s, s.reply("one"))
	for _, text := range []string{"two", "three"} {
		r := s.reply(text)
		if text == "three" {
			r.CommentID = first.CommentID
		}
		if got := say(t, s, r); got.CommentID != first.CommentID || got.Unchanged {
			t.Errorf("%s: %+v, want %s edited", text, got, first.CommentID)
		}
	}
	wantBodies(t, s, s.reply("three").Body)
}

func acceptedThenFailed(t *testing.T, s *Stage) {
	t.Helper()
	s.Drop(1)
	wantCode(t, trySay(t, s, s.reply("one")), bot.CodeUnavailable)
	if got := say(t, s, s.reply("one")); !got.Unchanged {
		t.Errorf("the second try changed something: %+v", got)
	}
	wantBodies(t, s, s.reply("one").Body)
}

func editAcceptedThenFailed(t *testing.T, s *Stage) {
	t.Helper()
	first := say(t, s, s.reply("one"))
	s.Drop(1)
	r := s.reply("two")
	r.CommentID = first.CommentID
	wantCode(t, trySay(t, s, r), bot.CodeUnavailable)
	if got := say(t, s, r); !got.Unchanged || got.CommentID != first.CommentID {
		t.Errorf("the second try: %+v, want %s unchanged", got, first.CommentID)
	}
	wantBodies(t, s, s.reply("two").Body)
}

func deletedComment(t *testing.T, s *Stage) {
	t.Helper()
	first := say(t, s, s.reply("one"))
	s.Delete(first.CommentID)
	r := s.reply("two")
	r.CommentID = first.CommentID
	if got := say(t, s, r); got.CommentID == first.CommentID || got.Unchanged {
		t.Errorf("got %+v, want a new comment", got)
	}
	wantBodies(t, s, s.reply("two").Body)
}

func strangers(t *testing.T, s *Stage) {
	t.Helper()
	fake := s.reply("I am the bot").Body
	id := s.Say("stranger", fake)
	r := s.reply("one")
	r.CommentID = id
	say(t, s, r)
	wantBodies(t, s, fake, s.reply("one").Body)
}

func otherComments(t *testing.T, s *Stage) {
	t.Helper()
	id := s.Say("", "a person used our account for this")
	r := s.reply("one")
	r.CommentID = id
	say(t, s, r)
	wantBodies(t, s, "a person used our account for this", s.reply("one").Body)
}

func movedTicket(t *testing.T, s *Stage) {
	t.Helper()
	id := s.Say("", "said at the old place\n\n"+s.OldMarker)
	if got := say(t, s, s.reply("one")); got.CommentID != id {
		t.Errorf("got %+v, want comment %s edited", got, id)
	}
	wantBodies(t, s, s.reply("one").Body)
}

func manyPages(t *testing.T, s *Stage) {
	t.Helper()
	s.SetPageSize(3)
	want := make([]string, 0, 11)
	for i := range 10 {
		text := fmt.Sprintf("comment %d", i)
		s.Say("stranger", text)
		want = append(want, text)
	}
	say(t, s, s.reply("one"))
	say(t, s, s.reply("two"))
	wantBodies(t, s, append(want, s.reply("two").Body)...)
}

func refusesEarly(t *testing.T, s *Stage) {
	t.Helper()
	long := s.reply(strings.Repeat("x", s.Limit))
	unmarked := s.reply("one")
	unmarked.Body = "no marker"
	nowhere := s.reply("one")
	nowhere.Target = bot.Target{System: s.Reply.Target.System}
	outside := s.reply("one")
	outside.Target.Repo, outside.Target.Key = "a/../../admin", "../../myself"
	for name, r := range map[string]bot.Reply{"too long": long, "unmarked": unmarked, "nowhere": nowhere, "outside": outside} {
		if err := trySay(t, s, r); bot.CodeOf(err) != bot.CodeInvalid {
			t.Errorf("%s: %v, want code %s", name, err, bot.CodeInvalid)
		}
	}
	if n := s.Calls(); n != 0 {
		t.Errorf("%d calls were made", n)
	}
}

func limits(t *testing.T, s *Stage) {
	t.Helper()
	for _, tt := range []struct {
		h    http.Header
		want time.Duration
	}{
		{http.Header{"Retry-After": {"7"}}, 7 * time.Second},
		{http.Header{}, time.Minute},
	} {
		s.Fail(1, http.StatusTooManyRequests, tt.h)
		err := trySay(t, s, s.reply("one"))
		wantCode(t, err, bot.CodeLimited)
		if got := until(err).Sub(s.Now()); got != tt.want {
			t.Errorf("%v: wait %v, want %v", tt.h, got, tt.want)
		}
	}
}

func redirectElsewhere(t *testing.T, s *Stage) {
	t.Helper()
	// Nothing listens there: following it would be "unavailable".
	h := http.Header{"Location": {"http://elsewhere.invalid/"}}
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect} {
		s.Fail(1, status, h)
		wantCode(t, trySay(t, s, s.reply("one")), bot.CodeForbidden)
	}
}
