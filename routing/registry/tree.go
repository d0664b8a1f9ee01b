package registry

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// kind is the type of a JSON value.
type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindList
	kindObject
)

// String is the kind in the words of an error.
func (k kind) String() string {
	switch k {
	case kindBool:
		return "true or false"
	case kindNumber:
		return "a number"
	case kindString:
		return "a string"
	case kindList:
		return "a list"
	case kindObject:
		return "an object"
	case kindNull:
	}
	return "null"
}

// maxNesting bounds how deep values may stand in one another.
const maxNesting = 64

// node is one JSON value that knows where it stands.
type node struct {
	start, end int    // offsets into the text
	text       string // of a string, number or boolean
	items      []node // of a list
	fields     []field
	kind       kind
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

// parseTree reads JSON that is known to be valid. It does not look for mistakes:
// encoding/json has found those, and says them better than it says places.
func parseTree(data []byte) (node, error) {
	p := &treeParser{data: string(data)}
	return p.value(0)
}

type treeParser struct {
	data string // texts are parts of it, not copies
	at   int
	// What is being read of the lists and objects that are open: their members are
	// cut to size when they close.
	items  []node
	fields []field
}

// peek is the next byte that is not white space, 0 at the end.
func (p *treeParser) peek() byte {
	for p.at < len(p.data) {
		switch c := p.data[p.at]; c {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return c
		}
	}
	return 0
}

func (p *treeParser) value(depth int) (node, error) {
	if depth > maxNesting {
		return node{}, fmt.Errorf("values are nested more than %d deep; the format needs no more than 7", maxNesting)
	}
	c := p.peek()
	n := node{start: p.at}
	var err error
	switch c {
	case '{':
		n.kind = kindObject
		err = p.object(&n, depth)
	case '[':
		n.kind = kindList
		err = p.list(&n, depth)
	case '"':
		n.kind = kindString
		n.text, err = unquote(p.quoted())
	default:
		word := p.word()
		switch c {
		case 'n':
		case 't', 'f':
			n.kind, n.text = kindBool, word
		default:
			n.kind, n.text = kindNumber, word
		}
	}
	n.end = p.at
	return n, err
}

// quoted passes over a string and returns it with its quotes.
func (p *treeParser) quoted() string {
	start := p.at
	for p.at++; p.at < len(p.data); p.at++ {
		switch p.data[p.at] {
		case '\\':
			p.at++
		case '"':
			p.at++
			return p.data[start:p.at]
		}
	}
	return p.data[start:]
}

func unquote(quoted string) (string, error) {
	if len(quoted) >= 2 && strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], nil
	}
	var s string
	err := json.Unmarshal([]byte(quoted), &s)
	return s, err
}

// word passes over a number or a literal.
func (p *treeParser) word() string {
	start := p.at
	for p.at < len(p.data) && strings.IndexByte(" \t\r\n,:]}[{\"", p.data[p.at]) < 0 {
		p.at++
	}
	if p.at == start { // never of valid JSON; without it a caller would stand still
		p.at++
	}
	return p.data[start:min(p.at, len(p.data))]
}

func (p *treeParser) list(n *node, depth int) error {
	p.at++
	first := len(p.items)
	defer func() {
		n.items = slices.Clone(p.items[first:])
		p.items = p.items[:first]
	}()
	for p.at < len(p.data) {
		switch p.peek() {
		case ']':
			p.at++
			return nil
		case ',':
			p.at++
			continue
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		p.items = append(p.items, v)
	}
	return nil
}

func (p *treeParser) object(n *node, depth int) error {
	p.at++
	first := len(p.fields)
	defer func() {
		n.fields = slices.Clone(p.fields[first:])
		p.fields = p.fields[:first]
	}()
	for p.at < len(p.data) {
		switch p.peek() {
		case '}':
			p.at++
			return nil
		case ',':
			p.at++
			continue
		}
		f := field{start: p.at}
		name, err := unquote(p.quoted())
		if err != nil {
			return err
		}
		f.name = name
		p.peek()
		p.at++ // the colon
		if f.value, err = p.value(depth + 1); err != nil {
			return err
		}
		p.fields = append(p.fields, f)
	}
	return nil
}
