package registry

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/pointsman/pointsman/routing"
)

// DraftHash returns "sha256:" and 64 hex digits over the fields that are drafted
// from a repository's code. An entry keeps it in Drafted when a draft is written:
// when its present fields hash otherwise, a person edited them. What the host says
// (id, host, cloneURL, defaultBranch, visibility, archived, path) is not part of
// it, since it is followed whoever wrote it.
// It is of what would be read: bounds, blanks and doubles make no difference.
func DraftHash(r routing.Repo) string {
	r = asRead(r)
	// A list of pairs: the order is that of this text, not of a struct that may grow.
	drafted := []any{
		"description", r.Description, "descriptionSource", r.DescriptionSource,
		"owns", r.Owns, "endpoints", r.Endpoints, "emits", r.Emits, "consumes", r.Consumes,
		"languages", r.Languages, "frameworks", r.Frameworks, "packages", r.Packages,
		"components", r.Components, "dependsOn", r.DependsOn, "providesTo", r.ProvidesTo,
		"owner", r.Owner, "owners", r.Owners, "errorContracts", r.ErrorContracts,
		"authContracts", r.AuthContracts, "configContracts", r.ConfigContracts,
	}
	for i, v := range drafted { // none and an empty list read alike
		if list, ok := v.([]string); ok && len(list) == 0 {
			drafted[i] = nil
		}
	}
	text, err := json.Marshal(drafted)
	if err != nil { // strings and lists of strings always encode
		return ""
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// asRead is an entry as Parse would give it back.
func asRead(r routing.Repo) routing.Repo {
	text, err := json.Marshal(r)
	if err != nil {
		return r
	}
	root, err := parseTree(text)
	if err != nil {
		return r
	}
	var out routing.Repo
	c := newChecker("", text)
	c.fill(&out, root, nil)
	c.description(&out, root, nil)
	return out
}
