package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing/eval"
)

var update = flag.Bool("update", false, "rewrite the golden page")

// harbour is a small run with everything a page can show; titles and names try to
// break out of it.
func harbour(t *testing.T) eval.Record {
	t.Helper()
	file, err := os.Open("testdata/run.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rec, err := eval.ReadRecord("testdata/run.json", file)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func drawn(t *testing.T, rec eval.Record, o eval.MeasureOptions) string {
	t.Helper()
	report, err := eval.Measure(rec, o)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := Write(&buf, report); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// earlier is the same run as it might have been before.
func earlier(t *testing.T) eval.Record {
	t.Helper()
	old := harbour(t)
	old.AsOf.Weights = "sha256:0ld"
	old.Cases = old.Cases[:6]
	old.Cases[0].Ranks[0].Repo, old.Cases[0].Ranks[1].Repo = old.Cases[0].Ranks[1].Repo, old.Cases[0].Ranks[0].Repo
	return old
}

func TestPage(t *testing.T) {
	t.Parallel()
	old := earlier(t)
	got := drawn(t, harbour(t), eval.MeasureOptions{Against: &old})
	const golden = "testdata/report.golden.html"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("page (-golden +got); go test ./routing/eval/page -update when it is meant:\n%s", d)
	}
}

func TestPageIsSelfContainedAndWellFormed(t *testing.T) {
	t.Parallel()
	old := earlier(t)
	bare := harbour(t)
	bare.Cases, bare.Groups, bare.Skipped = bare.Cases[:1], nil, nil
	bare.Cases[0].Confidence, bare.Cases[0].Present = nil, nil
	for name, page := range map[string]string{
		"full": drawn(t, harbour(t), eval.MeasureOptions{Against: &old}), "bare": drawn(t, bare, eval.MeasureOptions{}),
	} {
		// Nothing is loaded and nothing runs.
		for _, bad := range []string{`(?i)<script`, `(?i)<(?:link|img|iframe|object|embed|form|base)\b`, `(?i)\ssrc\s*=`, `(?i)https?:`, `(?i)url\(`, `(?i)@import`, `(?i)\son[a-z]+\s*=`} {
			if found := regexp.MustCompile(bad).FindString(page); found != "" {
				t.Errorf("%s: the page has %q", name, found)
			}
		}
		for _, href := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if !strings.HasPrefix(href[1], "#") || !strings.Contains(page, `id="`+href[1][1:]+`"`) {
				t.Errorf("%s: the page links to %q", name, href[1])
			}
		}
		// What the template or the escaper could not write shows as one of these.
		for _, bad := range []string{"ZgotmplZ", "%!", "NaN", "Inf", "<nil>", "<no value>"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: the page has %q", name, bad)
			}
		}
		wellFormed(t, name, page)
	}
}

// wellFormed checks that every element that is opened is closed, in order.
func wellFormed(t *testing.T, name, page string) {
	t.Helper()
	closed := regexp.MustCompile(`(<meta [^>]*)>`).ReplaceAllString(strings.TrimPrefix(page, "<!DOCTYPE html>"), "$1/>")
	dec := xml.NewDecoder(strings.NewReader(closed))
	dec.Entity = xml.HTMLEntity
	for {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
	}
}

func TestPageEscapesWhatItShows(t *testing.T) {
	t.Parallel()
	rec := harbour(t)
	const evil = "</td><b onclick=alert(1)>\x1b[31m\u202e'\"&{{.}}"
	rec.Cases[1].Title, rec.Cases[1].ID = evil, evil+"1"
	rec.Skipped[0].Why, rec.Coverage[0].Why[0], rec.AsOf.Program = evil, evil, evil
	page := drawn(t, rec, eval.MeasureOptions{})
	if strings.Contains(page, "<b onclick") || strings.ContainsAny(page, "\x1b") {
		t.Error("a text broke out of its place")
	}
	if n := strings.Count(page, "&lt;b onclick=alert(1)&gt;"); n < 4 {
		t.Errorf("the text is shown %d times, want it escaped in at least 4 places", n)
	}
	wellFormed(t, "evil", page)
}

func TestPageSaysWhenThereIsNothing(t *testing.T) {
	t.Parallel()
	rec := harbour(t)
	for i := range rec.Cases {
		c := &rec.Cases[i]
		c.Verdict, c.Ranks, c.Spans, c.Confidence, c.Why = "none", nil, nil, nil, nil
	}
	rec.Skipped = nil
	page := drawn(t, rec, eval.MeasureOptions{})
	for _, want := range []string{
		"No decision named a repository.", "There is nothing to plot: these decisions state no probability.",
		"None: every ticket of the gold file counts in the figures.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
