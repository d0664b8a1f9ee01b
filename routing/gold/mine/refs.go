package mine

import (
	"strings"
	"unicode/utf8"
)

// The kinds of trackers that a reference can point into.
const (
	TrackerJira   = "jira"   // PROJ-12: a project and a number
	TrackerIssues = "issues" // repo#12: numbers of one repository
	TrackerBugs   = "bugs"   // bug#12, story#12: numbers that all repositories share
)

// The rules by which a commit is linked to a ticket, in the order of their
// standing: where two rules name different tickets, the earlier one is heard.
const (
	RuleKey     = "key"     // PROJ-12 in the message
	RuleTrailer = "trailer" // Closes-Bug: #12, Partial-Bug, Bug: 12, Fixes: #12
	RuleCloses  = "closes"  // fixes #12, closes org/repo#12
	RuleNumber  = "number"  // #12, gh-12, org/repo#12, a link to an issue
	RuleMerge   = "merge"   // the message of the merge that brought the commit in
	RuleBranch  = "branch"  // the name of the only branch that holds the commit
	RulePull    = "pull"    // title (#12), pull request #12: counted on request only
	RuleVague   = "vague"   // #336699 that nothing calls a ticket, maybe a colour: counted when the ticket is known
	RuleRelated = "related" // Related-Bug: #12: counted on request only
)

// Ref is one reference to a ticket.
type Ref struct {
	Key     string // "PROJ-12", "repo#12", "bug#12", "owner/repo#12" for a repository that is not among the mined
	Tracker string
	Rule    string
	Text    string // as it stands in the message
}

// Names turns the names that messages use for repositories into those of the gold.
type Names map[string]string // lower case: "repo", "owner/repo" or an alias, to the name

// maxRefs bounds the references of one message; what cites more is a list.
const maxRefs = 64

// Parse finds the references in the message of a commit of repo, each ticket
// once, in the order of the text. Jira keys of any project are returned.
func Parse(message, repo string, names Names) []Ref {
	p := parser{text: message, repo: repo, names: names, seen: map[string]int{}}
	for i := 0; i < len(message) && len(p.refs) < maxRefs; i++ {
		if !digit(message[i]) {
			continue
		}
		end := i
		for end < len(message) && digit(message[end]) {
			end++
		}
		p.number(i, end)
		i = end
	}
	return p.refs
}

type parser struct {
	text, repo string
	names      Names
	refs       []Ref
	seen       map[string]int // ticket to its place in refs
}

// add keeps a reference, or raises the standing of one that is there.
func (p *parser) add(r Ref) {
	if r.Key == "" {
		return
	}
	if i, ok := p.seen[r.Key]; ok {
		if standing(r) < standing(p.refs[i]) {
			p.refs[i].Rule = r.Rule
		}
		return
	}
	p.seen[r.Key] = len(p.refs)
	p.refs = append(p.refs, r)
}

// standing orders references: the lower is heard before the higher.
func standing(r Ref) int {
	switch r.Rule {
	case RuleKey:
		return 0
	case RuleTrailer, RuleCloses:
		if r.Tracker == TrackerBugs {
			return 0
		}
		return 1
	case RuleNumber:
		return 2
	case RuleMerge:
		return 3
	case RuleBranch:
		return 4
	case RulePull, RuleVague:
		return 5
	}
	return 6
}

// maxDigits bounds the numbers of tickets; longer ones are hashes, times, ids.
const maxDigits = 8

// number looks at the run of digits [i,end) and what stands before it.
func (p *parser) number(i, end int) {
	n := strings.TrimLeft(p.text[i:end], "0")
	if n == "" || len(n) > maxDigits || i == 0 || (end < len(p.text) && wordByte(p.text[end])) {
		return
	}
	switch p.text[i-1] {
	case '-':
		p.dashed(i-1, end, n)
	case '#':
		p.hashed(i-1, end, n)
	case '/':
		p.linked(i-1, end, n)
	case ' ', ':', '\t':
		p.spoken(i, end, n)
	}
}

