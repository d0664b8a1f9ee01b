package bot

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// endless answers every request with n bytes.
type endless int64

func (n endless) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(io.LimitReader(zeros{}, int64(n)))}, nil
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestAnswersAreCapped(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]error{0: nil, MaxAnswer: nil, MaxAnswer + 1: ErrAnswerTooLarge, 1 << 40: ErrAnswerTooLarge} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://host.example/", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := CapAnswers(endless(n)).RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		read, err := io.Copy(io.Discard, resp.Body)
		if !errors.Is(err, want) || read > MaxAnswer {
			t.Errorf("%d bytes: read %d, %v; want %v", n, read, err, want)
		}
		if err := resp.Body.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestPagesAreBounded(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"null": "", "[]": "", "[1,2]": "", `{"a":1}`: "not a list", `["x"]`: "cannot unmarshal",
		"[" + strings.TrimSuffix(strings.Repeat("1,", MaxEntries), ",") + "]":   "",
		"[" + strings.TrimSuffix(strings.Repeat("1,", MaxEntries+1), ",") + "]": "more than 1000 entries",
	} {
		var p Page[int]
		err := json.Unmarshal([]byte(in), &p)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", in, err, want)
		}
	}
}
