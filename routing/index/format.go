package index

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/pointsman/pointsman/routing"
)

// Version is the version of the format and of the analysis behind it. A segment
// of another version is rebuilt, never read.
const Version = "5"

// A segment file is
//
//	magic, uint32 length of header, header (JSON), sections in the order below, uint32 CRC-32C of all before it
//
// Integers are little endian; section sizes are in the header.
const magic = "PMSEG\x00\x00\x01"

// checksum is CRC-32C, continued over b. MakeTable builds its table once.
func checksum(sum uint32, b []byte) uint32 {
	return crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), b)
}

// ErrBroken says that a segment file is not what was written: truncated,
// altered, or of another version. Build it again.
var ErrBroken = errors.New("the index file is broken or of another version; it must be built again")

// header describes the sections of a segment file.
type header struct {
	Version  string            `json:"version"`
	Identity Identity          `json:"identity"`
	Failures []routing.Failure `json:"failures,omitempty"`
	Bytes    int64             `json:"bytes"` // of indexed text
	Files    []string          `json:"files"`
	Chunks   int               `json:"chunks"`
	Tokens   int64             `json:"tokens"`
	Terms    int               `json:"terms"`
	TermLen  int               `json:"termLen"`
	PostLen  int               `json:"postLen"`
}

const (
	chunkSize = 4 + 4 + 4 + 4 + 8 // file, start, end, length, fingerprint
	termSize  = 4 + 8 + 4         // end of the term's text, end of its postings, chunks that hold it
)

// WriteTo writes the segment: the same documents give the same bytes.
func (b *Builder) WriteTo(w io.Writer) (int64, error) {
	order := b.order()
	h := header{
		Version: Version, Identity: b.id, Failures: b.failures, Bytes: b.bytes,
		Files: b.files, Chunks: len(b.chunks), Terms: len(order),
	}
	chunks := make([]byte, 0, len(b.chunks)*chunkSize)
	for _, c := range b.chunks {
		h.Tokens += int64(c.length)
		for _, n := range []int{c.file, c.start, c.end, c.length} {
			chunks = binary.LittleEndian.AppendUint32(chunks, uint32(n))
		}
		chunks = binary.LittleEndian.AppendUint64(chunks, c.fingerprint)
	}
	table := make([]byte, 0, len(order)*termSize)
	for _, t := range order {
		h.TermLen += len(b.terms[t])
		h.PostLen += len(b.postings[t])
		table = binary.LittleEndian.AppendUint32(table, uint32(h.TermLen))
		table = binary.LittleEndian.AppendUint64(table, uint64(h.PostLen))
		table = binary.LittleEndian.AppendUint32(table, uint32(b.df[t]))
	}
	head, err := json.Marshal(h)
	if err != nil {
		return 0, fmt.Errorf("encoding the index header: %w", err)
	}
	cw := &checkedWriter{w: w}
	cw.write([]byte(magic))
	cw.write(binary.LittleEndian.AppendUint32(nil, uint32(len(head))))
	cw.write(head)
	cw.write(chunks)
	cw.write(table)
	for _, t := range order {
		cw.write([]byte(b.terms[t]))
	}
	for _, t := range order {
		cw.write(b.postings[t])
	}
	cw.write(binary.LittleEndian.AppendUint32(nil, cw.sum))
	if cw.err != nil {
		return cw.n, fmt.Errorf("writing the index of %s: %w", b.id.Repo, cw.err)
	}
	return cw.n, nil
}

// checkedWriter keeps the checksum and the first error.
type checkedWriter struct {
	w   io.Writer
	n   int64
	sum uint32
	err error
}

func (c *checkedWriter) write(b []byte) {
	if c.err != nil {
		return
	}
	n, err := c.w.Write(b)
	c.n += int64(n)
	c.sum = checksum(c.sum, b)
	c.err = err
}

// Open reads a segment file whole and checks it. A file that is not a whole
// segment of this Version gives an error that is ErrBroken; one that cannot be
// read gives the file system's error.
func Open(path string) (*Segment, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("opening an index file: %w", err)
	}
	s, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return s, nil
}

// decode checks the bytes of a segment file and lays a Segment over them.
func decode(data []byte) (*Segment, error) {
	const fixed = 8 + 4 + 4
	if len(data) < fixed || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: no index header", ErrBroken)
	}
	body, tail := data[:len(data)-4], data[len(data)-4:]
	if checksum(0, body) != binary.LittleEndian.Uint32(tail) {
		return nil, fmt.Errorf("%w: checksum differs", ErrBroken)
	}
	headLen := int(binary.LittleEndian.Uint32(body[len(magic):]))
	rest := body[len(magic)+4:]
	if headLen > len(rest) {
		return nil, fmt.Errorf("%w: header is cut", ErrBroken)
	}
	s := &Segment{}
	if err := json.Unmarshal(rest[:headLen], &s.header); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	h := &s.header
	if h.Version != Version {
		return nil, fmt.Errorf("%w: version %q, want %q", ErrBroken, h.Version, Version)
	}
	rest = rest[headLen:]
	for _, n := range []int{h.Chunks, h.Terms, h.TermLen, h.PostLen} {
		if n < 0 || n > len(rest) {
			return nil, fmt.Errorf("%w: sizes do not fit", ErrBroken)
		}
	}
	if len(rest) != h.Chunks*chunkSize+h.Terms*termSize+h.TermLen+h.PostLen {
		return nil, fmt.Errorf("%w: sizes do not fit", ErrBroken)
	}
	s.chunks, rest = rest[:h.Chunks*chunkSize], rest[h.Chunks*chunkSize:]
	s.table, rest = rest[:h.Terms*termSize], rest[h.Terms*termSize:]
	s.terms, s.postings = rest[:h.TermLen], rest[h.TermLen:]
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, nil
}
