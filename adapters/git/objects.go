package git

import (
	"bytes"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
)

const (
	// maxObject bounds any object that is read into memory, bytes.
	maxObject = 64 << 20
	// maxCache bounds the delta bases kept per pack, bytes.
	maxCache = 48 << 20
	// maxAlternates bounds the chain of borrowed object folders.
	maxAlternates = 32
)

// objects is the object database of one repository, packs and loose objects, its
// own and those it borrows. It is for one goroutine.
type objects struct {
	dirs   []string
	packs  []*pack
	broken error // why a pack could not be opened: objects may be missing for it
}

// maxTries is how often the packs are listed again when one has gone in between:
// git replaces them while it tidies up.
const maxTries = 3

// openObjects opens every pack of the repository whose common git folder is
// given. A pack that cannot be opened is an error only when nothing else is left.
func openObjects(common string) (*objects, error) {
	o := &objects{}
	if err := o.addDir(filepath.Join(common, "objects")); err != nil {
		return nil, err
	}
	for range maxTries {
		if err := o.openPacks(); err != nil {
			o.close()
			return nil, err
		}
		if !errors.Is(o.broken, fs.ErrNotExist) {
			break
		}
	}
	if len(o.packs) == 0 && o.broken != nil {
		return nil, o.broken
	}
	return o, nil
}

// openPacks opens the packs that are there now.
func (o *objects) openPacks() error {
	o.close()
	o.packs, o.broken = nil, nil
	for _, dir := range o.dirs {
		bases, err := packBases(dir)
		if err != nil {
			return err
		}
		for _, base := range bases {
			p, err := openPack(base)
			if err != nil {
				o.broken = err
				continue
			}
			o.packs = append(o.packs, p)
		}
	}
	return nil
}

// addDir adds an object folder and those it borrows from.
func (o *objects) addDir(dir string) error {
	for _, d := range o.dirs {
		if d == dir {
			return nil
		}
	}
	if len(o.dirs) == maxAlternates {
		return fmt.Errorf("it borrows objects from more than %d folders", maxAlternates)
	}
	o.dirs = append(o.dirs, dir)
	text, err := readSmall(filepath.Join(dir, "info", "alternates"))
	if err != nil {
		return nil // no list, nothing borrowed; a missing object says so itself
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := o.addDir(resolve(dir, line)); err != nil {
			return err
		}
	}
	return nil
}

// packBases lists the packs of an object folder, without their file endings.
func packBases(dir string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(dir, "pack"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing packs: %w", err)
	}
	var bases []string
	for _, e := range entries {
		if base, ok := strings.CutSuffix(e.Name(), ".idx"); ok {
			bases = append(bases, filepath.Join(dir, "pack", base))
		}
	}
	sort.Strings(bases)
	return bases, nil
}

func (o *objects) close() {
	for _, p := range o.packs {
		p.close()
	}
}

// packed finds an object among the packs.
func (o *objects) packed(h plumbing.Hash) (*pack, int64, error) {
	for i, p := range o.packs {
		offset, ok, err := p.index.find(h)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			if i > 0 { // the next object is most likely in the same pack
				o.packs[0], o.packs[i] = o.packs[i], o.packs[0]
			}
			return p, offset, nil
		}
	}
	return nil, 0, nil
}

// size returns the size of an object, reading little more than its header.
func (o *objects) size(h plumbing.Hash) (int64, error) {
	p, offset, err := o.packed(h)
	if err != nil {
		return 0, err
	}
	if p != nil {
		return p.size(offset)
	}
	size := int64(0)
	err = o.loose(h, func(_ plumbing.ObjectType, n int64, _ io.Reader) error {
		size = n
		return nil
	})
	return size, err
}

// read returns an object of the wanted type. The bytes must not be changed.
func (o *objects) read(h plumbing.Hash, want plumbing.ObjectType) ([]byte, error) {
	p, offset, err := o.packed(h)
	if err != nil {
		return nil, err
	}
	var kind plumbing.ObjectType
	var data []byte
	if p != nil {
		kind, data, err = p.read(offset)
	} else {
		err = o.loose(h, func(k plumbing.ObjectType, n int64, r io.Reader) error {
			if n > maxObject {
				return errTooBig
			}
			kind, data = k, make([]byte, n)
			_, err := io.ReadFull(r, data)
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	if kind != want {
		return nil, fmt.Errorf("object is a %s, not a %s", kind, want)
	}
	if nameOf(kind, data) != h {
		return nil, errors.New("object is damaged: its content does not have its name")
	}
	return data, nil
}

// nameOf is the name that git gives an object: the hash of its type, size and
// content. Checking it is what makes a text true of its commit.
func nameOf(kind plumbing.ObjectType, data []byte) plumbing.Hash {
	sum := sha1.New()
	fmt.Fprintf(sum, "%s %d\x00", kind, len(data))
	sum.Write(data)
	return plumbing.Hash(sum.Sum(nil))
}

// loose opens an object that is a file of its own.
func (o *objects) loose(h plumbing.Hash, use func(plumbing.ObjectType, int64, io.Reader) error) error {
	name := h.String()
	for _, dir := range o.dirs {
		f, err := openRegular(filepath.Join(dir, name[:2], name[2:]))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("opening object: %w", pathCause(err))
		}
		err = readLoose(f, use)
		_ = f.Close()
		return err
	}
	if o.broken != nil {
		return fmt.Errorf("%w; a pack cannot be used: %w", errMissing, o.broken)
	}
	return errMissing
}

func readLoose(f io.Reader, use func(plumbing.ObjectType, int64, io.Reader) error) error {
	r, err := objfile.NewReader(f)
	if err != nil {
		return fmt.Errorf("reading object: %w", err)
	}
	defer func() { _ = r.Close() }()
	kind, size, err := r.Header()
	if err != nil {
		return fmt.Errorf("reading object: %w", err)
	}
	if err := use(kind, size, r); err != nil {
		return fmt.Errorf("reading object: %w", err)
	}
	return nil
}

// commitTree returns the root tree of a commit. A commit begins with the line
// "tree <40 hex digits>".
func (o *objects) commitTree(h plumbing.Hash) (plumbing.Hash, error) {
	data, err := o.read(h, plumbing.CommitObject)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	name, ok := bytes.CutPrefix(line, []byte("tree "))
	if !ok || !plumbing.IsHash(string(name)) {
		return plumbing.ZeroHash, errors.New("its first line does not name a tree")
	}
	return plumbing.NewHash(string(name)), nil
}
