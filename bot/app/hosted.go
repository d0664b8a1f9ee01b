package app

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/pointsman/pointsman/adapters/github"
	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/bot/console"
	"github.com/pointsman/pointsman/routing/rank"
	"github.com/pointsman/pointsman/routing/registry"
)

const (
	// maxHosted bounds a registry read from a repository, in bytes.
	maxHosted = 8 << 20
	// rereadEvery is how often the repository is asked whether it was pushed to: an
	// event may be lost. While nothing was, that costs none of GitHub's limit.
	rereadEvery = 5 * time.Minute
	// lagging is how long a host may go on showing the branch as it was before a push
	// that it told us of.
	lagging = 30 * time.Second
)

// hub is what is asked of the host that a registry lives on.
type hub interface {
	RepositoryNamed(ctx context.Context, full string) (github.Repository, error)
	Head(ctx context.Context, full, branch, tag string) (commit, newTag string, changed bool, err error)
	File(ctx context.Context, full, commit, path string, limit int) ([]byte, error)
	PullFiles(ctx context.Context, full string, number int) ([]string, error)
}

// hosted is a registry that is read from a repository, always whole and at one
// commit, and held to rules: whoever may open a pull request may write one. The last
// one that could be used is kept on the disk.
type hosted struct {
	hub                hub
	repo, branch, path string
	rules              registry.Rules
	file               string // of the last good one
	log                *slog.Logger
	metrics            *console.Metrics
	now                func() time.Time
	doubts             doubts

	reading sync.Mutex // one at a time; guards what follows
	tag     string     // of the branch as it was last read, good or not
	commit  string     // the same
	outcome string     // of that, in a person's words
	spoilt  error      // why that cannot be used

	mu   sync.Mutex
	id   int64 // the host's own of the repository; 0 = not known
	good *good // nil until there is one
	sick string
}

// good is a registry that can be used, with the tables beside it.
type good struct {
	book
	commit string
}

func newHosted(cfg config.Config, h hub, m *console.Metrics, log *slog.Logger) *hosted {
	r := cfg.Registry
	return &hosted{
		hub: h, repo: r.Repo, branch: r.Branch, path: r.Path, log: log.With(bot.LogRepo, r.Repo, bot.LogPath, r.Path), metrics: m, now: time.Now,
		rules: registry.Rules{Roots: r.Roots, Hosts: cfg.GitHosts()}, file: savedFile(cfg.DataDir),
	}
}

// current is the registry in force; ok is false while there is none.
func (h *hosted) current() (now book, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.good == nil {
		return book{}, false
	}
	return h.good.book, true
}

// tables is the path of the tables in the repository.
func (h *hosted) tables() string { return path.Join(path.Dir(h.path), rank.TablesName) }

// why says why the newest state could not be used, "" if it could.
func (h *hosted) why() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sick
}

// Concerns implements flow.Registry. A repository that was renamed is known by its id,
// and another that took its name is not it.
func (h *hosted) Concerns(repo string, id int64, branch string, isDefault bool) bool {
	here := strings.EqualFold(repo, h.repo)
	if known := h.known(); known != 0 && id != 0 {
		here = id == known
	}
	return here && (branch == h.branch || h.branch == "" && isDefault)
}

// Reread implements flow.Registry.
func (h *hosted) Reread(ctx context.Context, p bot.Push, toldAt time.Time) (outcome string, err error) {
	if err := h.read(ctx); err != nil {
		return "", err
	}
	h.reading.Lock()
	defer h.reading.Unlock()
	if until := toldAt.Add(lagging); h.commit == p.Before && h.now().Before(until) {
		e := bot.Errorf(bot.CodeLimited, "reading the registry: github still shows %s as it was before the push", h.repo)
		e.Until = h.now().Add(2 * time.Second)
		return "", e
	}
	return h.outcome, nil
}

// read brings the registry up to date. An error says that the host could not be asked,
// and that asking again may help; a registry that cannot be used is none.
func (h *hosted) read(ctx context.Context) error {
	h.reading.Lock()
	defer h.reading.Unlock()
	commit, tag, changed, err := h.hub.Head(ctx, h.repo, h.branch, h.tag)
	if err != nil {
		return h.unread(ctx, err)
	}
	h.metrics.RegistryRead(h.now())
	if !changed {
		h.settle(h.spoilt)
		return nil
	}
	look, err := h.pagesAt(ctx, commit)
	if err == nil {
		err = h.identify(ctx)
	}
	if err != nil && passing(err) {
		return h.unread(ctx, err)
	}
	h.tag, h.commit = tag, commit
	if code := bot.CodeOf(err); code == bot.CodeNotFound || code == bot.CodeForbidden {
		h.tag = "" // what is missing or not allowed today may be mended without a push: it is read again
	}
	var now book
	if err == nil {
		now, err = h.parse(look)
	}
	h.spoilt = err
	if err != nil {
		h.outcome = h.broken(ctx, commit, err)
		return nil
	}
	h.outcome = h.accept(ctx, commit, look, now)
	return nil
}

