package comment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// coverage says which repositories could not be judged by what, in a reader's words.
func coverage(w writer, d routing.Decision) []string {
	var out []string
	for _, c := range d.Coverage {
		if c.Can >= c.Of || len(out) == maxOther {
			continue
		}
		has, not := seen(w, c.Ranker)
		text := fmt.Sprintf("%d of %d repositories %s", c.Can, c.Of, has)
		if len(c.Missing) > 0 {
			text += "; " + not + ": " + some(w, c.Missing)
		}
		out = append(out, text)
	}
	return out
}

// seen words what a ranker needs of a repository.
func seen(w writer, ranker string) (has, not string) {
	switch ranker {
	case "description":
		return "have a description", "without"
	case "code":
		return "have code that could be searched", "without"
	case "registry":
		return "are known to the registry", "not"
	default:
		return "could be judged by " + w.code(ranker, maxName), "not"
	}
}

// some names the first of a list and counts the rest.
func some(w writer, names []string) string {
	var out []string
	for _, n := range names[:min(len(names), defaultShow)] {
		out = append(out, w.code(n, maxName))
	}
	text := strings.Join(out, ", ")
	if more := len(names) - len(out); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// careful takes the warnings out that a reader must not overlook: that the only
// repository the registry knows matches by chance, where the ratio says 100.
func careful(d routing.Decision, warnings []string) (open, folded []string) {
	for _, text := range warnings {
		chance := strings.HasPrefix(text, "the registry knows ") && strings.Contains(text, " by a part of a word only")
		if chance && !d.Confidence.Calibrated && d.Confidence.Ratio >= 100 && len(open) < maxOther {
			open = append(open, text)
		} else {
			folded = append(folded, text)
		}
	}
	return open, folded
}

// commonNotes are those that every shown candidate has: said once. What the tie's
// own line says is none of them.
func commonNotes(d routing.Decision, shown [][]routing.Candidate) []string {
	var common []string
	first := true
	for _, group := range shown {
		for _, c := range group {
			if first {
				common, first = slices.Clone(c.Notes), false
				continue
			}
			common = slices.DeleteFunc(common, func(n string) bool { return !slices.Contains(c.Notes, n) })
		}
	}
	common = slices.DeleteFunc(common, func(n string) bool {
		return slices.ContainsFunc(d.Ambiguities, func(a routing.Ambiguity) bool { return a.Reason == n })
	})
	return common[:min(len(common), maxDetails)]
}

// below collects what is not shown above: further reasons, places and notes, who
// was not covered, and warnings.
func below(w writer, d routing.Decision, shown [][]routing.Candidate, common, warnings []string) *details {
	said := slices.Clone(common)
	for _, a := range d.Ambiguities {
		said = append(said, a.Reason)
	}
	var out details
	for _, group := range shown {
		if len(group) > foldOver {
			continue
		}
		for _, c := range group {
			if e := more(w, c, said); len(e.Reasons)+len(e.Places)+len(e.Notes) > 0 {
				out.Entries = append(out.Entries, e)
			}
		}
	}
	for _, c := range d.Coverage {
		if len(c.Missing) > 0 && len(out.Missing) < maxOther {
			out.Missing = append(out.Missing, notCovered(w, c))
		}
	}
	for _, text := range warnings[:min(len(warnings), maxOther)] {
		out.Warnings = append(out.Warnings, w.prose(text, maxWarning))
	}
	if len(out.Entries)+len(out.Missing)+len(out.Warnings) == 0 {
		return nil
	}
	return &out
}

// more is what a candidate has beyond its line in the list. Notes that were said
// already are left out.
func more(w writer, c routing.Candidate, said []string) detail {
	e := detail{Name: w.code(c.Repo, maxName)}
	for _, r := range c.Reasons[min(len(c.Reasons), maxReasons):min(len(c.Reasons), maxReasons+maxDetails)] {
		e.Reasons = append(e.Reasons, reason(w, c, r))
	}
	for _, ev := range c.Evidence[min(len(c.Evidence), 1):min(len(c.Evidence), 1+maxDetails)] {
		text := place(w, ev)
		if ev.Why != "" {
			text += " " + w.prose(ev.Why, maxReason)
		}
		e.Places = append(e.Places, text)
	}
	for _, n := range c.Notes {
		if len(e.Notes) < maxDetails && !slices.Contains(said, n) {
			e.Notes = append(e.Notes, w.prose(n, maxReason))
		}
	}
	return e
}

func notCovered(w writer, c routing.Coverage) missing {
	m := missing{Ranker: w.prose(c.Ranker, maxName), More: max(0, len(c.Missing)-maxMissing)}
	for i, name := range c.Missing[:min(len(c.Missing), maxMissing)] {
		text := w.code(name, maxName)
		if i < len(c.Why) && c.Why[i] != "" {
			text += ": " + w.prose(c.Why[i], maxReason/2)
		}
		m.Names = append(m.Names, text)
	}
	return m
}

// asOf names the commits behind the first repositories shown, and counts the rest.
func asOf(w writer, d routing.Decision, shown [][]routing.Candidate) string {
	var names []string
	others := len(d.AsOf.Generations)
	for _, group := range shown {
		for _, c := range group {
			commit := shortHex(d.AsOf.Generations[c.Repo], 7)
			if commit == "" || len(names) == defaultShow {
				continue
			}
			names = append(names, w.code(line(c.Repo, maxName)+" @ "+commit, maxName+20))
			others--
		}
	}
	switch {
	case len(names) == 0 && others == 0:
		return "no index"
	case len(names) == 0:
		return counted(others, "indexed")
	case others == 0:
		return strings.Join(names, ", ")
	}
	return strings.Join(names, ", ") + " and " + counted(others, "more")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what + " repository"
	}
	return fmt.Sprintf("%d %s repositories", n, what)
}
