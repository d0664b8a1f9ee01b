package git

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // it is git's checksum of packs, no protection
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

const (
	// maxFetchedObjects and maxFetchedObject bound the memory that the index of a
	// pack takes: the objects of a pack, and the bytes of one of them.
	maxFetchedObjects = 10_000_000
	maxFetchedObject  = 512 << 20
)

var (
	errCutShort = errors.New("the pack that came is cut short or damaged")
	errHeavy    = errors.New("its pack would take too much memory")
)

// receive writes a pack with its index into a folder and returns the name that
// both have before their ends. The pack holds all of wants.
func receive(ctx context.Context, dir string, from io.Reader, wants []plumbing.Hash) (base string, err error) {
	file, err := os.OpenFile(filepath.Join(dir, "new.pack"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", pathCause(err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sum, err := store(file, from)
	if err != nil {
		return "", err
	}
	if err := file.Sync(); err != nil {
		return "", pathCause(err)
	}
	source := &stoppable{File: file, stopped: ctx.Err}
	var index *idxfile.MemoryIndex
	err = guard("reading the pack that came", func() error {
		if err := weigh(source); err != nil {
			return err
		}
		index, err = indexOf(source)
		return err
	})
	if err != nil {
		return "", err
	}
	for _, want := range wants {
		if ok, err := index.Contains(want); err != nil || !ok {
			return "", fmt.Errorf("%w: it lacks commit %s", errCutShort, want)
		}
	}
	base = "pack-" + sum
	if err := writeIndex(filepath.Join(dir, base+".idx"), index); err != nil {
		return "", err
	}
	if err := os.Rename(file.Name(), filepath.Join(dir, base+".pack")); err != nil {
		return "", pathCause(err)
	}
	return base, nil
}

// store writes a pack down and compares its checksum.
func store(file *os.File, from io.Reader) (sum string, err error) {
	in := &trailed{hash: sha1.New()} //nolint:gosec // as above
	if _, err := io.Copy(io.MultiWriter(file, in), from); err != nil {
		return "", fmt.Errorf("the pack broke off: %w", err)
	}
	if got := in.hash.Sum(nil); !bytes.Equal(got, in.tail) {
		return "", errCutShort
	}
	return fmt.Sprintf("%x", in.tail), nil
}

// trailed hashes what is written to it, but for the last 20 bytes.
type trailed struct {
	hash hash.Hash
	tail []byte
}

// Write implements io.Writer.
func (t *trailed) Write(p []byte) (int, error) {
	t.tail = append(t.tail, p...)
	if n := len(t.tail) - hashSize; n > 0 {
		_, _ = t.hash.Write(t.tail[:n]) // a hash takes everything
		t.tail = append([]byte(nil), t.tail[n:]...)
	}
	return len(p), nil
}

// stoppable is a file whose reading ends when it is no longer wanted: what indexes
// a pack takes no context.
type stoppable struct {
	*os.File
	stopped func() error
}

// Read implements io.Reader.
func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.stopped(); err != nil {
		return 0, err
	}
	return s.File.Read(p)
}

// weigh reads a pack through and refuses what would fill the memory.
func weigh(file *stoppable) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	scanner := packfile.NewScanner(file)
	_, n, err := scanner.Header()
	if err != nil {
		return fmt.Errorf("%w: %w", errCutShort, err)
	}
	if n > maxFetchedObjects {
		return fmt.Errorf("%w: it has %d objects, more than %d; clone it yourself with git clone --mirror", errHeavy, n, maxFetchedObjects)
	}
	for range n {
		head, err := scanner.NextObjectHeader()
		if err != nil {
			return fmt.Errorf("%w: %w", errCutShort, err)
		}
		start := &start{}
		big := head.Length
		if big <= maxFetchedObject {
			if _, _, err := scanner.NextObject(start); err != nil {
				return fmt.Errorf("%w: %w", errCutShort, err)
			}
			if head.Type.IsDelta() {
				big = max(big, start.target())
			}
		}
		if big > maxFetchedObject {
			return fmt.Errorf("%w: it holds an object of %s, more than %s; clone it yourself with git clone --mirror", errHeavy, size(big), size(maxFetchedObject))
		}
	}
	return nil
}

// start keeps the first bytes that are written to it.
type start struct{ bytes []byte }

// Write implements io.Writer.
func (s *start) Write(p []byte) (int, error) {
	if room := 2*binary.MaxVarintLen64 - len(s.bytes); room > 0 {
		s.bytes = append(s.bytes, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

// target is the size of what a delta makes.
func (s *start) target() int64 {
	_, n := binary.Uvarint(s.bytes)
	if n <= 0 {
		return 0 // no delta; the index will say so
	}
	size, n := binary.Uvarint(s.bytes[n:])
	if n < 0 || size > 1<<62 {
		return 1 << 62
	}
	return int64(size)
}

func indexOf(file *stoppable) (*idxfile.MemoryIndex, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	writer := new(idxfile.Writer)
	parser, err := packfile.NewParser(packfile.NewScanner(file), writer)
	if err != nil {
		return nil, err
	}
	if _, err := parser.Parse(); err != nil {
		return nil, fmt.Errorf("%w: %w", errCutShort, err)
	}
	return writer.Index()
}

func writeIndex(name string, index *idxfile.MemoryIndex) (err error) {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return pathCause(err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err := idxfile.NewEncoder(out).Encode(index); err != nil {
		return fmt.Errorf("writing the index of its pack: %w", err)
	}
	return out.Sync()
}
