package githubtest

import (
	"crypto/sha1" //nolint:gosec // git's own hash, of invented files
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// commit is one state of a repository's files.
type commit struct {
	sha   string
	files map[string]string
}

// pull is a pull request: its issue has the number, this the code.
type pull struct {
	number     int
	base, head string // branches
	sha        string // of head
	from       string // sha of the base it began at
	fork       bool
}

// Push is what a push did.
type Push struct {
	Branch, Before, After    string // Before is all zeros for a new branch
	Added, Modified, Removed []string
}

const noCommit = "0000000000000000000000000000000000000000"

// PushFiles makes a commit on a branch: files are written over those that are there,
// and those with the empty text are removed.
func (s *Server) PushFiles(repo, branch string, files map[string]string) (Push, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.repo(repo)
	if err != nil {
		return Push{}, err
	}
	p := Push{Branch: branch, Before: r.branches[branch]}
	if p.Before == "" {
		p.Before = noCommit
	}
	old := r.filesAt(p.Before)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		_, known := old[name]
		switch {
		case files[name] == "":
			p.Removed = append(p.Removed, name)
		case known:
			p.Modified = append(p.Modified, name)
		default:
			p.Added = append(p.Added, name)
		}
	}
	p.After = s.commit(r, old, files)
	r.branches[branch] = p.After
	r.heads = append(r.heads, p)
	return p, nil
}

// ForcePush moves a branch to a commit that is there already.
func (s *Server) ForcePush(repo, branch, sha string) (Push, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.repo(repo)
	if err != nil {
		return Push{}, err
	}
	if _, ok := r.commits[sha]; !ok {
		return Push{}, fmt.Errorf("moving %s: there is no commit %s", branch, sha)
	}
	p := Push{Branch: branch, Before: r.branches[branch], After: sha}
	r.branches[branch] = sha
	r.heads = append(r.heads, p)
	return p, nil
}

// OpenPull opens a pull request of a branch, or of a fork's, that changes files of
// the base branch as PushFiles does. It returns the number and the head's sha.
func (s *Server) OpenPull(repo, base string, fork bool, files map[string]string) (number int, sha string, err error) {
	number, err = s.OpenIssue(repo, Issue{Title: "A change", Pull: true})
	if err != nil {
		return 0, "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.repo(repo)
	if err != nil {
		return 0, "", err
	}
	p := &pull{number: number, base: base, head: fmt.Sprintf("change-%d", number), from: r.branches[base], fork: fork}
	p.sha = s.commit(r, r.filesAt(p.from), files)
	if !fork {
		r.branches[p.head] = p.sha
	}
	r.pulls[number] = p
	return number, p.sha, nil
}

// PushPull adds a commit to a pull request and returns the head's new sha.
func (s *Server) PushPull(repo string, number int, files map[string]string) (sha string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, p, err := s.pull(repo, number)
	if err != nil {
		return "", err
	}
	p.sha = s.commit(r, r.filesAt(p.sha), files)
	if !p.fork {
		r.branches[p.head] = p.sha
	}
	return p.sha, nil
}

// LagHeads lets the next n questions for a branch's head be answered with what it
// was before its last push, as replicas do.
func (s *Server) LagHeads(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lagHeads = n
}

// commit keeps a new state of the files and returns its sha.
func (s *Server) commit(r *repo, old, change map[string]string) string {
	files := maps.Clone(old)
	if files == nil {
		files = map[string]string{}
	}
	for name, text := range change {
		if text == "" {
			delete(files, name)
		} else {
			files[name] = text
		}
	}
	sum := sha1.New() //nolint:gosec // as above
	_, _ = fmt.Fprintf(sum, "commit %d", s.id())
	for _, name := range slices.Sorted(maps.Keys(files)) {
		_, _ = fmt.Fprintf(sum, "%q %q", name, files[name])
	}
	c := &commit{sha: hex.EncodeToString(sum.Sum(nil)), files: files}
	r.commits[c.sha] = c
	return c.sha
}

// blob is the sha that git gives a file.
func blob(text string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text)) //nolint:gosec // as above
	return hex.EncodeToString(sum[:])
}

func (r *repo) filesAt(sha string) map[string]string {
	if c, ok := r.commits[sha]; ok {
		return c.files
	}
	return nil
}

func (r *repo) branchNames() []string { return slices.Sorted(maps.Keys(r.branches)) }

// resolve finds the commit of a sha, a branch, "HEAD", or a pull request's ref.
func (s *Server) resolve(r *repo, ref string) (sha string, ok bool) {
	if c, ok := r.commits[ref]; ok {
		return c.sha, true
	}
	var n int
	if _, err := fmt.Sscanf(ref, "refs/pull/%d/head", &n); err == nil && r.pulls[n] != nil {
		return r.pulls[n].sha, true
	}
	branch := strings.TrimPrefix(strings.TrimPrefix(ref, "refs/"), "heads/")
	if ref == "HEAD" || ref == "" {
		branch = r.DefaultBranch
	}
	sha, ok = r.branches[branch]
	if ok && s.lagHeads > 0 {
		for _, p := range slices.Backward(r.heads) {
			if p.Branch == branch && p.Before != noCommit {
				s.lagHeads--
				return p.Before, true
			}
		}
	}
	return sha, ok
}

func (s *Server) pull(full string, number int) (*repo, *pull, error) {
	r, err := s.repo(full)
	if err != nil {
		return nil, nil, err
	}
	p, ok := r.pulls[number]
	if !ok {
		return nil, nil, fmt.Errorf("finding pull request %s#%d: open it with OpenPull first", full, number)
	}
	return r, p, nil
}

// head is the sha of a branch, "" when there is none.
func (r *repo) head(branch string) string { return r.branches[branch] }
