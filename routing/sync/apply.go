package sync

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

// Editor is a registry that is being changed; *registry.Edit is one.
type Editor interface {
	Put(name string, fields map[string]any) error
	PutRepo(repo routing.Repo, keep ...string) error
	Remove(name string) error
	Rename(old, name string) error
}

// Choices are what a person decides.
type Choices struct {
	RemoveGone func(name string) bool // nil removes none
	Now        string                 // RFC 3339, for lastIndexed
	Renew      bool                   // the date of entries that are found true long after it
}

// lets tells an entry that goes.
func (c Choices) lets(r Row) bool {
	return r.Is(Gone) && c.RemoveGone != nil && c.RemoveGone(r.Name)
}

// Apply carries the rows out. Entries that are gone go first, since a new
// repository may bear their name, and renames come before what is new.
func Apply(e Editor, rows []Row, c Choices) error {
	for _, r := range rows {
		if c.lets(r) {
			if err := e.Remove(r.Name); err != nil {
				return fmt.Errorf("removing %s: %w", r.Name, err)
			}
		}
	}
	a := newAliases(rows, c)
	if err := rename(e, rows, a); err != nil {
		return err
	}
	if err := restamp(e, rows); err != nil {
		return err
	}
	kept := map[string]bool{}
	for _, r := range rows {
		if r.Is(Gone) && !c.lets(r) {
			kept[r.Name] = true
		}
	}
	for _, r := range rows {
		var err error
		switch {
		case r.Is(New) && kept[r.Name]:
			err = errors.New("another entry has its name, whose repository is gone; let it go with --remove-gone")
		case r.Is(New):
			if err = a.free(e, r.Name, r.Name); err == nil {
				err = e.PutRepo(stamped(r.Want, c.Now))
			}
		case r.Is(Gone):
		case !r.Differs():
			if c.Renew && r.aged(c.Now) {
				err = e.Put(r.Name, map[string]any{"lastIndexed": c.Now})
			}
		default:
			err = e.Put(r.Name, fields(r, c.Now))
		}
		if err != nil {
			return fmt.Errorf("entering %s: %w", r.Name, err)
		}
	}
	return nil
}

// rename gives entries their new names, those first whose new name is free.
func rename(e Editor, rows []Row, a aliases) error {
	var left []Row
	held := map[string]bool{}
	for _, r := range rows {
		if r.Is(Renamed) {
			left = append(left, r)
			held[r.Was.Name] = true
		}
	}
	for len(left) > 0 {
		at := slices.IndexFunc(left, func(r Row) bool { return !held[r.Name] || strings.EqualFold(r.Name, r.Was.Name) })
		if at < 0 {
			return fmt.Errorf("renaming %s to %s: another repository gives up that name for this one; rename one of them by hand with pointsman edit", left[0].Was.Name, left[0].Name)
		}
		r := left[at]
		err := a.free(e, r.Name, r.Was.Name)
		if err == nil {
			err = e.Rename(r.Was.Name, r.Name)
		}
		if err != nil {
			return fmt.Errorf("renaming %s to %s: %w", r.Was.Name, r.Name, err)
		}
		a.renamed(r.Was.Name, r.Name)
		delete(held, r.Was.Name)
		left = slices.Delete(left, at, at+1)
	}
	return nil
}

// restamp keeps entries that nobody edited from looking edited where a rename
// changed what they say of others.
func restamp(e Editor, rows []Row) error {
	names := map[string]string{}
	for _, r := range rows {
		if r.Is(Renamed) {
			names[r.Was.Name] = r.Name
		}
	}
	for _, r := range rows {
		now := r.Was
		now.DependsOn, now.ProvidesTo = replaced(now.DependsOn, names), replaced(now.ProvidesTo, names)
		was, is := registry.DraftHash(r.Was), registry.DraftHash(now)
		if r.Is(New) || r.Is(Gone) || r.Was.Drafted != was || is == was {
			continue
		}
		if err := e.Put(r.Name, map[string]any{"drafted": is}); err != nil {
			return fmt.Errorf("entering %s: %w", r.Name, err)
		}
	}
	return nil
}

func replaced(list []string, names map[string]string) []string {
	list = slices.Clone(list)
	for i, s := range list {
		if now, ok := names[s]; ok {
			list[i] = now
		}
	}
	return list
}

// aliases are the other names of the entries, by the name each has at the time.
type aliases map[string][]string

func newAliases(rows []Row, c Choices) aliases {
	a := aliases{}
	for _, r := range rows {
		if r.Was.Name != "" && !c.lets(r) {
			a[r.Was.Name] = slices.Clone(r.Was.Aliases)
		}
	}
	return a
}

