package sync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

// Kind is one way in which an entry and its repository can differ.
type Kind string

// The kinds of change.
const (
	New        Kind = "new"        // a repository without an entry
	Gone       Kind = "gone"       // an entry without its repository
	Renamed    Kind = "renamed"    // the old name becomes an alias
	Moved      Kind = "moved"      // transferred to another owner or host, or its folder moved
	Archived   Kind = "archived"   // or taken out of the archive
	Branch     Kind = "branch"     // the default branch changed
	Host       Kind = "host"       // the entry learns its id, or its visibility changed
	Drifted    Kind = "drifted"    // the code changed, nobody edited the entry: drafted anew
	Edited     Kind = "edited"     // a person edited the entry: it is theirs from now on
	Both       Kind = "both"       // the code changed and a person edited: the person's words stand
	Taken      Kind = "taken"      // a person's words give way to the draft, as asked
	Unread     Kind = "unread"     // the code could not be read: nothing is said of it
	Same       Kind = "same"       // nothing to do
	Unaffected Kind = "unaffected" // not among the repositories that were looked for
)

// Changes tells whether the kind makes the registry differ from what it should say.
func (k Kind) Changes() bool {
	return k != Same && k != Unread && k != Unaffected
}

// Seen is a repository as it is now.
type Seen struct {
	// Repo is the entry that would be drafted today: identity, place, and, if its
	// code was read, the drafted fields with their Fingerprint and Drafted.
	Repo routing.Repo
	// FullName is the host's name with the owner, "acme/shop"; "" if not known.
	FullName string
	// Unread says why the code could not be read; "" when it was, or when nobody
	// wanted it read.
	Unread string
}

// Change is one thing that is different.
type Change struct {
	Kind Kind
	Why  string // in a person's words
}

// Row is what Plan found out about one repository.
type Row struct {
	Name    string       // of the entry as it will be called
	Was     routing.Repo // the entry; zero for a new repository
	Want    routing.Repo // the draft; zero for one that is gone or was not looked for
	Changes []Change     // never empty
}

// Is tells whether the row has a change of the kind.
func (r Row) Is(k Kind) bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Kind == k })
}

// Differs tells whether the registry must change for the row to be true.
func (r Row) Differs() bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Kind.Changes() })
}

// Options say how to plan.
type Options struct {
	// Here tells the entries whose repositories must be among those seen, so that
	// one that is not is gone; nil means all of them.
	Here func(routing.Repo) bool
	// Take tells the entries whose draft replaces a person's words; nil means none.
	Take func(name string) bool
}

