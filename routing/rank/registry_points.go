package rank

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pointsman/pointsman/routing"
)

// The rows of the points table, as they are named in a decision and in tables.json.
// Those from name-words on are ours.
const (
	RuleOwns        = "owns"         // a keyword, word for word
	RulePartial     = "owns-partial" // a word inside a keyword, or the other way round
	RuleEndpoint    = "endpoint"     // a path of the ticket is an endpoint or its beginning, or below one when no entry has it
	RuleEvent       = "event"
	RuleName        = "name"
	RuleLanguage    = "language"
	RuleFramework   = "framework"
	RuleTeam        = "team"
	RuleCode        = "status-code"
	RuleClaim       = "jwt-claim"
	RuleEnvVar      = "env-var"
	RuleNameWords   = "name-words" // the words of the name in a row, written otherwise
	RuleHost        = "host"
	RulePackage     = "package"
	RulePackageWord = "package-word" // a package whose name is one ordinary word
	RuleComponent   = "component"
	RuleLabel       = "label"
)

// rules lists every row, the document's first.
func rules() []string {
	return []string{
		RuleOwns, RulePartial, RuleEndpoint, RuleEvent, RuleName, RuleLanguage, RuleFramework, RuleTeam, RuleCode, RuleClaim, RuleEnvVar,
		RuleNameWords, RuleHost, RulePackage, RulePackageWord, RuleComponent, RuleLabel,
	}
}

// ticketView is a ticket as the points table meets it.
type ticketView struct {
	tables     *Tables
	own        *wordList // title and body without stop words
	all        *wordList // title and body
	where      *wordList // the same with the environment: hosts are named there
	paths      pathSet
	also       []expanded
	from       map[string]string // what an expansion was expanded from
	phrases    bool              // some expansion has several words
	begins     grams             // hashes of the first words of expansions
	parts      *parts
	labels     map[string]bool
	components map[string]bool
}

func viewOf(t routing.Ticket, tables *Tables, minPartial int) *ticketView {
	text := t.Title + "\n" + t.Body
	v := &ticketView{
		tables: tables, own: splitWords(text, tables.stop), all: splitWords(text, nil), paths: pathsIn(text),
		labels: folded(t.Labels), components: folded(t.Components), from: map[string]string{},
	}
	v.where = v.all
	if t.Environment != "" {
		v.where = splitWords(text+"\n"+t.Environment, nil)
	}
	v.also = tables.expand(v.own)
	words := make([]expanded, 0, len(v.own.tokens)+len(v.also))
	for _, tok := range v.own.tokens {
		words = append(words, expanded{word: tok.text})
	}
	v.begins = newGrams(0)
	for _, e := range v.also {
		if h, ok := firstHash(e.word); ok {
			v.begins.add(h)
		}
		v.from[e.word] = e.from
		v.phrases = v.phrases || strings.IndexByte(e.word, ' ') >= 0
		words = append(words, e)
	}
	v.parts = newParts(words, minPartial, min(minPartial, minInside))
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
	tables *Tables
	points []routing.Point
}

func (c *card) fire(rule, term string) float64 {
	p := routing.Point{Rule: rule, Term: term, Points: c.tables.points[rule]}
	if p.Points == 0 {
		return 0
	}
	for _, fired := range c.points {
		if fired.Rule == rule && strings.EqualFold(fired.Term, term) {
			return 0
		}
	}
	c.points = append(c.points, p)
	return p.Points
}

// others fires every row but those of owns: they meet the ticket's own words,
// never the expansions.
func (v *ticketView) others(r *routing.Repo, c *card) {
	v.names(r, c)
	v.endpoints(r, c)
	for _, list := range [][]string{r.Emits, r.Consumes} {
		for _, e := range list {
			if v.all.inRow(e, nil) >= 0 {
				c.fire(RuleEvent, e)
			}
		}
	}
	v.contracts(r, c)
	v.stack(r.Languages, RuleLanguage, c)
	v.stack(r.Frameworks, RuleFramework, c)
	v.team(r.Owner.Team, c)
	v.places(r, c)
}

// names fires once for the entry, whichever of its names the ticket uses.
func (v *ticketView) names(r *routing.Repo, c *card) {
	for i := -1; i < len(r.Aliases); i++ {
		if name := nameOf(r, i); v.all.verbatim(name, spelling{joiners: nameJoiners}) {
			c.fire(RuleName, name)
			return
		}
	}
	for i := -1; i < len(r.Aliases); i++ {
		name := nameOf(r, i)
		start, end := nextWord(name, 0)
		if more, _ := nextWord(name, end); start >= 0 && more >= 0 && v.all.named(name, "-_") {
			c.fire(RuleNameWords, name)
			return
		}
	}
}

// nameOf returns the name of an entry, or from 0 on one of its aliases.
func nameOf(r *routing.Repo, alias int) string {
	if alias < 0 {
		return r.Name
	}
	return r.Aliases[alias]
}

// endpoints fires once for each path of the ticket that meets one of the entry's,
// and for those that are names, or calls that people name.
func (v *ticketView) endpoints(r *routing.Repo, c *card) {
	var calls []string
	for _, e := range r.Endpoints {
		if isPath(e) {
			if call := v.call(e); call != "" {
				c.fire(RuleEndpoint, call)
				calls = append(calls, call)
			}
			continue
		}
		_, name := parseEndpoint(e)
		if name != "" && v.all.verbatim(name, spelling{joiners: nameJoiners}) && (!isField(e) || isCompound(name) || v.field(name)) {
			c.fire(RuleEndpoint, name)
		}
	}
	for _, p := range v.paths.met[r] {
		if !slices.ContainsFunc(calls, func(call string) bool { return strings.HasSuffix(p.text, call) }) {
			c.fire(RuleEndpoint, p.text)
		}
	}
}

