package githubtest

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/pointsman/pointsman/bot"
)

// Options say who may call and who is told. The zero value serves a GitHub
// without an App where the token "githubtest-token" belongs to "pointsman-bot".
type Options struct {
	WebhookSecret bot.Secret       // signs deliveries
	Token         bot.Secret       // the personal token that is accepted; "" = "githubtest-token"
	TokenLogin    string           // whose token it is; "" = "pointsman-bot"
	AppID         int64            // 0 = no App
	AppSlug       string           // the App writes as <slug>[bot]; "" = "pointsman"
	Now           func() time.Time // nil = time.Now
}

// Server is the fake. Its methods are safe for concurrent use.
type Server struct {
	opts Options
	now  func() time.Time
	mux  *http.ServeMux
	key  *rsa.PrivateKey // nil without an App
	web  *http.Server
	url  string

	mu       sync.Mutex
	repos    map[string]*repo // by lower-case full name
	tokens   map[string]int64 // installation tokens
	nextID   int64
	pageSize int
	log      []Request
	faults   faults
	lagging  bool
	lagHeads int
	people   map[string]bool // owners that are no organisations, lower case
	denied   map[string]bool // permissions
}

// New returns a server that listens nowhere yet: use it as an http.Handler or Start it.
func New(o Options) (*Server, error) {
	if o.Token == "" {
		o.Token = "githubtest-token"
	}
	if o.TokenLogin == "" {
		o.TokenLogin = "pointsman-bot"
	}
	if o.AppSlug == "" {
		o.AppSlug = "pointsman"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Server{
		opts:     o,
		now:      o.Now,
		repos:    map[string]*repo{},
		tokens:   map[string]int64{},
		people:   map[string]bool{},
		denied:   map[string]bool{},
		nextID:   1000,
		pageSize: 100,
	}
	if o.AppID != 0 {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			return nil, fmt.Errorf("making the App's key: %w", err)
		}
		s.key = key
	}
	s.mux = s.routes()
	return s, nil
}

// Start listens on a free loopback port and returns the address, "http://127.0.0.1:PORT".
func (s *Server) Start(ctx context.Context) (string, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("starting the fake github: %w", err)
	}
	s.mu.Lock()
	s.url = "http://" + ln.Addr().String()
	s.web = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	web := s.web
	s.mu.Unlock()
	go func() { _ = web.Serve(ln) }() // it ends with ErrServerClosed
	return s.URL(), nil
}

// Close stops listening and ends all connections.
func (s *Server) Close() error {
	s.mu.Lock()
	web := s.web
	s.mu.Unlock()
	if web == nil {
		return nil
	}
	return web.Close()
}

// URL is the address given by Start; with a "/" behind it, it is the API's too.
func (s *Server) URL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.url
}

// PrivateKey is the App's key in PEM form, "" without an App.
func (s *Server) PrivateKey() bot.Secret {
	if s.key == nil {
		return ""
	}
	return bot.Secret(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(s.key)}))
}

// BotLogin is the account that the App, or without one the token, writes as.
func (s *Server) BotLogin() string {
	if s.opts.AppID != 0 {
		return s.opts.AppSlug + "[bot]"
	}
	return s.opts.TokenLogin
}

// SetPageSize caps how many comments one page holds, so that paging can be tried
// with few.
func (s *Server) SetPageSize(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pageSize = n
}
