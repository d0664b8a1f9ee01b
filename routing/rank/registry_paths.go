package rank

import (
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
	known    bool     // some entry has it, or one that begins with it
}

// pathSet holds the paths of a ticket, by their first segment.
type pathSet struct {
	paths []*urlPath
	first map[string][]*urlPath
}

// pathsIn lists the paths that a text names, each once: words that begin with a
// slash, with a host or an address in front or with marks around.
func pathsIn(s string) pathSet {
	set := pathSet{first: map[string][]*urlPath{}}
	seen := map[string]bool{}
	for word := range strings.FieldsFuncSeq(s, endsPath) {
		p := parsePath(pathOf(word))
		if len(p.segments) == 0 || seen[p.text] {
			continue
		}
		seen[p.text] = true
		set.paths = append(set.paths, p)
		set.first[p.segments[0]] = append(set.first[p.segments[0]], p)
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
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		s = s[:i]
	}
	for {
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
}

// parsePath splits a path into segments.
func parsePath(s string) *urlPath {
	s = bareParts(s)
	p := &urlPath{text: s}
	for seg, rest := nextSegment(s); seg != ""; seg, rest = nextSegment(rest) {
		if p.segments = append(p.segments, strings.ToLower(seg)); len(p.segments) == maxPathSegments {
			break
		}
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
	if len(set.paths) == 0 || endpoint == "" {
		return
	}
	paths := set.paths
	if seg, _ := nextSegment(endpoint); seg == "" {
		return
	} else if !isParameter(seg) {
		paths = set.first[strings.ToLower(seg)]
	}
	for _, p := range paths {
		if how := p.relation(endpoint); how != apart {
			visit(p, how)
		}
	}
}

// know finds out which paths some entry has, or continues.
func (set pathSet) know(repos []routing.Repo) {
	if len(set.paths) == 0 {
		return
	}
	for i := range repos {
		for _, e := range repos[i].Endpoints {
			path, _ := parseEndpoint(e)
			set.meet(path, func(p *urlPath, how relation) { p.known = p.known || how == within })
		}
	}
}

// relation compares segment by segment. At least one segment that says something
// must be shared: /v1 and /api stand in front of everything.
func (p *urlPath) relation(endpoint string) relation {
	telling := false
	rest := endpoint
	for _, theirs := range p.segments {
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
			telling = telling || !isGeneric(theirs)
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