// call returns how the ticket writes a remote call, or "".
func (v *ticketView) call(endpoint string) string {
	method := endpoint[strings.LastIndexByte(endpoint, '/')+1:]
	if method == "" || method[0] < 'A' || method[0] > 'Z' {
		return ""
	}
	path, _ := parseEndpoint(endpoint)
	for _, call := range callsOf(path) {
		if v.all.verbatim(call, spelling{joiners: nameJoiners}) {
			return call
		}
	}
	return ""
}

// field tells whether the ticket speaks of a name that is one plain word as of a
// field of GraphQL.
func (v *ticketView) field(name string) bool {
	for _, kind := range []string{"query", "mutation", "subscription", "field", "resolver"} {
		if v.all.inRow(kind+" "+name, nil) >= 0 || v.all.inRow(name+" "+kind, nil) >= 0 {
			return true
		}
	}
	return false
}

// contracts fires for status codes, claims and settings.
func (v *ticketView) contracts(r *routing.Repo, c *card) {
	for _, code := range r.ErrorContracts.Codes {
		if !v.all.mayBegin(code) {
			continue
		}
		first, _, _ := strings.Cut(strings.TrimSpace(code), " ")
		if first = strings.Trim(first, ":,;-()[]"); v.code(first) {
			c.fire(RuleCode, first)
		}
	}
	for _, list := range [][]string{r.AuthContracts.Requires, r.AuthContracts.Issues} {
		for _, claim := range list {
			if v.all.inRow(claim, nil) >= 0 {
				c.fire(RuleClaim, claim)
			}
		}
	}
	for _, name := range r.ConfigContracts.EnvVars {
		if v.constant(name) {
			c.fire(RuleEnvVar, name)
		}
	}
}

// code tells whether the ticket gives an error code: a number by itself, a name
// such as CARD_DECLINED as a constant is written.
func (v *ticketView) code(code string) bool {
	if strings.ContainsFunc(code, unicode.IsDigit) {
		return v.all.inRow(code, nil) >= 0
	}
	if code != strings.ToUpper(code) && !strings.ContainsAny(code, "_.-") {
		return false // prose: "card refused" begins with no code
	}
	return v.constant(code)
}

// constant meets a name of several words however it is written; one of a single
// word only as it is spelt: PORT is a setting, "port" is a word.
func (v *ticketView) constant(name string) bool {
	if !v.all.mayBegin(name) {
		return false
	}
	_, end := nextWord(name, 0)
	if more, _ := nextWord(name, end); more >= 0 && v.all.inRow(name, nil) >= 0 {
		return true
	}
	return v.all.verbatim(name, spelling{sameCase: true, joiners: "_"})
}

// stack fires for languages and frameworks. The short ones are words, letters or
// parts of other names (Go, C, R), so that they must be written the same way.
func (v *ticketView) stack(names []string, rule string, c *card) {
	for _, name := range names {
		how := spelling{sameCase: len(name) < 3, joiners: "+#"}
		if v.all.verbatim(name, how) && !v.onlyWithMarks(name) {
			c.fire(rule, name)
		}
	}
}

// onlyWithMarks tells a name of one letter that the ticket only uses as the
// beginning of another: C in C++ and C#.
func (v *ticketView) onlyWithMarks(name string) bool {
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

// team fires when the ticket names the team. The word "team" itself says nothing,
// nor do stop words, nor the organisation in front of @acme/payments.
func (v *ticketView) team(name string, c *card) {
	short := name
	if strings.HasPrefix(name, "@") {
		short = name[strings.LastIndexByte(name, '/')+1:]
	}
	if short == "" {
		return
	}
	words := wordsOf(short)
	kept := words[:0]
	for _, w := range words {
		if w != "team" && !v.tables.stop[w] {
			kept = append(kept, w)
		}
	}
	if v.own.inRow(strings.Join(kept, " "), nil) >= 0 {
		c.fire(RuleTeam, name)
	}
}

// places fires for hosts, packages, tracker components and labels.
func (v *ticketView) places(r *routing.Repo, c *card) {
	for _, host := range r.Hosts {
		name, joiners := bareHost(host)
		if v.where.verbatim(name, spelling{joiners: joiners}) {
			c.fire(RuleHost, host)
		}
	}
	for _, p := range r.Packages {
		start, end := nextWord(p, 0)
		if start < 0 || len(v.all.lookUp(p[start:end])) == 0 {
			continue
		}
		switch more, _ := nextWord(p, end); {
		case more >= 0 && v.all.inRow(p, nil) >= 0:
			c.fire(RulePackage, p)
		case more < 0 && v.all.verbatim(p, spelling{joiners: nameJoiners}):
			c.fire(RulePackageWord, p)
		}
	}
	for _, name := range r.Components {
		if len(v.components) > 0 && v.components[strings.ToLower(name)] {
			c.fire(RuleComponent, name)
		}
	}
	for _, name := range r.Labels {
		if len(v.labels) > 0 && v.labels[strings.ToLower(name)] {
			c.fire(RuleLabel, name)
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
