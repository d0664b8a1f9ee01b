package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
)

const commit = "0123456789abcdef0123456789abcdef01234567"

// segment builds and reads back a segment of the given files, in path order.
func segment(tb testing.TB, repo string, files ...string) *Segment {
	tb.Helper()
	s, err := decode(encode(tb, repo, files...))
	if err != nil {
		tb.Fatalf("decoding what was just written: %v", err)
	}
	return s
}

// encode takes path, text, path, text, ...
func encode(tb testing.TB, repo string, files ...string) []byte {
	tb.Helper()
	b := NewBuilder(Identity{Repo: repo, Branch: "main", Commit: commit})
	for i := 0; i < len(files); i += 2 {
		b.Add(routing.Document{Path: files[i], Text: []byte(files[i+1])})
	}
	b.Fail(routing.Failure{Path: "broken.go", Why: "its blob is missing"})
	var buf bytes.Buffer
	n, err := b.WriteTo(&buf)
	if err != nil {
		tb.Fatalf("writing: %v", err)
	}
	if n != int64(buf.Len()) {
		tb.Errorf("WriteTo says %d bytes, wrote %d", n, buf.Len())
	}
	return buf.Bytes()
}

func query(stems ...string) []QueryTerm {
	terms := make([]QueryTerm, len(stems))
	for i, s := range stems {
		terms[i] = QueryTerm{Stem: s, Weight: 1}
	}
	return terms
}

func TestSameDocumentsGiveSameBytes(t *testing.T) {
	t.Parallel()
	files := []string{"a.go", "refund order twice", "b.go", strings.Repeat("line of code\n", 100)}
	if !bytes.Equal(encode(t, "pay", files...), encode(t, "pay", files...)) {
		t.Error("two builds of the same documents differ")
	}
}

func TestSegmentKeepsItsIdentity(t *testing.T) {
	t.Parallel()
	s := segment(t, "pay", "a.go", strings.Repeat("refund\n", 90))
	if d := cmp.Diff(Identity{Repo: "pay", Branch: "main", Commit: commit}, s.Identity()); d != "" {
		t.Errorf("identity (-want +got):\n%s", d)
	}
	if got, want := s.Generation(), "v"+Version+"-0123456789ab"; got != want {
		t.Errorf("generation %q, want %q", got, want)
	}
	if s.Files() != 1 || s.Chunks() != 3 { // 90 lines in windows of 40
		t.Errorf("%d files, %d chunks; want 1 and 3", s.Files(), s.Chunks())
	}
	if d := cmp.Diff([]routing.Failure{{Path: "broken.go", Why: "its blob is missing"}}, s.Failures()); d != "" {
		t.Errorf("failures (-want +got):\n%s", d)
	}
}

func TestSearchFindsTheLines(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("nothing here\n", 45) + "refundOrder(order)\n" + strings.Repeat("nothing here\n", 20)
	set := NewSet([]*Segment{segment(t, "web", "x.ts", "a page\n"), segment(t, "pay", "src/pay.go", text)})
	res, err := set.Search(t.Context(), query("refund", "order", "neverseen"))
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Repos[0].Segment.Identity().Repo; got != "pay" {
		t.Fatalf("segments are not in order of name: first is %q", got)
	}
	top := res.Repos[0].Top
	if len(top) != 1 || top[0].Path != "src/pay.go" || top[0].StartLine != 41 || top[0].EndLine != 66 {
		t.Errorf("top %+v; want one window, src/pay.go:41-66", top)
	}
	if len(res.Repos[1].Top) != 0 {
		t.Errorf("web has hits for words it does not hold: %+v", res.Repos[1].Top)
	}
	if d := cmp.Diff([]int{0, 1}, set.Segment("pay").Matched(top[0], res.Terms)); d != "" {
		t.Errorf("matched terms (-want +got):\n%s", d)
	}
}

