package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/comment"
	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

const (
	maxListed = 20  // findings, or names in a row
	maxLine   = 300 // characters of a finding
	maxName   = 80  // characters of a name
)

func title(reg *registry.Registry, found []finding) string {
	failures, warnings := count(found, bot.RemarkFailure), count(found, bot.RemarkWarning)
	switch {
	case failures > 0:
		return fmt.Sprintf("%s: this registry would not be used", plural(failures, "error"))
	case warnings > 0:
		return fmt.Sprintf("%s, %s to look at", plural(len(reg.Repos), "entry"), plural(warnings, "thing"))
	}
	return fmt.Sprintf("%s, nothing to mend", plural(len(reg.Repos), "entry"))
}

func summary(c Change, reg *registry.Registry, found []finding, older int) string {
	var b strings.Builder
	switch {
	case reg == nil && c.Now != nil:
		fmt.Fprintf(&b, "Pointsman could not use this registry. If it were merged as it is, the last good one, with %s, would go on answering until it is mended.\n",
			plural(len(c.Now.Repos), "entry"))
	case reg == nil:
		b.WriteString("Pointsman could not use this registry, and has no other: no ticket would be routed.\n")
	default:
		b.WriteString("Pointsman can use this registry.\n")
	}
	if len(found) > 0 {
		b.WriteString("\n### What to mend\n\n")
		for _, f := range found[:min(len(found), maxListed)] {
			where := ""
			switch {
			case f.path != "":
				where = comment.Code(f.path, maxLine) + ": "
			case f.line > 0:
				where = fmt.Sprintf("line %d: ", f.line)
			}
			fmt.Fprintf(&b, "- %s: %s%s\n", word(f.level), where, comment.Prose(f.text, maxLine))
		}
		if n := len(found) - maxListed; n > 0 {
			fmt.Fprintf(&b, "- and %d more, each at its line\n", n)
		}
	}
	if older > 0 {
		fmt.Fprintf(&b, "\n%s stood before this change; `pointsman lint` lists them all.\n", plural(older, "more thing"))
	}
	if reg != nil {
		changes(&b, c.Now, reg)
		coverage(&b, reg)
	}
	return b.String()
}

// changes compares an intended registry with the one in force.
func changes(b *strings.Builder, now, next *registry.Registry) {
	if now == nil {
		fmt.Fprintf(b, "\n### Changes\n\nThere is no registry in force yet: all %s are new.\n", plural(len(next.Repos), "entry"))
		return
	}
	var added, changed, renamed, same []string
	old := maps.Clone(now.Entries)
	for _, r := range next.Repos {
		was, ok := old[r.Name]
		switch {
		case !ok:
			if from := formerName(r, old); from != "" {
				renamed = append(renamed, comment.Code(from, maxName)+" to "+comment.Code(r.Name, maxName))
				delete(old, from)
				continue
			}
			added = append(added, comment.Code(r.Name, maxName))
		case equal(was, next.Entries[r.Name]):
			same = append(same, r.Name)
		default:
			changed = append(changed, comment.Code(r.Name, maxName))
		}
		delete(old, r.Name)
	}
	var removed []string
	for _, name := range slices.Sorted(maps.Keys(old)) {
		removed = append(removed, comment.Code(name, maxName))
	}
	b.WriteString("\n### Changes\n\n")
	fmt.Fprintf(b, "Compared with the registry in force, of %s:\n\n", plural(len(now.Repos), "entry"))
	for _, row := range []struct {
		what string
		list []string
	}{{"added", added}, {"removed", removed}, {"renamed", renamed}, {"changed", changed}} {
		if len(row.list) > 0 {
			fmt.Fprintf(b, "- %d %s: %s\n", len(row.list), row.what, some(row.list))
		}
	}
	fmt.Fprintf(b, "- %d as before\n", len(same))
}

// formerName is the name that an entry had, if it keeps it as an alias.
func formerName(r routing.Repo, old map[string]json.RawMessage) string {
	for _, a := range r.Aliases {
		if _, ok := old[a]; ok {
			return a
		}
	}
	return ""
}

// equal compares two entries but for the space in them.
func equal(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// coverage says what the entries give to route by.
func coverage(b *strings.Builder, reg *registry.Registry) {
	var owns, described, generated int
	var bare []string
	for _, r := range reg.Repos {
		if len(r.Owns) > 0 {
			owns++
		}
		if r.Description != "" {
			described++
		}
		if r.DescriptionSource == registry.Generated {
			generated++
		}
		if len(r.Owns) == 0 && r.Description == "" {
			bare = append(bare, comment.Code(r.Name, maxName))
		}
	}
	n := len(reg.Repos)
	fmt.Fprintf(b, "\n### Coverage\n\n- %d of %d entries have keywords in `owns`\n- %d of %d have a description", owns, n, described, n)
	if generated > 0 {
		fmt.Fprintf(b, ", %d of them generated: a person's words route better", generated)
	}
	b.WriteString("\n")
	if len(bare) > 0 {
		fmt.Fprintf(b, "- %d have neither, and are found by their code and names alone: %s\n", len(bare), some(bare))
	}
}

func some(list []string) string {
	out := strings.Join(list[:min(len(list), maxListed)], ", ")
	if n := len(list) - maxListed; n > 0 {
		out += fmt.Sprintf(" and %d more", n)
	}
	return out
}

func word(level string) string {
	if level == bot.RemarkFailure {
		return "error"
	}
	return level
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		noun = stem + "ie"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
