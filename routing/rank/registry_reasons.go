package rank

import (
	"fmt"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

const (
	// maxNamed bounds how many terms of one kind a reason names.
	maxNamed = 4
	// maxTerm bounds one term in a reason, characters.
	maxTerm = 80
)

// registryReasons puts the points in a person's words, the strongest first.
func registryReasons(said []saidKeyword, others []routing.Point) []string {
	var out []string
	add := func(format, rule string) {
		var terms []string
		for _, p := range others {
			if p.Rule == rule {
				terms = append(terms, quoted(p.Term))
			}
		}
		if len(terms) > 0 {
			out = append(out, fmt.Sprintf(format, joinSome(terms, maxNamed)))
		}
	}
	add("the ticket names it: %s", RuleName)
	add("the ticket names it in other spelling: %s", RuleNameWords)
	add("the ticket names %s, one of its endpoints", RuleEndpoint)
	add("the ticket names its host %s", RuleHost)
	add("the ticket names its package %s", RulePackage)
	add("the ticket says %s, the name of its package", RulePackageWord)
	add("filed under its component %s", RuleComponent)
	add("labelled %s, which points here", RuleLabel)
	add("answers with the code %s", RuleCode)
	out = append(out, ownsReasons(said)...)
	add("emits or consumes %s", RuleEvent)
	add("deals in the token claim %s", RuleClaim)
	add("reads the setting %s", RuleEnvVar)
	add("the ticket names its team, %s", RuleTeam)
	add("written in %s", RuleLanguage)
	add("built on %s", RuleFramework)
	return out
}

func ownsReasons(said []saidKeyword) []string {
	var exact, read, part []string
	for _, s := range said {
		switch {
		case s.match.exact && s.match.from == "":
			exact = append(exact, quoted(s.keyword))
		case s.match.exact:
			read = append(read, quoted(s.keyword)+" (from "+quoted(s.match.from)+")")
		case s.match.from != "":
			part = append(part, quoted(s.keyword)+" ("+quoted(s.match.token)+", from "+quoted(s.match.from)+")")
		default:
			part = append(part, quoted(s.keyword)+" ("+quoted(s.match.token)+")")
		}
	}
	var out []string
	if len(exact) > 0 {
		out = append(out, "owns "+joinSome(exact, maxNamed))
	}
	if len(read) > 0 {
		out = append(out, "owns "+joinSome(read, maxNamed))
	}
	if len(part) > 0 {
		out = append(out, "near what it owns: "+joinSome(part, maxNamed))
	}
	return out
}

// quoted puts a term between quotation marks, cut to a bearable length.
func quoted(s string) string {
	if len(s) > maxTerm {
		if r := []rune(s); len(r) > maxTerm {
			s = string(r[:maxTerm-1]) + "…"
		}
	}
	return "“" + s + "”"
}

// joinSome lists at most n terms: "a, b and c", "a, b and 3 more".
func joinSome(terms []string, n int) string {
	if len(terms) > n {
		return fmt.Sprintf("%s and %d more", strings.Join(terms[:n-1], ", "), len(terms)-n+1)
	}
	if len(terms) < 2 {
		return strings.Join(terms, "")
	}
	return strings.Join(terms[:len(terms)-1], ", ") + " and " + terms[len(terms)-1]
}
