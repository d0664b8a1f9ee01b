package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

const (
	maxCatalog   = 64 << 10 // bytes of a catalog file
	maxLine      = 2000     // bytes of a line: parsers take their time over long ones
	maxDocuments = 200
	maxNesting   = 40  // brackets or list marks inside one another
	maxText      = 400 // characters of a description that are kept
)

// entity is the part of Backstage's format that says something about routing.
type entity struct {
	Kind     string `yaml:"kind"`
	Metadata struct {
		Name        string            `yaml:"name"`
		Title       string            `yaml:"title"`
		Description string            `yaml:"description"`
		Tags        []string          `yaml:"tags"`
		Annotations map[string]string `yaml:"annotations"`
	} `yaml:"metadata"`
	Spec struct {
		Owner        string   `yaml:"owner"`
		System       string   `yaml:"system"`
		Lifecycle    string   `yaml:"lifecycle"`
		DependsOn    []string `yaml:"dependsOn"`
		DependencyOf []string `yaml:"dependencyOf"`
		ConsumesAPIs []string `yaml:"consumesApis"`
		ProvidesAPIs []string `yaml:"providesApis"`
	} `yaml:"spec"`
}

// Backstage reads the entities of a catalog-info.yaml: components, APIs, systems
// and resources. An error names the line; with it come the documents that could
// be read. Anchors and aliases are refused, so that a small file stays small.
func Backstage(text []byte) ([]Declared, error) {
	if len(text) > maxCatalog {
		return nil, fmt.Errorf("reading catalog-info.yaml: it has %d bytes, at most %d are read: divide it", len(text), maxCatalog)
	}
	var out []Declared
	var errs []error
	for i, doc := range documents(text) {
		if i == maxDocuments {
			errs = append(errs, fmt.Errorf("catalog-info.yaml line %d: more than %d documents: the rest is not read", doc.line, maxDocuments))
			break
		}
		e, err := decode(doc)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		switch e.Kind {
		case "Component", "API", "System", "Resource":
			out = append(out, e.declared())
		}
	}
	return out, errors.Join(errs...)
}

// document is one part of a file, and the line it begins at.
type document struct {
	text []byte
	line int
}

func documents(text []byte) []document {
	var out []document
	current, number := document{line: 1}, 0
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		number++
		if mark := bytes.TrimRight(line, " \t\r\n"); string(mark) == "---" || string(mark) == "..." || bytes.HasPrefix(mark, []byte("--- #")) {
			out = append(out, current)
			current = document{line: number + 1}
			continue
		}
		current.text = append(current.text, line...)
	}
	return append(out, current)
}

func decode(doc document) (entity, error) {
	var e entity
	if line := tooDeep(doc.text); line > 0 {
		return e, fmt.Errorf("catalog-info.yaml line %d: more than %d levels inside one another, a line of more than %d bytes, or a merge (<<): write it plainly", doc.line+line-1, maxNesting, maxLine)
	}
	source := strings.ToValidUTF8(string(doc.text), "\ufffd")
	for _, t := range lexer.Tokenize(source) {
		if t.Type == token.AnchorType || t.Type == token.AliasType {
			return e, fmt.Errorf("catalog-info.yaml line %d: anchors and aliases are not read: write %q out", doc.line+t.Position.Line-1, t.Value)
		}
	}
	if err := yaml.Unmarshal([]byte(source), &e); err != nil {
		line := doc.line
		var located yaml.Error
		if errors.As(err, &located) && located.GetToken() != nil {
			line += located.GetToken().Position.Line - 1
			return e, fmt.Errorf("catalog-info.yaml line %d: %s", line, located.GetMessage())
		}
		return e, fmt.Errorf("catalog-info.yaml line %d: %w", line, err)
	}
	if e.Kind != "" && e.Metadata.Name == "" {
		return entity{}, fmt.Errorf("catalog-info.yaml line %d: the %s has no metadata.name: give it one", doc.line, e.Kind)
	}
	return e, nil
}

// tooDeep returns the first line that nests deeper than anyone writes by hand, or
// 0: parsers recurse, and a stack is finite.
func tooDeep(text []byte) int {
	depth, number := 0, 0
	for line := range bytes.Lines(text) {
		number++
		if len(line) > maxLine || bytes.Contains(line, []byte("<<")) {
			return number // a line nobody writes, or a merge, which needs anchors
		}
		marks, indent := 0, len(line)-len(bytes.TrimLeft(line, " \t"))
		for _, b := range line {
			switch b {
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			}
		}
		for _, word := range bytes.Fields(line) {
			if string(word) == "-" || string(word) == "?" || bytes.HasSuffix(word, []byte(":")) {
				marks++
			}
		}
		if depth > maxNesting || marks > maxNesting || indent > 8*maxNesting {
			return number
		}
	}
	return 0
}

func (e entity) declared() Declared {
	m, s := e.Metadata, e.Spec
	d := Declared{
		Title: oneLine(m.Title), Description: oneLine(m.Description), Lifecycle: oneLine(s.Lifecycle), System: reference(s.System),
		Names: []string{m.Name}, Tags: m.Tags,
	}
	switch strings.ToLower(d.Lifecycle) {
	case "deprecated", "retired", "archived", "end-of-life":
		d.Archived = true
	}
	if owner := reference(s.Owner); owner != "" {
		d.Owners = []string{owner}
		if !strings.HasPrefix(strings.ToLower(s.Owner), "user:") {
			d.Team = owner
		}
	}
	for _, ref := range append(slices.Clone(s.DependsOn), s.ConsumesAPIs...) {
		d.DependsOn = add(d.DependsOn, reference(ref))
	}
	for _, ref := range s.DependencyOf {
		d.ProvidesTo = add(d.ProvidesTo, reference(ref))
	}
	for _, ref := range s.ProvidesAPIs {
		d.Names = add(d.Names, reference(ref))
	}
	d.Names = add(d.Names, slug(m.Annotations["github.com/project-slug"]))
	d.FiledIn = add(d.FiledIn, oneLine(m.Annotations["jira/project-key"]))
	for part := range strings.SplitSeq(m.Annotations["jira/component"], ",") {
		d.Components = add(d.Components, oneLine(part))
	}
	return d
}

// reference is the name in "component:default/payments".
func reference(ref string) string {
	ref = oneLine(ref)
	return ref[strings.LastIndexAny(ref, ":/")+1:]
}

// slug is the repository in "acme/payments".
func slug(s string) string {
	s = oneLine(s)
	return s[strings.LastIndexByte(s, '/')+1:]
}

func add(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// oneLine folds white space, and bounds the length.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > maxText {
		return string(runes[:maxText-1]) + "…"
	}
	return s
}
