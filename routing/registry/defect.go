package registry

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"sync"
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
	lines func() []int
}

func newSource(text []byte) source {
	return source{text, sync.OnceValue(func() []int {
		lines := make([]int, 1, bytes.Count(text, []byte("\n"))+1)
		for i, c := range text {
			if c == '\n' {
				lines = append(lines, i+1)
			}
		}
		return lines
	})}
}

// position turns an offset into a line and a column, both from 1; the column
// counts characters.
func (s source) position(offset int) (line, col int) {
	offset = min(offset, len(s.text))
	lines := s.lines()
	line = sort.SearchInts(lines, offset+1)
	return line, utf8.RuneCount(s.text[lines[line-1]:offset]) + 1
}

// where is a JSON path that is only written out when somebody asks: nearly all of
// a registry is sound. The zero value is the root.
type where struct {
	parent *where
	name   string
	index  int // of a list element, when name is ""
}

func (w *where) String() string {
	switch {
	case w == nil || w.parent == nil && w.name == "":
		return "$"
	case w.name != "":
		return w.parent.String() + "." + w.name
	}
	return w.parent.String() + "[" + strconv.Itoa(w.index) + "]"
}

func (w *where) field(name string) *where { return &where{parent: w, name: name} }
func (w *where) item(i int) *where        { return &where{parent: w, index: i} }
