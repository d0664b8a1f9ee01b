package registry

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Defect is something wrong at a place of a registry file.
type Defect struct {
	File      string
	Line, Col int    // from 1; the column counts characters. 0 when there is no place
	Path      string // JSON path, "" when the file is no JSON
	Text      string // what is wrong
	Mend      string // what to do
}

// String is one line: the place, what is wrong, and what to do.
func (d Defect) String() string {
	s := d.File
	if d.Line > 0 {
		s += fmt.Sprintf(":%d:%d", d.Line, d.Col)
	}
	if d.Path != "" {
		s += ": " + d.Path
	}
	s += ": " + d.Text
	if d.Mend != "" {
		s += "; " + d.Mend
	}
	return s
}

// Invalid is the error of a registry that is refused. Errors.As finds it in what
// Load, Parse, Confine and Edit return.
type Invalid struct {
	Defects []Defect // at least one, in the order of the file
	More    int      // beyond those kept
}

func (e *Invalid) Error() string {
	more := ""
	if n := len(e.Defects) - 1 + e.More; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return fmt.Sprintf("reading registry: %s%s", e.Defects[0], more)
}

func invalid(d Defect) error { return &Invalid{Defects: []Defect{d}} }

// inOrder sorts defects by their place in the file.
func inOrder(defects []Defect) {
	slices.SortStableFunc(defects, func(a, b Defect) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
}

// source is the text of a file, and where its lines begin. The lines are only
// looked for when somebody asks for a place.
type source struct {
	text  []byte
	marks func() []mark
}

// mark is a place that is known: the beginning of a line, or one within a long line.
type mark struct{ offset, line, col int }

// markEvery is the greatest number of bytes between two marks: a whole registry may
// be one line, and a place in it must not cost the line.
const markEvery = 256

func newSource(text []byte) source {
	return source{text, sync.OnceValue(func() []mark {
		marks := make([]mark, 0, bytes.Count(text, []byte("\n"))+len(text)/markEvery+1)
		for at, line := 0, 1; at <= len(text); line++ {
			end := len(text)
			if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
				end = at + n
			}
			marks = alongLine(append(marks, mark{at, line, 1}), text[:end])
			at = end + 1
		}
		return marks
	})}
}

// alongLine adds the marks within the line that begins at the last one and ends
// with the text.
func alongLine(marks []mark, text []byte) []mark {
	for at := marks[len(marks)-1]; len(text)-at.offset > markEvery; {
		next := at.offset + markEvery
		for next < len(text) && !utf8.RuneStart(text[next]) {
			next++
		}
		at = mark{next, at.line, at.col + utf8.RuneCount(text[at.offset:next])}
		marks = append(marks, at)
	}
	return marks
}

// position turns an offset into a line and a column, both from 1; the column
// counts characters.
func (s source) position(offset int) (line, col int) {
	offset = min(offset, len(s.text))
	marks := s.marks()
	m := marks[sort.Search(len(marks), func(i int) bool { return marks[i].offset > offset })-1]
	return m.line, m.col + utf8.RuneCount(s.text[m.offset:offset])
}

// where is a JSON path that is only written out when somebody asks: nearly all of
// a registry is sound. The zero value is the root.
type where struct {
	parent *where
	name   string
	index  int // of a list element, when name is ""
}

func (w *where) String() string { return string(w.append(make([]byte, 0, 64))) }

func (w *where) append(b []byte) []byte {
	switch {
	case w == nil || w.parent == nil && w.name == "":
		return append(b, '$')
	case w.name != "":
		return append(append(w.parent.append(b), '.'), shown(w.name)...)
	}
	return append(strconv.AppendInt(append(w.parent.append(b), '['), int64(w.index), 10), ']')
}

// shown is a key as it may stand in one line: a key is outside text, which may be
// long, and hold what moves the cursor of a terminal.
func shown(name string) string {
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return strconv.QuoteToGraphic(clip(name))
		}
	}
	return clip(name)
}

func (w *where) field(name string) *where { return &where{parent: w, name: name} }
func (w *where) item(i int) *where        { return &where{parent: w, index: i} }
