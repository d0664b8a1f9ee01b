package draft

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pointsman/pointsman/routing/facts"
	"github.com/pointsman/pointsman/routing/registry"
)

// What says nothing about one repository: words of English, of describing
// software, and of naming files.
const (
	englishWords = `a about above across after all also always an and any are as at available be because been before being below between both
		but by can cannot could did do does done each easily easy either etc even every few for from full fully further get gets give given gives has have
		having he her here high his how however i if in including into is it its itself just know known large last less let like made main make
		makes making many may me might more most much must need needs never new no not now of off often on once one only or other our out over own
		per please quick quickly rather same see several shall she should since small so some such than that the their them then there these they
		thing things this those three through thus time to together too two under until up upon us use used useful user users uses using various
		very via was way we well were what when where whether which while who why will with within without work working works would yes you your
		want common commonly different first following good great high best better low old part possible short simple simply single special
		specific standard still start support supports supported take type types usually version versions set sets number
		around enable enables enabled require requires required call called certain particular missing considered yet previously again side level major
		extend augment adding information processing mode
		anybody anyone everybody everyone nobody someone people person team teams line lines date dates lie lies say says
		later sooner hold holds keep keeps tell tells count counts reading writing written
		requirement requirements prerequisite prerequisites dependency dependencies install installation installing installed setup usage getting
		started quickstart introduction tutorial tutorials guides documented faq roadmap contribute contributor contributors contribution
		contributions licensed licensing screenshot screenshots deploy deployed production solution solutions platform
		instruction instructions contents maintainer maintainers copyright warranty latest stable alpha beta`
	describingWords = `api apis app application applications apps architecture based build building built client code component components
		contains demo designed develop developed developer developers development docs documentation efficient example examples extensible feature
		features flexible framework frameworks functionality functions goal guide http https implement implementation implementations implemented
		implements include included includes interface interfaces java javascript typescript python golang ruby kotlin lightweight library libraries
		license maintained microservice microservices module modules open package packages plugin project projects provide provided provides
		providing read readme release released repo repository reusable run running sample server service services set simple software source
		state system systems tool tools utilities utility web www com org net github gitlab apache foundation maven gradle npm docker kubernetes
		jdk jre jar artifact deprecated replacement rest restful responsible backend frontend website page pages allows allow help helps`
	namingWords = `abstract action actions adapter adapters base bean bin block builder cache callback class cmd command common config configuration
		configs constant constants container context controller controllers core css custom data def default delegate demo dev dir domain dto
		dtos element entity entities enum enums env error errors event exception exceptions ext factory field file files filter fixture
		function functions generated global handler handlers helper helpers hook hooks html http icon icons impl index info init initial
		input instance internal item items job jobs js key lib libs list listener loader local log logger logging main manager map mapper message messages
		meta migration migrations misc mock model models name node object objects option options output package parent path pkg plugin policy
		private properties property provider proxy public queue reader record repo repositories request resource resources response result root route router
		routes runtime scripts schema schemas script serializer serializers server setting settings setup shared site spec src static status
		store string style styles task tasks template templates test tests text tmp token tree types unit update util utils validator value values
		var view views widget work wrapper writer xml yaml yml json md txt java kotlin scala groovy go py rb ts tsx jsx php cs proto sql
		license notice makefile dockerfile docker pom gitignore editorconfig changelog contributing security codeowners vendor dist target assets images img
		add create delete get remove find save start stop new old all any basic simple multi single sub check marker overview benchmark bench legacy compat generic named
		algo approx attr calc conf expr impls interpol ops optim param params pref prefs prop props stat tag tags`
)

// ignored is the set of words that never tell one repository from another.
func ignored() map[string]bool {
	set := map[string]bool{}
	for _, list := range []string{englishWords, describingWords, namingWords} {
		for w := range strings.FieldsSeq(list) {
			set[stem(w)] = true
		}
	}
	return set
}

// stem folds plurals, so that "orders" and "order" are one word.
func stem(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches")):
		return w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}

// wordsOf divides text and names into words in lower case: OrderBook2Controller is
// order, book, controller.
func wordsOf(s string) []string { return wordsFrom(s, 3) }

// wordsFrom is wordsOf with another least length.
func wordsFrom(s string, least int) []string {
	var out []string
	runes := []rune(s)
	start := 0
	flush := func(end int) {
		if n := end - start; n >= least && n <= 24 {
			out = append(out, strings.ToLower(string(runes[start:end])))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r):
			flush(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && runes[i+1] != 's'):
			flush(i)
			start = i
		}
	}
	flush(len(runes))
	return out
}

// noise is the words that tell no repository from another: generic ones, those that
// name the organisation, and both.
type noise struct{ generic, organisation, skip map[string]bool }

