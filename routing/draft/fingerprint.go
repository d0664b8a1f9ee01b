package draft

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing/facts"
	"github.com/pointsman/pointsman/routing/registry"
)

// maxHeld is how many words of a repository's file names its fingerprint holds: a
// few times as many as an entry owns, since how common a word is among the others
// decides which of them are drafted.
const maxHeld = 3 * maxOwns

// Fingerprint is "sha256:" and the hash of the facts that drafting uses: the same
// on every machine for the same files, and another when this repository gives
// drafting something else to say. Lines and places do not count; nor do the other
// repositories, whose words bear on the draft as well: a new one would make every
// entry look outgrown.
func Fingerprint(f facts.Facts) string {
	sum := sha256.New()
	part := func(name string, lines []string) {
		fmt.Fprintf(sum, "%s %d\n", name, len(lines))
		for _, line := range lines {
			fmt.Fprintf(sum, "%d %s\n", len(line), line)
		}
	}
	part("languages", f.Languages)
	part("frameworks", f.Frameworks)
	part("packages", f.Packages)
	part("endpoints", endpoints(f.Endpoints))
	part("emits", values(f.Emits))
	part("consumes", values(f.Consumes))
	part("env", values(f.EnvVars))
	part("codes", values(f.Codes))
	part("requires", values(f.Requires))
	part("issues", values(f.Issues))
	part("readme", []string{registry.Prose(f.Readme)})
	part("codeowners", []string{string(f.Codeowners)})
	part("catalog", []string{string(f.Catalog)})
	part("words", fileWords(f))
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// fileWords are the words that the files are named by and that say most of what
// the repository is about, in no order: one file more or less seldom changes
// which these are. The words of texts and endpoints are hashed with those.
func fileWords(f facts.Facts) []string {
	generic := ignored()
	t := count(Input{Facts: f}, noise{generic: generic, skip: generic})
	var all []scored
	for key := range t.files {
		if strings.Contains(key, " ") || t.short(key) {
			continue // a pair says what its words say
		}
		if s := t.score(key, 2, 1); s > 0 {
			all = append(all, scored{key, s})
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.key, b.key))
	})
	var words []string
	for _, s := range all[:min(len(all), maxHeld)] {
		words = append(words, s.key)
	}
	slices.Sort(words)
	return words
}
