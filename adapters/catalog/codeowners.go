package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const (
	maxCodeowners = 3 << 20 // what GitHub reads, bytes
	maxRules      = 20_000
)

// Codeowners reads a CODEOWNERS file in the forms of GitHub, GitLab (sections
// with default owners) and Bitbucket. Lines that make no sense are errors that
// name the line; the others are read all the same.
func Codeowners(text []byte) ([]Rule, []error) {
	if len(text) > maxCodeowners {
		return nil, []error{fmt.Errorf("reading CODEOWNERS: it has %d bytes, hosts read at most %d: shorten it", len(text), maxCodeowners)}
	}
	var rules []Rule
	var errs []error
	section, inherited := "", []string(nil)
	number := 0
	for line := range strings.SplitSeq(strings.TrimPrefix(strings.ToValidUTF8(string(text), "\ufffd"), "\ufeff"), "\n") {
		number++
		words, err := fieldsOf(line)
		if err != nil {
			errs = append(errs, fmt.Errorf("CODEOWNERS line %d: %w", number, err))
			continue
		}
		if len(words) == 0 {
			continue
		}
		if name, rest, ok := sectionOf(strings.TrimSpace(line)); ok {
			section = name
			inherited = owners(strings.Fields(rest))
			continue
		}
		named := owners(words[1:])
		if len(named) < len(words)-1 {
			errs = append(errs, fmt.Errorf("CODEOWNERS line %d: %q is no owner: write @user, @org/team or an address", number, stranger(words[1:])))
		}
		if len(words) == 1 {
			named = slices.Clone(inherited)
		}
		if len(rules) == maxRules {
			return rules, append(errs, fmt.Errorf("CODEOWNERS line %d: more than %d rules: the rest is not read", number, maxRules))
		}
		rules = append(rules, Rule{Pattern: words[0], Owners: named, Section: section, Line: number})
	}
	return rules, errs
}

// fieldsOf splits a line into its words: "\ " and "\#" stand for the character
// alone, and "#" at the start of a word begins a comment.
func fieldsOf(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	started, escaped := false, false
	for _, r := range strings.TrimRight(line, "\r") {
		switch {
		case escaped:
			if r != ' ' && r != '#' && r != '\\' && r != '@' {
				word.WriteByte('\\')
			}
			word.WriteRune(r)
			escaped = false
		case r == '\\':
			started, escaped = true, true
		case r == '#' && !started:
			return words, nil
		case r == ' ' || r == '\t':
			if started {
				words = append(words, word.String())
				word.Reset()
				started = false
			}
		default:
			started = true
			word.WriteRune(r)
		}
	}
	if escaped {
		return nil, fmt.Errorf("it ends in a backslash that escapes nothing")
	}
	if started {
		words = append(words, word.String())
	}
	return words, nil
}

// sectionOf reads GitLab's "[Name]", "^[Name][2] @owner" lines. A pattern may hold
// brackets, so that only a line that begins with one is a section.
func sectionOf(line string) (name, rest string, ok bool) {
	line = strings.TrimPrefix(line, "^")
	if !strings.HasPrefix(line, "[") {
		return "", "", false
	}
	name, rest, ok = strings.Cut(line[1:], "]")
	if !ok || strings.TrimSpace(name) == "" {
		return "", "", false
	}
	if strings.HasPrefix(rest, "[") {
		if _, after, closed := strings.Cut(rest, "]"); closed {
			rest = after
		}
	}
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", "", false
	}
	return strings.TrimSpace(name), rest, true
}

// owners keeps the words that name somebody.
func owners(words []string) []string {
	var named []string
	for _, w := range words {
		if isOwner(w) && !slices.Contains(named, w) {
			named = append(named, w)
		}
	}
	return named
}

func isOwner(w string) bool {
	if name, ok := strings.CutPrefix(w, "@"); ok {
		return strings.Trim(name, "@") != ""
	}
	before, after, ok := strings.Cut(w, "@")
	return ok && before != "" && strings.Contains(after, ".")
}

func stranger(words []string) string {
	for _, w := range words {
		if !isOwner(w) {
			return w
		}
	}
	return ""
}

// OwnersOf tells who owns the repository as a whole: the owners of the last rule
// for everything, or else the owner that most rules name. The team is the last
// part of the first owner that is one, "payments" for "@acme/payments".
func OwnersOf(rules []Rule) (named []string, team string) {
	for _, r := range rules {
		switch r.Pattern {
		case "*", "/", "/**", "**", "/*", "**/*":
			if len(r.Owners) > 0 {
				named = slices.Clone(r.Owners)
			}
		}
	}
	if named == nil {
		count := map[string]int{}
		for _, r := range rules {
			for _, o := range r.Owners {
				count[o]++
			}
		}
		if len(count) > 0 {
			named = []string{slices.MinFunc(slices.Collect(maps.Keys(count)), func(a, b string) int {
				return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
			})}
		}
	}
	for _, o := range named {
		if strings.HasPrefix(o, "@") && strings.Contains(o, "/") {
			return named, o[strings.LastIndexByte(o, '/')+1:]
		}
	}
	return named, ""
}
