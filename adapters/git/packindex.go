package git

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	hashSize    = 20
	fanoutStart = 8
	namesStart  = fanoutStart + 256*4
	trailerSize = 2 * hashSize
	// maxPackObjects bounds what an index may claim; a pack of this many objects
	// has an index of several gigabytes.
	maxPackObjects = 200_000_000
)

// packIndex looks objects up in one pack's .idx file (version 2). It reads what
// it needs: the fan-out table on opening, a bucket of names when one is first
// asked for.
type packIndex struct {
	file    *os.File
	fanout  [256]uint32
	large   int64 // entries of the table of 64-bit offsets
	buckets [256][]byte
}

func openPackIndex(path string) (*packIndex, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, fmt.Errorf("opening pack index: %w", err)
	}
	x := &packIndex{file: f}
	if err := x.readHeader(); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("reading pack index %s: %w", path, err)
	}
	return x, nil
}

func (x *packIndex) readHeader() error {
	info, err := x.file.Stat()
	if err != nil {
		return err
	}
	var head [namesStart]byte
	if _, err := x.file.ReadAt(head[:], 0); err != nil {
		return errors.New("it is cut short")
	}
	if !bytes.Equal(head[:8], []byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}) {
		return errors.New("it is not a version 2 index; run git repack -a -d")
	}
	last := uint32(0)
	for i := range x.fanout {
		n := binary.BigEndian.Uint32(head[fanoutStart+4*i:])
		if n < last || n > maxPackObjects {
			return errors.New("its fan-out table is damaged")
		}
		x.fanout[i], last = n, n
	}
	rest := info.Size() - namesStart - trailerSize - int64(last)*(hashSize+4+4)
	if rest < 0 || rest%8 != 0 {
		return errors.New("its size does not fit its table")
	}
	x.large = rest / 8
	return nil
}

func (x *packIndex) count() int64 { return int64(x.fanout[255]) }

// find returns the offset of an object in the pack, and whether it is there.
func (x *packIndex) find(h plumbing.Hash) (offset int64, ok bool, err error) {
	first := uint32(0)
	if h[0] > 0 {
		first = x.fanout[h[0]-1]
	}
	names, err := x.bucket(h[0], first)
	if err != nil {
		return 0, false, err
	}
	lo, hi := 0, len(names)/hashSize
	for lo < hi {
		mid := (lo + hi) / 2
		switch bytes.Compare(names[mid*hashSize:(mid+1)*hashSize], h[:]) {
		case 0:
			offset, err := x.offset(int64(first) + int64(mid))
			return offset, err == nil, err
		case -1:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return 0, false, nil
}

// bucket returns the sorted names that begin with b.
func (x *packIndex) bucket(b byte, first uint32) ([]byte, error) {
	n := int64(x.fanout[b] - first)
	if n == 0 || x.buckets[b] != nil {
		return x.buckets[b], nil
	}
	names := make([]byte, n*hashSize)
	if _, err := x.file.ReadAt(names, namesStart+int64(first)*hashSize); err != nil {
		return nil, fmt.Errorf("reading pack index: %w", err)
	}
	x.buckets[b] = names
	return names, nil
}

// offset reads the i-th entry of the offset table.
func (x *packIndex) offset(i int64) (int64, error) {
	var b [8]byte
	table := namesStart + x.count()*(hashSize+4)
	if _, err := x.file.ReadAt(b[:4], table+4*i); err != nil {
		return 0, fmt.Errorf("reading pack index: %w", err)
	}
	small := binary.BigEndian.Uint32(b[:4])
	if small&(1<<31) == 0 {
		return int64(small), nil
	}
	row := int64(small &^ (1 << 31))
	if row >= x.large {
		return 0, errors.New("reading pack index: an offset points outside its table")
	}
	if _, err := x.file.ReadAt(b[:], table+4*x.count()+8*row); err != nil && !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("reading pack index: %w", err)
	}
	big := binary.BigEndian.Uint64(b[:])
	if big > 1<<62 {
		return 0, errors.New("reading pack index: an offset is out of range")
	}
	return int64(big), nil
}
