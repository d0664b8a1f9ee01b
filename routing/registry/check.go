package registry

import (
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unicode"

	"github.com/pointsman/pointsman/routing"
)

const (
	// maxName is longer than any host allows.
	maxName = 255
	// maxDefects bounds how many errors and warnings are kept; the rest is counted.
	maxDefects = 100
)

// wantTop is how to write the outermost object.
const wantTop = `write {"version": 1, "repos": [...]}`

// checker collects what is wrong with a registry.
type checker struct {
	file     string
	src      source
	data     []byte
	entries  []node // of "repos", in order
	known    map[reflect.Type]map[string]int
	seen     seen     // of the list at hand
	listed   []string // likewise, what is read of it
	out      []string // likewise, cut to size
	kept     []string // where such lists lie, many to an allocation
	errors   []Defect
	warnings []Defect
	more     struct{ errors, warnings int } // beyond maxDefects
}

func newChecker(file string, text []byte) *checker {
	return &checker{file: file, src: newSource(text), data: text, known: map[reflect.Type]map[string]int{}}
}

func (c *checker) at(offset int, path *where, mend, format string, args []any) Defect {
	line, col := c.src.position(offset)
	return Defect{c.file, line, col, path.String(), fmt.Sprintf(format, args...), mend}
}

// fail notes what stops the reading: where, what to do, and what is wrong.
func (c *checker) fail(offset int, path *where, mend, format string, args ...any) {
	if len(c.errors) == maxDefects {
		c.more.errors++
		return
	}
	c.errors = append(c.errors, c.at(offset, path, mend, format, args))
}

// warn notes what is passed over.
func (c *checker) warn(offset int, path *where, mend, format string, args ...any) {
	if len(c.warnings) == maxDefects {
		c.more.warnings++
		return
	}
	c.warnings = append(c.warnings, c.at(offset, path, mend, format, args))
}

// err returns the errors found, the first in front.
func (c *checker) err() error {
	if len(c.errors) == 0 {
		return nil
	}
	inOrder(c.errors)
	return &Invalid{c.errors, c.more.errors}
}

// top reads the outermost object.
func (c *checker) top(root node, entries map[string]json.RawMessage) []routing.Repo {
	if root.kind != kindObject {
		c.fail(root.start, nil, wantTop, "want an object, got %s", root.kind)
		return nil
	}
	c.duplicateKeys(root, nil)
	c.version(root)
	repos, ok := root.get("repos")
	path := (*where)(nil).field("repos")
	switch {
	case !ok:
		c.fail(root.start, nil, wantTop, `it has no "repos"`)
		return nil
	case repos.kind != kindList:
		c.fail(repos.start, path, `write [{"name": "..."}]`, "want a list of objects, got %s", repos.kind)
		return nil
	case len(repos.items()) == 0:
		c.fail(repos.start, path, "add an entry for each, or use --repos DIR, which needs none", "it lists no repository")
		return nil
	}
	out := make([]routing.Repo, len(repos.items()))
	c.entries = repos.items()
	c.eachEntry(out, path)
	for i, n := range repos.items() {
		entries[out[i].Name] = json.RawMessage(c.data[n.start:n.end:n.end])
	}
	return out
}

