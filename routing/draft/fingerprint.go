package draft

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/pointsman/pointsman/routing/facts"
	"github.com/pointsman/pointsman/routing/registry"
)

// Fingerprint is "sha256:" and the hash of the facts that drafting uses: the same
// on every machine for the same files, and another when a draft would come out
// otherwise. Lines and places do not count.
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
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}
