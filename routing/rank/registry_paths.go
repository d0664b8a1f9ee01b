package rank

import (
	"strings"
	"unicode"
)

const (
	// maxPaths bounds how many paths of one ticket are looked at.
	maxPaths = 50
	// maxPathSegments bounds their depth.
	maxPathSegments = 32
)

// urlPath is a path split into segments.
type urlPath struct {
	text     string
	segments []string
}

// pathsIn lists the paths that a text names, each once: words that begin with a
// slash, and the paths of addresses.
func pathsIn(s string) []urlPath {
	var out []urlPath
	seen := map[string]bool{}
	for word := range strings.FieldsFuncSeq(s, endsPath) {
		if _, after, ok := strings.Cut(word, "://"); ok {
			i := strings.IndexByte(after, '/')
			if i < 0 {
				continue
			}
			word = after[i:]
		}
		if !strings.HasPrefix(word, "/") {
			continue
		}
		p := parsePath(word)
		if len(p.segments) == 0 || seen[p.text] {
			continue
		}
		seen[p.text] = true
		if out = append(out, p); len(out) == maxPaths {
			break
		}
	}
	return out
}

// endsPath tells the characters that end a path in running text.
func endsPath(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("\"'`()|,;“”‘’«»", r)
}

// parsePath drops query, fragment and closing punctuation, and splits the rest.
func parsePath(s string) urlPath {
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		s = s[:i]
	}
	s = strings.TrimRight(s, "/.!:")
	p := urlPath{text: s}
	for seg := range strings.SplitSeq(s, "/") {
		if seg == "" {
			continue
		}
		if p.segments = append(p.segments, strings.ToLower(seg)); len(p.segments) == maxPathSegments {
			break
		}
	}
	return p
}

// endpoint is an entry's endpoint: a path, or else a name.
type endpoint struct {
	path urlPath
	name string
}

// parseEndpoint reads "POST /v1/refunds/{id}", "/v1/refunds", an address, or a
// name such as "RefundService.Create".
func parseEndpoint(s string) endpoint {
	fields := strings.Fields(s)
	if len(fields) > 1 && isVerb(fields[0]) {
		fields = fields[1:]
	}
	if len(fields) == 0 {
		return endpoint{}
	}
	first := fields[0]
	if _, after, ok := strings.Cut(first, "://"); ok {
		i := strings.IndexByte(after, '/')
		if i < 0 {
			return endpoint{}
		}
		first = after[i:]
	}
	if strings.HasPrefix(first, "/") {
		return endpoint{path: parsePath(first)}
	}
	return endpoint{name: strings.Join(fields, " ")}
}

func isVerb(s string) bool {
	switch strings.ToUpper(strings.TrimSuffix(s, ":")) {
	case "GET", "PUT", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "ANY", "ALL", "QUERY", "MUTATION", "SUBSCRIPTION", "RPC", "GRPC", "WS":
		return true
	}
	return false
}

// meets tells whether the ticket's path is the endpoint, the beginning of it, or
// something below it. At least one segment that says something must be shared:
// /v1 and /api stand in front of everything.
func (p urlPath) meets(ticket urlPath) bool {
	telling := false
	for i := range min(len(p.segments), len(ticket.segments)) {
		mine, theirs := p.segments[i], ticket.segments[i]
		if isParameter(mine) {
			continue
		}
		if mine != theirs {
			return false
		}
		telling = telling || !isGeneric(mine)
	}
	return telling
}

// isParameter tells a segment that stands for any one: {id}, :id, <id>, [id], *.
func isParameter(seg string) bool {
	return strings.ContainsAny(seg[:1], "{:<[*$")
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