// eachEntry reads the entries, those of a large registry on all processors. What is
// found comes together as if they had been read one after the other.
func (c *checker) eachEntry(out []routing.Repo, path *where) {
	const share = 250 // entries worth another goroutine
	size := max(share, (len(out)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var parts []*checker
	var workers sync.WaitGroup
	for from := 0; from < len(out); from += size {
		part := &checker{file: c.file, src: c.src, data: c.data, known: map[reflect.Type]map[string]int{}}
		parts = append(parts, part)
		workers.Go(func() {
			for i := from; i < min(from+size, len(out)); i++ {
				part.entry(&out[i], c.entries[i], path.item(i))
			}
		})
	}
	workers.Wait()
	for _, part := range parts {
		c.errors, c.more.errors = merged(c.errors, part.errors, c.more.errors+part.more.errors)
		c.warnings, c.more.warnings = merged(c.warnings, part.warnings, c.more.warnings+part.more.warnings)
	}
}

// merged appends defects up to maxDefects; more counts those beyond.
func merged(all, further []Defect, more int) ([]Defect, int) {
	n := min(len(further), maxDefects-len(all))
	return append(all, further[:n]...), more + len(further) - n
}

func (c *checker) version(root node) {
	v, ok := root.get("version")
	path, mend := (*where)(nil).field("version"), fmt.Sprintf(`write "version": %d`, Version)
	switch {
	case !ok:
		c.warn(root.start, nil, mend, `it has no "version" and is read as version %d`, Version)
	case v.kind != kindNumber:
		c.fail(v.start, path, mend, "want the number %d, got %s", Version, v.kind)
	case v.text != fmt.Sprint(Version):
		c.fail(v.start, path, mend+", or use the program that wrote it", "version %s is not known; this program reads version %d", v.text, Version)
	}
}

// entry reads one repository.
func (c *checker) entry(repo *routing.Repo, n node, path *where) {
	if n.kind != kindObject {
		c.fail(n.start, path, `write {"name": "...", ...}`, "want an object, got %s", n.kind)
		return
	}
	c.fill(repo, n, path)
	c.name(repo.Name, n, path)
	c.oneOf(n, path, "visibility", repo.Visibility, true, "public", "internal", "private")
	c.oneOf(n, path, "descriptionSource", repo.DescriptionSource, false, "human", "generated")
	c.audience(repo, n, path)
	c.addresses(repo, n, path)
	c.description(repo, n, path)
}

func (c *checker) name(name string, n node, path *where) {
	v, ok := n.get("name")
	at := path.field("name")
	switch {
	case !ok || v.kind == kindNull:
		c.fail(n.start, path, `write "name": "..."`, `it has no "name"`)
	case v.kind != kindString: // reported by fill
	case strings.TrimSpace(name) == "":
		c.fail(v.start, at, "write the repository's name", "it is empty")
	case strings.TrimSpace(v.text) != v.text || strings.ContainsFunc(v.text, unicode.IsControl):
		c.fail(v.start, at, "write the name without it", "%q begins or ends with a space or holds a control character", v.text)
	case strings.ContainsFunc(v.text, noName):
		c.fail(v.start, at, "write the name without it", "%+q holds a character that nobody sees", v.text)
	case len(name) > maxName:
		c.fail(v.start, at, "write the name that its host knows", "it is longer than %d bytes", maxName)
	}
}

// oneOf checks a word against a closed set. strict is for words that guard
// something: a misspelt one must not open it.
func (c *checker) oneOf(n node, path *where, name, value string, strict bool, allowed ...string) {
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
	report(v.start, path.field(name), "write one of "+strings.Join(allowed, ", "), "%q is not known", value)
}

// audience checks that who may see a name is said in a way that holds.
func (c *checker) audience(repo *routing.Repo, n node, path *where) {
	switch {
	case repo.Visibility == "private" && len(repo.Audience) == 0:
		v, _ := n.get("visibility")
		c.warn(v.start, path.field("visibility"), `write "audience": ["team"], or "internal" for the whole organisation`,
			"it is private and has no audience, so that nobody may see it")
	case repo.Visibility != "private" && len(repo.Audience) > 0:
		v, _ := n.get("audience")
		c.warn(v.start, path.field("audience"), `write "visibility": "private", or leave the audience out`,
			"it is not read, since the entry is not private")
	}
}

// description bounds what is read of a description.
func (c *checker) description(repo *routing.Repo, n node, path *where) {
	if len(repo.Description) <= longestDescription {
		return
	}
	if short := shorten(repo.Description, longestDescription); short != repo.Description {
		v, _ := n.get("description")
		c.warn(v.start, path.field("description"), "say in a few sentences what the repository is and who uses it",
			"it is longer than %d characters, and the rest is not read", longestDescription)
		repo.Description = short
	}
}

// names checks that every name and alias stands for one entry.
func (c *checker) names(repos []routing.Repo) {
	owner, lower := make(map[string]int, len(repos)), make(map[string]int, len(repos))
	list := (*where)(nil).field("repos")
	for i, r := range repos {
		if r.Name == "" {
			continue
		}
		path := list.item(i).field("name")
		if first, ok := owner[r.Name]; ok {
			c.fail(c.entries[i].start, path, "give each entry its own", "%q is also the name of $.repos[%d]", r.Name, first)
			continue
		}
		folded := strings.ToLower(r.Name)
		if first, ok := lower[folded]; ok {
			c.warn(c.entries[i].start, path, "write which is meant into their descriptions, or leave one out",
				"%q and %q of $.repos[%d] differ only in case, and a ticket that names one names both", r.Name, repos[first].Name, first)
		}
		owner[r.Name], lower[folded] = i, i
	}
	for i, r := range repos {
		for j, alias := range r.Aliases {
			if other, ok := owner[alias]; ok && other != i {
				c.fail(c.entries[i].start, list.item(i).field("aliases").item(j), "leave the alias out of one of the two",
					"%q already stands for %q ($.repos[%d])", alias, repos[other].Name, other)
				continue
			}
			owner[alias] = i
		}
	}
	c.references(repos, owner)
}

// references checks that what an entry depends on is there.
func (c *checker) references(repos []routing.Repo, known map[string]int) {
	var names []string
	for i, r := range repos {
		for _, list := range []struct {
			key    string
			values []string
		}{{"dependsOn", r.DependsOn}, {"providesTo", r.ProvidesTo}} {
			for j, name := range list.values {
				if _, ok := known[name]; ok {
					continue
				}
				if len(c.warnings) == maxDefects { // looking for the nearest name costs
					c.more.warnings++
					continue
				}
				if names == nil {
					names = namesOf(repos)
				}
				v, _ := c.entries[i].get(list.key)
				c.warn(v.start, (*where)(nil).field("repos").item(i).field(list.key).item(j),
					"write "+nearest(name, names, "the name or an alias of another entry, or leave it out"), "no entry is named %q", name)
			}
		}
	}
}
