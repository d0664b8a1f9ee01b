package bot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestSecretNeverShows(t *testing.T) {
	t.Parallel()
	const word = "hunter2"
	s := Secret(word)
	holder := struct{ Token Secret }{s}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", LogCode, s, LogReason, holder)
	encoded, err := json.Marshal(holder)
	if err != nil {
		t.Fatal(err)
	}
	shown := []string{log.String(), string(encoded)}
	for _, verb := range []string{"%s", "%v", "%+v", "%#v", "%q", "%x", "%X", "%d", "%10s", "%t"} {
		shown = append(shown, fmt.Sprintf(verb, s), fmt.Sprintf(verb, holder), fmt.Sprintf(verb, []Secret{s}))
	}
	for _, text := range shown {
		if strings.Contains(text, word) || strings.Contains(strings.ToLower(text), fmt.Sprintf("%x", word)) {
			t.Errorf("the secret shows in %q", text)
		}
	}
	if s.Reveal() != word {
		t.Errorf("Reveal gives %q", s.Reveal())
	}
	if got := fmt.Sprint(Secret("")); got != "" {
		t.Errorf("no secret prints as %q; it must be told from one", got)
	}
}

func TestCodeOf(t *testing.T) {
	t.Parallel()
	cause := fmt.Errorf("refused")
	err := fmt.Errorf("speaking: %w", Errorf(CodeUnavailable, "posting a comment: %w", cause))
	for _, tc := range []struct {
		err  error
		want Code
	}{{nil, ""}, {cause, CodeInternal}, {err, CodeUnavailable}} {
		if got := CodeOf(tc.err); got != tc.want {
			t.Errorf("CodeOf(%v) = %q, want %q", tc.err, got, tc.want)
		}
	}
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	open := Errorf(CodeUnavailable, "creating a comment")
	open.Unknown = true
	for _, tc := range []struct {
		err  error
		want bool
	}{{nil, false}, {fmt.Errorf("refused"), false}, {Errorf(CodeUnavailable, "x"), false}, {fmt.Errorf("speaking: %w", open), true}} {
		if got := Unknown(tc.err); got != tc.want {
			t.Errorf("Unknown(%v) = %v, want %v", tc.err, got, tc.want)
		}
	}
}

func TestOutcomeUnknown(t *testing.T) {
	t.Parallel()
	lost := &Error{Code: CodeUnavailable, Message: "the answer was lost", Unknown: true}
	for _, tc := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{fmt.Errorf("plain"), false},
		{Errorf(CodeUnavailable, "connection refused"), false},
		{lost, true},
		{fmt.Errorf("speaking: %w", lost), true},
		{Errorf(CodeUnavailable, "speaking: %w", lost), true},
	} {
		if got := OutcomeUnknown(tc.err); got != tc.want {
			t.Errorf("OutcomeUnknown(%v) = %v, want %v", tc.err, got, tc.want)
		}
	}
}
