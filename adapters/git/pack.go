package git

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// maxDeltaDepth is git's own limit on chains of deltas.
	maxDeltaDepth = 4096
	// packBuffer is how much of a pack is read at once; most objects fit.
	packBuffer = 8 << 10
)

var (
	errMissing = errors.New("object is missing")
	errTooBig  = fmt.Errorf("object is larger than %d MiB", maxObject>>20)
)

// pack reads objects out of one .pack file. It is for one goroutine.
type pack struct {
	index *packIndex
	file  *os.File
	in    *bufio.Reader
	zip   io.ReadCloser // reset for every object
	cache *lru
}

func openPack(base string) (*pack, error) {
	index, err := openPackIndex(base + ".idx")
	if err != nil {
		return nil, err
	}
	f, err := openRegular(base + ".pack")
	if err != nil {
		_ = index.file.Close()
		return nil, fmt.Errorf("opening pack: %w", err)
	}
	return &pack{index: index, file: f, in: bufio.NewReaderSize(nil, packBuffer), cache: newLRU(maxCache)}, nil
}

func (p *pack) close() {
	_ = p.file.Close()
	_ = p.index.file.Close()
}

// entry is the header of an object in a pack.
type entry struct {
	kind plumbing.ObjectType
	size int64 // of the object, or of the delta
	base int64 // offset of a delta's base
}

func (e entry) delta() bool {
	return e.kind == plumbing.OFSDeltaObject || e.kind == plumbing.REFDeltaObject
}

// header reads the header at offset and leaves in at the compressed data.
func (p *pack) header(offset int64) (entry, error) {
	p.in.Reset(io.NewSectionReader(p.file, offset, 1<<62-offset))
	b, err := p.in.ReadByte()
	if err != nil {
		return entry{}, fmt.Errorf("reading pack: %w", io.ErrUnexpectedEOF)
	}
	e := entry{kind: plumbing.ObjectType(b >> 4 & 7), size: int64(b & 15)}
	for shift := 4; b&0x80 != 0; shift += 7 {
		if b, err = p.in.ReadByte(); err != nil || shift > 56 {
			return entry{}, errors.New("reading pack: an object's header is damaged")
		}
		e.size |= int64(b&0x7f) << shift
	}
	switch e.kind {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
		return e, nil
	case plumbing.OFSDeltaObject:
		back, err := p.backOffset()
		e.base = offset - back
		if err != nil || back <= 0 || e.base <= 0 {
			return entry{}, errors.New("reading pack: a delta's base is outside the pack")
		}
		return e, nil
	case plumbing.REFDeltaObject:
		var h plumbing.Hash
		if _, err := io.ReadFull(p.in, h[:]); err != nil {
			return entry{}, fmt.Errorf("reading pack: %w", err)
		}
		base, ok, err := p.index.find(h)
		if err == nil && !ok {
			err = fmt.Errorf("reading pack: a delta's base %s: %w", h, errMissing)
		}
		e.base = base
		return e, err
	default:
		return entry{}, fmt.Errorf("reading pack: unknown object type %d", e.kind)
	}
}

// backOffset reads git's variable-length distance to a delta's base.
func (p *pack) backOffset() (int64, error) {
	b, err := p.in.ReadByte()
	if err != nil {
		return 0, err
	}
	n := int64(b & 0x7f)
	for b&0x80 != 0 {
		if b, err = p.in.ReadByte(); err != nil {
			return 0, err
		}
		if n > 1<<54 {
			return 0, errors.New("distance is out of range")
		}
		n = (n+1)<<7 | int64(b&0x7f)
	}
	return n, nil
}

// inflater prepares to decompress what follows a header.
func (p *pack) inflater() (io.Reader, error) {
	if p.zip == nil {
		z, err := zlib.NewReader(p.in)
		p.zip = z
		return z, err
	}
	return p.zip, p.zip.(zlib.Resetter).Reset(p.in, nil)
}

// inflate decompresses exactly size bytes that follow a header.
func (p *pack) inflate(size int64) ([]byte, error) {
	if size < 0 || size > maxObject {
		return nil, errTooBig
	}
	z, err := p.inflater()
	if err != nil {
		return nil, fmt.Errorf("decompressing: %w", err)
	}
	out := make([]byte, size)
	if _, err := io.ReadFull(z, out); err != nil {
		return nil, fmt.Errorf("decompressing: %w", err)
	}
	var one [1]byte
	if n, err := z.Read(one[:]); n != 0 || !errors.Is(err, io.EOF) {
		return nil, errors.New("decompressing: data run past their stated size or fail their checksum")
	}
	return out, nil
}

