package adaptertest

import (
	"testing"

	"github.com/pointsman/pointsman/bot"
)

// oneOfSeveral leaves the oldest of our comments, up to date, and touches nothing
// that anybody else wrote, a person with our account included.
func oneOfSeveral(t *testing.T, s *Stage) {
	t.Helper()
	s.SetPageSize(2)
	quote := "> said before\n> " + s.Reply.Marker + "\n\nno, it does not belong there"
	s.Say("", quote)
	first := s.Say("", s.reply("one").Body)
	s.Say("stranger", s.reply("I am the bot").Body)
	s.Say("", "said at the old place\n\n"+s.OldMarker)
	s.Say("", "a person used our account for this")
	last := s.Say("", s.reply("one").Body)
	for i, text := range []string{"one", "two"} {
		r := s.reply(text)
		r.CommentID = last // the store may know any of them
		got := say(t, s, r)
		if got.CommentID != first || got.Unchanged != (i == 0) {
			t.Errorf("%s: %+v, want %s", text, got, first)
		}
		wantBodies(t, s, quote, r.Body, s.reply("I am the bot").Body, "a person used our account for this")
	}
}

// lateLanding holds a comment that a host writes long after it hung up to one, once
// it is spoken again.
func lateLanding(t *testing.T, s *Stage) {
	t.Helper()
	s.Late(1)
	wantUnknown(t, trySay(t, s, s.reply("one")), true)
	wantBodies(t, s)
	second := say(t, s, s.reply("two"))
	s.Land()
	wantBodies(t, s, s.reply("two").Body, s.reply("one").Body)
	r := s.reply("two")
	r.CommentID = second.CommentID
	if got := say(t, s, r); got.CommentID != second.CommentID || !got.Unchanged {
		t.Errorf("got %+v, want %s as it was", got, second.CommentID)
	}
	wantBodies(t, s, s.reply("two").Body)
	// An edit that lands late brings an old text back, until it is spoken again.
	s.Late(1)
	r = s.reply("three")
	r.CommentID = second.CommentID
	wantUnknown(t, trySay(t, s, r), true)
	r.Body = s.reply("four").Body
	say(t, s, r)
	s.Land()
	wantBodies(t, s, s.reply("three").Body)
	say(t, s, r)
	wantBodies(t, s, s.reply("four").Body)
}

// laggingList: what we know by its id needs no list; what we do not know is said
// twice at worst, and heals.
func laggingList(t *testing.T, s *Stage) {
	t.Helper()
	s.Lag(true)
	first := say(t, s, s.reply("one"))
	r := s.reply("two")
	r.CommentID = first.CommentID
	if got := say(t, s, r); got.CommentID != first.CommentID {
		t.Errorf("got %+v, want %s edited", got, first.CommentID)
	}
	wantBodies(t, s, s.reply("two").Body)
	say(t, s, s.reply("three"))
	s.Lag(false)
	for range 2 {
		if got := say(t, s, s.reply("three")); got.CommentID != first.CommentID {
			t.Errorf("got %+v, want %s", got, first.CommentID)
		}
		wantBodies(t, s, s.reply("three").Body)
	}
}

// surplusGone: a list may still hold what was deleted, the oldest or another.
func surplusGone(t *testing.T, s *Stage) {
	t.Helper()
	first, second := s.Say("", s.reply("one").Body), s.Say("", s.reply("one").Body)
	third := s.Say("", s.reply("one").Body)
	s.Lag(true)
	s.Delete(first)
	s.Delete(third)
	if got := say(t, s, s.reply("two")); got.CommentID != second {
		t.Errorf("got %+v, want %s edited", got, second)
	}
	wantBodies(t, s, s.reply("two").Body)
}

// unknown: only a write without a clear answer may have been carried out.
func unknown(t *testing.T, s *Stage, status int, code bot.Code) {
	t.Helper()
	s.Fail(1, status, nil)
	wantUnknown(t, trySay(t, s, s.reply("one")), false)
	s.FailWrites(1, status, nil)
	wantUnknown(t, trySay(t, s, s.reply("one")), code == bot.CodeUnavailable)
}

func wantUnknown(t *testing.T, err error, want bool) {
	t.Helper()
	if got := bot.Unknown(err); got != want {
		t.Errorf("%v: Unknown is %v, want %v", err, got, want)
	}
}
