package smarttest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/plumbing/transport/server"
)

// Request is what the host was asked.
type Request struct {
	Method, Path   string
	User, Password string
	Wants, Haves   int
	Sent           int // bytes of the answer
}

// Server is an http.Handler.
type Server struct {
	root string
	git  transport.Transport

	mu       sync.Mutex
	plan     Plan
	requests []Request
}

// Plan says how the host behaves.
type Plan struct {
	Plain    bool              // it knows no side-band, as simple hosts
	Password string            // "" = everybody may read
	CutAfter int               // bytes after which the answer with the pack breaks off; 0 = never
	Flip     bool              // one byte of the pack is another one
	Moved    map[string]string // from path to address, by a redirect
	Hold     <-chan struct{}   // answers with packs wait for it; nil = they do not
}

// New returns a host of the bare repositories below root, each under its path
// there: root/acme/cart.git is /acme/cart.git.
func New(root string) *Server {
	return &Server{root: root, git: server.NewServer(server.NewFilesystemLoader(osfs.New(root)))}
}

// Set changes how the host behaves.
func (s *Server) Set(p Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan = p
}

// Requests lists what was asked since the last call.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.requests
	s.requests = nil
	return list
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	plan := s.plan
	s.mu.Unlock()
	asked := Request{Method: r.Method, Path: r.URL.Path}
	asked.User, asked.Password, _ = r.BasicAuth()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests = append(s.requests, asked)
	}()
	if to, ok := plan.Moved[r.URL.Path]; ok {
		http.Redirect(w, r, to+"?"+r.URL.RawQuery, http.StatusMovedPermanently)
		return
	}
	if plan.Password != "" && asked.Password != plan.Password {
		w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	var answer bytes.Buffer
	var err error
	if repo, ok := strings.CutSuffix(r.URL.Path, "/info/refs"); ok {
		err = s.offer(r, repo, plan, &answer)
	} else {
		err = s.pack(r, strings.TrimSuffix(r.URL.Path, "/git-upload-pack"), plan, &asked, &answer)
	}
	switch {
	case errors.Is(err, transport.ErrRepositoryNotFound):
		http.NotFound(w, r)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	asked.Sent = answer.Len()
	send(w, r, plan, answer.Bytes())
}

// send writes an answer, or the part of it that the plan lets through.
func send(w http.ResponseWriter, r *http.Request, plan Plan, answer []byte) {
	isPack := r.Method == http.MethodPost
	if isPack && plan.Hold != nil {
		select {
		case <-plan.Hold:
		case <-r.Context().Done():
		}
	}
	if isPack && plan.Flip {
		answer[len(answer)-40] ^= 1
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(answer)))
	if isPack && plan.CutAfter > 0 && plan.CutAfter < len(answer) {
		answer = answer[:plan.CutAfter] // less than was said, so that the connection is broken off
	}
	_, _ = w.Write(answer) // the asker may be gone
}

func (s *Server) session(r *http.Request, repo string) (transport.UploadPackSession, *packp.AdvRefs, error) {
	session, err := s.git.NewUploadPackSession(&transport.Endpoint{Path: repo}, nil)
	if err != nil {
		return nil, nil, err
	}
	offer, err := session.AdvertisedReferencesContext(r.Context())
	return session, offer, err
}

func (s *Server) offer(r *http.Request, repo string, plan Plan, w io.Writer) error {
	_, offer, err := s.session(r, repo)
	if err != nil {
		return err
	}
	if !plan.Plain {
		if err := offer.Capabilities.Set(capability.Sideband64k); err != nil {
			return err
		}
	}
	offer.Prefix = [][]byte{[]byte("# service=git-upload-pack"), pktline.Flush}
	return offer.Encode(w)
}

func (s *Server) pack(r *http.Request, repo string, plan Plan, asked *Request, w io.Writer) error {
	session, _, err := s.session(r, repo)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	in := bytes.NewReader(body)
	req := packp.NewUploadPackRequest()
	if err := req.UploadRequest.Decode(in); err != nil {
		return err
	}
	for lines := pktline.NewScanner(in); lines.Scan(); {
		if hash, ok := strings.CutPrefix(strings.TrimSpace(string(lines.Bytes())), "have "); ok {
			req.Haves = append(req.Haves, plumbing.NewHash(hash))
		}
	}
	asked.Wants, asked.Haves = len(req.Wants), len(req.Haves)
	req.Capabilities.Delete(capability.Sideband64k)
	answer, err := session.UploadPack(r.Context(), req)
	if err != nil {
		return err
	}
	if err := answer.ServerResponse.Encode(w, false); err != nil {
		return err
	}
	if plan.Plain {
		_, err = io.Copy(w, answer)
		return errors.Join(err, answer.Close())
	}
	if _, err := io.Copy(sideband.NewMuxer(sideband.Sideband64k, w), answer); err != nil {
		return err
	}
	return errors.Join(answer.Close(), pktline.NewEncoder(w).Flush())
}
