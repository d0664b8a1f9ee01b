package registry

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pointsman/pointsman/routing"
)

const (
	// maxKeywords is RepoOrch's own cap against stuffing an entry with words.
	maxKeywords = 100
	// maxName is longer than any host allows.
	maxName = 255
	// maxDefects bounds how many errors and warnings are kept; the rest is counted.
	maxDefects = 100
)

// defect is something wrong at a place in the file.
type defect struct {
	file      string
	line, col int
	path      string // JSON path
	text      string
}

func (d defect) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s", d.file, d.line, d.col, d.path, d.text)
}

// inOrder sorts defects by their place in the file.
func inOrder(defects []defect) {
	slices.SortStableFunc(defects, func(a, b defect) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col))
	})
}

// checker collects what is wrong with a registry.
type checker struct {
	file     string
	data     []byte
	entries  []node // of "repos", in order
	errors   []defect
	warnings []defect
	more     struct{ errors, warnings int } // beyond maxDefects
}

func (c *checker) at(offset int, path, format string, args ...any) defect {
	line, col := position(c.data, offset)
	return defect{c.file, line, col, path, fmt.Sprintf(format, args...)}
}

func (c *checker) fail(offset int, path, format string, args ...any) {
	if len(c.errors) == maxDefects {
		c.more.errors++
		return
	}
	c.errors = append(c.errors, c.at(offset, path, format, args...))
}

func (c *checker) warn(offset int, path, format string, args ...any) {
	if len(c.warnings) == maxDefects {
		c.more.warnings++
		return
	}
	c.warnings = append(c.warnings, c.at(offset, path, format, args...))
}

// err returns the first error found, and how many more there are.
func (c *checker) err() error {
	if len(c.errors) == 0 {
		return nil
	}
	inOrder(c.errors)
	more := ""
	if n := len(c.errors) - 1 + c.more.errors; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return fmt.Errorf("reading registry: %s%s", c.errors[0], more)
}

// top reads the outermost object.
func (c *checker) top(root node, entries map[string]json.RawMessage) []routing.Repo {
	if root.kind != kindObject {
		c.fail(root.start, "$", `want an object, got %s; write {"version": 1, "repos": [...]}`, root.kind)
		return nil
	}
	c.duplicateKeys(root, "$")
	c.version(root)
	repos, ok := root.get("repos")
	switch {
	case !ok:
		c.fail(root.start, "$", `it has no "repos"; write {"version": 1, "repos": [...]}`)
		return nil
	case repos.kind != kindList:
		c.fail(repos.start, "$.repos", "want a list of objects, got %s", repos.kind)
		return nil
	case len(repos.items) == 0:
		c.fail(repos.start, "$.repos", "it lists no repository; add an entry for each, or use --repos DIR, which needs none")
		return nil
	}
	out := make([]routing.Repo, 0, len(repos.items))
	for i, n := range repos.items {
		repo := c.entry(n, fmt.Sprintf("$.repos[%d]", i))
		c.entries = append(c.entries, n)
		out = append(out, repo)
		entries[repo.Name] = json.RawMessage(c.data[n.start:n.end])
	}
	return out
}

func (c *checker) version(root node) {
	v, ok := root.get("version")
	switch {
	case !ok:
		c.warn(root.start, "$", `it has no "version"; read as version %d`, Version)
	case v.kind != kindNumber:
		c.fail(v.start, "$.version", "want the number %d, got %s", Version, v.kind)
	case v.text != fmt.Sprint(Version):
		c.fail(v.start, "$.version", "version %s is not known; this program reads version %d", v.text, Version)
	}
}

// entry reads one repository.
func (c *checker) entry(n node, path string) routing.Repo {
	var repo routing.Repo
	if n.kind != kindObject {
		c.fail(n.start, path, `want an object, got %s; write {"name": "...", ...}`, n.kind)
		return repo
	}
	c.fill(&repo, n, path)
	c.name(repo.Name, n, path)
	if len(repo.Owns) > maxKeywords {
		v, _ := n.get("owns")
		c.warn(v.start, path+".owns", "%d keywords; more than %d say little about what the repository is for", len(repo.Owns), maxKeywords)
	}
	c.oneOf(n, path, "visibility", repo.Visibility, true, "public", "internal", "private")
	c.oneOf(n, path, "descriptionSource", repo.DescriptionSource, false, "human", "generated")
	return repo
}

func (c *checker) name(name string, n node, path string) {
	v, ok := n.get("name")
	switch {
	case !ok || v.kind == kindNull:
		c.fail(n.start, path, `it has no "name"; every entry needs one`)
	case v.kind != kindString: // reported by fill
	case strings.TrimSpace(name) == "":
		c.fail(v.start, path+".name", "it is empty; every entry needs a name")
	case strings.TrimSpace(v.text) != v.text || strings.ContainsFunc(v.text, unicode.IsControl):
		c.fail(v.start, path+".name", "%q begins or ends with a space or holds a control character", v.text)
	case strings.ContainsFunc(v.text, noName):
		c.fail(v.start, path+".name", "%+q holds a character that nobody sees; write the name without it", v.text)
	case len(name) > maxName:
		c.fail(v.start, path+".name", "it is longer than %d bytes", maxName)
	}
}

// oneOf checks a word against a closed set. strict is for words that guard
// something: a misspelt one must not open it.
func (c *checker) oneOf(n node, path, name, value string, strict bool, allowed ...string) {
	if value == "" {
		return
	}
	for _, a := range allowed {
		if value == a {
			return
		}
	}
	v, _ := n.get(name)
	report := c.warn
	if strict {
		report = c.fail
	}
	report(v.start, path+"."+name, "%q is not known; write one of %s", value, strings.Join(allowed, ", "))
}

// names checks that every name and alias stands for one entry.
func (c *checker) names(repos []routing.Repo) {
	owner, lower := map[string]int{}, map[string]int{}
	for i, r := range repos {
		if r.Name == "" {
			continue
		}
		path := fmt.Sprintf("$.repos[%d].name", i)
		if first, ok := owner[r.Name]; ok {
			c.fail(c.entries[i].start, path, "%q is also the name of $.repos[%d]; give each entry its own", r.Name, first)
			continue
		}
		if first, ok := lower[strings.ToLower(r.Name)]; ok {
			c.warn(c.entries[i].start, path, "%q and %q of $.repos[%d] differ only in case; a ticket that names one names both", r.Name, repos[first].Name, first)
		}
		owner[r.Name], lower[strings.ToLower(r.Name)] = i, i
	}
	for i, r := range repos {
		for j, alias := range r.Aliases {
			path := fmt.Sprintf("$.repos[%d].aliases[%d]", i, j)
			if other, ok := owner[alias]; ok && other != i {
				c.fail(c.entries[i].start, path, "%q already stands for %q ($.repos[%d])", alias, repos[other].Name, other)
				continue
			}
			owner[alias] = i
		}
	}
}