// size returns the size of the object at offset without decompressing it whole.
func (p *pack) size(offset int64) (int64, error) {
	e, err := p.header(offset)
	if err != nil || !e.delta() {
		return e.size, err
	}
	z, err := p.inflater()
	if err != nil {
		return 0, fmt.Errorf("decompressing: %w", err)
	}
	var head [20]byte
	n, err := io.ReadFull(z, head[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, fmt.Errorf("decompressing: %w", err)
	}
	_, rest, ok := deltaSize(head[:n])
	size, _, ok2 := deltaSize(rest)
	if !ok || !ok2 {
		return 0, errDelta
	}
	return size, nil
}

// read returns the type and bytes of the object at offset. The bytes are shared
// with the cache and must not be changed.
func (p *pack) read(offset int64) (plumbing.ObjectType, []byte, error) {
	type step struct {
		offset int64
		delta  []byte
	}
	var chain []step
	var kind plumbing.ObjectType
	var data []byte
	for at := offset; ; {
		if k, d, ok := p.cache.get(at); ok {
			kind, data = k, d
			break
		}
		e, err := p.header(at)
		if err != nil {
			return kind, nil, err
		}
		body, err := p.inflate(e.size)
		if err != nil {
			return kind, nil, err
		}
		if !e.delta() {
			kind, data = e.kind, body
			if len(chain) > 0 || kind == plumbing.TreeObject {
				p.cache.put(at, kind, data)
			}
			break
		}
		if chain = append(chain, step{at, body}); len(chain) > maxDeltaDepth {
			return kind, nil, errors.New("reading pack: a chain of deltas is too long")
		}
		at = e.base
	}
	for i := len(chain) - 1; i >= 0; i-- {
		var err error
		if data, err = applyDelta(data, chain[i].delta); err != nil {
			return kind, nil, err
		}
		p.cache.put(chain[i].offset, kind, data)
	}
	return kind, data, nil
}

var errDelta = errors.New("applying delta: it is damaged")

// deltaSize reads one little-endian base-128 number.
func deltaSize(b []byte) (int64, []byte, bool) {
	n := int64(0)
	for i := 0; i < len(b) && i < 8; i++ {
		n |= int64(b[i]&0x7f) << (7 * i)
		if b[i]&0x80 == 0 {
			return n, b[i+1:], true
		}
	}
	return 0, nil, false
}

// applyDelta rebuilds an object from its base and a delta.
func applyDelta(base, delta []byte) ([]byte, error) {
	from, delta, ok := deltaSize(delta)
	if !ok || from != int64(len(base)) {
		return nil, errDelta
	}
	to, delta, ok := deltaSize(delta)
	if !ok {
		return nil, errDelta
	}
	if to > maxObject {
		return nil, errTooBig
	}
	out := bytes.NewBuffer(make([]byte, 0, to))
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		switch {
		case op&0x80 != 0:
			start, n, rest, ok := copyRange(op, delta)
			if !ok || start+n > len(base) || int64(out.Len()+n) > to {
				return nil, errDelta
			}
			out.Write(base[start : start+n])
			delta = rest
		case op == 0 || int(op) > len(delta) || int64(out.Len()+int(op)) > to:
			return nil, errDelta
		default:
			out.Write(delta[:op])
			delta = delta[op:]
		}
	}
	if int64(out.Len()) != to {
		return nil, errDelta
	}
	return out.Bytes(), nil
}

// copyRange decodes the operands of a delta's copy instruction.
func copyRange(op byte, b []byte) (start, n int, rest []byte, ok bool) {
	for i := range 7 {
		if op>>i&1 == 0 {
			continue
		}
		if len(b) == 0 {
			return 0, 0, nil, false
		}
		if i < 4 {
			start |= int(b[0]) << (8 * i)
		} else {
			n |= int(b[0]) << (8 * (i - 4))
		}
		b = b[1:]
	}
	if n == 0 {
		n = 0x10000
	}
	return start, n, b, true
}
