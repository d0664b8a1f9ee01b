package main

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"

	"github.com/pointsman/pointsman/adapters/catalog"
	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/draft"
	"github.com/pointsman/pointsman/routing/facts"
	"github.com/pointsman/pointsman/routing/registry"
	life "github.com/pointsman/pointsman/routing/sync"
)

// drafted is what was made of a repository, and why.
type drafted struct {
	candidate
	repo     routing.Repo
	why      map[string]string // of each word of owns
	facts    facts.Facts
	failures []routing.Failure
}

// scan reads the code of all repositories at once and drafts their entries, in
// the order given. What cannot be read is said in its draft; the others go on.
func scan(ctx context.Context, errOut io.Writer, found []candidate) ([]drafted, error) {
	inputs := make([]draft.Input, len(found))
	out := make([]drafted, len(found))
	bar := newBar(errOut, "reading")
	defer bar.end()
	next := make(chan int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	done := 0
	for range min(runtime.GOMAXPROCS(0), len(found)) {
		wg.Go(func() {
			for i := range next {
				out[i] = read(ctx, found[i])
				inputs[i] = input(&out[i])
				mu.Lock()
				done++
				bar.at(done, len(found), found[i].name)
				mu.Unlock()
			}
		})
	}
	for i := range found {
		next <- i
	}
	close(next)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, d := range draft.Drafts(inputs) {
		out[i].repo, out[i].why = d.Repo, d.Why
		if out[i].unread == "" && out[i].dir != "" {
			out[i].repo.Fingerprint = draft.Fingerprint(out[i].facts)
		}
		out[i].repo.Drafted = registry.DraftHash(out[i].repo)
	}
	return out, nil
}

// read gathers the facts of one repository.
func read(ctx context.Context, c candidate) drafted {
	d := drafted{candidate: c}
	if c.dir == "" || c.unread != "" || ctx.Err() != nil {
		return d
	}
	reader := git.New()
	head, err := reader.Head(ctx, c.dir, "")
	if err == nil {
		s := facts.NewScan()
		d.failures, err = reader.Walk(ctx, c.dir, head.Commit, s.Want, func(doc routing.Document) error {
			s.Add(doc)
			return nil
		})
		d.facts = s.Facts()
	}
	if err != nil {
		d.unread, d.facts = reason(err), facts.Facts{}
		return d
	}
	d.failures = append(d.failures, d.facts.Failures...)
	return d
}

// reason is why a repository cannot be read, without naming it once more.
func reason(err error) string {
	if errors.Is(err, routing.ErrEmpty) {
		return "it has no commits yet"
	}
	return err.Error()
}

// input is what drafting takes; what a repository declares of itself that makes no
// sense joins the failures.
func input(d *drafted) draft.Input {
	in := draft.Input{Name: d.name, Host: d.host, Facts: d.facts}
	rules, bad := catalog.Codeowners(d.facts.Codeowners)
	in.Declared.Owners, in.Declared.Team = catalog.OwnersOf(rules)
	for _, err := range bad {
		d.failures = append(d.failures, routing.Failure{Path: "CODEOWNERS", Why: err.Error()})
	}
	entities, err := catalog.Backstage(d.facts.Catalog)
	if err != nil {
		d.failures = append(d.failures, routing.Failure{Path: "catalog-info.yaml", Why: err.Error()})
	}
	for _, e := range entities {
		in.Declared = merged(in.Declared, draft.Declared(e))
	}
	return in
}

// seen turns drafts into what a registry is compared with.
func seen(list []drafted) []life.Seen {
	out := make([]life.Seen, len(list))
	for i, d := range list {
		out[i] = life.Seen{Repo: d.repo, FullName: d.full, Unread: d.unread}
	}
	return out
}
