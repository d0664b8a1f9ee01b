package githubtest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
)

// Request is one call that was made, as it came in.
type Request struct {
	Method, Path, Query string
	Body                string
	Status              int // 0 = the connection was dropped
}

// faults are the failures that were ordered.
type faults struct {
	fails []fail
	drops int
	lates int
	later []*http.Request // cut off, and not carried out yet
	hold  <-chan struct{}
}

type fail struct {
	status int
	header http.Header
	body   string
	writes bool   // wait for a write
	path   string // wait for a path that holds it
}

// Fail makes the next n calls end with a status, headers and a JSON body, before
// anything is carried out.
func (s *Server) Fail(n, status int, header http.Header, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range n {
		s.faults.fails = append(s.faults.fails, fail{status: status, header: header, body: body})
	}
}

// FailPath is Fail for the next n calls whose path holds part.
func (s *Server) FailPath(n int, part string, status int, header http.Header, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range n {
		s.faults.fails = append(s.faults.fails, fail{status: status, header: header, body: body, path: part})
	}
}

// FailWrites is Fail for the next n writes to comments, checks and statuses only.
func (s *Server) FailWrites(n, status int, header http.Header, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range n {
		s.faults.fails = append(s.faults.fails, fail{status: status, header: header, body: body, writes: true})
	}
}

// Drop lets the next n writes to comments be carried out, and then cuts the
// connection instead of answering.
func (s *Server) Drop(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.drops = n
}

// Late cuts the connection of the next n writes to comments at once, and carries
// them out only when Land is called.
func (s *Server) Late(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.lates = n
}

// Land carries out, in their order, the writes that Late held back.
func (s *Server) Land() {
	s.mu.Lock()
	later := s.faults.later
	s.faults.later = nil
	s.mu.Unlock()
	for _, r := range later {
		s.mux.ServeHTTP(&recorder{ResponseWriter: nobody{}}, r)
	}
}

// Lag makes lists of comments show what there was when it was switched on, as
// hosts do whose lists come from a copy.
func (s *Server) Lag(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lagging = on
	s.eachIssue(func(i *issue) {
		i.shown = nil
		for _, c := range i.comments {
			was := *c
			i.shown = append(i.shown, &was)
		}
	})
}

// nobody waits for the answer to a write that lands late.
type nobody struct{ http.ResponseWriter }

// Header implements http.ResponseWriter.
func (nobody) Header() http.Header { return http.Header{} }

// Hold makes every call wait until ch is closed or the caller has gone; nil ends it.
func (s *Server) Hold(ch <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.hold = ch
}

// Requests returns the API calls so far, in the order of their answers.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.log...)
}

// ServeHTTP implements http.Handler. It answers below "/" and, as GitHub
// Enterprise does, below "/api/v3/".
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.URL.Path = "/" + strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/api/v3"), "/")
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		http.Error(w, "reading the request", http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	hold := s.faults.hold
	s.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-r.Context().Done():
			return
		}
	}
	if s.postpone(r, body) {
		panic(http.ErrAbortHandler) //nolint:forbidigo // net/http's documented way to cut a connection
	}
	rec := &recorder{ResponseWriter: w, status: http.StatusOK}
	if f, ok := s.nextFail(r); ok {
		f.write(rec)
	} else {
		s.mux.ServeHTTP(rec, r)
	}
	dropped := s.record(r, body, rec.status)
	if dropped {
		panic(http.ErrAbortHandler) //nolint:forbidigo // net/http's documented way to cut a connection
	}
	rec.flush()
}

// postpone puts a write aside, when one was ordered to be late.
func (s *Server) postpone(r *http.Request, body []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.faults.lates == 0 || !isWrite(r) {
		return false
	}
	s.faults.lates--
	again := r.Clone(context.WithoutCancel(r.Context()))
	again.Body = io.NopCloser(bytes.NewReader(body))
	s.faults.later = append(s.faults.later, again)
	s.log = append(s.log, Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Body: string(body)})
	return true
}

func (s *Server) nextFail(r *http.Request) (fail, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.faults.fails {
		if f.writes && !isWrite(r) || !strings.Contains(r.URL.Path, f.path) {
			continue
		}
		s.faults.fails = append(s.faults.fails[:i:i], s.faults.fails[i+1:]...)
		return f, true
	}
	return fail{}, false
}

func isWrite(r *http.Request) bool {
	return r.Method != http.MethodGet && (strings.Contains(r.URL.Path, "/comment") ||
		strings.Contains(r.URL.Path, "/check-runs") || strings.Contains(r.URL.Path, "/statuses/"))
}

func (s *Server) record(r *http.Request, body []byte, status int) (dropped bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.faults.drops > 0 && isWrite(r) && status < 300 {
		s.faults.drops--
		dropped, status = true, 0
	}
	s.log = append(s.log, Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Body: string(body), Status: status})
	return dropped
}

func (f fail) write(w http.ResponseWriter) {
	for k, v := range f.header {
		w.Header()[k] = v
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(f.status)
	_, _ = io.WriteString(w, f.body) // into memory
}

// recorder keeps the answer back until it is known whether it may be given.
type recorder struct {
	http.ResponseWriter
	status int
	buf    bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) { r.status = status }

// Write implements http.ResponseWriter.
func (r *recorder) Write(b []byte) (int, error) { return r.buf.Write(b) }

func (r *recorder) flush() {
	r.ResponseWriter.WriteHeader(r.status)
	_, _ = r.ResponseWriter.Write(r.buf.Bytes()) // the caller may be gone
}