// The score of one chunk, worked by hand. Two repositories, one chunk each, of 3
// and 1 terms, each with one path term ("a", "b" are too short, "go" is not), so
// lengths 4 and 2, mean 3. "refund" stands twice in one of 2 chunks.
func TestScoreByHand(t *testing.T) {
	t.Parallel()
	set := NewSet([]*Segment{segment(t, "one", "a.go", "refund refund order"), segment(t, "two", "b.go", "order")})
	res, err := set.Search(t.Context(), query("refund"))
	if err != nil {
		t.Fatal(err)
	}
	idf := math.Log(1 + (2-1+0.5)/(1+0.5))
	want := idf * 2.2 * 2 / (2 + 1.2*(1-0.75+0.75*4/3.0))
	if got := res.Repos[0].Top[0].Score; math.Abs(got-want) > 1e-12 {
		t.Errorf("score %v, want %v", got, want)
	}
	if res.Terms[0].Chunks != 1 || res.Terms[0].Repos != 1 {
		t.Errorf("statistics %+v, want 1 chunk in 1 repository", res.Terms[0])
	}
}

func TestUnsharedLeavesOutWhatStandsInAll(t *testing.T) {
	t.Parallel()
	shared := "reservation detail date\n"
	a := segment(t, "new", "screens/a.ts", shared, "own.ts", "voucher date\n")
	b := segment(t, "old", "legacy/b.ts", shared, "own.ts", "fax machine\n")
	got := Unshared([]*Segment{a, b}, query("date", "reserv", "fax"))
	if d := cmp.Diff([][]int{{1, 0, 0}, {0, 0, 1}}, got); d != "" {
		t.Errorf("unshared chunks by member and term (-want +got):\n%s", d)
	}
}

func TestEveryDamageIsSeen(t *testing.T) {
	t.Parallel()
	good := encode(t, "pay", "a.go", "refund order\n")
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x40
		if _, err := decode(bad); !errors.Is(err, ErrBroken) {
			t.Errorf("byte %d flipped: error %v, want ErrBroken", i, err)
		}
		if _, err := decode(good[:i]); !errors.Is(err, ErrBroken) {
			t.Errorf("cut after %d bytes: error %v, want ErrBroken", i, err)
		}
	}
}

func TestOpenNamesTheFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "seg")
	if _, err := Open(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v, want os.ErrNotExist", err)
	}
	if err := os.WriteFile(file, []byte("not an index"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(file)
	if !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), file) {
		t.Errorf("foreign file: %v, want ErrBroken naming %s", err, file)
	}
	if err := os.WriteFile(file, encode(t, "pay", "a.go", "refund"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(file)
	if err != nil || s.Identity().Repo != "pay" {
		t.Errorf("good file: %v, %v", s, err)
	}
}

func TestWant(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"src/main/java/Refund.java":      true,
		"README.md":                      true,
		"Makefile":                       true,
		"docs/usage.adoc":                true,
		"src/latest/News.java":           true,
		"web/src/history/History.tsx":    true,
		"docs/releases/2.0.md":           false,
		"RELEASE-NOTES-2.3":              false,
		"src/changes/release-notes.vm":   false,
		"web/ReleaseNotes.tsx":           true,
		"CHANGELOG.mdx":                  false,
		"CHANGELOG.org":                  false,
		"CHANGE_LOG.md":                  false,
		"docs/Change Log.md":             false,
		"changelog.d/12.md":              false,
		"newsfragments/12.feature":       false,
		"docs/whats-new.md":              false,
		"docs/version-history.md":        false,
		"docs/history-of-steam.md":       false, // the price of the rule
		"app/tests.py":                   false,
		"web/test.js":                    false,
		"app/conftest.py":                false,
		"app/login_tests.py":             false,
		"MyProj.Tests/Foo.cs":            false,
		"src/testutil/h.go":              false,
		"src/it/simple/pom.xml":          false,
		"fixtures/a.json":                false,
		"App.UnitTests/A.cs":             false,
		"App.Test/A.cs":                  false,
		"AppTests/A.swift":               false,
		"src/integrationTest/A.kt":       false,
		"src/testFixtures/A.kt":          false,
		"src/latest/Contest.kt":          true,
		"src/FooSpec.scala":              false,
		"cypress/a.cy.ts":                false,
		"web/foo-test.js":                false,
		"web/test-foo.js":                false,
		"app/tests_foo.py":               false,
		"src/foo_unittest.cc":            false,
		"t/01.t":                         false,
		"features/a.feature":             false,
		".changeset/foo.md":              false,
		"src/license.go":                 true,
		"src/notice.ts":                  true,
		"lib/copyright.rb":               true,
		"src/build/step.go":              true,
		"src/target/aim.go":              true,
		"src/locale/it/text.go":          true,
		"src/spec/Schema.java":           true,
		"spec/user_spec.rb":              false,
		"site/upgradeto2_5.xml":          false,
		"site/release_1_2.xml":           false,
		"src/release/Release.java":       true,
		"CHANGELOG-10.x":                 false,
		"src/site/relnotes.xml":          false,
		"src/Contest.java":               true, // ends in "test", is none
		"src/NewsletterService.java":     true,
		"changes_to_make.go":             true,
		"CHANGELOG.md":                   false,
		"RELEASE-NOTES.txt":              false,
		"CHANGES-1.4.txt":                false,
		"src/changes/changes.xml":        false,
		"src/test/java/RefundTest.java":  false,
		"pkg/refund_test.go":             false,
		"web/app.spec.ts":                false,
		"web/app.test.tsx":               false,
		"tests/test_refund.py":           false,
		"lib/test_refund.py":             false,
		"src/main/java/RefundTests.java": false,
		"vendor/x/y.go":                  false,
		"web/node_modules/a/index.js":    false,
		"package-lock.json":              false,
		"app.min.js":                     false,
		"api/pay.pb.go":                  false,
		"logo.png":                       false,
		"LICENSE.txt":                    false,
		"NOTICE":                         false,
	} {
		if got := NewRules().Want(path, 100); got != want {
			t.Errorf("Want(%q) = %v, want %v", path, got, want)
		}
	}
	for size, want := range map[int64]bool{0: false, 1: true, maxFile: true, maxFile + 1: false} {
		if got := NewRules().Want("a.go", size); got != want {
			t.Errorf("Want of %d bytes = %v, want %v", size, got, want)
		}
	}
	if NewRules().Want("dump/tu_1_3", maxPlain+1) {
		t.Error("a long file without an ending is a dump")
	}
}

