package rank

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pointsman/pointsman/routing"
)

const (
	// maxPaths bounds how many paths of one ticket are looked at.
	maxPaths = 50
	// maxPathSegments bounds their depth.
	maxPathSegments = 32
)

// urlPath is a path of a ticket, split into segments.
type urlPath struct {
	text     string
	segments []string // lower case
	generic  []bool   // of each segment
	telling  int      // the first segment that is not generic
}

// pathSet holds the paths of a ticket, by where their first telling segment stands
// and what it is: an endpoint that meets one has it too, or a parameter there.
type pathSet struct {
	paths []*urlPath
	at    []int // in order of appearance: maps have none
	by    map[int]map[string][]*urlPath
	met   map[*routing.Repo][]*urlPath // by entry: the paths that meet one of its endpoints
}

// pathsIn lists the paths that a text names, each once: words that begin with a
// slash, with a host or an address in front or with marks around.
func pathsIn(s string) pathSet {
	set := pathSet{by: map[int]map[string][]*urlPath{}}
	seen := map[string]bool{}
	for word := range strings.FieldsFuncSeq(s, endsPath) {
		p := parsePath(pathOf(word))
		if p.telling == len(p.segments) || seen[p.text] {
			continue
		}
		seen[p.text] = true
		set.paths = append(set.paths, p)
		if set.by[p.telling] == nil {
			set.at = append(set.at, p.telling)
			set.by[p.telling] = map[string][]*urlPath{}
		}
		seg := p.segments[p.telling]
		set.by[p.telling][seg] = append(set.by[p.telling][seg], p)
		if len(set.paths) == maxPaths {
			break
		}
	}
	return set
}

// pathOf returns what of a word is a path, "" when nothing is.
func pathOf(word string) string {
	if _, after, ok := strings.Cut(word, "://"); ok {
		i := strings.IndexByte(after, '/')
		if i < 0 {
			return ""
		}
		return after[i:]
	}
	word = strings.TrimLeft(word, "[<*_")
	i := strings.IndexByte(word, '/')
	if i == 0 || i > 0 && (strings.IndexByte("=:", word[i-1]) >= 0 || isHost(word[:i])) {
		return word[i:]
	}
	return ""
}

// isHost tells a host in front of a path, as in pay.example.com/v1 or localhost:80/v1.
func isHost(s string) bool {
	name, _, port := strings.Cut(s, ":")
	return port || strings.Count(strings.Trim(name, "."), ".") > 0
}

// endsPath tells the characters that end a path in running text.
func endsPath(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("\"'`()|,;“”‘’«»", r)
}

// bareParts drops query, fragment and closing marks of a path.
func bareParts(s string) string {
	for _, mark := range []byte("?#") {
		if i := strings.IndexByte(s, mark); i >= 0 {
			s = s[:i]
		}
	}
	for s != "" && strings.IndexByte("/.!:*]>", s[len(s)-1]) >= 0 {
		t := strings.TrimRight(s, "/.!:")
		if strings.HasSuffix(t, "*") && !strings.HasSuffix(t, "/*") || strings.HasSuffix(t, "]") && !strings.Contains(t, "[") ||
			strings.HasSuffix(t, ">") && !strings.Contains(t, "<") {
			t = t[:len(t)-1]
		}
		if t == s {
			return s
		}
		s = t
	}
	return s
}

// parsePath splits a path into segments.
func parsePath(s string) *urlPath {
	s = bareParts(s)
	p := &urlPath{text: s}
	for seg, rest := nextSegment(s); seg != ""; seg, rest = nextSegment(rest) {
		seg = strings.ToLower(seg)
		if p.segments = append(p.segments, seg); len(p.segments) == maxPathSegments {
			break
		}
	}
	for _, seg := range p.segments {
		p.generic = append(p.generic, isGeneric(seg))
	}
	if p.telling = slices.Index(p.generic, false); p.telling < 0 {
		p.telling = len(p.segments)
	}
	return p
}

