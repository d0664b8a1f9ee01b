package mine

import (
	"path"
	"strings"
)

// kind is what a changed file is.
type kind int

// The kinds of files.
const (
	kindOther kind = iota
	kindSource
	kindTest
	kindDocs
	kindVendored
)

// The rules are plain lists of words, so that anyone can read why a file counts.
const (
	testDirs   = "test tests testing unittest unittests __tests__ spec specs testdata test-data test_data fixtures __fixtures__ __mocks__ mocks it e2e androidtest functional-tests integration-tests"
	docDirs    = "doc docs documentation xdocs site releasenotes release-notes release_notes api-ref api-guide changes man"
	vendorDirs = "vendor node_modules third_party third-party thirdparty bower_components dist"
	sourceExts = `.java .kt .kts .groovy .scala .clj .py .pyx .pxd .go .rs .c .h .cc .cpp .cxx .hpp .hh .m .mm .cs .fs .vb .js .jsx .mjs .cjs
		.ts .tsx .vue .svelte .coffee .rb .erb .php .pl .pm .lua .r .jl .ex .exs .erl .hrl .hs .ml .mli .swift .dart .sh .bash .zsh .ps1 .bat
		.sql .proto .thrift .graphql .aj .y .l .g .g4 .jj .jjt .mdo .xsl .xslt .css .scss .sass .less .html .htm .jsp .jinja .jinja2 .j2 .tmpl .tpl
		.mako .tf .asm .s .cmake .nix .zig .vm .ftl .template`
	buildNames = "setup.py conf.py tasks.py noxfile.py gulpfile.js gruntfile.js webpack.config.js karma.conf.js build.gradle.kts settings.gradle.kts"
	docNames   = "readme changes changelog news history license notice authors contributors contributing release-notes"
)

// paths tells source from tests, documents and copies of other people's code.
type paths struct {
	tests, docs, vendored, source, build, names map[string]bool
	copied                                      []string // folders that the caller says are copies
}

func newPaths(copied []string) *paths {
	p := &paths{
		tests: words(testDirs), docs: words(docDirs), vendored: words(vendorDirs),
		source: words(sourceExts), build: words(buildNames), names: words(docNames),
	}
	for _, dir := range copied {
		if dir = strings.Trim(dir, "/"); dir != "" {
			p.copied = append(p.copied, "/"+dir+"/")
		}
	}
	return p
}

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// kind judges a file by its path.
func (p *paths) kind(name string) kind {
	lower := strings.ToLower(name)
	dir, base := path.Split(lower)
	for _, c := range p.copied {
		if strings.Contains("/"+name, c) {
			return kindVendored
		}
	}
	docs, main := false, false
	last := ""
	for _, part := range strings.Split(strings.Trim(dir, "/"), "/") {
		switch {
		case p.vendored[part]:
			return kindVendored
		case p.tests[part] || strings.HasSuffix(part, "-test") || strings.HasSuffix(part, "-tests") ||
			strings.HasSuffix(part, "_tests") || strings.HasSuffix(part, "-its") || strings.HasSuffix(part, "-it-suite"):
			return kindTest
		case p.docs[part]:
			docs = true
		case last == "src" && (part == "main" || part == "java"):
			main = true // what is packed into the product, whatever its ending
		}
		last = part
	}
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	switch {
	case docs || p.names[stem] || ext == ".md" || ext == ".rst" || ext == ".txt" || ext == ".adoc":
		return kindDocs
	case testName(path.Base(name)):
		return kindTest
	case main || p.source[ext] && !p.build[base]:
		return kindSource
	}
	return kindOther
}

// testName knows test files by the names that languages give them.
func testName(base string) bool {
	stem := base
	if i := strings.IndexByte(base, '.'); i > 0 {
		stem = base[:i]
		rest := strings.ToLower(base[i:])
		if strings.Contains(rest, ".test.") || strings.Contains(rest, ".spec.") {
			return true
		}
	}
	lower := strings.ToLower(stem)
	return strings.HasSuffix(lower, "_test") || strings.HasPrefix(lower, "test_") || strings.HasSuffix(lower, "_spec") ||
		strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") || strings.HasSuffix(stem, "TestCase") || lower == "conftest"
}
