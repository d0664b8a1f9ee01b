package jira

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	jira "github.com/andygrunwald/go-jira"

	"github.com/pointsman/pointsman/bot"
)

// The flavours of Jira.
const (
	Cloud      = "cloud"
	DataCenter = "datacenter"
)

// defaultTimeout bounds one call, redirects included.
const defaultTimeout = 20 * time.Second

// Options configure a Client for one site. Tenant, URL and WebhookSecret are
// required; Token is needed to speak.
type Options struct {
	Tenant        string     // the site's name in our addresses: /webhooks/jira/{tenant}
	URL           string     // https://acme.atlassian.net, https://jira.acme.example/path
	Flavour       string     // Cloud or DataCenter; "" = Cloud
	User          string     // Cloud: the account's e-mail address, whose API token Token is
	Token         bot.Secret // Cloud with User: sent as basic; otherwise as bearer
	WebhookSecret bot.Secret
	Transport     http.RoundTripper // nil = http.DefaultTransport
	Timeout       time.Duration     // of one call; 0 = 20 s
	Now           func() time.Time  // nil = time.Now
}

// Client implements bot.Verifier and bot.Parser, and speaks. It is safe for
// concurrent use.
type Client struct {
	verifier
	parser

	api      *jira.Client // credentials sit in its transport, behind pointers
	tenant   string
	flavour  string
	base     *url.URL
	canSpeak bool
	timeout  time.Duration
	now      func() time.Time

	mu sync.Mutex
	me identity
}

// New returns a client. Errors say which setting is wrong and how to mend it.
func New(o Options) (*Client, error) {
	where := fmt.Sprintf("reading jira settings of tenant %q", bot.CleanLine(o.Tenant, maxName))
	if o.Tenant == "" {
		return nil, errors.New("reading jira settings: tenant is empty: give the site a short name")
	}
	if o.WebhookSecret == "" {
		return nil, errors.New(where + ": webhookSecret is empty: set the secret that you gave to the webhook")
	}
	if o.Flavour == "" {
		o.Flavour = Cloud
	}
	if o.Flavour != Cloud && o.Flavour != DataCenter {
		return nil, fmt.Errorf("%s: flavour is %q: write %s or %s", where, bot.CleanLine(o.Flavour, maxName), Cloud, DataCenter)
	}
	base, err := parseBase(o.URL)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	o.Transport = bot.CapAnswers(o.Transport)
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	api, err := jira.NewClient(&http.Client{Transport: credentials(o), CheckRedirect: stay(base)}, base.String())
	if err != nil {
		return nil, errors.New(where + ": url is not a web address")
	}
	return &Client{
		verifier: newVerifier(o.WebhookSecret),
		parser:   parser{base: base.String(), user: o.User, self: &atomic.Pointer[user]{}},
		api:      api,
		tenant:   o.Tenant,
		flavour:  o.Flavour,
		base:     base,
		canSpeak: o.Token != "",
		timeout:  o.Timeout,
		now:      o.Now,
	}, nil
}

// CanSpeak says why the client could never write a comment: no token. It asks nobody.
func (c *Client) CanSpeak() error {
	if !c.canSpeak {
		return bot.Errorf(bot.CodeUnauthorized, "speaking on jira: tenant %q has no token: set token (and user on Jira Cloud)", c.tenant)
	}
	return nil
}

// String names the client without any of its secrets.
func (c *Client) String() string { return fmt.Sprintf("jira client %q of %s", c.tenant, c.base.Host) }

// GoString is String, so that %#v is safe too.
func (c *Client) GoString() string { return c.String() }

// parseBase checks the site's address. Its text is kept out of errors: people
// have been known to put a password into it.
func parseBase(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, errors.New("url is not a web address: write it as https://your-site.atlassian.net")
	}
	if u.User != nil {
		return nil, errors.New("url holds a user or password: take them out and set user and token")
	}
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
	}
	u.RawQuery, u.Fragment = "", ""
	return u, nil
}

// credentials returns the transport that proves who we are: basic with an account
// of Jira Cloud, a bearer token otherwise.
func credentials(o Options) http.RoundTripper {
	switch {
	case o.Token == "":
		return o.Transport
	case o.Flavour == Cloud && o.User != "":
		return &jira.BasicAuthTransport{Username: o.User, Password: o.Token.Reveal(), Transport: o.Transport}
	default:
		return &jira.BearerAuthTransport{Token: o.Token.Reveal(), Transport: o.Transport}
	}
}

// stay follows redirects on the site's own host only, and never one that would
// turn a write into a read: Jira answers so when it wants a browser to log in.
func stay(base *url.URL) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		switch {
		case req.URL.Host != base.Host || req.URL.Scheme != base.Scheme:
			return bot.Errorf(bot.CodeForbidden, "jira sends us to another host (%s): credentials stay here; set url to the site's own address", bot.CleanLine(req.URL.Host, maxName))
		case req.Method != via[0].Method:
			return http.ErrUseLastResponse
		case len(via) >= 5:
			return bot.Errorf(bot.CodeUnavailable, "jira redirects in circles")
		}
		return nil
	}
}