// nextSegment cuts the first segment off a path; "" at its end.
func nextSegment(s string) (seg, rest string) {
	s = strings.TrimLeft(s, "/")
	if i := strings.IndexByte(s, '/'); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// parseEndpoint reads "POST /v1/refunds/{id}", "/v1/refunds", an address, or a
// name such as "RefundService.Create". One of the two is "".
func parseEndpoint(s string) (path, name string) {
	s = strings.TrimSpace(s)
	if verb, rest, ok := strings.Cut(s, " "); ok && isVerb(verb) {
		s = strings.TrimSpace(rest)
	}
	first, _, _ := strings.Cut(s, " ")
	if _, after, ok := strings.Cut(first, "://"); ok {
		i := strings.IndexByte(after, '/')
		if i < 0 {
			return "", ""
		}
		first = after[i:]
	}
	if strings.HasPrefix(first, "/") {
		return bareParts(first), ""
	}
	return "", s
}

// callsOf returns how people write a remote call whose path is
// "/shop.till.v1.Tills/Open": whole, "Tills/Open", with a dot for the slash. Other
// paths are no calls: both parts begin with a capital.
func callsOf(path string) []string {
	full, method, ok := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	service := full[strings.LastIndexByte(full, '.')+1:]
	if !ok || service == "" || method == "" || strings.ContainsAny(service+method, "/{}:<>[]*$.") ||
		!unicode.IsUpper(rune(service[0])) || !unicode.IsUpper(rune(method[0])) {
		return nil
	}
	return []string{full + "/" + method, full + "." + method, service + "/" + method, service + "." + method}
}

// isField tells an entry that is a field of GraphQL: "QUERY tillById". The names
// of many are everyday words.
func isField(endpoint string) bool {
	verb, _, _ := strings.Cut(strings.TrimSpace(endpoint), " ")
	switch strings.ToUpper(strings.TrimSuffix(verb, ":")) {
	case "QUERY", "MUTATION", "SUBSCRIPTION":
		return true
	}
	return false
}

// isCompound tells a name of several words, tillById or till_by_id: none that
// people write unless they mean it.
func isCompound(name string) bool {
	return strings.Contains(name, "_") || name != "" && strings.IndexFunc(name[1:], unicode.IsUpper) >= 0
}

func isVerb(s string) bool {
	switch strings.ToUpper(strings.TrimSuffix(s, ":")) {
	case "GET", "PUT", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "ANY", "ALL", "QUERY", "MUTATION", "SUBSCRIPTION", "RPC", "GRPC", "WS":
		return true
	}
	return false
}

// relation is how a path of a ticket stands to an endpoint.
type relation int

const (
	apart  relation = iota
	within          // it is the endpoint, or the beginning of it
	below           // the endpoint is the beginning of it
)

// meet calls visit for the ticket's paths that meet an endpoint.
func (set pathSet) meet(endpoint string, visit func(p *urlPath, how relation)) {
	for _, at := range set.at {
		seg, rest := nextSegment(endpoint)
		for range at {
			seg, rest = nextSegment(rest)
		}
		switch {
		case seg == "":
		case isParameter(seg):
			for _, p := range set.paths {
				if p.telling == at {
					p.meet(endpoint, visit)
				}
			}
		default:
			for _, p := range set.by[at][strings.ToLower(seg)] {
				p.meet(endpoint, visit)
			}
		}
	}
}

func (p *urlPath) meet(endpoint string, visit func(p *urlPath, how relation)) {
	if how := p.relation(endpoint); how != apart {
		visit(p, how)
	}
}

// meetAll finds out which entries each path meets. One below an endpoint counts
// only where no entry has the path itself, or one that goes on from it.
func (set *pathSet) meetAll(repos []routing.Repo) {
	if len(set.paths) == 0 {
		return
	}
	set.met = map[*routing.Repo][]*urlPath{}
	type meeting struct {
		repo *routing.Repo
		path *urlPath
	}
	var above []meeting
	known := map[*urlPath]bool{}
	for i := range repos {
		for _, e := range repos[i].Endpoints {
			path, _ := parseEndpoint(e)
			set.meet(path, func(p *urlPath, how relation) {
				if how == within {
					known[p] = true
					set.met[&repos[i]] = append(set.met[&repos[i]], p)
				} else {
					above = append(above, meeting{&repos[i], p})
				}
			})
		}
	}
	for _, m := range above {
		if !known[m.path] {
			set.met[m.repo] = append(set.met[m.repo], m.path)
		}
	}
}

// isPath tells an endpoint that is a path or an address from one that is a name.
func isPath(s string) bool {
	i := strings.IndexByte(s, '/')
	return i == 0 || i > 0 && (s[i-1] == ' ' || s[i-1] == ':' && strings.HasPrefix(s[i:], "//"))
}

// relation compares segment by segment. At least one segment that says something
// must be shared: /v1 and /api stand in front of everything.
func (p *urlPath) relation(endpoint string) relation {
	telling := false
	rest := endpoint
	for i, theirs := range p.segments {
		var mine string
		mine, rest = nextSegment(rest)
		switch {
		case mine == "" && telling:
			return below
		case mine == "":
			return apart
		case isParameter(mine):
			if last, _ := nextSegment(rest); last == "" && isRest(mine) && telling {
				return within
			}
		case !strings.EqualFold(mine, theirs):
			return apart
		default:
			telling = telling || !p.generic[i]
		}
	}
	if !telling {
		return apart
	}
	return within
}

// isParameter tells a segment that stands for any one: {id}, :id, <id>, [id], *.
func isParameter(seg string) bool {
	return strings.IndexByte("{:<[*$", seg[0]) >= 0
}

// isRest tells a parameter that stands for all that follows: *, **, {path...}, {*path}.
func isRest(seg string) bool {
	return strings.Contains(seg, "*") || strings.Contains(seg, "...")
}

// isGeneric tells the segments that many services share.
func isGeneric(seg string) bool {
	switch seg {
	case "api", "rest", "graphql", "rpc", "public", "internal":
		return true
	}
	v, ok := strings.CutPrefix(seg, "v")
	return ok && v != "" && strings.Trim(v, "0123456789.") == ""
}
