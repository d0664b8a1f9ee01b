package index

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/text"
)

// The largest files worth indexing, in bytes. Beyond lie data, not code; a file
// whose name has no ending is a script or a note, which are short, or a dump.
const (
	maxFile  = 1 << 20
	maxPlain = 32 << 10
)

// The rules for what stays out, as words of paths. They are plain lists so that
// anyone can read why a file is not found.
const (
	// Tests describe behaviour in the words of past tickets.
	testDirs = `test tests testing __tests__ testdata test-data testutil testutils test-utils fixtures __fixtures__ __mocks__
		mocks e2e androidtest src/it`
	// Files that are tests by their very name, without their ending.
	testNames = "test tests conftest"
	// Changelogs quote the titles of the very tickets that are routed. The names are
	// those of files and folders of anything but code: code may be called history.go.
	codeExts = `.go .java .kt .kts .scala .groovy .clj .js .jsx .ts .tsx .mjs .cjs .vue .svelte .py .rb .php .cs .fs .vb .c .h
		.cc .cpp .cxx .hpp .hh .m .mm .swift .rs .dart .ex .exs .erl .hs .ml .mli .lua .pl .pm .r .jl .sh .bash .zsh .ps1 .bat
		.sql .proto .graphql .tf .css .scss .sass .less .asm .s .zig .nim .elm .cr .d .pas .f90 .cob .abap .sol`
	// Spaces, points, hyphens and underscores in them do not count.
	changelogNames = `changelog changelogs changelogd changes news newsfragments history versionhistory releasenotes relnotes release
		releases whatsnew upgrading upgradeto`
	// Other people's code, and what builds leave behind.
	vendorDirs = "vendor node_modules third_party third-party thirdparty bower_components dist .git .changeset .idea .gradle __pycache__"
	lockNames  = "package-lock.json yarn.lock pnpm-lock.yaml go.sum cargo.lock poetry.lock gemfile.lock composer.lock pipfile.lock"
	binaryExts = `.png .jpg .jpeg .gif .bmp .ico .webp .tif .tiff .psd .pdf .zip .gz .tgz .bz2 .xz .7z .z .lz4 .zst .br .tar .jar
		.war .ear .class .so .dll .dylib .exe .a .o .lib .bin .dat .db .sqlite .woff .woff2 .ttf .otf .eot .mp3 .mp4 .avi .mov
		.wav .ogg .keystore .jks .p12 .der .pyc .wasm .ser .map .snap`
	// The same words in every repository, where they are not code.
	legalNames    = "license licence copying notice copyright"
	generatedEnds = ".min.js .min.css .pb.go .pb.cc .pb.h _pb2.py .g.dart .designer.cs _generated.go .generated.ts"
)

// Rules decides which files are indexed.
type Rules struct {
	tests, testNames, changelogs, code, vendored, locks, binaries, legal map[string]bool
	generated                                                            []string
	cleaner                                                              *text.Cleaner
}

// NewRules returns the default rules.
func NewRules() *Rules {
	return &Rules{
		tests:      words(testDirs),
		testNames:  words(testNames),
		changelogs: words(changelogNames),
		code:       words(codeExts),
		vendored:   words(vendorDirs),
		locks:      words(lockNames),
		binaries:   words(binaryExts),
		legal:      words(legalNames),
		generated:  strings.Fields(generatedEnds),
		cleaner:    text.NewCleaner(),
	}
}

