package facts

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kinds of names, as the table of marks calls them.
const (
	kindEmits    = "emits"
	kindConsumes = "consumes"
	kindEnv      = "env"
	kindCode     = "codes"
	kindRequires = "requires"
	kindIssues   = "issues"
)

const (
	maxValue   = 200    // bytes of a name
	maxKept    = 20_000 // names of one kind before they are sorted
	maxPending = 5_000
)

// pending is a name in code that another file may bind to text.
type pending struct {
	kind, how, ref string
	at             Place
}

func (s *Scan) noteAll(f *source, m mark, at int, found []term) {
	for _, t := range found {
		s.note(f, m, at, t)
	}
}

// note keeps what was found, or what is to be looked up when all files are read.
func (s *Scan) note(f *source, m mark, at int, t term) {
	if !t.ref {
		s.keep(m.kind, m.how, t.text, f.place(at))
		return
	}
	if text, ok := f.constant(t.text); ok {
		s.keep(m.kind, m.how, text, f.place(at))
		return
	}
	if m.how != "" && len(s.pending) < maxPending && isReference(t.text) {
		s.pending = append(s.pending, pending{m.kind, m.how, t.text, f.place(at)})
	}
}

// keep adds a name of a kind, unless it cannot be one.
func (s *Scan) keep(kind, how, value string, at Place) {
	if kind == kindEmits || kind == kindConsumes {
		if strings.Contains(value, "${") && !s.last && len(s.late) < maxPending {
			s.late = append(s.late, pending{kind, how, value, at}) // the settings may come yet
			return
		}
		value = s.event(how, value)
	}
	value = strings.TrimSpace(strings.ToValidUTF8(value, ""))
	if !isPlausible(kind, how, value) {
		return
	}
	if s.names[kind] == nil {
		s.names[kind] = map[string]Name{}
	}
	old, ok := s.names[kind][value]
	if !ok && len(s.names[kind]) >= maxKept {
		return
	}
	if !ok || comparePlaces(at, old.At) < 0 {
		s.names[kind][value] = Name{Value: value, How: how, At: at}
	}
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
}

// list is the names of a kind, sorted.
func (s *Scan) list(kind string) []Name {
	all := slices.SortedFunc(maps.Values(s.names[kind]), func(a, b Name) int { return cmp.Compare(a.Value, b.Value) })
	return all[:min(len(all), MaxEach)]
}

// event is the name of a topic or queue in what stands in code: the last part of
// an ARN or a queue's address, and text for a setting's placeholder.
func (s *Scan) event(how, value string) string {
	value = s.configured(value)
	switch how {
	case "sns", "sqs":
		if strings.HasPrefix(value, "arn:") {
			return value[strings.LastIndexByte(value, ':')+1:]
		}
		if strings.Contains(value, "://") {
			return value[strings.LastIndexByte(value, '/')+1:]
		}
	case "events", "masstransit", "nservicebus":
		if generic := value == "object" || value == "new" || len(value) < 3; generic {
			return ""
		}
	}
	return value
}

// isPlausible tells what can be a name of the kind from what a mark hit by chance.
func isPlausible(kind, how, value string) bool {
	if value == "" || len(value) > maxValue || !utf8.ValidString(value) {
		return false
	}
	switch kind {
	case kindEmits, kindConsumes:
		return isEvent(how, value)
	case kindEnv:
		return isSetting(value)
	case kindRequires, kindIssues:
		return isClaim(value)
	}
	return true
}

func isEvent(how, value string) bool {
	if strings.ContainsAny(value, " \t\n\"'()<>$,;|\\") || strings.Contains(value, "://") || len(value) < 2 {
		return false
	}
	if strings.ContainsRune(value, '{') && how != "amqp" && how != "nats" {
		return false
	}
	if how == "amqp" && (strings.HasPrefix(value, "amq.") || value == "direct" || value == "topic" || value == "fanout" || value == "headers") {
		return false
	}
	letters := 0
	for _, r := range value {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80 {
			letters++
		}
	}
	return letters >= 2
}

// isSetting knows the names of environment variables.
func isSetting(value string) bool {
	if len(value) < 2 || len(value) > 100 || value[0] >= '0' && value[0] <= '9' {
		return false
	}
	for i := range len(value) {
		if !isWordByte(value[i]) || value[i] == '$' || value[i] >= 0x80 {
			return false
		}
	}
	switch value {
	case "MODE", "DEV", "PROD", "SSR", "BASE_URL": // of the bundler, not of the environment
		return value == "BASE_URL"
	}
	return strings.Trim(value, "_") != ""
}

// isClaim knows the names of token claims, those that every token has aside.
func isClaim(value string) bool {
	switch strings.ToLower(value) {
	case "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "length", "then", "algorithm", "alg", "typ", "header", "payload", "data":
		return false
	}
	if strings.ContainsAny(value, " \t\n\"'(){}<>,;$") || len(value) < 2 || len(value) > 100 {
		return false
	}
	return value[0] >= 'a' && value[0] <= 'z' || value[0] >= 'A' && value[0] <= 'Z'
}
