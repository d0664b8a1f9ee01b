package index

import (
	"encoding/binary"
	"fmt"
	"sort"

	"github.com/pointsman/pointsman/routing"
)

// Segment is the index of one repository at one commit. It is immutable and safe
// for concurrent use.
type Segment struct {
	header   header
	chunks   []byte
	table    []byte
	terms    []byte
	postings []byte
}

// Identity is the state that the segment describes.
func (s *Segment) Identity() Identity { return s.header.Identity }

// Generation names the segment: format version and commit.
func (s *Segment) Generation() string {
	commit := s.header.Identity.Commit
	return "v" + Version + "-" + commit[:min(12, len(commit))]
}

// Failures lists what could not be read when the segment was built.
func (s *Segment) Failures() []routing.Failure { return s.header.Failures }

// Files is the number of indexed files.
func (s *Segment) Files() int { return len(s.header.Files) }

// Chunks is the number of indexed windows.
func (s *Segment) Chunks() int { return s.header.Chunks }

// Bytes is the size of the indexed text.
func (s *Segment) Bytes() int64 { return s.header.Bytes }

// Close ends the use of the segment.
func (s *Segment) Close() error { return nil }

// check proves that every offset a reader will follow lies inside its section,
// so that no query can fail on a file that opened.
func (s *Segment) check() error {
	var text, post uint64
	for t := range s.header.Terms {
		row := s.table[t*termSize:]
		textEnd, postEnd := uint64(binary.LittleEndian.Uint32(row)), binary.LittleEndian.Uint64(row[4:])
		if textEnd < text || postEnd < post || textEnd > uint64(len(s.terms)) || postEnd > uint64(len(s.postings)) {
			return fmt.Errorf("%w: term table", ErrBroken)
		}
		text, post = textEnd, postEnd
	}
	for c := range s.header.Chunks {
		if int(binary.LittleEndian.Uint32(s.chunks[c*chunkSize:])) >= len(s.header.Files) {
			return fmt.Errorf("%w: chunk table", ErrBroken)
		}
	}
	return nil
}

// find returns the row of a term, or -1.
func (s *Segment) find(term string) int {
	n := s.header.Terms
	i := sort.Search(n, func(i int) bool { return string(s.termText(i)) >= term })
	if i < n && string(s.termText(i)) == term {
		return i
	}
	return -1
}

func (s *Segment) termText(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = binary.LittleEndian.Uint32(s.table[(i-1)*termSize:])
	}
	return s.terms[start:binary.LittleEndian.Uint32(s.table[i*termSize:])]
}

// df is the number of chunks that hold the term in row i.
func (s *Segment) df(i int) int {
	return int(binary.LittleEndian.Uint32(s.table[i*termSize+12:]))
}

// each calls visit for every chunk that holds the term in row i, in order.
func (s *Segment) each(i int, visit func(chunk, tf int)) {
	start := uint64(0)
	if i > 0 {
		start = binary.LittleEndian.Uint64(s.table[(i-1)*termSize+4:])
	}
	p := s.postings[start:binary.LittleEndian.Uint64(s.table[i*termSize+4:])]
	c := 0
	for len(p) > 0 {
		delta, n := binary.Uvarint(p)
		if n <= 0 {
			return
		}
		tf, m := binary.Uvarint(p[n:])
		if m <= 0 {
			return
		}
		p = p[n+m:]
		c += int(delta)
		if c < 0 || c >= s.header.Chunks {
			return
		}
		visit(c, int(tf))
	}
}

// chunk returns the window with the given number.
func (s *Segment) chunk(c int) chunk {
	row := s.chunks[c*chunkSize:]
	return chunk{
		file:        int(binary.LittleEndian.Uint32(row)),
		start:       int(binary.LittleEndian.Uint32(row[4:])),
		end:         int(binary.LittleEndian.Uint32(row[8:])),
		length:      int(binary.LittleEndian.Uint32(row[12:])),
		fingerprint: binary.LittleEndian.Uint64(row[16:]),
	}
}
