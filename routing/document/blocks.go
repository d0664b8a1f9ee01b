package document

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Bounds of what a block says of one thing.
const (
	maxKeywords = 200 // keywords listed
	maxWord     = 60  // characters of a keyword
	maxName     = 100 // characters of a name
	maxReason   = 300 // characters of a reason
	maxWarnings = 20
	maxWarning  = 400 // characters of a warning
)

// Decision prints the ROUTING DECISION block, for the agent that leads.
func (v View) Decision() string {
	var b strings.Builder
	b.WriteString("ROUTING DECISION\n================\n")
	fmt.Fprintf(&b, "Ticket keywords: %s\n", keywords(v.Keywords))
	fmt.Fprintf(&b, "Routing confidence: %d%%\n\n", v.Confidence)
	b.WriteString("Candidates (ranked):\n")
	for i, c := range v.Candidates {
		fmt.Fprintf(&b, "%d. %s  score=%s  reason=\"%s\"\n", i+1, name(c.Repo), number(c.Score), reason(c.Reasons))
	}
	if len(v.Candidates) == 0 {
		b.WriteString("(none)\n")
	}
	fmt.Fprintf(&b, "\nAction: %s\n", v.words())
	if v.Action == ActionNone {
		b.WriteString(NoCandidate + "\n")
	}
	for i, w := range v.Warnings {
		if i == maxWarnings {
			fmt.Fprintf(&b, "Warning: and %d more\n", len(v.Warnings)-i)
			break
		}
		fmt.Fprintf(&b, "Warning: %s\n", Line(w, maxWarning))
	}
	return b.String()
}

// Context prints the ROUTING CONTEXT block for the specialist of one candidate.
// The error names those that there are.
func (v View) Context(repo string) (string, error) {
	at := -1
	var names []string
	for i, c := range v.Candidates {
		if names = append(names, c.Repo); c.Repo == repo {
			at = i
		}
	}
	switch {
	case len(names) == 0:
		return "", fmt.Errorf("%s is no candidate: no entry of the registry has a point for this ticket", repo)
	case at < 0:
		return "", fmt.Errorf("%s is no candidate for this ticket; ask for one of %s", repo, strings.Join(names, ", "))
	}
	me := v.Candidates[at]
	var b strings.Builder
	b.WriteString("ROUTING CONTEXT\n===============\n")
	fmt.Fprintf(&b, "Ticket keywords (normalized): %s\n", keywords(v.Keywords))
	fmt.Fprintf(&b, "Routing confidence: %d%%\n", v.Confidence)
	fmt.Fprintf(&b, "Your routing score: %s (raw=%s, normalized=%.1f)\n", number(me.Score), number(me.Raw), me.Score)
	fmt.Fprintf(&b, "Reason you were selected: %s\n", reason(me.Reasons))
	b.WriteString("\nTeammates in this triage (agent name first — use it as the mailbox address):\n")
	for i, c := range v.Candidates {
		if i != at {
			fmt.Fprintf(&b, "  agent: %s  name: %s  score=%s  reason=\"%s\"\n", c.agent(), name(c.Repo), number(c.Score), reason(c.Reasons))
		}
	}
	if len(v.Candidates) == 1 {
		b.WriteString("  (none)\n")
	}
	return b.String(), nil
}

// agent is the address of a candidate's specialist.
func (c Candidate) agent() string {
	if strings.TrimSpace(c.Agent) != "" {
		return name(c.Agent)
	}
	return "repo-" + name(c.Repo)
}

// number writes points with at most two decimals.
func number(n float64) string {
	s := strconv.FormatFloat(n, 'f', 2, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

func keywords(words []string) string {
	more := max(0, len(words)-maxKeywords)
	kept := make([]string, 0, len(words)-more+1)
	for _, w := range words[:len(words)-more] {
		kept = append(kept, strings.ReplaceAll(Line(w, maxWord), ",", " "))
	}
	if more > 0 {
		kept = append(kept, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(kept, ", ")
}

// name writes a repository's name as one word: what follows it on its line cannot
// be its own.
func name(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '=' || r == '"' || r == '`' || r == ',' || r == '(' || unicode.IsSpace(r) {
			return '_'
		}
		return r
	}, Line(s, maxName))
}

func reason(reasons []string) string { return Line(strings.Join(reasons, "; "), maxReason) }

// Line makes a text one line of bounded length without double quotes: text of
// tickets and registries must not end its field of a block, nor begin another.
func Line(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '"':
			return '\''
		case unicode.IsSpace(r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return s
}