func (a aliases) renamed(old, name string) {
	list := slices.DeleteFunc(a[old], func(s string) bool { return s == name })
	delete(a, old)
	a[name] = append(list, old)
}

// free takes an alias off the entry that has it, where another repository bears
// that name now: a name leads to one repository.
func (a aliases) free(e Editor, name, bearer string) error {
	for _, entry := range slices.Sorted(maps.Keys(a)) {
		if entry == bearer || !slices.Contains(a[entry], name) {
			continue
		}
		a[entry] = slices.DeleteFunc(a[entry], func(s string) bool { return s == name })
		var left any
		if len(a[entry]) > 0 {
			left = a[entry]
		}
		if err := e.Put(entry, map[string]any{"aliases": left}); err != nil {
			return err
		}
	}
	return nil
}

// stamped is an entry as it is written for the first time.
func stamped(repo routing.Repo, now string) routing.Repo {
	if repo.Fingerprint != "" {
		repo.LastIndexed = now
	}
	return repo
}

// refresh is how old the date of the last comparison may become while the code
// stays as it was: newer ones are left, so that not every run changes the file.
const refresh = 30 * 24 * time.Hour

// aged tells an entry that was compared with its code and found true, and whose
// date says that this was done long ago, or nothing that can be read.
func (r Row) aged(now string) bool {
	if !r.Is(Same) || r.Want.Fingerprint == "" || r.Was.LastIndexed == "" {
		return false
	}
	at, err := time.Parse(time.RFC3339, now)
	if err != nil {
		return false
	}
	was, err := time.Parse(time.RFC3339, r.Was.LastIndexed)
	return err != nil || at.Sub(was) >= refresh
}

// fields are those of an entry that the row's changes set; nil removes one.
func fields(r Row, now string) map[string]any {
	f := map[string]any{}
	for _, c := range r.Changes {
		switch c.Kind {
		case Renamed, Moved:
			set(f, "cloneURL", r.Want.CloneURL, r.Want.CloneURL != "")
			set(f, "path", r.Want.Path, r.Want.Path != "" && r.Was.Path != "")
		case Archived:
			f["archived"] = nil
			set(f, "archived", true, r.Want.Archived)
		case Branch:
			f["defaultBranch"] = r.Want.DefaultBranch
		case Host:
			set(f, "id", r.Want.ID, r.Want.ID != nil)
			set(f, "host", r.Want.Host, r.Want.Host != "")
			set(f, "cloneURL", r.Want.CloneURL, r.Want.CloneURL != "")
			set(f, "defaultBranch", r.Want.DefaultBranch, r.Want.DefaultBranch != "" && r.Want.ID != nil)
			set(f, "visibility", r.Want.Visibility, r.Want.Visibility != "" && r.Was.Visibility != "")
		case Drifted, Taken:
			redraft(f, r, now)
		case Both:
			f["userEdited"] = true
			set(f, "descriptionSource", "human", rewritten(r.Was, r.Want))
			f["fingerprint"], f["lastIndexed"] = r.Want.Fingerprint, now
		case Edited:
			f["userEdited"] = true
			set(f, "descriptionSource", "human", rewritten(r.Was, r.Want))
		case New, Gone, Unread, Same, Unaffected:
		}
	}
	return f
}

func set(f map[string]any, name string, value any, when bool) {
	if when {
		f[name] = value
	}
}

// redraft sets the fields that drafting fills, and removes those that the code
// does not bear out any more. Within an object only drafted fields are touched.
func redraft(f map[string]any, r Row, now string) {
	was := Drafted(r.Was)
	for i, d := range Drafted(r.Want) {
		object, name, nested := strings.Cut(d.Name, ".")
		switch {
		case reflect.DeepEqual(d.Value, was[i].Value):
		case !nested && d.Value == nil && required(d.Name):
			f[d.Name] = []string{}
		case !nested:
			f[d.Name] = d.Value
		default:
			inner, _ := f[object].(map[string]any)
			if inner == nil {
				inner = map[string]any{}
			}
			inner[name] = d.Value
			f[object] = inner
		}
	}
	f["fingerprint"], f["lastIndexed"] = r.Want.Fingerprint, now
	f["drafted"] = registry.DraftHash(r.Want)
	set(f, "userEdited", false, r.Was.UserEdited)
}

// required are the lists that other readers of the format want to see, empty or not.
func required(name string) bool {
	return slices.Contains([]string{"owns", "endpoints", "emits", "consumes", "languages", "frameworks", "dependsOn", "providesTo"}, name)
}
