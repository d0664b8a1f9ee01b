package rank

import (
	"strings"
	"unicode"

	"github.com/pointsman/pointsman/routing"
)

// The rows of the points table, as they are named in a decision.
const (
	RuleOwns      = "owns"         // a keyword, word for word
	RulePartial   = "owns-partial" // a word inside a keyword, or the other way round
	RuleEndpoint  = "endpoint"
	RuleEvent     = "event"
	RuleName      = "name"
	RuleNameWords = "name-words" // the words of the name in a row, written otherwise
	RuleLanguage  = "language"
	RuleFramework = "framework"
	RuleTeam      = "team"
	RuleCode      = "status-code"
	RuleClaim     = "jwt-claim"
	RuleEnvVar    = "env-var"
	RuleHost      = "host"
	RulePackage   = "package"
	RuleComponent = "component"
	RuleLabel     = "label"
)

// The points of each row. Those from host on are ours: what names a repository as
// plainly as an endpoint counts as much. A package whose name is one ordinary word
// counts half, and a name that people write otherwise ("parcel desk" or
// com.example.parcel.desk for parcel-desk) less than one spelt as it is.
const (
	pointsOwns      = 3
	pointsPartial   = 1
	pointsEndpoint  = 4
	pointsEvent     = 3
	pointsName      = 5
	pointsNameWords = 3
	pointsStack     = 1 // language, framework
	pointsTeam      = 2
	pointsCode      = 4
	pointsClaim     = 3
	pointsEnvVar    = 2
	pointsHost      = 4
	pointsPackage   = 4
	pointsWordyPack = 2
	pointsComponent = 4
	pointsLabel     = 4
)

// ticketView is a ticket as the points table meets it.
type ticketView struct {
	own        wordList // title and body without stop words
	all        wordList // title and body
	where      wordList // the same with the environment: hosts are named there
	paths      []urlPath
	also       []expanded
	labels     map[string]bool
	components map[string]bool
}

func viewOf(t routing.Ticket, drop map[string]bool, tables []expansion) ticketView {
	text := t.Title + "\n" + t.Body
	v := ticketView{
		own: splitWords(text, drop), all: splitWords(text, nil), paths: pathsIn(text),
		labels: folded(t.Labels), components: folded(t.Components),
	}
	v.where = v.all
	if t.Environment != "" {
		v.where = splitWords(text+"\n"+t.Environment, nil)
	}
	v.also = expand(tables, v.own)
	return v
}

func folded(list []string) map[string]bool {
	set := map[string]bool{}
	for _, s := range list {
		set[strings.ToLower(strings.TrimSpace(s))] = true
	}
	return set
}

// card collects the points of one entry. A row fires once for a term.
type card struct {
	points []routing.Point
	seen   map[routing.Point]bool
}

func (c *card) fire(rule, term string, points float64) {
	p := routing.Point{Rule: rule, Term: term, Points: points}
	if c.seen[p] {
		return
	}
	if c.seen == nil {
		c.seen = map[routing.Point]bool{}
	}
	c.seen[p] = true
	c.points = append(c.points, p)
}

// others fires every row but those of owns: they meet the ticket's own words,
// never the expansions.
func (v ticketView) others(r routing.Repo, c *card) {
	v.names(r, c)
	for _, e := range r.Endpoints {
		v.endpoint(e, c)
	}
	for _, e := range append(append([]string(nil), r.Emits...), r.Consumes...) {
		if v.all.inRow(wordsOf(e)) >= 0 {
			c.fire(RuleEvent, e, pointsEvent)
		}
	}
	v.contracts(r, c)
	v.stack(r.Languages, RuleLanguage, c)
	v.stack(r.Frameworks, RuleFramework, c)
	v.team(r.Owner.Team, c)
	v.places(r, c)
}

// names fires once for the entry, whichever of its names the ticket uses.
func (v ticketView) names(r routing.Repo, c *card) {
	for _, name := range append([]string{r.Name}, r.Aliases...) {
		if v.all.verbatim(name, spelling{joiners: "-_."}) {
			c.fire(RuleName, name, pointsName)
			return
		}
	}
	for _, name := range append([]string{r.Name}, r.Aliases...) {
		if words := wordsOf(name); len(words) > 1 && v.all.named(words, "-_") {
			c.fire(RuleNameWords, name, pointsNameWords)
			return
		}
	}
}

