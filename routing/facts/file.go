package facts

import (
	"bytes"
	"path"
	"strings"

	"github.com/pointsman/pointsman/routing/facts/endpoints"
)

// source is one file that is being read.
type source struct {
	path, lang string
	raw        []byte
	clean      []byte            // raw with comments blank; made when first needed
	words      map[string]bool   // answers of mentions
	constants  map[string]string // text by the name it is bound to; made when first needed
}

// languageOf names the language by a file's ending, or "" for what is no code.
func languageOf(p string) string {
	switch strings.ToLower(path.Ext(p)) {
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte":
		return "js"
	case ".go":
		return "go"
	case ".java", ".scala", ".groovy":
		return "java"
	case ".kt", ".kts":
		return "kotlin"
	case ".cs", ".fs", ".vb":
		return "csharp"
	case ".py":
		return "python"
	case ".rb", ".rake":
		return "ruby"
	case ".php":
		return "php"
	case ".rs":
		return "rust"
	case ".ex", ".exs":
		return "elixir"
	case ".dart":
		return "dart"
	case ".clj", ".cljs":
		return "clojure"
	}
	return ""
}

// text is the file without its comments.
func (f *source) text() []byte {
	if f.clean == nil {
		lang := f.lang
		switch lang {
		case "elixir", "config":
			lang = "python"
		case "php", "rust", "dart":
			lang = "java"
		}
		f.clean = endpoints.Blank(lang, f.raw)
	}
	return f.clean
}

// isCode tells a place outside of comments.
func (f *source) isCode(at int) bool { return f.text()[at] == f.raw[at] }

// line is the number of the line that holds the byte at.
func (f *source) line(at int) int { return 1 + bytes.Count(f.raw[:min(at, len(f.raw))], []byte{'\n'}) }

func (f *source) place(at int) Place { return Place{Path: f.path, Line: f.line(at)} }

// mentions tells whether one of the words, divided by "|", is in the file: as it
// is, with a capital, or in capitals.
func (f *source) mentions(words string) bool {
	if words == "" || words == "-" {
		return true
	}
	known, ok := f.words[words]
	if ok {
		return known
	}
	for w := range strings.SplitSeq(words, "|") {
		if bytes.Contains(f.raw, []byte(w)) || bytes.Contains(f.raw, []byte(strings.ToUpper(w[:1])+w[1:])) ||
			bytes.Contains(f.raw, []byte(strings.ToUpper(w))) {
			known = true
			break
		}
	}
	f.words[words] = known
	return known
}

func isWordByte(b byte) bool {
	return b == '_' || b == '$' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// skipSpace returns the first place from at on that is no space.
func skipSpace(text []byte, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

// backSpace returns the place behind the last byte before at that is no space.
func backSpace(text []byte, at int) int {
	for at > 0 && isSpace(text[at-1]) {
		at--
	}
	return at
}

// wordEnd returns the end of the word that begins at at.
func wordEnd(text []byte, at int) int {
	for at < len(text) && isWordByte(text[at]) {
		at++
	}
	return at
}

// wordStart returns the start of the word that ends before at.
func wordStart(text []byte, at int) int {
	for at > 0 && isWordByte(text[at-1]) {
		at--
	}
	return at
}