// dashed reads PROJ-12 and gh-12; dash is the place of the dash.
func (p *parser) dashed(dash, end int, n string) {
	start := dash
	for start > max(0, dash-lookBack) && wordByte(p.text[start-1]) {
		start--
	}
	word := p.text[start:dash]
	if start > 0 && (p.text[start-1] == '-' || p.text[start-1] == '.') || fraction(p.text[end:]) {
		return
	}
	switch upper := strings.ToUpper(word); {
	case upper == "GH":
		p.add(Ref{p.repo + "#" + n, TrackerIssues, RuleNumber, p.text[start:end]})
	case upper == "PR":
		p.add(Ref{p.repo + "#" + n, TrackerIssues, RulePull, p.text[start:end]})
	case projectKey(word):
		p.add(Ref{word + "-" + n, TrackerJira, RuleKey, p.text[start:end]})
	}
}

// fraction tells that a number goes on: 1.5, 1-2.
func fraction(rest string) bool {
	return len(rest) > 1 && (rest[0] == '.' || rest[0] == '-') && digit(rest[1])
}

// projectKey tells a word that could be the key of a Jira project.
func projectKey(w string) bool {
	if len(w) < 2 || len(w) > 20 || w[0] < 'A' || w[0] > 'Z' {
		return false
	}
	for i := range len(w) {
		if c := w[i]; (c < 'A' || c > 'Z') && !digit(c) && c != '_' {
			return false
		}
	}
	return true
}

// hashed reads #12 and what stands before it; hash is the place of the #.
func (p *parser) hashed(hash, end int, n string) {
	start := hash
	for start > max(0, hash-lookBack) && (wordByte(p.text[start-1]) || strings.IndexByte("./-", p.text[start-1]) >= 0) {
		start--
	}
	if start > 0 && p.text[start-1] == '&' && end < len(p.text) && p.text[end] == ';' {
		return // &#39; is an apostrophe
	}
	where := strings.Trim(p.text[start:hash], "./-")
	text := p.text[start:end]
	word, line := p.before(start)
	if where != "" {
		if strings.EqualFold(where, "bug") || strings.EqualFold(where, "pr") || strings.EqualFold(where, "gh") {
			word, where = strings.ToLower(where), ""
		} else if where = p.repository(where); where == "" {
			return
		}
	}
	r := Ref{Key: p.repo + "#" + n, Tracker: TrackerIssues, Rule: RuleNumber, Text: text}
	if where != "" {
		r.Key = where + "#" + n
	}
	rule, shared := trailerRule(line)
	switch {
	case where == "" && (shared != "" || word == "bug" && len(n) >= minBugDigits):
		if shared == "" {
			shared = "bug"
		}
		r.Key, r.Tracker, r.Rule = shared+"#"+n, TrackerBugs, RuleTrailer
		if rule == RuleRelated {
			r.Rule = rule
		}
	case rule != "":
		r.Rule = rule
	case closing(word):
		r.Rule = RuleCloses
	case word == "pr" || word == "pull" || word == "request" || p.endsTitle(start, end):
		r.Rule = RulePull
	case where == "" && start > 0 && end-hash > colourDigits && !spokenOf(word):
		r.Rule = RuleVague
	}
	p.add(r)
}

// colourDigits is the length of a colour such as #336699. Few repositories have so
// many issues that one of them is mistaken for it.
const colourDigits = 6

// spokenOf tells the words behind which a long number is a ticket and no colour.
func spokenOf(word string) bool {
	switch word {
	case "issue", "issues", "bug", "ticket", "gh", "see", "refs", "re", "addresses":
		return true
	}
	return false
}

// minBugDigits is the length from which a spoken bug number is one of a tracker
// that repositories share.
const minBugDigits = 4

// repository returns the name that stands for "repo" or "owner/repo" before a #;
// "" where it is no repository.
func (p *parser) repository(where string) string {
	lower := strings.ToLower(where)
	if name, ok := p.names[lower]; ok {
		return name
	}
	owner, repo, ok := strings.Cut(lower, "/")
	if !ok || owner == "" || repo == "" || strings.Contains(repo, "/") {
		return ""
	}
	if name, ok := p.names[repo]; ok {
		return name
	}
	return lower
}

