package mine

import (
	"fmt"
	"strings"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/gold"
)

// NamesOf lists the names by which messages may call repositories: their own,
// their aliases, and owner/name of the place they are cloned from. What two
// repositories claim, neither has.
func NamesOf(repos []routing.Repo) Names {
	names := Names{}
	claim := func(alias, name string) {
		alias = strings.ToLower(strings.TrimSpace(alias))
		if was, ok := names[alias]; ok && was != name {
			name = ""
		}
		if alias != "" {
			names[alias] = name
		}
	}
	for _, r := range repos {
		for _, alias := range append([]string{r.Name}, r.Aliases...) {
			claim(alias, r.Name)
		}
		url := strings.TrimSuffix(strings.TrimSuffix(r.CloneURL, "/"), ".git")
		url = strings.ReplaceAll(url, ":", "/")
		if parts := strings.Split(url, "/"); len(parts) > 2 {
			claim(parts[len(parts)-2]+"/"+parts[len(parts)-1], r.Name)
		}
	}
	for alias, name := range names {
		if name == "" {
			delete(names, alias)
		}
	}
	return names
}

// Keyed puts texts of a tracker under the keys that references have: PROJ-12 in
// upper case, "repo#12" for an issue of a known repository, "bug#12" for a bare
// number. Two repositories of a live tracker that messages cannot tell apart are an
// error.
func Keyed(texts []gold.Text, names Names) (map[string]Ticket, error) {
	tickets := make(map[string]Ticket, len(texts))
	places := map[string]string{} // repository as in keys, to owner/name as the tracker has it
	p := parser{names: names}
	for _, t := range texts {
		key := strings.TrimSpace(t.Key)
		ticket := Ticket{Title: t.Title, Body: t.Body, Created: t.Created, Listed: t.Listed}
		switch where, n, ok := strings.Cut(key, "#"); {
		case ok && where != "" && !strings.EqualFold(where, "bug"):
			if repo := p.repository(where); repo != "" {
				key = repo + "#" + n
				if was, ok := places[repo]; t.Listed != "" && ok && was != where {
					return nil, fmt.Errorf("the issues of %s and %s are both cited as %s; take one of them at a time", was, where, key)
				}
				if t.Listed != "" {
					places[repo], ticket.place = where, where
				}
			}
		case ok:
			key = "bug#" + n
		case strings.Trim(key, "0123456789") == "":
			key = "bug#" + key
		default:
			key = strings.ToUpper(key)
		}
		tickets[key] = ticket
	}
	return tickets, nil
}
