package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

// depth is how many levels below a folder repositories are looked for.
const depth = 3

// Discoverer finds the git repositories below a folder.
type Discoverer interface {
	// Discover returns the repositories in dir and at most depth levels below,
	// sorted by name, and the folders that could not be looked at.
	Discover(ctx context.Context, dir string, depth int) ([]routing.Found, []routing.Failure, error)
}

// Discover drafts a registry for the repositories in dir and at most three levels
// below it: one entry each, described by what its README says at the current
// commit and flagged generated. Repositories that are empty or cannot be read
// keep an entry and are listed as missing. A folder without a repository is an
// error.
func Discover(ctx context.Context, d Discoverer, src Source, dir string) (registry.Registry, []routing.Missing, error) {
	found, unseen, err := d.Discover(ctx, dir, depth)
	if err != nil {
		return registry.Registry{}, nil, err
	}
	if len(found) == 0 {
		return registry.Registry{}, nil, fmt.Errorf("searching %s: it holds no git repository, nor do the folders %d levels below; clone some there, or use --registry FILE", dir, depth)
	}
	entries := make([]routing.Repo, len(found))
	results := make([]result, len(found))
	err = inParallel(ctx, len(found), nil, func(ctx context.Context, i int) (string, error) {
		facts, err := look(ctx, src, found[i])
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		entries[i] = registry.Draft(facts)
		if errors.Is(err, routing.ErrEmpty) {
			results[i] = lacking(found[i].Name, routing.ErrEmpty.Error(), true)
		} else if err != nil {
			results[i] = lacking(found[i].Name, oneLine(err), false)
		}
		return found[i].Name, nil
	})
	if err != nil {
		return registry.Registry{}, nil, fmt.Errorf("searching %s: %w", dir, err)
	}
	reg := registry.Registry{Repos: entries}
	if reg.Hash, err = hashOf(entries); err != nil {
		return registry.Registry{}, nil, fmt.Errorf("drafting a registry: %w", err)
	}
	for _, f := range unseen {
		reg.Warnings = append(reg.Warnings, fmt.Sprintf("the folder %s was not searched: %s", f.Path, f.Why))
	}
	return reg, missingOf(results), nil
}

// look gathers what can be seen of a repository. With an error the facts are what
// is known without reading it.
func look(ctx context.Context, src Source, f routing.Found) (registry.Facts, error) {
	facts := registry.Facts{Name: f.Name, Dir: f.Dir}
	head, err := src.Head(ctx, f.Dir, "")
	if err != nil {
		return facts, err
	}
	readmes := map[string][]byte{}
	_, err = src.Walk(ctx, f.Dir, head.Commit, func(p string, _ int64) bool {
		facts.Paths = append(facts.Paths, p)
		return registry.IsReadme(p)
	}, func(d routing.Document) error {
		readmes[d.Path] = slices.Clone(d.Text)
		return nil
	})
	if err != nil {
		return registry.Facts{Name: f.Name, Dir: f.Dir}, err
	}
	facts.Readme = best(readmes)
	return facts, nil
}

// best chooses among several READMEs.
func best(readmes map[string][]byte) []byte {
	if len(readmes) == 0 {
		return nil
	}
	return readmes[slices.MinFunc(slices.Collect(maps.Keys(readmes)), registry.BetterReadme)]
}

// hashOf is the hash of the registry file that the drafted entries would make.
func hashOf(entries []routing.Repo) (string, error) {
	text, err := json.Marshal(struct {
		Version int            `json:"version"`
		Repos   []routing.Repo `json:"repos"`
	}{registry.Version, entries})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}
