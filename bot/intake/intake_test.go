package intake

import (
	"bytes"
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot"
)

// password is a Verifier that knows one word.
type password string

func (p password) Verify(h http.Header, _ []byte) (id, kind string, err error) {
	if !hmac.Equal([]byte(h.Get("X-Pass")), []byte(p)) {
		return "", "", bot.Errorf(bot.CodeUnauthorized, "wrong signature")
	}
	if h.Get("X-Id") == "" {
		return "", "", bot.Errorf(bot.CodeInvalid, "no id")
	}
	return h.Get("X-Id"), "issues", nil
}

// shelf is a Receiver that keeps what it is given.
type shelf struct {
	mu   sync.Mutex
	kept map[string]bot.Delivery
	fail error
}

func (s *shelf) Receive(_ context.Context, d bot.Delivery) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return false, s.fail
	}
	key := d.Source + "/" + d.Tenant + "/" + d.ID
	if _, ok := s.kept[key]; ok {
		return false, nil
	}
	s.kept[key] = d
	return true, nil
}

func noon() time.Time { return time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC) }

func router(s *shelf) http.Handler {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	Register(r, Options{
		GitHub: password("g"), Jira: map[string]bot.Verifier{"acme": password("j")},
		Receiver: s, MaxBodyBytes: 100, Log: slog.New(slog.DiscardHandler), Now: noon,
	})
	return r
}

// counted is a body that tells how much of it was read.
type counted struct {
	r io.Reader
	n int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

func TestIntake(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, path, pass, id string
		body                 int
		chunked              bool // no Content-Length
		fail                 error
		status               int
		want                 string
		readAtMost           int
	}{
		{"accepted", "/webhooks/github", "g", "1", 100, false, nil, 202, `{"status":"accepted","delivery":"1"}`, 100},
		{"jira", "/webhooks/jira/acme", "j", "1", 10, false, nil, 202, `{"status":"accepted","delivery":"1"}`, 10},
		{"chunked", "/webhooks/github", "g", "1", 100, true, nil, 202, `{"status":"accepted","delivery":"1"}`, 100},
		{"too large, announced", "/webhooks/github", "g", "1", 101, false, nil, 413, `larger than maxBodyBytes`, 0},
		{"too large, chunked", "/webhooks/github", "g", "1", 1 << 20, true, nil, 413, `larger than maxBodyBytes`, 4096},
		{"wrong signature", "/webhooks/github", "j", "1", 10, false, nil, 401, `wrong signature`, 10},
		{"no signature", "/webhooks/github", "", "1", 10, false, nil, 401, `wrong signature`, 10},
		{"signature of another source", "/webhooks/jira/acme", "g", "1", 10, false, nil, 401, `wrong signature`, 10},
		{"no id", "/webhooks/github", "g", "", 10, false, nil, 400, `no id`, 10},
		{"unknown tenant", "/webhooks/jira/other", "j", "1", 10, false, nil, 404, `no such webhook`, 0},
		{"store full", "/webhooks/github", "g", "1", 10, false, errors.New("disk is full at /secret/path"), 503, `send it again later`, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &shelf{kept: map[string]bot.Delivery{}, fail: c.fail}
			body := &counted{r: strings.NewReader(strings.Repeat("x", c.body))}
			req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, c.path, body)
			req.ContentLength = int64(c.body)
			if c.chunked {
				req.ContentLength = -1
			}
			req.Header.Set("X-Pass", c.pass)
			req.Header.Set("X-Id", c.id)
			rec := httptest.NewRecorder()
			router(s).ServeHTTP(rec, req)
			if rec.Code != c.status || !strings.Contains(rec.Body.String(), c.want) {
				t.Errorf("answer %d %s; want %d %s", rec.Code, rec.Body, c.status, c.want)
			}
			if strings.Contains(rec.Body.String(), "/secret/path") {
				t.Errorf("the answer tells the sender about the inside: %s", rec.Body)
			}
			if body.n > c.readAtMost {
				t.Errorf("%d bytes of the body were read, want at most %d", body.n, c.readAtMost)
			}
			if kept := len(s.kept); (kept == 1) != (c.status == 202) {
				t.Errorf("%d deliveries were kept", kept)
			}
		})
	}
}

func TestIntakeKeepsTheBytes(t *testing.T) {
	t.Parallel()
	s := &shelf{kept: map[string]bot.Delivery{}}
	body := []byte("{\r\n\x00\xff junk")
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks/jira/acme", bytes.NewReader(body))
	req.Header.Set("X-Pass", "j")
	req.Header.Set("X-Id", "7")
	router(s).ServeHTTP(httptest.NewRecorder(), req)
	want := map[string]bot.Delivery{"jira/acme/7": {
		Source: "jira", Tenant: "acme", ID: "7", Kind: "issues", Body: body, ReceivedAt: noon(),
	}}
	if d := cmp.Diff(want, s.kept); d != "" {
		t.Errorf("kept (-want +got):\n%s", d)
	}
}

func TestFiveAtOnce(t *testing.T) {
	t.Parallel()
	s := &shelf{kept: map[string]bot.Delivery{}}
	srv := httptest.NewServer(router(s))
	defer srv.Close()
	var mu sync.Mutex
	got := map[string]int{}
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+"/webhooks/github", strings.NewReader("{}"))
			if err != nil {
				t.Error(err)
				return
			}
			req.Header.Set("X-Pass", "g")
			req.Header.Set("X-Id", "same")
			resp, err := srv.Client().Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			text, err := io.ReadAll(resp.Body)
			if err := errors.Join(err, resp.Body.Close()); err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			got[fmt.Sprintf("%d %s", resp.StatusCode, text)]++
		})
	}
	wg.Wait()
	want := map[string]int{`202 {"status":"accepted","delivery":"same"}`: 1, `202 {"status":"duplicate","delivery":"same"}`: 4}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("answers (-want +got):\n%s", d)
	}
}
