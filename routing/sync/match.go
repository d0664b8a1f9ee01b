package sync

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"strings"
	"unicode"

	"github.com/pointsman/pointsman/routing"
)

// match pairs entries with the repositories they stand for, by index. What a host
// calls a repository in its own numbers comes first, then its address, its folder,
// its name and aliases, and last, for a folder that was renamed, its contents.
func match(entries []routing.Repo, seen []Seen) map[int]int {
	m := &matcher{entries: entries, seen: seen, pairs: map[int]int{}, used: map[int]bool{}}
	m.by(ids)
	m.by(addresses)
	m.by(folders)
	m.by(func(r routing.Repo) []string { return []string{r.Name} })
	m.byName()
	m.byContents()
	return m.pairs
}

type matcher struct {
	entries []routing.Repo
	seen    []Seen
	pairs   map[int]int  // entry to seen
	used    map[int]bool // seen
}

func (m *matcher) pair(entry, at int) bool {
	if _, ok := m.pairs[entry]; ok || m.used[at] || strangers(m.entries[entry], m.seen[at].Repo) {
		return false
	}
	m.pairs[entry], m.used[at] = at, true
	return true
}

// by pairs what shares a key. Where several entries share one, as parts of one
// repository do, the name decides.
func (m *matcher) by(keys func(routing.Repo) []string) {
	owners := map[string][]int{}
	for i, e := range m.entries {
		for _, k := range keys(e) {
			owners[k] = append(owners[k], i)
		}
	}
	for at, s := range m.seen {
		for _, k := range keys(s.Repo) {
			list := owners[k]
			for _, i := range list {
				if len(list) == 1 || answersTo(m.entries[i], s) {
					m.pair(i, at)
				}
			}
		}
	}
}

// byName pairs by alias, full name, and without regard to case.
func (m *matcher) byName() {
	for at, s := range m.seen {
		for i, e := range m.entries {
			if answersTo(e, s) && m.pair(i, at) {
				break
			}
		}
	}
}

// byContents finds folders that were renamed: one entry and one repository are
// left that hold the same code, and no other does.
func (m *matcher) byContents() {
	left := map[string][]int{}
	for i, e := range m.entries {
		if _, ok := m.pairs[i]; !ok && e.Fingerprint != "" {
			left[e.Fingerprint] = append(left[e.Fingerprint], i)
		}
	}
	holds := map[string]int{}
	for _, s := range m.seen {
		holds[s.Repo.Fingerprint]++
	}
	for at, s := range m.seen {
		if list := left[s.Repo.Fingerprint]; len(list) == 1 && holds[s.Repo.Fingerprint] == 1 {
			m.pair(list[0], at)
		}
	}
}

// strangers tells two repositories of one host that have different ids, whatever
// their names are: one was deleted and another made in its place.
func strangers(a, b routing.Repo) bool {
	return a.ID != nil && b.ID != nil && hostOf(a) == hostOf(b) && fmt.Sprint(a.ID) != fmt.Sprint(b.ID)
}

func hostOf(r routing.Repo) string {
	return strings.ToLower(cmp.Or(r.Host, placeOf(r.CloneURL).host))
}

func ids(r routing.Repo) []string {
	if r.ID == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s %v", hostOf(r), r.ID)}
}

func addresses(r routing.Repo) []string {
	p := placeOf(r.CloneURL)
	if p.name == "" {
		return nil
	}
	return []string{p.String()}
}

func folders(r routing.Repo) []string {
	if r.Path == "" {
		return nil
	}
	return []string{cleanPath(r.Path)}
}

func samePath(a, b string) bool { return cleanPath(a) == cleanPath(b) }

// cleanPath takes "./shop/" and "shop" for the same folder.
func cleanPath(p string) string { return path.Clean(strings.ReplaceAll(p, `\`, "/")) }

func base(p string) string { return path.Base(cleanPath(p)) }

// answersTo tells whether the repository goes by the entry's name or an alias.
func answersTo(entry routing.Repo, s Seen) bool {
	for _, name := range append([]string{entry.Name}, entry.Aliases...) {
		if strings.EqualFold(name, s.Repo.Name) || s.FullName != "" && strings.EqualFold(name, s.FullName) {
			return true
		}
	}
	return false
}

// nameOf is what the repository is called today.
func nameOf(s Seen) string {
	if s.FullName != "" {
		_, last, _ := cutLast(s.FullName)
		return last
	}
	return s.Repo.Name
}

func cutLast(s string) (before, last string, found bool) {
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return "", s, false
}

// BelongsTo tells the entries whose repository an owner on a host has to have:
// those with an address there, and those that say nothing of where they lie.
func BelongsTo(r routing.Repo, host, owner string) bool {
	p := placeOf(r.CloneURL)
	if p.name == "" {
		return r.ID != nil && (r.Host == "" || strings.EqualFold(r.Host, host))
	}
	return strings.EqualFold(p.host, host) && strings.EqualFold(p.owner, owner)
}

// place is where a clone address leads.
type place struct{ host, owner, name string }

// String writes a place as "host/owner/name".
func (p place) String() string {
	return strings.Trim(p.host+"/"+path.Join(p.owner, p.name), "/")
}

// placeOf reads the addresses that git takes: URLs, and "git@host:owner/name".
// Case is folded, as hosts do.
func placeOf(address string) place {
	s := strings.ToLower(strings.TrimSpace(address))
	if s == "" {
		return place{}
	}
	var host, rest string
	if u, err := url.Parse(s); err == nil && u.Scheme != "" && strings.Contains(s, "://") {
		host, rest = u.Host, u.Path
		if u.Scheme == "ssh" { // a port of ssh says nothing about https
			host = u.Hostname()
		}
	} else if before, after, ok := strings.Cut(s, ":"); ok && !strings.Contains(before, "/") {
		host, rest = before[strings.LastIndexByte(before, '@')+1:], after
	} else {
		rest = s
	}
	owner, name, _ := cutLast(strings.TrimSuffix(strings.Trim(rest, "/"), ".git"))
	return place{host: host, owner: owner, name: name}
}

// SameName tells whether two names are one but for case and for what people write
// between words: "Order API", "order-api" and "order_api".
func SameName(a, b string) bool {
	fold := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	return fold(a) != "" && fold(a) == fold(b)
}
