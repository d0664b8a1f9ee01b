package registry

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// identities warns of entries that are one repository of one host: a rename that
// left the old entry behind, mostly. Parts of one repository, which have its
// address and a path each, are meant.
func (c *checker) identities(repos []routing.Repo) {
	first := make(map[string]int, len(repos))
	for i, r := range repos {
		if r.ID == nil {
			c.oneAddress(repos, i, first)
			continue
		}
		id := hostOf(r) + " " + fmt.Sprint(r.ID)
		j, ok := first[id]
		if !ok {
			first[id] = i
			continue
		}
		if partsOfOne(repos[j], r) {
			continue
		}
		v, _ := c.entries[i].get("id")
		c.warn(v.start, (*where)(nil).field("repos").item(i).field("id"),
			`keep one of the two, with the other's name in its "aliases"; parts of one repository have the same "cloneURL" and a "path" each`,
			"%q has this id as well ($.repos[%d])", repos[j].Name, j)
	}
}

// oneAddress warns of an entry without an id that has address and path of another
// such entry.
func (c *checker) oneAddress(repos []routing.Repo, i int, first map[string]int) {
	r := repos[i]
	if r.CloneURL == "" {
		return
	}
	key := placeOf(r.CloneURL) + "\n" + strings.Trim(strings.TrimPrefix(r.Path, "./"), "/")
	j, ok := first[key]
	if !ok {
		first[key] = i
		return
	}
	v, _ := c.entries[i].get("cloneURL")
	c.warn(v.start, (*where)(nil).field("repos").item(i).field("cloneURL"),
		`keep one of the two, with the other's name in its "aliases"; parts of one repository have a "path" each`,
		"%q is this repository as well ($.repos[%d])", repos[j].Name, j)
}

// placeOf is what addresses of one repository have in common, however they are
// spelled: host and path without user, scheme and ".git".
func placeOf(cloneURL string) string {
	_, rest, isURL := strings.Cut(cloneURL, "://")
	if !isURL { // git@host:owner/name
		rest = strings.Replace(cloneURL, ":", "/", 1)
	}
	host, path, _ := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	return strings.ToLower(host) + "/" + strings.TrimSuffix(strings.Trim(path, "/"), ".git")
}

func partsOfOne(a, b routing.Repo) bool {
	return a.CloneURL != "" && a.CloneURL == b.CloneURL && a.Path != b.Path
}

// hostOf is the host of an entry in lower case, from its address where it names none.
func hostOf(r routing.Repo) string {
	host := r.Host
	if host == "" && strings.Contains(r.CloneURL, "://") {
		if u, err := url.Parse(r.CloneURL); err == nil {
			host = u.Host
		}
	} else if host == "" {
		host, _, _ = strings.Cut(r.CloneURL, ":")
		host = host[strings.LastIndexByte(host, '@')+1:]
	}
	return strings.ToLower(host)
}