// linked reads .../+bug/12, .../owner/repo/issues/12, .../pull/12.
func (p *parser) linked(slash, end int, n string) {
	start := slash
	for start > max(0, slash-lookBack) && p.text[start-1] > ' ' && strings.IndexByte(`<>()[]"'`, p.text[start-1]) < 0 {
		start--
	}
	scheme, _, ok := strings.Cut(p.text[start:slash], "://")
	if !ok || strings.Contains(scheme, "/") {
		return
	}
	parts := strings.Split(p.text[start:slash], "/")
	text := p.text[start:end]
	switch last := parts[len(parts)-1]; {
	case last == "+bug" || last == "bugs":
		r := Ref{"bug#" + n, TrackerBugs, RuleNumber, text}
		_, line := p.before(start)
		if rule, _ := trailerRule(line); rule != "" {
			r.Rule = rule
		}
		p.add(r)
	case (last == "issues" || last == "pull") && len(parts) >= 6:
		r := Ref{p.repository(parts[len(parts)-3]+"/"+parts[len(parts)-2]) + "#" + n, TrackerIssues, RuleNumber, text}
		word, line := p.before(start)
		if rule, _ := trailerRule(line); rule != "" {
			r.Rule = rule
		} else if closing(word) {
			r.Rule = RuleCloses
		}
		if last == "pull" {
			r.Rule = RulePull
		}
		p.add(r)
	}
}

// spoken reads "bug 1234" and trailers without a #.
func (p *parser) spoken(i, end int, n string) {
	word, line := p.before(i)
	rule, shared := trailerRule(line)
	bug := word == "bug" || word == "bugzilla"
	if len(n) < minBugDigits || shared == "" && !bug || fraction(p.text[end:]) {
		return
	}
	if rule == "" {
		rule = RuleTrailer
	}
	if shared == "" {
		shared = "bug"
	}
	p.add(Ref{shared + "#" + n, TrackerBugs, rule, strings.TrimSpace(word + " " + p.text[i:end])})
}

// lookBack is how much before a number says what it is, in bytes; it keeps the
// time for hostile messages in proportion to their length.
const lookBack = 300

// before returns the word in front of a place, in lower case, and the line up to
// it, "" when that is long.
func (p *parser) before(at int) (word, line string) {
	near := p.text[max(0, at-lookBack):at]
	start := strings.LastIndexByte(near, '\n') + 1
	if start > 0 || len(near) == at {
		line = near[start:]
	}
	s := strings.TrimRight(near[start:], " \t:([#")
	begin := len(s)
	for begin > 0 && wordByte(s[begin-1]) {
		begin--
	}
	return strings.ToLower(s[begin:]), line
}

// trailerRule reads the name of a trailer at the start of a line. shared is the
// tracker's word where all repositories share its numbers.
func trailerRule(line string) (rule, shared string) {
	name, _, ok := strings.Cut(line, ":")
	if !ok || len(name) > 20 {
		return "", ""
	}
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "closes-bug", "close-bug", "partial-bug", "bug", "fixes-bug", "resolves-bug":
		return RuleTrailer, "bug"
	case "related-bug", "relates-to-bug":
		return RuleRelated, "bug"
	case "story", "storyid":
		return RuleTrailer, "story"
	case "fixes", "closes", "resolves", "issue":
		return RuleTrailer, ""
	case "related", "related-to", "see", "see-also", "refs", "task":
		return RuleRelated, ""
	}
	return "", ""
}

// closing tells the words with which hosts close a ticket.
func closing(word string) bool {
	switch word {
	case "fix", "fixes", "fixed", "close", "closes", "closed", "resolve", "resolves", "resolved":
		return true
	}
	return false
}

// endsTitle tells the (#12) that hosts put at the end of a squashed title, also
// where others follow it: a backport has that of the original and its own.
func (p *parser) endsTitle(start, end int) bool {
	title := strings.IndexByte(p.text, '\n')
	if title < 0 {
		title = len(p.text)
	}
	if start < 2 || p.text[start-1] != '(' || end >= title || p.text[end] != ')' {
		return false
	}
	for _, word := range strings.Fields(p.text[end+1 : min(title, end+lookBack)]) {
		n, ok := strings.CutPrefix(word, "(#")
		if n, closed := strings.CutSuffix(n, ")"); !ok || !closed || n == "" || strings.Trim(n, "0123456789") != "" {
			return false
		}
	}
	return title < end+lookBack
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func wordByte(c byte) bool {
	return c == '_' || digit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}
