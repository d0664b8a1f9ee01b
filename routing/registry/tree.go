package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// kind is the type of a JSON value, in the words of an error.
type kind string

const (
	kindNull   kind = "null"
	kindBool   kind = "true or false"
	kindNumber kind = "a number"
	kindString kind = "a string"
	kindList   kind = "a list"
	kindObject kind = "an object"
)

// maxNesting bounds how deep values may stand in one another.
const maxNesting = 64

// node is one JSON value that knows where it stands.
type node struct {
	kind       kind
	start, end int    // offsets into the text
	text       string // of a string, number or boolean
	items      []node // of a list
	fields     []field
}

type field struct {
	name  string
	start int
	value node
}

// get returns the last field of a name, as JSON readers do.
func (n node) get(name string) (node, bool) {
	for i := len(n.fields) - 1; i >= 0; i-- {
		if n.fields[i].name == name {
			return n.fields[i].value, true
		}
	}
	return node{}, false
}

// parseTree reads valid JSON into nodes.
func parseTree(data []byte) (node, error) {
	p := &treeParser{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	return p.value(0)
}

type treeParser struct {
	data []byte
	dec  *json.Decoder
}

// next is the offset at which the next token begins.
func (p *treeParser) next() int {
	at := int(p.dec.InputOffset())
	for at < len(p.data) && bytes.IndexByte([]byte(" \t\r\n,:"), p.data[at]) >= 0 {
		at++
	}
	return at
}

func (p *treeParser) value(depth int) (node, error) {
	if depth > maxNesting {
		return node{}, fmt.Errorf("values are nested more than %d deep", maxNesting)
	}
	n := node{start: p.next()}
	token, err := p.dec.Token()
	if err != nil {
		return node{}, err
	}
	switch t := token.(type) {
	case nil:
		n.kind = kindNull
	case bool:
		n.kind, n.text = kindBool, fmt.Sprint(t)
	case json.Number:
		n.kind, n.text = kindNumber, t.String()
	case string:
		n.kind, n.text = kindString, t
	case json.Delim:
		if err := p.inside(&n, t, depth); err != nil {
			return node{}, err
		}
	}
	n.end = int(p.dec.InputOffset())
	return n, nil
}

// inside reads the members of a list or an object, and its closing bracket.
func (p *treeParser) inside(n *node, open json.Delim, depth int) error {
	n.kind = kindList
	if open == '{' {
		n.kind = kindObject
	}
	for p.dec.More() {
		f := field{start: p.next()}
		if n.kind == kindObject {
			key, err := p.dec.Token()
			if err != nil {
				return err
			}
			name, ok := key.(string)
			if !ok {
				return errors.New("a key is not a string")
			}
			f.name = name
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		if n.kind == kindList {
			n.items = append(n.items, v)
			continue
		}
		f.value = v
		n.fields = append(n.fields, f)
	}
	_, err := p.dec.Token()
	return err
}