// Plan compares the entries of a registry with the repositories as they are now.
// Rows come in the order of the entries, then the new repositories by name.
func Plan(entries []routing.Repo, seen []Seen, o Options) []Row {
	pairs := match(entries, seen)
	taken := map[string]bool{} // names of hosts that are in use now
	for _, s := range seen {
		taken[s.Repo.Name] = true
	}
	rows := make([]Row, 0, len(entries)+len(seen))
	matched := map[int]bool{}
	for i, entry := range entries {
		at, ok := pairs[i]
		switch {
		case ok:
			matched[at] = true
			rows = append(rows, compare(entry, seen[at], o))
		case o.Here == nil || o.Here(entry):
			rows = append(rows, Row{Name: entry.Name, Was: entry, Changes: []Change{{Gone, whyGone(entry, taken)}}})
		default:
			rows = append(rows, Row{Name: entry.Name, Was: entry, Changes: []Change{{Unaffected, "it lies elsewhere"}}})
		}
	}
	var fresh []Row
	for i, s := range seen {
		if !matched[i] {
			fresh = append(fresh, added(s))
		}
	}
	slices.SortStableFunc(fresh, func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
	return append(rows, fresh...)
}

func added(s Seen) Row {
	why := "no entry has its name, address or id"
	if s.Unread != "" {
		why = "its code cannot be read: " + s.Unread
	}
	return Row{Name: s.Repo.Name, Want: s.Repo, Changes: []Change{{New, why}}}
}

func whyGone(entry routing.Repo, taken map[string]bool) string {
	switch {
	case taken[entry.Name]:
		return "another repository has its name now"
	case entry.Path != "":
		return "nothing lies at " + entry.Path
	case entry.CloneURL != "":
		return entry.CloneURL + " is not there any more"
	}
	return "no repository has its name"
}

// compare says what is different between an entry and its repository.
func compare(entry routing.Repo, s Seen, o Options) Row {
	row := Row{Name: entry.Name, Was: entry, Want: s.Repo}
	row.Want.Name = entry.Name
	for _, c := range entry.Components { // a tracker was not asked every time
		if !slices.Contains(row.Want.Components, c) {
			row.Want.Components = append(slices.Clip(row.Want.Components), c)
		}
	}
	row.named(entry, s)
	row.hosted(entry, s)
	row.coded(entry, s, o.Take != nil && o.Take(entry.Name))
	if len(row.Changes) == 0 {
		row.add(Same, "")
	}
	return row
}

func (r *Row) add(k Kind, format string, args ...any) {
	r.Changes = append(r.Changes, Change{k, fmt.Sprintf(format, args...)})
}

// named follows renames and transfers. The entry's own name is the
// organisation's to choose: it changes only if it was the repository's old name.
func (r *Row) named(entry routing.Repo, s Seen) {
	is := placeOf(s.Repo.CloneURL)
	was := placeOf(entry.CloneURL)
	movedFolder := s.Repo.Path != "" && entry.Path != "" && !samePath(entry.Path, s.Repo.Path)
	name := ""
	switch {
	case entry.CloneURL != "" && s.Repo.CloneURL != "" && was.name != is.name:
		name = renamed(entry.Name, was.name, nameOf(s))
	case movedFolder:
		name = renamed(entry.Name, strings.TrimSuffix(base(entry.Path), ".git"), s.Repo.Name)
	case entry.CloneURL == "" && entry.Path == "" && !answersTo(entry, s):
		name = nameOf(s)
	}
	if name != "" && name != entry.Name {
		r.Name, r.Want.Name = name, name
		r.add(Renamed, "%s is called %s now; the old name stays as an alias", entry.Name, name)
	}
	switch {
	case entry.CloneURL != "" && s.Repo.CloneURL != "" && (was.host != is.host || was.owner != is.owner):
		r.add(Moved, "from %s to %s", was.String(), is.String())
	case entry.CloneURL != "" && s.Repo.CloneURL != "" && was.name != is.name && name == "":
		r.add(Moved, "from %s to %s", was.String(), is.String())
	case movedFolder:
		r.add(Moved, "from the folder %s to %s", entry.Path, s.Repo.Path)
	}
}

// renamed returns the entry's new name if it bore the repository's old one.
func renamed(entry, old, now string) string {
	owner, last, nested := cutLast(entry)
	if !strings.EqualFold(last, old) || strings.EqualFold(last, now) {
		return ""
	}
	if nested {
		return owner + "/" + now
	}
	return now
}

// hosted follows what the host says whoever wrote the entry.
func (r *Row) hosted(entry routing.Repo, s Seen) {
	if entry.Archived != s.Repo.Archived && s.Repo.ID != nil {
		if s.Repo.Archived {
			r.add(Archived, "nobody works on it any more; it ranks behind the others")
		} else {
			r.add(Archived, "it was taken out of the archive")
		}
	}
	if is := s.Repo.DefaultBranch; is != "" && is != entry.DefaultBranch {
		if entry.DefaultBranch != "" {
			r.add(Branch, "from %s to %s", entry.DefaultBranch, is)
		} else if s.Repo.ID != nil {
			r.add(Host, "its default branch is %s", is)
		}
	}
	switch {
	case s.Repo.ID != nil && entry.ID == nil:
		r.add(Host, "known by id %v on %s from now on", s.Repo.ID, s.Repo.Host)
	case s.Repo.CloneURL != "" && entry.CloneURL == "":
		r.add(Host, "its address is %s", s.Repo.CloneURL)
	}
	if is := s.Repo.Visibility; is != "" && is != entry.Visibility && entry.Visibility != "" {
		r.add(Host, "its visibility is %s, was %s", is, entry.Visibility)
	}
}

// coded is the table of four: did the code change, did a person edit the entry?
func (r *Row) coded(entry routing.Repo, s Seen, take bool) {
	if s.Unread != "" {
		r.add(Unread, "%s", s.Unread)
	}
	code := s.Repo.Fingerprint != "" && (s.Repo.Fingerprint != entry.Fingerprint || len(r.Want.Components) > len(entry.Components))
	person := entry.UserEdited || entry.Drafted != registry.DraftHash(entry)
	switch {
	case take && s.Repo.Fingerprint != "" && person:
		r.add(Taken, "the draft replaces a person's words, as asked")
	case code && person:
		why := "the code changed too; a person's words stand"
		if entry.Fingerprint == "" {
			why = "a person wrote it; their words stand"
		}
		r.add(Both, "%s", why)
	case code:
		r.add(Drifted, "%s", whyDrifted(entry, r.Want))
	case person && !entry.UserEdited:
		r.add(Edited, "a person edited it; no draft replaces their words unasked")
	case person && rewritten(entry, r.Want):
		r.add(Edited, "a person wrote its description")
	}
}

// rewritten tells whether the description that an entry calls drafted is a person's:
// the draft of the time is known to have said something else, since either the
// whole draft of today or the entry with today's description is what was written.
func rewritten(entry, want routing.Repo) bool {
	if entry.DescriptionSource != registry.Generated || entry.Description == "" || entry.Description == want.Description ||
		entry.Drafted == "" || want.Fingerprint == "" {
		return false
	}
	was := entry
	was.Description, was.DescriptionSource = want.Description, want.DescriptionSource
	return entry.Drafted == registry.DraftHash(want) || entry.Drafted == registry.DraftHash(was)
}
