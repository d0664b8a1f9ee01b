package endpoints

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// specs reads interface descriptions: OpenAPI, AsyncAPI, GraphQL and proto.
type specs struct {
	list  []Found
	docs  map[string]*node // outlines of YAML and JSON by file: descriptions point at each other
	size  int              // nodes in docs
	graph graph
}

// maxNodes bounds the outlines kept of one repository.
const maxNodes = 400_000

func newSpecs() *specs {
	return &specs{docs: map[string]*node{}, graph: graph{fields: map[string][]Found{}, roots: map[string]string{}}}
}

func (s *specs) wants(file string) bool {
	return isDescription(file) || slices.Contains([]string{".js", ".ts", ".mjs", ".cjs", ".go"}, strings.ToLower(path.Ext(file)))
}

// isDescription tells the files that may describe an interface, by their ending.
func isDescription(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".json", ".yaml", ".yml", ".graphql", ".graphqls", ".gql", ".gqls", ".proto":
		return true
	}
	return false
}

func (s *specs) read(file string, text []byte) {
	switch strings.ToLower(path.Ext(file)) {
	case ".json", ".yaml", ".yml":
		s.readOutline(file, text)
	case ".proto":
		s.list = append(s.list, readProto(file, text)...)
	case ".graphql", ".graphqls", ".gql", ".gqls":
		s.graph.read(file, text, 1)
	default:
		s.graph.readCode(file, text)
	}
}

// readOutline keeps what a file could say as a description or as a part of one.
func (s *specs) readOutline(file string, text []byte) {
	if s.size > maxNodes {
		return
	}
	telling := false
	for _, word := range []string{"openapi", "swagger", "asyncapi", "responses", "$ref"} {
		telling = telling || bytes.Contains(text, []byte(word))
	}
	if !telling {
		return
	}
	root := outline(text, strings.EqualFold(path.Ext(file), ".json"))
	if root == nil {
		return
	}
	root.prune()
	if !root.tells(0) {
		return
	}
	s.size += root.count()
	s.docs[file] = root
}

func (s *specs) found() []Found {
	all := slices.Concat(s.list, s.graph.found())
	for file, root := range s.docs {
		if root.get("openapi") != nil || root.get("swagger") != nil {
			all = append(all, s.operations(file, root)...)
		}
	}
	return all
}

// events lists the channels of all AsyncAPI documents.
func (s *specs) events() []Event {
	var all []Event
	for file, root := range s.docs {
		if version := root.get("asyncapi"); version != nil {
			all = append(all, s.channels(file, root, version.value)...)
		}
	}
	return all
}

// maxHops bounds how many references are followed, one after the other.
const maxHops = 5

// follow returns what a node refers to, and the file that holds it: the node
// itself when it refers to nothing, nil when the target is not in the repository.
func (s *specs) follow(file string, n *node) (string, *node) {
	for range maxHops {
		ref := n.get("$ref")
		if ref == nil || ref.value == "" {
			return file, n
		}
		name, pointer, _ := strings.Cut(ref.value, "#")
		if strings.Contains(name, "://") {
			return "", nil
		}
		if name != "" {
			file = path.Join(path.Dir(file), percent(name))
		}
		n = s.docs[file]
		for part := range strings.SplitSeq(strings.Trim(pointer, "/"), "/") {
			if part != "" {
				n = n.get(strings.NewReplacer("~1", "/", "~0", "~").Replace(percent(part)))
			}
		}
		if n == nil {
			return "", nil
		}
	}
	return "", nil
}

// percent reads the escapes that references to paths hold: %7Bid%7D.
func percent(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	return strings.NewReplacer("%7B", "{", "%7D", "}", "%7b", "{", "%7d", "}", "%20", " ", "%2F", "/", "%2f", "/").Replace(s)
}
