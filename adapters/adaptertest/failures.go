package adaptertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pointsman/pointsman/bot"
)

// statuses are the answers a host may give instead of carrying out a call.
func statuses() map[int]bot.Code {
	return map[int]bot.Code{
		http.StatusBadRequest:            bot.CodeInvalid,
		http.StatusUnauthorized:          bot.CodeUnauthorized,
		http.StatusForbidden:             bot.CodeForbidden,
		http.StatusNotFound:              bot.CodeNotFound,
		http.StatusMethodNotAllowed:      bot.CodeInvalid,
		http.StatusRequestTimeout:        bot.CodeUnavailable,
		http.StatusGone:                  bot.CodeNotFound,
		http.StatusRequestEntityTooLarge: bot.CodeInvalid,
		http.StatusUnprocessableEntity:   bot.CodeInvalid,
		http.StatusTooManyRequests:       bot.CodeLimited,
		http.StatusInternalServerError:   bot.CodeUnavailable,
		http.StatusBadGateway:            bot.CodeUnavailable,
		http.StatusServiceUnavailable:    bot.CodeUnavailable,
		http.StatusGatewayTimeout:        bot.CodeUnavailable,
	}
}

// statusCodes wants the right code for each, on the first call and on the write,
// and one comment once the host has recovered.
func statusCodes(t *testing.T, setup func(*testing.T) *Stage) {
	t.Helper()
	for status, want := range statuses() {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			s.Fail(1, status, nil)
			wantCode(t, trySay(t, s, s.reply("one")), want)
			wantBodies(t, s)
			s.FailWrites(1, status, nil)
			wantCode(t, trySay(t, s, s.reply("one")), want)
			wantBodies(t, s)
			unknown(t, setup(t), status, want)
			if want == bot.CodeLimited {
				return // the client itself now waits
			}
			say(t, s, s.reply("one"))
			wantBodies(t, s, s.reply("one").Body)
		})
	}
}

func timeRunsOut(t *testing.T, s *Stage) {
	t.Helper()
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	s.Hold(hold)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err := s.Speaker.Speak(ctx, s.reply("one"))
	wantCode(t, err, bot.CodeUnavailable)
	wantUnknown(t, err, false) // nothing was written yet
	if ctx.Err() != nil {
		t.Error("the speaker's own time never ran out")
	}
}

func callerGivesUp(t *testing.T, s *Stage) {
	t.Helper()
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	s.Hold(hold)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := s.Speaker.Speak(ctx, s.reply("one"))
	wantCode(t, err, bot.CodeUnavailable)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v does not lead back to %v", err, context.DeadlineExceeded)
	}
}

// secrets prints everything in every way and looks for what must not be there.
func secrets(t *testing.T, setup func(*testing.T) *Stage) {
	t.Helper()
	shown := map[string]string{}
	show := func(name string, v any) {
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", bot.LogReason, v)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", bot.LogReason, v)
		shown[name] = fmt.Sprintf("%v %+v %#v %s %q\n", v, v, v, v, v) + log.String()
	}
	var s *Stage
	for status := range statuses() {
		s = setup(t)
		s.Fail(1, status, nil)
		err := trySay(t, s, s.reply("one"))
		show(fmt.Sprintf("the error of a %d", status), err)
		show(fmt.Sprintf("the cause of a %d", status), errors.Unwrap(err))
	}
	show("the client", s.Speaker)
	show("a struct that holds the client", struct{ Inner Speaker }{s.Speaker})
	s.Drop(1)
	show("the error of a cut line", trySay(t, s, s.reply("one")))
	for name, text := range shown {
		for _, secret := range s.Secrets {
			if secret == "" {
				t.Fatal("the stage holds an empty secret")
			}
			if strings.Contains(text, secret) {
				t.Errorf("%s shows %q:\n%s", name, secret, text)
			}
		}
	}
}

func say(t *testing.T, s *Stage, r bot.Reply) bot.Said {
	t.Helper()
	said, err := s.Speaker.Speak(t.Context(), r)
	if err != nil {
		t.Fatalf("speaking: %v", err)
	}
	return said
}

func trySay(t *testing.T, s *Stage, r bot.Reply) error {
	t.Helper()
	said, err := s.Speaker.Speak(t.Context(), r)
	if err == nil {
		t.Errorf("speaking went well (%+v), want an error", said)
	} else if said != (bot.Said{}) {
		t.Errorf("said %+v beside the error %v", said, err)
	}
	return err
}

func wantCode(t *testing.T, err error, want bot.Code) {
	t.Helper()
	if got := bot.CodeOf(err); got != want {
		t.Errorf("code %q of error %v, want %q", got, err, want)
	}
}

func until(err error) time.Time {
	var e *bot.Error
	if errors.As(err, &e) {
		return e.Until
	}
	return time.Time{}
}

func wantBodies(t *testing.T, s *Stage, want ...string) {
	t.Helper()
	if got := s.Bodies(); !slices.Equal(got, want) {
		t.Errorf("comments are %q, want %q", got, want)
	}
}
