package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/golang-jwt/jwt/v4"
	"github.com/google/go-github/v62/github"

	"github.com/pointsman/pointsman/bot"
)

// mode is how the client proves who it is.
type mode int

const (
	modeNone mode = iota
	modeToken
	modeApp
)

// authority makes API clients: one for a token, or one for the App and one for
// each of its installations, since their tokens and limits are their own.
type authority struct {
	mode  mode
	base  *url.URL
	inner http.RoundTripper
	appID int64
	sign  ghinstallation.Signer
	main  *github.Client // the token's, or the App's own; nil without credentials

	mu            sync.Mutex
	installations map[int64]*installed
}

// installed is the App in one organisation: a client, and the transport that holds
// its token.
type installed struct {
	client *github.Client
	tokens *ghinstallation.Transport
}

func newAuthority(o Options, base *url.URL) (*authority, error) {
	a := &authority{
		base:          base,
		inner:         limits{next: bot.CapAnswers(o.Transport)},
		appID:         o.AppID,
		installations: map[int64]*installed{},
	}
	switch {
	case o.AppID != 0:
		if o.PrivateKey == "" {
			return nil, errors.New("reading github settings: appID is set but the private key is empty: set privateKeyFile to the PEM file from the App's page")
		}
		key, err := jwt.ParseRSAPrivateKeyFromPEM([]byte(o.PrivateKey.Reveal()))
		if err != nil {
			return nil, errors.New("reading github settings: the private key is not an RSA key in PEM form: use the .pem file from the App's page unchanged")
		}
		a.mode, a.sign = modeApp, backdated{ghinstallation.NewRSASigner(jwt.SigningMethodRS256, key)}
		app, err := a.appTransport()
		if err != nil {
			return nil, fmt.Errorf("reading github settings: %w", err)
		}
		a.main = a.client(app)
	case o.PrivateKey != "":
		return nil, errors.New("reading github settings: a private key is set but appID is not: both stand on the App's page")
	case o.Token != "":
		a.mode = modeToken
		a.main = a.client(bearer{token: o.Token.Reveal, next: a.inner})
	}
	return a, nil
}

// client wraps a transport that carries credentials. Redirects stay on the host
// that the credentials are for, and never turn a write into a read.
func (a *authority) client(rt http.RoundTripper) *github.Client {
	c := github.NewClient(&http.Client{Transport: rt, CheckRedirect: a.redirect})
	c.BaseURL = a.base
	c.UserAgent = "pointsman"
	return c
}

func (a *authority) redirect(req *http.Request, via []*http.Request) error {
	switch {
	case req.URL.Host != a.base.Host || req.URL.Scheme != a.base.Scheme:
		return bot.Errorf(bot.CodeForbidden, "github sends us to another host (%s): credentials stay here; set github.apiURL to the API's own address", bot.CleanLine(req.URL.Host, maxName))
	case req.Method != via[0].Method:
		return http.ErrUseLastResponse
	case len(via) >= 5:
		return bot.Errorf(bot.CodeUnavailable, "github redirects in circles")
	}
	return nil
}

// installation returns the App in one organisation.
func (a *authority) installation(id int64) (*installed, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if in, ok := a.installations[id]; ok {
		return in, nil
	}
	// Each installation has an App transport of its own: ghinstallation writes to it
	// while refreshing, so sharing one would be a race.
	app, err := a.appTransport()
	if err != nil {
		return nil, fmt.Errorf("preparing github installation %d: %w", id, err)
	}
	tokens := ghinstallation.NewFromAppsTransport(app, id)
	tokens.InstallationTokenOptions = &github.InstallationTokenOptions{} // left nil, the body would be "null"
	in := &installed{client: a.client(tokens), tokens: tokens}
	a.installations[id] = in
	return in, nil
}

func (a *authority) appTransport() (*ghinstallation.AppsTransport, error) {
	t, err := ghinstallation.NewAppsTransportWithOptions(a.inner, a.appID, ghinstallation.WithSigner(a.sign))
	if err != nil {
		return nil, err
	}
	t.BaseURL = strings.TrimSuffix(a.base.String(), "/")
	return t, nil
}

// backdated moves a token's birth to a minute ago, as GitHub advises, so that a
// clock that runs fast is not refused. ghinstallation allows for half of that.
type backdated struct{ ghinstallation.Signer }

// Sign implements ghinstallation.Signer.
func (s backdated) Sign(claims jwt.Claims) (string, error) {
	if c, ok := claims.(*jwt.RegisteredClaims); ok && c.IssuedAt != nil {
		c.IssuedAt = jwt.NewNumericDate(c.IssuedAt.Add(-30 * time.Second))
	}
	return s.Signer.Sign(claims)
}

// bearer adds a token to each request.
type bearer struct {
	token func() string // a function, so that printing shows an address
	next  http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+b.token())
	return b.next.RoundTrip(req)
}

// identity is who we are on GitHub, known for an hour.
type identity struct {
	login string
	until time.Time
}

// whoami names the account whose comments are ours.
func (c *Client) whoami(ctx context.Context) (string, error) {
	c.mu.Lock()
	self := c.me
	c.mu.Unlock()
	if self.login != "" && c.now().Before(self.until) {
		return self.login, nil
	}
	login, err := c.askLogin(ctx)
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	c.me = identity{login: login, until: c.now().Add(time.Hour)}
	c.mu.Unlock()
	c.self.Store(&login)
	return login, nil
}

func (c *Client) askLogin(ctx context.Context) (login string, err error) {
	err = c.call(ctx, "asking github who we are", func(ctx context.Context) error {
		if c.auth.mode == modeApp {
			app, _, err := c.auth.main.Apps.Get(ctx, "")
			if app.GetSlug() != "" {
				login = app.GetSlug() + "[bot]"
			}
			return err
		}
		u, _, err := c.auth.main.Users.Get(ctx, "")
		login = u.GetLogin()
		return err
	})
	if err == nil && login == "" {
		err = bot.Errorf(bot.CodeUnavailable, "asking github who we are: the answer names nobody")
	}
	return login, err
}

// api returns the client that may write to the target's repository. A target
// without an installation, or with one that was removed since, is looked up by its
// repository.
func (c *Client) api(ctx context.Context, t bot.Target) (*github.Client, error) {
	if c.auth.mode != modeApp {
		return c.auth.main, nil
	}
	if t.Installation != 0 {
		api, err := c.enter(ctx, t.Installation)
		if bot.CodeOf(err) != bot.CodeNotFound {
			return api, err
		}
	}
	owner, name, err := splitRepo(t.Repo)
	if err != nil {
		return nil, err
	}
	var id int64
	err = c.call(ctx, "finding the App's installation for "+t.Repo, func(ctx context.Context) error {
		in, _, err := c.auth.main.Apps.FindRepositoryInstallation(ctx, owner, name)
		id = in.GetID()
		return err
	})
	if err != nil {
		return nil, err
	}
	return c.enter(ctx, id)
}

// enter returns an installation's client once there is a token for it.
func (c *Client) enter(ctx context.Context, id int64) (*github.Client, error) {
	in, err := c.auth.installation(id)
	if err != nil {
		return nil, err
	}
	err = c.call(ctx, "getting a token for the App's installation", func(ctx context.Context) error {
		_, err := in.tokens.Token(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return in.client, nil
}
