package registry

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/pointsman/pointsman/routing"
)

const (
	// Version is the one version of the format that is read.
	Version = 1
	// maxBytes bounds a registry file.
	maxBytes = 64 << 20
)

// Registry is a registry.json that has been read and checked.
type Registry struct {
	Repos    []routing.Repo // in the order of the file
	Hash     string         // "sha256:" and 64 hex digits, of the file's bytes
	File     string         // where it was read from; "" for none
	Warnings []string       // defects that do not stop routing, each with its place

	// Entries holds each entry as it was written, by name: the fields that
	// routing.Repo does not know are kept here.
	Entries map[string]json.RawMessage

	// Defects holds the warnings with their places as data.
	Defects []Defect

	src   source
	nodes []node // of the entries, in order
	fence *fence // of a registry that is confined
}

// Load reads and checks a registry file. Errors name the file, the line and
// column, the JSON path, and how to mend it.
func Load(file string) (Registry, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Registry{}, fmt.Errorf("reading registry: %s does not exist; write one with pointsman init, or correct the path", file)
	}
	if err != nil {
		return Registry{}, fmt.Errorf("reading registry: %w", err)
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for whoever writes to it
		return Registry{}, fmt.Errorf("reading registry: %s is not a regular file; name the registry.json itself", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return Registry{}, fmt.Errorf("reading registry: %w", err)
	}
	defer func() { _ = f.Close() }()
	// With room for the whole file: growing would copy it several times.
	data := bytes.NewBuffer(make([]byte, 0, min(info.Size(), maxBytes)+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(f, maxBytes+1)); err != nil {
		return Registry{}, fmt.Errorf("reading registry: %w", err)
	}
	return Parse(file, data.Bytes())
}

// Parse checks the bytes of a registry; file is what its errors call it. It
// accepts version 1 of the format, RepoOrch's own registries included, and any
// field it does not know. What is refused is an *Invalid.
func Parse(file string, data []byte) (Registry, error) {
	sum := sha256.Sum256(data)
	reg := Registry{File: file, Hash: "sha256:" + hex.EncodeToString(sum[:]), Entries: map[string]json.RawMessage{}}
	text, root, err := readTree(file, data)
	if err != nil {
		return Registry{}, err
	}
	c := newChecker(file, text)
	reg.Repos = c.top(root, reg.Entries)
	c.names(reg.Repos)
	c.identities(reg.Repos)
	c.siblings(reg.Repos)
	if err := c.err(); err != nil {
		return Registry{}, err
	}
	inOrder(c.warnings)
	reg.Defects, reg.src, reg.nodes = c.warnings, c.src, c.entries
	for _, w := range c.warnings {
		reg.Warnings = append(reg.Warnings, w.String())
	}
	if n := c.more.warnings; n > 0 {
		reg.Warnings = append(reg.Warnings, fmt.Sprintf("%s: %d more of the kind", file, n))
	}
	return reg, nil
}

// readTree reads data that must be JSON in UTF-8. The offsets of the nodes are those
// of the text, which is data without a byte order mark.
func readTree(file string, data []byte) ([]byte, node, error) {
	text, err := plainText(file, data)
	if err != nil {
		return nil, node{}, err
	}
	root, err := parseTree(text)
	switch {
	case err == nil:
		return text, root, nil
	case !json.Valid(text):
		return nil, node{}, syntaxError(file, text)
	}
	what, mend, _ := strings.Cut(err.Error(), "; ")
	return nil, node{}, invalid(Defect{File: file, Text: what, Mend: mend})
}

// plainText makes sure that data are UTF-8, and drops a byte order mark.
func plainText(file string, data []byte) ([]byte, error) {
	fail := func(mend, format string, args ...any) error {
		return invalid(Defect{File: file, Text: fmt.Sprintf(format, args...), Mend: mend})
	}
	if len(data) > maxBytes {
		return nil, fail("leave out what does not say what a repository is", "it is larger than %d MiB", maxBytes>>20)
	}
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return nil, fail("save it as UTF-8", "it is written in UTF-16")
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fail(wantTop, "it is empty")
	}
	if !utf8.Valid(data) {
		line, col := newSource(data).position(firstInvalid(data))
		return nil, invalid(Defect{file, line, col, "", "a byte that is not UTF-8", "save the file as UTF-8"})
	}
	return data, nil
}

// syntaxError says where JSON goes wrong and, for the usual slips, how to mend it.
func syntaxError(file string, data []byte) error {
	var raw json.RawMessage
	var se *json.SyntaxError
	err := json.Unmarshal(data, &raw)
	if !errors.As(err, &se) {
		return invalid(Defect{File: file, Text: "it is no JSON", Mend: wantTop})
	}
	at := max(int(se.Offset)-1, 0)
	src := newSource(data)
	if at >= len(data) || strings.HasPrefix(se.Error(), "unexpected end") {
		line, col := src.position(len(data))
		return invalid(Defect{file, line, col, "", "the file ends too early", "a } or ] is missing"})
	}
	line, col := src.position(at)
	mend := "write JSON: " + wantTop[len("write "):]
	before := bytes.TrimRight(data[:at], " \t\r\n")
	switch {
	case (data[at] == '}' || data[at] == ']') && bytes.HasSuffix(before, []byte(",")):
		mend = "remove the comma before it"
	case data[at] == '"' || data[at] == '{' || data[at] == '[':
		mend = "a comma is missing before it"
	case data[at] == '/' || data[at] == '#':
		mend = "JSON has no comments"
	case data[at] == '\'':
		mend = `write "..." for text`
	}
	return invalid(Defect{file, line, col, "", se.Error(), mend})
}

func firstInvalid(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}