// endpoint fires once for each path of the ticket that meets it.
func (v ticketView) endpoint(text string, c *card) {
	e := parseEndpoint(text)
	if e.name != "" {
		if v.all.verbatim(e.name, spelling{joiners: "-_."}) {
			c.fire(RuleEndpoint, e.name, pointsEndpoint)
		}
		return
	}
	for _, p := range v.paths {
		if e.path.meets(p) {
			c.fire(RuleEndpoint, p.text, pointsEndpoint)
		}
	}
}

// contracts fires for status codes, claims and settings.
func (v ticketView) contracts(r routing.Repo, c *card) {
	for _, code := range r.ErrorContracts.Codes {
		first, _, _ := strings.Cut(strings.TrimSpace(code), " ")
		first = strings.ToLower(strings.Trim(first, ":,;-"))
		if !strings.ContainsFunc(first, unicode.IsDigit) {
			continue
		}
		if v.all.inRow(wordsOf(first)) >= 0 {
			c.fire(RuleCode, first, pointsCode)
		}
	}
	for _, claim := range append(append([]string(nil), r.AuthContracts.Requires...), r.AuthContracts.Issues...) {
		if v.all.inRow(wordsOf(claim)) >= 0 {
			c.fire(RuleClaim, claim, pointsClaim)
		}
	}
	for _, name := range r.ConfigContracts.EnvVars {
		// PORT is a setting, "port" is a word.
		words := wordsOf(name)
		if len(words) > 1 && v.all.inRow(words) >= 0 || v.all.verbatim(name, spelling{sameCase: true, joiners: "_"}) {
			c.fire(RuleEnvVar, name, pointsEnvVar)
		}
	}
}

// stack fires for languages and frameworks. The short ones are words, letters or
// parts of other names (Go, C, R), so that they must be written the same way.
func (v ticketView) stack(names []string, rule string, c *card) {
	for _, name := range names {
		how := spelling{sameCase: len(name) < 3, joiners: "+#"}
		if v.all.verbatim(name, how) && !v.onlyWithMarks(name) {
			c.fire(rule, name, pointsStack)
		}
	}
}

// onlyWithMarks tells a name of one letter that the ticket only uses as the
// beginning of another: C in C++ and C#.
func (v ticketView) onlyWithMarks(name string) bool {
	if len(name) != 1 {
		return false
	}
	for _, i := range v.all.at[strings.ToLower(name)] {
		end := v.all.tokens[i].end
		if v.all.raw[v.all.tokens[i].start:end] == name && !strings.HasPrefix(v.all.raw[end:], "+") && !strings.HasPrefix(v.all.raw[end:], "#") {
			return false
		}
	}
	return true
}

// team fires when the ticket names the team; the word "team" itself says nothing.
func (v ticketView) team(name string, c *card) {
	var words []string
	for _, w := range wordsOf(name) {
		if w != "team" {
			words = append(words, w)
		}
	}
	if v.all.inRow(words) >= 0 {
		c.fire(RuleTeam, name, pointsTeam)
	}
}

// places fires for hosts, packages, tracker components and labels.
func (v ticketView) places(r routing.Repo, c *card) {
	for _, host := range r.Hosts {
		name, joiners := bareHost(host)
		if v.where.verbatim(name, spelling{joiners: joiners}) {
			c.fire(RuleHost, host, pointsHost)
		}
	}
	for _, p := range r.Packages {
		switch words := wordsOf(p); {
		case len(words) > 1 && v.all.inRow(words) >= 0:
			c.fire(RulePackage, p, pointsPackage)
		case len(words) == 1 && v.all.verbatim(p, spelling{joiners: "-_."}):
			c.fire(RulePackage, p, pointsWordyPack)
		}
	}
	for _, name := range r.Components {
		if v.components[strings.ToLower(name)] {
			c.fire(RuleComponent, name, pointsComponent)
		}
	}
	for _, name := range r.Labels {
		if v.labels[strings.ToLower(name)] {
			c.fire(RuleLabel, name, pointsLabel)
		}
	}
}

// bareHost strips scheme and path off a host, and says what would make it part of
// another one: "*.example.com" may have any host in front.
func bareHost(host string) (name, joiners string) {
	if _, after, ok := strings.Cut(host, "://"); ok {
		host = after
	}
	host, _, _ = strings.Cut(host, "/")
	if rest, ok := strings.CutPrefix(host, "*."); ok {
		return rest, "-"
	}
	return host, "-."
}
