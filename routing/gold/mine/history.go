package mine

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// The bounds of what is kept of one commit, in bytes.
const (
	maxTitle = 1_000
	maxBody  = 16_000
)

// History collects the commits of one repository. It is for one goroutine; those
// of other repositories may be filled meanwhile.
type History struct {
	repo    string
	names   Names
	marker  *marker
	commits []commit
}

// commit is what mining keeps of a commit.
type commit struct {
	hash      string
	parents   []string
	title     string
	body      string // only of commits that cite something or end a merge
	authored  int64
	committed int64
	identity  uint64 // time of writing and title: equal for copies of one commit
	branch    string
	isDefault bool
	refs      []Ref
	marks     []string
	reverts   [2]string // start of a hash, or a title

	ref    *Ref     // the ticket it counts for
	files  []string // source files it changed
	kinds  [5]int   // changed files of each kind
	seen   bool     // its changes were handed in
	isMass bool
}

// Add takes the next commit, newest first, as adapters/git hands them out.
func (h *History) Add(c routing.Commit) {
	message := stripMachine(c.Message)
	title, body, _ := strings.Cut(strings.TrimLeft(message, "\n "), "\n")
	title = clip(strings.TrimSpace(title), maxTitle)
	k := commit{
		hash: c.Hash, parents: c.Parents, title: title, refs: Parse(message, h.repo, h.names),
		authored: c.AuthoredAt.Unix(), committed: c.CommittedAt.Unix(),
		identity: identity(c.AuthoredAt.Unix(), title),
		branch:   c.Branch, isDefault: c.Default,
		marks: h.marker.marks(c.AuthorName, c.AuthorEmail, title, len(c.Parents)),
	}
	if len(k.refs) > 0 || len(k.parents) > 1 {
		k.body = clip(strings.TrimSpace(body), maxBody)
	}
	k.reverts[0], k.reverts[1] = h.marker.reverted(message, title)
	h.commits = append(h.commits, k)
}

func (c *commit) marked(mark string) bool {
	for _, m := range c.marks {
		if m == mark {
			return true
		}
	}
	return false
}

func (c *commit) mark(mark string) {
	if !c.marked(mark) {
		c.marks = append(c.marks, mark)
	}
}

// identity leaves the author out: conversions between systems spell names and
// addresses anew, but keep the second and the title.
func identity(at int64, title string) uint64 {
	sum := fnv.New64a()
	sum.Write([]byte(strconv.FormatInt(at, 10) + " " + strings.ToLower(title))) // never fails
	return sum.Sum64()
}

// stripMachine drops the lines that programs add to messages: they hold numbers
// and paths that nobody wrote for a reader.
func stripMachine(message string) string {
	if !strings.Contains(message, ": ") && !strings.Contains(message, ":\t") {
		return message
	}
	lines := strings.SplitAfter(message, "\n")
	kept := lines[:0]
	for i, line := range lines {
		if i == 0 || !machineLine(line) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func machineLine(line string) bool {
	name, _, ok := strings.Cut(line, ":")
	if !ok || len(name) > 24 {
		return false
	}
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "git-svn-id", "change-id", "signed-off-by", "reviewed-on", "reviewed-by", "tested-by", "approved-by",
		"co-authored-by", "submitted-by", "submitted-at", "cherry-picked-from", "depends-on", "needed-by", "acked-by", "cc":
		return true
	}
	return false
}

// clip cuts s after n bytes, between runes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
