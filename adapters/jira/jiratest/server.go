package jiratest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/pointsman/pointsman/bot"
)

// Options say what kind of site it is and who may call. The zero value is a Cloud
// site where "bot@example.org" with "jiratest-token" is "pointsman".
type Options struct {
	DataCenter    bool       // bearer instead of basic; accounts have names, not ids
	User          string     // Cloud: e-mail of the bot's account
	Token         bot.Secret // "" = "jiratest-token"
	BotName       string     // name of the bot's account; "" = "pointsman"
	WebhookSecret bot.Secret // signs deliveries
	Now           func() time.Time
}

// Server is the fake. Its methods are safe for concurrent use.
type Server struct {
	opts Options
	now  func() time.Time
	mux  *http.ServeMux
	web  *http.Server
	url  string

	mu         sync.Mutex
	issues     map[string]*issue // by key
	order      []string
	numbers    map[string]int         // last number of each project
	components map[string][]Component // by project
	nextID     int64
	pageSize   int
	log        []Request
	faults     faults
	lagging    bool
}

// New returns a server that listens nowhere yet: use it as an http.Handler or Start it.
func New(o Options) *Server {
	if o.User == "" {
		o.User = "bot@example.org"
	}
	if o.Token == "" {
		o.Token = "jiratest-token"
	}
	if o.BotName == "" {
		o.BotName = "pointsman"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Server{
		opts:       o,
		now:        o.Now,
		issues:     map[string]*issue{},
		numbers:    map[string]int{},
		components: map[string][]Component{},
		nextID:     10_000,
		pageSize:   100,
	}
	s.mux = s.routes()
	return s
}

// Start listens on a free loopback port and returns the address, "http://127.0.0.1:PORT".
func (s *Server) Start(ctx context.Context) (string, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("starting the fake jira: %w", err)
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

// URL is the address given by Start.
func (s *Server) URL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.url
}

// SetPageSize caps how many comments one page holds, so that paging can be tried
// with few.
func (s *Server) SetPageSize(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pageSize = n
}
