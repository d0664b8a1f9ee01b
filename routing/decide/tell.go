package decide

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/fuse"
)

// told returns the one member that the ticket's marks favour by a tell rule, and
// by what. Marks that point at two members tell nothing.
func told(in Input, members []fuse.Scored) (repo, by string) {
	names := namesOf(members)
	for _, r := range in.Repos {
		if !slices.Contains(names, r.Name) {
			continue
		}
		mark := markOf(in, r, names)
		if mark == "" {
			continue
		}
		if repo != "" {
			return "", ""
		}
		repo, by = r.Name, "told from its siblings by "+mark
	}
	return repo, by
}

// markOf returns what in the ticket matches a tell rule of r against one of names.
func markOf(in Input, r routing.Repo, names []string) string {
	for _, s := range r.Siblings {
		if !sibling(in.Repos, s.Repo, names) {
			continue
		}
		for _, tell := range s.Tell {
			if mark := match(in.Ticket, tell.Matches); mark != "" {
				return mark
			}
		}
	}
	return ""
}

// sibling reports whether a declared sibling, by name or alias, is one of names.
func sibling(repos []routing.Repo, declared string, names []string) bool {
	if slices.Contains(names, declared) {
		return true
	}
	return slices.ContainsFunc(repos, func(r routing.Repo) bool {
		return slices.Contains(names, r.Name) && slices.Contains(r.Aliases, declared)
	})
}

func match(t routing.Ticket, m routing.Match) string {
	text := strings.ToLower(t.Title + "\n" + t.Body)
	for _, rule := range []struct {
		what  string
		marks []string
		in    func(mark string) bool
	}{
		{"the host", m.Hosts, func(mark string) bool { return host(text, strings.ToLower(mark)) }},
		{"the words", m.Words, func(mark string) bool { return phrase(text, strings.ToLower(mark)) }},
		{"the label", m.Labels, func(mark string) bool { return containsFold(t.Labels, mark) }},
		{"the component", m.Components, func(mark string) bool { return containsFold(t.Components, mark) }},
		{"the environment", m.Environment, func(mark string) bool {
			return phrase(strings.ToLower(t.Environment), strings.ToLower(mark))
		}},
	} {
		for _, mark := range rule.marks {
			if mark != "" && rule.in(mark) {
				return fmt.Sprintf("%s “%s”", rule.what, mark)
			}
		}
	}
	return ""
}

// host reports whether text names this very host, not one that only begins or
// ends like it.
func host(text, h string) bool {
	return whole(text, h, func(r rune) bool { return wordRune(r) || r == '-' || r == '.' || r == '_' },
		func(r rune) bool { return wordRune(r) || r == '-' || r == '_' })
}

// phrase reports whether text holds p as whole words. Both are lower case.
func phrase(text, p string) bool { return whole(text, p, wordRune, wordRune) }

// whole reports whether text holds p with nothing of its kind before or after it.
func whole(text, p string, joinsBefore, joinsAfter func(rune) bool) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], p)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(p)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		longer := after == '.' && end+1 < len(text) && wordRune(rune(text[end+1])) && joinsBefore('.') // example.com.au
		if !joinsBefore(before) && !joinsAfter(after) && !longer {
			return true
		}
		from = start + 1
	}
}

// wordRune tells letters and digits of alphabets that put spaces between words;
// Chinese and Japanese words have no edges to check.
func wordRune(r rune) bool {
	return r != utf8.RuneError && r < 0x2e80 && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

func containsFold(list []string, s string) bool {
	return s != "" && slices.ContainsFunc(list, func(x string) bool { return strings.EqualFold(x, s) })
}
