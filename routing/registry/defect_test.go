package registry

import (
	"bytes"
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
