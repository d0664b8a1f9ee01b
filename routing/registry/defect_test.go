package registry

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// A place is the same however it is found, also where bytes are no characters.
func TestPosition(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "\n", "a", "a\n\nb", strings.Repeat("a", 3*markEvery), strings.Repeat("ä€😀", markEvery) + "\nb" + strings.Repeat("\n€", markEvery),
		strings.Repeat("\x80\xe2\x82", markEvery), strings.Repeat("\x80", 3*markEvery) + "a", strings.Repeat("x\r\n", markEvery),
	} {
		src := newSource([]byte(text))
		for offset := range len(text) + 2 {
			before := text[:min(offset, len(text))]
			wantLine := 1 + strings.Count(before, "\n")
			wantCol := 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
			if line, col := src.position(offset); line != wantLine || col != wantCol {
				t.Fatalf("%.20q, offset %d: at %d:%d, want %d:%d", text, offset, line, col, wantLine, wantCol)
			}
		}
	}
}

// A registry may be one line of eight megabytes: whatever is said of it, at every
// place there is never more text to read than between two marks.
func TestPlacesOfOneLine(t *testing.T) {
	t.Parallel()
	src := newSource(bytes.Repeat([]byte("{\"name\": \"\u00e4\"}, "), 8<<20/16))
	marks := src.marks()
	for i, m := range marks {
		next := len(src.text)
		if i+1 < len(marks) {
			next = marks[i+1].offset
		}
		if next-m.offset > markEvery+utf8.UTFMax {
			t.Fatalf("from %d to %d nothing is marked", m.offset, next)
		}
	}
}

// A key is anybody's text: it forges no line of an error, and does not fill a log.
func TestOddKeys(t *testing.T) {
	t.Parallel()
	for _, key := range []string{`\u001b[31m`, `a\nregistry.json is fine`, `\u202eb`, strings.Repeat("x", 1<<16)} {
		for _, text := range []string{
			`{"version":1,"repos":[{"name":"a","siblings":[{"repo":"a","` + key + `":1}],"` + key + `":1}],"` + key + `":[]}`,
			`{"version":1,"repos":[{"name":"a","owner":{"` + key + `":1}},{"name":"a","owns":{"` + key + `":1}}]}`,
		} {
			reg, err := Parse("registry.json", []byte(text))
			said := reg.Warnings
			if err != nil {
				said = append(said, err.Error())
			}
			if len(said) == 0 {
				t.Errorf("%.30q: nothing is said", key)
			}
			for _, s := range said {
				if strings.ContainsAny(s, "\x1b\n\u202e") || len(s) > 600 {
					t.Errorf("%.30q: %d bytes: %.300q", key, len(s), s)
				}
			}
		}
	}
}

// Two bytes of text become a value of eighty: their number is bounded before they
// are made.
func TestParseCountsValues(t *testing.T) {
	t.Parallel()
	text := `{"version":1,"repos":[{"name":"a"}],"x":[` + strings.Repeat("1,", maxValues) + `1]}`
	_, err := Parse("registry.json", []byte(text))
	var bad *Invalid
	if !errors.As(err, &bad) || bad.Defects[0].Mend == "" || !strings.Contains(err.Error(), "more than 1000000 values") {
		t.Errorf("the error is %v", err)
	}
}
