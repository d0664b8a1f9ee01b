package github_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pointsman/pointsman/bot"
)

// flood answers every list of comments with one that never ends.
type flood struct {
	entry string
	count int // entries; 0 = no end
	read  atomic.Int64
}

// RoundTrip implements http.RoundTripper.
func (f *flood) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil || req.Method != http.MethodGet || !strings.HasSuffix(req.URL.Path, "/comments") {
		return resp, err
	}
	_ = resp.Body.Close()
	left := f.count
	resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`[`), readerFunc(func(p []byte) (int, error) {
		if left == 1 {
			left = -1
			return copy(p, f.entry+`]`), nil
		}
		if left < 0 {
			return 0, io.EOF
		}
		left = max(0, left-1)
		f.read.Add(int64(len(f.entry)))
		return copy(p, f.entry+","), nil
	})))
	return resp, nil
}

type readerFunc func([]byte) (int, error)

// Read implements io.Reader.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// What a host sends must not fill the memory: neither bytes nor entries without end.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		f    *flood
		want string // part of the error
	}{
		{&flood{entry: `{"body":"` + strings.Repeat("x", 300) + `"}`}, "larger than 16 MiB"},
		{&flood{entry: "{}", count: 5_000}, "more than 1000 entries"},
	} {
		b := setup(t, how{rt: tt.f})
		_, err := b.client.Speak(t.Context(), b.reply("one"))
		if bot.CodeOf(err) != bot.CodeUnavailable || bot.Unknown(err) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want code %s and %q", err, bot.CodeUnavailable, tt.want)
		}
		if n := tt.f.read.Load(); n > 17<<20 {
			t.Errorf("%d bytes were read", n)
		}
		if got := b.bodies(); len(got) != 0 {
			t.Errorf("comments are %q, want none", got)
		}
	}
}

// refusing fails every write at one step of a connection's life.
type refusing string

// RoundTrip implements http.RoundTripper.
func (op refusing) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method == http.MethodPost {
		return nil, &net.OpError{Op: string(op), Net: "tcp", Err: errors.New("refused")}
	}
	return http.DefaultTransport.RoundTrip(req)
}

// Who could not even be reached has written nothing.
func TestUnknownOnlyOnceConnected(t *testing.T) {
	t.Parallel()
	for op, want := range map[string]bool{"dial": false, "read": true} {
		b := setup(t, how{rt: refusing(op)})
		_, err := b.client.Speak(t.Context(), b.reply("one"))
		if bot.CodeOf(err) != bot.CodeUnavailable || bot.Unknown(err) != want {
			t.Errorf("%s: %v: Unknown is %v, want %v", op, err, bot.Unknown(err), want)
		}
	}
}