// tally counts what the files, the prose and the endpoints of one repository are
// about. Keys are stems, or two stems with a space between.
type tally struct {
	files, prose, routes map[string]int
	fileCount, routeMax  int
	forms                map[string]map[string]int // how a stem is written
	named                map[string]bool           // in the repository's own name
	topics               map[string]bool
	acronyms             map[string]bool // that the prose writes in capitals
}

const (
	maxFiles   = 50_000 // paths looked at in one repository
	minLetters = 4      // of a word that is drafted
)

func count(in Input, n noise) *tally {
	skip, generic := n.skip, n.generic
	t := &tally{
		files: map[string]int{}, prose: map[string]int{}, routes: map[string]int{},
		forms: map[string]map[string]int{}, named: map[string]bool{}, topics: map[string]bool{}, acronyms: map[string]bool{},
	}
	for _, p := range in.Facts.Paths[:min(len(in.Facts.Paths), maxFiles)] {
		if !isProduct(p) {
			continue
		}
		t.fileCount++
		t.note(t.files, skip, true, strings.Split(strings.TrimSuffix(p, path.Ext(p)), "/")...)
	}
	text := strings.Join([]string{in.Declared.Description, in.Declared.Title, in.Host.Description, registry.Prose(in.Facts.Readme)}, ". ")
	t.acronymsOf(text)
	t.note(t.prose, skip, false, strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".,;:()!?\"/", r) })...)
	for _, e := range in.Facts.Endpoints {
		t.note(t.routes, skip, true, nouns(e)...)
		t.routeMax++
	}
	for _, w := range callsItself(in.Name, n) {
		t.named[w] = true
	}
	for _, topic := range append(append([]string(nil), in.Host.Topics...), in.Declared.Tags...) {
		for _, w := range wordsOf(topic) {
			if !generic[stem(w)] {
				t.form(w)
				t.topics[stem(w)] = true
			}
		}
	}
	return t
}

// callsItself returns the words of a repository's name that may tell it from others:
// harbour of harbour-api. Where that leaves nothing, a generic word is what it is
// called: text of commons-text, where commons names the organisation.
func callsItself(name string, n noise) []string {
	var telling, generics, all []string
	for _, w := range wordsFrom(name, 2) {
		w = stem(w)
		all = append(all, w)
		switch {
		case n.organisation[w]:
		case n.generic[w]:
			generics = append(generics, w)
		default:
			telling = append(telling, w)
		}
	}
	switch {
	case len(telling) > 0:
		return telling
	case len(generics) > 0:
		return generics
	}
	return all
}

// note counts the words of one source, and pairs of neighbours. With once, each
// counts once however often the source says it.
func (t *tally) note(counts map[string]int, skip map[string]bool, once bool, parts ...string) {
	seen := map[string]bool{}
	add := func(key string) {
		if !once || !seen[key] {
			counts[key]++
			seen[key] = true
		}
	}
	for _, part := range parts {
		before := ""
		for _, w := range wordsOf(part) {
			key := stem(w)
			if skip[key] {
				before = ""
				continue
			}
			t.form(w)
			add(key)
			if before != "" && before != key {
				add(before + " " + key)
			}
			before = key
		}
	}
}

// acronymsOf notes the short words that a text writes in capitals, CSV or CSVs.
func (t *tally) acronymsOf(text string) {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if w = strings.TrimSuffix(w, "s"); w == strings.ToUpper(w) {
			t.acronyms[stem(strings.ToLower(w))] = true
		}
	}
}

// short tells a word of fewer letters than a keyword should have: such fragments
// of file names are parts of everyday words. What the repository is called, and
// what its text writes in capitals, is a word of its own.
func (t *tally) short(key string) bool {
	for w := range strings.FieldsSeq(key) {
		if utf8.RuneCountInString(w) < minLetters && !t.named[w] && !t.acronyms[w] && !t.topics[w] {
			return true
		}
	}
	return false
}

func (t *tally) form(w string) {
	key := stem(w)
	if t.forms[key] == nil {
		t.forms[key] = map[string]int{}
	}
	t.forms[key][w]++
}

// isProduct tells the files that are about what the product does.
func isProduct(p string) bool {
	lower := "/" + strings.ToLower(p)
	for _, part := range []string{"/test", "tests/", "/vendor/", "/node_modules/", "/dist/", "/.", "/docs/", "/doc/", "/changes/", "/site/", "/third_party/", "/fixtures/", "/examples/"} {
		if strings.Contains(lower, part) {
			return false
		}
	}
	return true
}

// nouns are the parts of an endpoint's path that name things.
func nouns(e facts.Endpoint) []string {
	var out []string
	for part := range strings.SplitSeq(e.Path, "/") {
		if part != "" && !strings.ContainsAny(part, "{*:") {
			out = append(out, part)
		}
	}
	return out
}
