package github

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/google/go-github/v62/github"

	"github.com/pointsman/pointsman/bot"
)

const (
	mediaSHA = "application/vnd.github.sha"
	mediaRaw = "application/vnd.github.raw+json"

	maxPath      = 500   // bytes of a file's path
	maxPullFiles = 3_000 // GitHub lists no more
)

// RepositoryNamed returns the repository of a name, "owner/name", under its present
// one. Errors are *bot.Error.
func (c *Client) RepositoryNamed(ctx context.Context, full string) (Repository, error) {
	api, err := c.codeAPI(ctx, full)
	if err != nil {
		return Repository{}, err
	}
	var w wireRepository
	err = c.callFor(ctx, "looking up the github repository "+full, codeHints(full), func(ctx context.Context) error {
		_, err := get(ctx, api, "repos/"+full, &w)
		return err
	})
	if err != nil {
		return Repository{}, err
	}
	return c.read(ctx, api, w)
}

// Head returns the commit of a branch, "" for the default one. tag is what an earlier
// call returned, "" at first; while the branch has not moved, changed is false and
// commit empty. Errors are *bot.Error.
func (c *Client) Head(ctx context.Context, full, branch, tag string) (commit, newTag string, changed bool, err error) {
	ref := "HEAD"
	if branch != "" {
		if !validBranch(branch) {
			return "", "", false, bot.Errorf(bot.CodeInvalid, "asking for a branch of %s: %q is the name of none", full, bot.CleanLine(branch, maxName))
		}
		ref = "heads/" + escaped(branch)
	}
	act := fmt.Sprintf("asking where %s of %s stands", cmp.Or(branch, "the default branch"), full)
	header := http.Header{"Accept": {mediaSHA}}
	if tag != "" {
		header.Set("If-None-Match", tag)
	}
	var body []byte
	resp, err := c.raw(ctx, act, full, "repos/"+full+"/commits/"+ref, header, 100, &body)
	if err != nil {
		return "", "", false, err
	}
	if resp.StatusCode == http.StatusNotModified {
		return "", tag, false, nil
	}
	commit = strings.TrimSpace(string(body))
	if !validCommit(commit) {
		return "", "", false, bot.Errorf(bot.CodeUnavailable, "%s: the answer is no commit", act)
	}
	return commit, bot.CleanLine(resp.Header.Get("ETag"), maxName), true, nil
}

// File returns a file as it is at a commit, given whole. One of more than limit bytes
// is CodeInvalid; one that is not there is CodeNotFound, as is a repository that we
// may not see. Errors are *bot.Error.
func (c *Client) File(ctx context.Context, full, commit, path string, limit int) ([]byte, error) {
	if !validCommit(commit) || !validPath(path) {
		return nil, bot.Errorf(bot.CodeInvalid, "reading %q of %s: no path or commit that git knows", bot.CleanLine(path, maxName), full)
	}
	act := fmt.Sprintf("reading %s of %s at %.12s", path, full, commit)
	var body []byte
	_, err := c.raw(ctx, act, full, "repos/"+full+"/contents/"+escaped(path)+"?ref="+commit, http.Header{"Accept": {mediaRaw}}, limit, &body)
	return body, err
}

// PullFiles lists the files that a pull request changes, 3,000 at most. Errors are
// *bot.Error.
func (c *Client) PullFiles(ctx context.Context, full string, number int) ([]string, error) {
	api, err := c.codeAPI(ctx, full)
	if err != nil {
		return nil, err
	}
	type file struct {
		Name string `json:"filename"`
		Was  string `json:"previous_filename"`
	}
	files, err := pages[file](ctx, c, api, fmt.Sprintf("listing the files of %s#%d", full, number), fmt.Sprintf("repos/%s/pulls/%d/files", full, number), maxPullFiles)
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
		if f.Was != "" {
			names = append(names, f.Was)
		}
	}
	return names, err
}

// codeAPI is the client that reads a repository's code: with the token of the
// installation that it belongs to.
func (c *Client) codeAPI(ctx context.Context, full string) (*github.Client, error) {
	if _, _, err := splitRepo(full); err != nil {
		return nil, err
	}
	api, err := c.api(ctx, bot.Target{Repo: full})
	if err == nil && api == nil {
		api = c.auth.client(c.auth.inner)
	}
	return api, err
}

// raw reads an answer as it is into body, or a 304 without one.
func (c *Client) raw(ctx context.Context, act, full, path string, header http.Header, limit int, body *[]byte) (*github.Response, error) {
	api, err := c.codeAPI(ctx, full)
	if err != nil {
		return nil, err
	}
	var answer *github.Response
	err = c.callFor(ctx, act, codeHints(full), func(ctx context.Context) error {
		req, err := api.NewRequest(http.MethodGet, path, nil)
		if err != nil {
			return err
		}
		for k, v := range header {
			req.Header[k] = v
		}
		into := bounded{left: limit}
		answer, err = api.Do(ctx, req, &into)
		*body = into.buf.Bytes()
		var e *github.ErrorResponse
		if errors.As(err, &e) && e.Response.StatusCode == http.StatusNotModified && header.Get("If-None-Match") != "" {
			answer = &github.Response{Response: e.Response}
			return nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// bounded keeps what is written to it, and fails on more than it has room for.
type bounded struct {
	buf  bytes.Buffer
	left int
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if len(p) > b.left {
		return 0, bot.Errorf(bot.CodeInvalid, "it is larger than %d bytes", b.buf.Len()+b.left)
	}
	b.left -= len(p)
	return b.buf.Write(p)
}

func codeHints(full string) hints {
	return hints{
		bot.CodeForbidden: "the App or token may lack the permission contents: read on " + full,
		bot.CodeNotFound:  "it is not there, or the App or token may not read " + full,
		bot.CodeInvalid:   "is there such a branch, with a commit on it?",
	}
}

func validPath(p string) bool {
	return p != "" && len(p) <= maxPath && utf8.ValidString(p) && !strings.ContainsAny(p, "\x00\\") && validSegments(p)
}

// escaped makes part of a request of a path with slashes.
func escaped(p string) string {
	parts := strings.Split(p, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}