func words(list string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// Want reports whether a file is indexed, judged by its path and its size in
// bytes alone, before it is read.
func (r *Rules) Want(name string, size int64) bool {
	if size == 0 || size > maxFile {
		return false
	}
	lower := strings.ToLower(name)
	dir, base := path.Split(lower)
	if r.isTestFolder(path.Dir(name)) {
		return false
	}
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	if strings.Trim(ext, ".0123456789x") == "" { // RELEASE-NOTES-2.3 and CHANGELOG-10.x have no ending
		ext, stem = "", base
	}
	prose := !r.code[ext]
	above := ""
	for part := range strings.SplitSeq(strings.Trim(dir, "/"), "/") {
		if r.tests[part] || r.tests[above+"/"+part] || r.vendored[part] ||
			prose && r.changelogs[joined(part)] {
			return false
		}
		above = part
	}
	if ext == "" && size > maxPlain || prose && r.legal[stem] {
		return false
	}
	if r.locks[base] || r.binaries[ext] || prose && r.isChangelog(stem) || r.isTest(path.Base(name)) {
		return false
	}
	for _, end := range r.generated {
		if strings.HasSuffix(base, end) {
			return false
		}
	}
	return true
}

// Keep reports whether a wanted file is indexed now that it is read: it is text,
// not written by a machine, and no changelog.
func (r *Rules) Keep(d routing.Document) bool {
	return isText(d.Text) && !r.citesTickets(d.Path, d.Text)
}

// manyKeys is the number of cited tickets that makes a changelog of a document,
// whatever it is called.
const manyKeys = 10

// citesTickets tells a changelog by what it says.
func (r *Rules) citesTickets(name string, b []byte) bool {
	lower := strings.ToLower(name)
	switch path.Ext(lower) {
	case ".json", ".yml", ".yaml", ".toml":
		return false
	case ".xml":
		if path.Base(lower) == "pom.xml" {
			return false
		}
	default:
		if r.code[path.Ext(lower)] {
			return false
		}
	}
	return r.cleaner.Keys(b, manyKeys) >= manyKeys
}

// isChangelog also knows CHANGES-1.x.txt, Change Log.md and RELEASE-NOTES-2.3.txt.
func (r *Rules) isChangelog(stem string) bool {
	if r.changelogs[joined(stem)] {
		return true
	}
	parts := strings.FieldsFunc(stem, isJoiner)
	for n := 1; n < len(parts); n++ {
		if r.changelogs[strings.Join(parts[:n], "")] {
			return true
		}
	}
	if len(parts) == 0 {
		return false
	}
	return r.changelogs[strings.TrimRight(parts[0], "0123456789")]
}

// joined leaves out what joins the words of a name.
func joined(name string) string { return strings.Join(strings.FieldsFunc(name, isJoiner), "") }

func isJoiner(r rune) bool { return strings.ContainsRune("-_. ", r) }

// isTestFolder knows App.UnitTests, AppTests, integrationTest and testFixtures by
// their capitals; latest and contest have none.
func (r *Rules) isTestFolder(dir string) bool {
	for part := range strings.SplitSeq(dir, "/") {
		if strings.HasSuffix(part, "Test") || strings.HasSuffix(part, "Tests") || strings.HasSuffix(strings.ToLower(part), ".tests") {
			return true
		}
		if rest, ok := strings.CutPrefix(part, "test"); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
			return true
		}
	}
	return false
}

// isTest knows test files by the names that languages give them.
func (r *Rules) isTest(base string) bool {
	stem := base
	if i := strings.IndexByte(base, '.'); i > 0 {
		stem = base[:i]
		rest := strings.ToLower(base[i:])
		if strings.Contains(rest, ".test.") || strings.Contains(rest, ".spec.") || strings.Contains(rest, ".cy.") || rest == ".t" || rest == ".feature" {
			return true
		}
	}
	lower := strings.ToLower(stem)
	return r.testNames[lower] || strings.HasSuffix(lower, "_test") || strings.HasSuffix(lower, "_tests") ||
		strings.HasSuffix(lower, "-test") || strings.HasSuffix(lower, "-tests") || strings.HasSuffix(lower, "_unittest") ||
		strings.HasPrefix(lower, "test-") || strings.HasPrefix(lower, "tests_") || strings.HasSuffix(stem, "Spec") || strings.HasPrefix(lower, "test_") || strings.HasSuffix(lower, "_spec") ||
		strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") || strings.HasSuffix(stem, "TestCase") ||
		strings.HasSuffix(stem, "IT") && len(stem) > 4
}

// Limits of isText.
const (
	sniffLen   = 8 << 10
	longLine   = 400 // average bytes a line beyond which a file is minified or data
	longEnough = 4 << 10
)

// isText tells source from bytes that only look like it by name: binary,
// minified, machine-written and number-filled files.
func isText(b []byte) bool {
	head := b[:min(len(b), sniffLen)]
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	if bytes.Contains(head[:min(len(head), 2<<10)], []byte("DO NOT EDIT")) || bytes.Contains(head[:min(len(head), 2<<10)], []byte("@generated")) {
		return false
	}
	bad, digits := 0, 0
	for rest := head; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case r >= '0' && r <= '9':
			digits++
		}
		rest = rest[n:]
	}
	if bad > len(head)/10 || digits > len(head)/3 {
		return false
	}
	return len(b) < longEnough || len(b)/(bytes.Count(b, []byte{'\n'})+1) <= longLine
}
