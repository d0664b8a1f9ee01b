package facts

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/facts/endpoints"
	"github.com/pointsman/pointsman/routing/index"
	"github.com/pointsman/pointsman/routing/registry"
)

// maxRead is the largest file that is read for facts, in bytes: beyond lie data.
const maxRead = 1 << 20

// maxFailures bounds how many failures are listed.
const maxFailures = 1_000

// Scan gathers the facts of one commit: Want is asked for every file, Add is
// given the wanted ones, Facts tells the sum. It is not safe for concurrent use.
type Scan struct {
	rules    *index.Rules
	paths    []string
	failures []routing.Failure

	readmes, codeowners, catalogs map[string][]byte

	endpoints  *endpoints.Reader
	frameworks *frameworks
	used       map[string]bool // frameworks
	published  map[string]int  // packages, with how deep their manifest lies

	marks       map[string][]mark
	answers     map[string][]answer
	statusNames map[string]string

	names     map[string]map[string]Name // by kind and value
	pending   []pending
	typed     []pending         // names that count if the repository has a type called so
	types     map[string]bool   // classes and records of C#
	constants map[string]string // of all files, "" where two disagree
	settings  map[string]string // configured values by key in lower case
	late      []pending         // events whose names stand in the settings
	last      bool              // all files are read
}

// NewScan returns a scan that has seen nothing.
func NewScan() *Scan {
	s := &Scan{
		rules:   index.NewRules(),
		readmes: map[string][]byte{}, codeowners: map[string][]byte{}, catalogs: map[string][]byte{},
		endpoints: endpoints.NewReader(), frameworks: newFrameworks(),
		used: map[string]bool{}, published: map[string]int{},
		marks: readMarks(), names: map[string]map[string]Name{},
		constants: map[string]string{}, settings: map[string]string{}, types: map[string]bool{},
	}
	s.answers, s.statusNames = readAnswers()
	return s
}

// Want reports whether a file is to be read, judged by its path and its size in
// bytes. It also counts the file among the commit's, so that it is asked once for
// every file.
func (s *Scan) Want(p string, size int64) bool {
	s.paths = append(s.paths, p)
	if size <= 0 || size > maxRead {
		return false
	}
	return s.declares(p) != nil || s.reads(p, size)
}

// reads tells the files whose text says something: code, manifests, settings and
// descriptions of interfaces, as long as people wrote them for the product itself.
func (s *Scan) reads(p string, size int64) bool {
	if !s.rules.Want(p, size) && !isEnvSample(p) || sideFolder(p) && !isDescription(p) {
		return false
	}
	return languageOf(p) != "" || ecosystemOf(p) != "" || isSettings(p) || s.endpoints.Want(p)
}

// isDescription tells the description of an interface that lies among the prose,
// where generators and people put it: docs/swagger.json.
func isDescription(p string) bool {
	dir, base := path.Split(strings.ToLower(p))
	if ext := path.Ext(base); !strings.HasPrefix(dir, "doc") || ext != ".json" && ext != ".yaml" && ext != ".yml" {
		return false
	}
	return strings.HasPrefix(base, "openapi") || strings.HasPrefix(base, "swagger") || strings.HasPrefix(base, "asyncapi")
}

// Add reads a file. Its text is not kept beyond the call.
func (s *Scan) Add(d routing.Document) {
	if kind := s.declares(d.Path); kind != nil {
		kind[d.Path] = slices.Clone(d.Text)
		return
	}
	if !s.reads(d.Path, int64(len(d.Text))) {
		return
	}
	text := plain(d.Text)
	if ecosystemOf(d.Path) != "" {
		s.readManifest(d.Path, text)
	}
	if !s.rules.Keep(routing.Document{Path: d.Path, Text: text}) {
		return
	}
	f := &source{path: d.Path, lang: languageOf(d.Path), raw: text, words: map[string]bool{}}
	if isSettings(d.Path) {
		f.lang = "config"
		s.readSettings(f)
	}
	if f.lang != "" && !isManifestCode(d.Path) {
		s.readCode(f)
		s.readMessages(f)
		s.readEnvironment(f)
		s.readCodes(f)
		s.remember(f)
		if f.lang == "java" || f.lang == "kotlin" {
			s.readPlaceholders(f, `"${`)
		}
	}
	if s.endpoints.Want(d.Path) {
		s.endpoints.Read(d.Path, text)
	}
}

// isManifestCode tells build scripts, which are programs but not the product.
func isManifestCode(p string) bool {
	switch strings.ToLower(path.Base(p)) {
	case "setup.py", "gemfile", "build.gradle.kts", "settings.gradle.kts", "mix.exs", "gruntfile.js", "gulpfile.js", "rakefile":
		return true
	}
	return strings.HasSuffix(p, ".gemspec") || strings.HasSuffix(p, ".gradle.kts")
}

// plain makes UTF-8 of UTF-16 with its mark, which Windows tools write, and drops
// UTF-8's own mark. Other text stays as it is: what is read of it is ASCII.
func plain(text []byte) []byte {
	if rest, ok := bytes.CutPrefix(text, []byte("\xef\xbb\xbf")); ok {
		return rest
	}
	little := bytes.HasPrefix(text, []byte("\xff\xfe"))
	if !little && !bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return text
	}
	var units []uint16
	for i := 2; i+1 < len(text); i += 2 {
		a, b := uint16(text[i]), uint16(text[i+1])
		if little {
			a, b = b, a
		}
		units = append(units, a<<8|b)
	}
	return []byte(string(utf16.Decode(units)))
}

func (s *Scan) fail(p, why string) {
	if len(s.failures) < maxFailures {
		s.failures = append(s.failures, routing.Failure{Path: p, Why: why})
	}
}

// Facts tells what was found so far.
func (s *Scan) Facts() Facts {
	paths := slices.Clone(s.paths)
	slices.Sort(paths)
	s.resolve()
	f := Facts{
		Languages:  registry.Languages(paths),
		Frameworks: sorted(s.used),
		Packages:   s.packages(),
		Readme:     first(s.readmes, registry.BetterReadme),
		Codeowners: first(s.codeowners, byPlace(codeownersPlaces())),
		Catalog:    first(s.catalogs, byPlace(catalogPlaces())),
		Paths:      paths,
		Failures:   s.failures,
	}
	for _, e := range s.endpoints.Found() {
		if len(f.Endpoints) < MaxEach {
			f.Endpoints = append(f.Endpoints, Endpoint{Method: e.Method, Path: e.Path, Framework: e.Framework, At: Place{e.File, e.Line}})
		}
	}
	for _, e := range s.endpoints.Events() {
		s.keep(e.Direction, "asyncapi", e.Name, Place{e.File, e.Line})
	}
	f.Emits, f.Consumes, f.EnvVars = s.list(kindEmits), s.list(kindConsumes), s.list(kindEnv)
	f.Codes, f.Requires, f.Issues = s.list(kindCode), s.list(kindRequires), s.list(kindIssues)
	return f
}

func sorted(set map[string]bool) []string {
	var out []string
	for name := range set {
		out = append(out, name)
	}
	slices.Sort(out)
	return out[:min(len(out), MaxEach)]
}
