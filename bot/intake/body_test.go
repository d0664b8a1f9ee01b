package intake

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pointsman/pointsman/bot"
)

// gate is a Receiver that tells when it has a body, and keeps it until let go.
type gate struct {
	entered chan []byte
	leave   chan struct{}
}

func (g *gate) Receive(_ context.Context, d bot.Delivery) (bool, error) {
	g.entered <- d.Body
	<-g.leave
	return true, nil
}

func handler(o Options) http.Handler {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	o.GitHub, o.Log = password("g"), slog.New(slog.DiscardHandler)
	Register(r, o)
	return r
}

func request(t *testing.T, body io.Reader) *http.Request {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks/github", body)
	req.Header.Set("X-Pass", "g")
	req.Header.Set("X-Id", "1")
	return req
}

// TestBodiesShareABudget: what is held is bounded whatever was announced, large
// bodies keep no small one out, and room comes back.
func TestBodiesShareABudget(t *testing.T) {
	t.Parallel()
	const large = 250_000
	g := &gate{entered: make(chan []byte, 10), leave: make(chan struct{})}
	results := make(chan string, 10)
	h := handler(Options{
		Receiver: g, MaxBodyBytes: 300_000, MaxHeldBytes: 300_000, Patience: time.Millisecond,
		Observe: func(_, result string) { results <- result },
	})
	answered := make(chan int)
	send := func(size int) {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, request(t, strings.NewReader(strings.Repeat("x", size))))
		answered <- rec.Code
	}
	go send(large)
	<-g.entered
	for _, announced := range []int64{large, -1} {
		req := request(t, strings.NewReader(strings.Repeat("x", large)))
		req.ContentLength = announced
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, req)
		if rec.Code != http.StatusServiceUnavailable || rec.Header().Get("Retry-After") == "" || <-results != "busy" {
			t.Errorf("with %d announced: %d %s, %v", announced, rec.Code, rec.Body, rec.Header())
		}
	}
	go send(30_000)
	<-g.entered // the small one has come through
	close(g.leave)
	for range 2 {
		if got := <-answered; got != http.StatusAccepted {
			t.Errorf("one that came through is answered with %d", got)
		}
	}
	go send(large)
	if got := <-answered; got != http.StatusAccepted {
		t.Errorf("when there is room again: %d", got)
	}
}

func TestBodyThatDrips(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(handler(Options{Receiver: &shelf{}, MaxBodyBytes: 100, BodyTimeout: 20 * time.Millisecond}))
	defer srv.Close()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := fmt.Fprintf(conn, "POST /webhooks/github HTTP/1.1\r\nHost: x\r\nX-Pass: g\r\nX-Id: 1\r\nContent-Length: 50\r\n\r\nx"); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusRequestTimeout || !resp.Close {
		t.Errorf("answer %s, closed %v, %v", resp.Status, resp.Close, err)
	}
}

func TestScreenComesBeforeTheBody(t *testing.T) {
	t.Parallel()
	body := &counted{r: strings.NewReader("{}")}
	rec := httptest.NewRecorder()
	handler(Options{
		Receiver: &shelf{}, MaxBodyBytes: 100,
		Screen: func(source string, h http.Header) error {
			if source != "github" || h.Get("X-Pass") != "g" {
				t.Errorf("screened: %s, %v", source, h)
			}
			return errors.New("there is no signature")
		},
	}).ServeHTTP(rec, request(t, body))
	if rec.Code != http.StatusUnauthorized || body.n != 0 || !strings.Contains(rec.Body.String(), "there is no signature") {
		t.Errorf("answer %d %s after %d bytes", rec.Code, rec.Body, body.n)
	}
}

// The size comes before all: too large is too large, signed or not.
func TestAnnouncedSizeComesBeforeTheScreen(t *testing.T) {
	t.Parallel()
	body := &counted{r: strings.NewReader(strings.Repeat("x", 200))}
	req := request(t, body)
	req.ContentLength = 200
	rec := httptest.NewRecorder()
	handler(Options{
		Receiver: &shelf{}, MaxBodyBytes: 100,
		Screen: func(string, http.Header) error { return errors.New("there is no signature") },
	}).ServeHTTP(rec, req)
	if rec.Code != http.StatusRequestEntityTooLarge || body.n != 0 {
		t.Errorf("answer %d %s after %d bytes", rec.Code, rec.Body, body.n)
	}
}

// TestBodiesOfAllSizes: they come through whole, announced or not, in pieces of any size.
func TestBodiesOfAllSizes(t *testing.T) {
	t.Parallel()
	const largest = 300_000
	g := &gate{entered: make(chan []byte, 1), leave: make(chan struct{})}
	close(g.leave)
	h := handler(Options{Receiver: g, MaxBodyBytes: largest})
	for _, size := range []int{0, 1, firstRead - 1, firstRead, firstRead + 1, smallBody - 1, smallBody, smallBody + 1, largest - 1, largest} {
		want := make([]byte, size)
		_, _ = rand.Read(want)
		for _, announced := range []int64{int64(size), -1} {
			req := request(t, &trickle{data: want})
			req.ContentLength = announced
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, req)
			if rec.Code != http.StatusAccepted {
				t.Fatalf("%d bytes, %d announced: %d %s", size, announced, rec.Code, rec.Body)
			}
			if got := <-g.entered; !slices.Equal(got, want) {
				t.Errorf("%d bytes, %d announced: they came through as %d others", size, announced, len(got))
			}
		}
	}
}

// trickle gives its data in pieces of at most 1000 bytes, and tells the end apart.
type trickle struct{ data []byte }

func (r *trickle) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 1000)], r.data)
	r.data = r.data[n:]
	return n, nil
}
