package github

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pointsman/pointsman/bot"
)

// DefaultAPIURL is where github.com answers.
const DefaultAPIURL = "https://api.github.com/"

// defaultTimeout bounds one call, redirects and token refresh included.
const defaultTimeout = 20 * time.Second

// Options configure a Client. WebhookSecret is required. To speak, either Token
// or AppID with PrivateKey is needed; with all of them the App wins.
type Options struct {
	AppID         int64
	PrivateKey    bot.Secret // PEM, as downloaded from the App's page
	Token         bot.Secret // for small set-ups without an App
	WebhookSecret bot.Secret
	APIURL        string            // "" = DefaultAPIURL; Enterprise: https://HOST/api/v3/
	Transport     http.RoundTripper // nil = http.DefaultTransport
	Timeout       time.Duration     // of one call; 0 = 20 s
	Now           func() time.Time  // nil = time.Now
}

// Client implements bot.Verifier and bot.Parser, and speaks. It is safe for
// concurrent use.
type Client struct {
	verifier
	parser

	base    *url.URL
	auth    *authority // a pointer, so that printing the client prints an address
	timeout time.Duration
	now     func() time.Time

	mu sync.Mutex
	me identity
}

// New returns a client. Errors say which setting is wrong and how to mend it.
func New(o Options) (*Client, error) {
	if o.WebhookSecret == "" {
		return nil, errors.New("reading github settings: webhookSecret is empty: set the secret that you gave to the webhook")
	}
	base, err := parseBase(o.APIURL)
	if err != nil {
		return nil, err
	}
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	auth, err := newAuthority(o, base)
	if err != nil {
		return nil, err
	}
	return &Client{
		verifier: newVerifier(o.WebhookSecret),
		parser:   parser{self: &atomic.Pointer[string]{}},
		base:     base,
		auth:     auth,
		timeout:  o.Timeout,
		now:      o.Now,
	}, nil
}

// CanSpeak says why the client could never write a comment: no credentials.
// It asks nobody.
func (c *Client) CanSpeak() error {
	if c.auth.mode == modeNone {
		return errNoCredentials()
	}
	return nil
}

// String names the client without any of its secrets.
func (c *Client) String() string { return fmt.Sprintf("github client of %s", c.base.Host) }

// GoString is String, so that %#v is safe too.
func (c *Client) GoString() string { return c.String() }

func errNoCredentials() *bot.Error {
	return bot.Errorf(bot.CodeUnauthorized, "speaking on github: no credentials: set github.appID with github.privateKeyFile, or github.token")
}

// parseBase checks the API's address. Its text is kept out of errors: people
// have been known to put a password into it.
func parseBase(raw string) (*url.URL, error) {
	if raw == "" {
		raw = DefaultAPIURL
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, fmt.Errorf("reading github settings: apiURL is not a web address: write it as %s", DefaultAPIURL)
	}
	if u.User != nil {
		return nil, errors.New("reading github settings: apiURL holds a user or password: take it out and set token")
	}
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
	}
	u.RawQuery, u.Fragment = "", ""
	return u, nil
}