// pagesAt reads the registry and the tables beside it, as they are at a commit.
func (h *hosted) pagesAt(ctx context.Context, commit string) (p pages, err error) {
	if p.registry, err = h.hub.File(ctx, h.repo, commit, h.path, maxHosted); err != nil {
		if bot.CodeOf(err) == bot.CodeNotFound {
			err = cmp.Or(h.doubts.gone(commit, h.path, h.now()), err)
		}
		return pages{}, err
	}
	p.tables, err = h.hub.File(ctx, h.repo, commit, h.tables(), rank.MaxTables)
	switch {
	case bot.CodeOf(err) == bot.CodeNotFound:
		if err = nil; h.hadTables() {
			err = h.doubts.gone(commit, h.tables(), h.now())
		}
		return pages{registry: p.registry}, err
	case err == nil && p.tables == nil:
		p.tables = []byte{}
	}
	return p, err
}

// passing says that an error is of the moment: trying again may help.
func passing(err error) bool {
	switch bot.CodeOf(err) {
	case bot.CodeInvalid, bot.CodeNotFound, bot.CodeForbidden:
		return false
	case bot.CodeLimited, bot.CodeUnauthorized, bot.CodeUnavailable, bot.CodeInternal:
	}
	return true
}

// parse reads a registry and its tables, and holds it to the rules.
func (h *hosted) parse(p pages) (book, error) {
	var now book
	var err error
	if now.reg, err = registry.Parse(h.repo+"/"+h.path, p.registry); err == nil {
		err = now.reg.Confine(h.rules)
	}
	if err == nil {
		now.tables, err = readTables(h.repo+"/"+h.tables(), p.tables)
	}
	if err != nil {
		return book{}, bot.Errorf(bot.CodeInvalid, "%w", err)
	}
	return now, nil
}

// accept makes a registry the one in force, and keeps it for the next start.
func (h *hosted) accept(ctx context.Context, commit string, look pages, now book) string {
	reg := now.reg
	h.mu.Lock()
	before := h.good
	h.good = &good{now, commit}
	h.mu.Unlock()
	was := h.settle(nil)
	if before != nil && before.reg.Hash == reg.Hash && sameTables(before.tables, now.tables) && was == "" {
		return fmt.Sprintf("the registry reads as before at %.12s", commit)
	}
	h.log.InfoContext(ctx, "the registry was read", bot.LogCommit, commit, bot.LogCount, len(reg.Repos))
	for _, w := range reg.Warnings {
		h.log.WarnContext(ctx, "registry", bot.LogReason, w)
	}
	if err := h.save(commit, look); err != nil {
		h.log.WarnContext(ctx, "the registry could not be kept for the next start", bot.LogErr, folderErr(err))
	}
	return fmt.Sprintf("the registry was read at %.12s: %d repositories", commit, len(reg.Repos))
}

func sameTables(a, b *rank.Tables) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Hash == b.Hash
}

// broken notes that the newest state cannot be used.
func (h *hosted) broken(ctx context.Context, commit string, err error) string {
	_, kept := h.current()
	stays := "there is no other yet"
	if kept {
		stays = "the last good one answers"
	}
	h.note(ctx, commit, err)
	return fmt.Sprintf("the registry at %.12s cannot be used; %s: %v", commit, stays, err)
}

// unread notes that the host could not be asked.
func (h *hosted) unread(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		h.note(ctx, "", err)
	}
	return err
}

// note logs what is wrong, once. commit is "" when the host could not be asked.
func (h *hosted) note(ctx context.Context, commit string, err error) {
	if h.settle(err) != err.Error() {
		h.log.WarnContext(ctx, "the newest registry cannot be used; the last good one, if there is one, answers",
			bot.LogCommit, commit, bot.LogCode, string(bot.CodeOf(err)), bot.LogErr, err)
	}
}

// settle notes what is wrong with the newest state, nil for nothing, and returns what
// was before.
func (h *hosted) settle(err error) (was string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	was, h.sick = h.sick, ""
	if err != nil {
		h.sick = err.Error()
	}
	h.metrics.RegistryBroken(err != nil)
	return was
}

// watch asks now and then whether the registry has changed, until ctx ends.
func (h *hosted) watch(ctx context.Context, every time.Duration) {
	if every == 0 {
		every = rereadEvery
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			_ = h.read(ctx) // it has noted what is wrong, and is asked again
		case <-ctx.Done():
			return
		}
	}
}