func TestBuilderPassesOverWhatIsNoText(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"binary":    "PK\x00\x01\x02",
		"generated": "// Code generated by x. DO NOT EDIT.\npackage x\n",
		"minified":  "var a=1;" + strings.Repeat("function(){return a};", 600),
		"numbers":   strings.Repeat("0.12345 0.99182 17\n", 50),
		"not UTF-8": strings.Repeat("\xff\xfe\xfd", 50),
	} {
		if s := segment(t, "x", "file.js", text); s.Files() != 0 {
			t.Errorf("%s: indexed", name)
		}
	}
	cites := strings.Repeat("PAY-1 is mended\n", 10)
	if s := segment(t, "x", "docs/article.md", cites); s.Files() != 0 {
		t.Error("a document that cites ten tickets is a changelog, whatever it is called")
	}
	if s := segment(t, "x", "src/a.go", cites, "docs/b.md", "UTF-8 and SHA-256 and CVE-2020 and PAY-1\n"); s.Files() != 2 {
		t.Errorf("%d files: code may cite tickets, and standards are none", s.Files())
	}
	if s := segment(t, "x", "latin1.txt", "caf\xe9 is closed on mondays\n"); s.Files() != 1 {
		t.Error("one Latin-1 letter must not hide a file")
	}
}

func TestEmptySetAnswers(t *testing.T) {
	t.Parallel()
	res, err := NewSet(nil).Search(t.Context(), query("refund"))
	if err != nil || len(res.Repos) != 0 {
		t.Errorf("got %v, %v", res, err)
	}
	set := NewSet([]*Segment{segment(t, "empty")})
	if res, err = set.Search(t.Context(), query("refund")); err != nil || len(res.Repos[0].Top) != 0 {
		t.Errorf("got %v, %v", res, err)
	}
}

// A segment file that passes its checksum must never make a reader fail, however
// it came to be.
func FuzzDecode(f *testing.F) {
	good := encode(f, "pay", "a.go", "refund order\n", "b.go", "date")
	f.Add(good[:len(good)-4])
	f.Add([]byte{})
	f.Add([]byte(fmt.Sprintf("%s\x02\x00\x00\x00{}", magic)))
	f.Fuzz(func(t *testing.T, body []byte) {
		data := binary.LittleEndian.AppendUint32(bytes.Clone(body), checksum(0, body))
		s, err := decode(data)
		if err != nil {
			if !errors.Is(err, ErrBroken) {
				t.Errorf("error %v is not ErrBroken", err)
			}
			return
		}
		res, err := NewSet([]*Segment{s}).Search(t.Context(), query("refund", "date"))
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range res.Repos[0].Top {
			s.Matched(hit, res.Terms)
		}
		Unshared([]*Segment{s, s}, query("refund"))
	})
}
