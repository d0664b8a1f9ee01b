package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"

	"github.com/pointsman/pointsman/bot"
)

const (
	// maxHaves bounds the commits by which a host learns what we have.
	maxHaves = 256
	// maxHeads bounds the branches of one repository.
	maxHeads = 100_000
)

// fetcher fetches one repository once.
type fetcher struct {
	url       *url.URL
	transport http.RoundTripper
	token     bot.Secret
	have      []plumbing.Hash
	known     func(plumbing.Hash) bool // nil = nothing is
	packs     string                   // the folder that gets the pack
	left      int64                    // bytes that may still come
	most      int64                    // the bound that left is of

	base string // of the pack that came, "" when nothing was new
}

// fetch asks for the branches, and for the objects of them that are not known.
func (f *fetcher) fetch(ctx context.Context) (heads, error) {
	fence := &fence{host: f.url.Host, scheme: f.url.Scheme, inner: f.transport, left: f.left}
	h, err := f.talk(ctx, fence)
	switch {
	case err == nil:
		return h, nil
	case ctx.Err() != nil:
		return heads{}, ctx.Err()
	case fence.isOver:
		return heads{}, fmt.Errorf("its history takes more than %s; raise --max-mirror-size, or clone it yourself with git clone --mirror and name its folder with --repos", size(f.most))
	case fence.elsewhere != "":
		return heads{}, fmt.Errorf("%s leads on to %s, which is not followed; write its new address into cloneURL", f.url.Host, bot.CleanLine(fence.elsewhere, 200))
	case errors.Is(err, errHeavy):
		return heads{}, err
	case errors.Is(err, transport.ErrEmptyRemoteRepository):
		return heads{}, errEmptyRemote()
	case errors.Is(err, transport.ErrAuthenticationRequired), errors.Is(err, transport.ErrAuthorizationFailed), errors.Is(err, transport.ErrRepositoryNotFound):
		return heads{}, fmt.Errorf("%s shows nothing at %s (%w): check cloneURL, and name with --config a configuration whose github.token may read it", f.url.Host, f.url.Path, err)
	}
	said := strings.TrimRight(bot.CleanLine(err.Error(), 300), " .") // in part the host's own words
	return heads{}, fmt.Errorf("fetching from %s: %s; run the same command again, or clone it yourself", f.url.Host, said)
}

func (f *fetcher) talk(ctx context.Context, fence *fence) (h heads, err error) {
	end, err := transport.NewEndpoint(f.url.String())
	if err != nil {
		return h, err
	}
	var auth transport.AuthMethod
	if f.token != "" {
		auth = &githttp.BasicAuth{Username: "x-access-token", Password: f.token.Reveal()}
	}
	session, err := githttp.NewClientWithOptions(&http.Client{Transport: fence}, &githttp.ClientOptions{}).NewUploadPackSession(end, auth)
	if err != nil {
		return h, err
	}
	offer, err := session.AdvertisedReferencesContext(ctx)
	if err != nil {
		return h, err
	}
	if format := offer.Capabilities.Get("object-format"); len(format) > 0 && format[0] != "sha1" {
		return h, fmt.Errorf("its objects have %s names, which cannot be read", bot.CleanLine(format[0], 20))
	}
	if h, err = headsOf(offer); err != nil {
		return h, err
	}
	req := packp.NewUploadPackRequestFromCapabilities(offer.Capabilities)
	if offer.Capabilities.Supports(capability.NoProgress) {
		if err := req.Capabilities.Set(capability.NoProgress); err != nil {
			return h, err
		}
	}
	req.Wants, req.Haves = f.wants(h), f.have[:min(len(f.have), maxHaves)]
	if len(req.Wants) == 0 {
		return h, nil
	}
	answer, err := session.UploadPack(ctx, req)
	if err != nil {
		return h, err
	}
	f.base, err = receive(ctx, f.packs, demuxed(req.Capabilities, answer), req.Wants)
	return h, errors.Join(err, answer.Close())
}

// demuxed takes the pack out of what hosts say besides.
func demuxed(caps *capability.List, answer io.Reader) io.Reader {
	switch {
	case caps.Supports(capability.Sideband64k):
		return sideband.NewDemuxer(sideband.Sideband64k, answer)
	case caps.Supports(capability.Sideband):
		return sideband.NewDemuxer(sideband.Sideband, answer)
	}
	return answer
}

// wants lists the commits of branches that are not known, each once, in order.
func (f *fetcher) wants(h heads) []plumbing.Hash {
	var wants []plumbing.Hash
	for _, hash := range h.at {
		if f.known == nil || !f.known(hash) {
			wants = append(wants, hash)
		}
	}
	plumbing.HashesSort(wants)
	return slices.Compact(wants)
}

// headsOf reads the branches that a host offers. Names that no branch may have are
// passed over.
func headsOf(offer *packp.AdvRefs) (heads, error) {
	h := heads{at: map[string]plumbing.Hash{}}
	for name, hash := range offer.References {
		if strings.HasPrefix(name, "refs/heads/") && plumbing.ReferenceName(name).Validate() == nil && !hash.IsZero() {
			h.at[name] = hash
		}
	}
	if len(h.at) > maxHeads {
		return h, fmt.Errorf("it has more than %d branches", maxHeads)
	}
	for _, link := range offer.Capabilities.Get(capability.SymRef) {
		if target, ok := strings.CutPrefix(link, "HEAD:"); ok && !h.at[target].IsZero() {
			h.branch = target
		}
	}
	names := []string{"refs/heads/main", "refs/heads/master"}
	for name := range h.at {
		names = append(names, name)
	}
	slices.Sort(names[2:])
	if offer.Head != nil && h.branch == "" { // an old host does not name it
		for _, name := range names {
			if h.at[name] == *offer.Head {
				h.branch = name
				break
			}
		}
	}
	for _, name := range names {
		if h.branch == "" && !h.at[name].IsZero() {
			h.branch = name
		}
	}
	if h.branch == "" {
		return h, transport.ErrEmptyRemoteRepository
	}
	return h, nil
}

// fence lets requests go to one host only, and so many bytes come back.
type fence struct {
	host, scheme string
	inner        http.RoundTripper
	left         int64

	isOver    bool
	elsewhere string // where a redirect led
}

var (
	errElsewhere = errors.New("a redirect leads to another host")
	errOver      = errors.New("more bytes than allowed")
)

// RoundTrip implements http.RoundTripper.
func (f *fence) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != f.scheme || !strings.EqualFold(r.URL.Host, f.host) {
		f.elsewhere = r.URL.Scheme + "://" + r.URL.Host + r.URL.Path
		return nil, errElsewhere
	}
	resp, err := f.inner.RoundTrip(r)
	if err == nil {
		resp.Body = &counted{ReadCloser: resp.Body, fence: f}
	}
	return resp, err
}

// counted is a body whose bytes the fence counts.
type counted struct {
	io.ReadCloser
	fence *fence
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if c.fence.left -= int64(n); c.fence.left < 0 {
		c.fence.isOver = true
		return 0, errOver
	}
	return n, err
}

// size writes a number of bytes for a person.
func size(n int64) string {
	for _, unit := range []struct {
		bytes int64
		name  string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= unit.bytes {
			return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/float64(unit.bytes)), ".0") + " " + unit.name
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
