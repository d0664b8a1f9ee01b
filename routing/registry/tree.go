package registry

import (
	"encoding/json"
	"errors"
	"fmt"
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

// maxValues bounds the values of a file: a thousand entries have some 50,000, and
// each costs forty times what the shortest takes in the text.
const maxValues = 1_000_000

// node is one JSON value that knows where it stands.
type node struct {
	start, end int      // offsets into the text
	text       string   // of a string, number or boolean
	members    *members // of a list or an object that has any
	kind       kind
}

// members are what a list or an object holds. They lie apart, since nearly all
// nodes are single values, and a registry has many.
type members struct {
	items  []node
	fields []field
}

type field struct {
	name  string
	start int
	value node
}

// items are those of a list.
func (n *node) items() []node {
	if n.members == nil {
		return nil
	}
	return n.members.items
}

// fields are those of an object, in the order of the text.
func (n *node) fields() []field {
	if n.members == nil {
		return nil
	}
	return n.members.fields
}

// get returns the last field of a name, as JSON readers do.
func (n *node) get(name string) (node, bool) {
	if v := n.find(name); v != nil {
		return *v, true
	}
	return node{}, false
}

// find is get without a copy; nil when there is none.
func (n *node) find(name string) *node {
	fields := n.fields()
	for i := len(fields) - 1; i >= 0; i-- {
		if fields[i].name == name {
			return &fields[i].value
		}
	}
	return nil
}

// errSyntax says that a text is no JSON. encoding/json says where, and better.
var errSyntax = errors.New("reading JSON: it is not valid")

// parseTree reads JSON, and refuses what encoding/json refuses: a second pass over
// a sound text would cost as much as the first.
func parseTree(data []byte) (node, error) {
	p := &treeParser{data: string(data)}
	n, err := p.value(0)
	if err == nil && (p.peek() != 0 || p.at < len(p.data)) {
		err = errSyntax
	}
	return n, err
}

type treeParser struct {
	data string // texts are parts of it, not copies
	at   int

	values int // read so far
	// What is being read of the lists and objects that are open: their members are
	// cut to size when they close.
	items  []node
	fields []field
	// Where those that are closed lie, many to an allocation.
	kept        []node
	keptFields  []field
	keptMembers []members
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
		return node{}, fmt.Errorf("values are nested more than %d deep; write it flatter, the format needs no more than 7", maxNesting)
	}
	if p.values++; p.values > maxValues {
		return node{}, fmt.Errorf("it holds more than %d values; leave out what does not say what a repository is", maxValues)
	}
	c := p.peek()
	n := node{start: p.at}
	var err error
	switch c {
	case '{':
		n.kind = kindObject
		n.members, err = p.object(depth)
	case '[':
		n.kind = kindList
		n.members, err = p.list(depth)
	case '"':
		n.kind = kindString
		n.text, err = p.text()
	case 'n':
		_, err = p.literal("null")
	case 't':
		n.kind = kindBool
		n.text, err = p.literal("true")
	case 'f':
		n.kind = kindBool
		n.text, err = p.literal("false")
	default:
		n.kind = kindNumber
		n.text, err = p.number()
	}
	n.end = p.at
	return n, err
}

// text reads a string without its quotes.
func (p *treeParser) text() (string, error) {
	start, plain := p.at, true
	for p.at++; p.at < len(p.data); p.at++ {
		switch c := p.data[p.at]; {
		case c == '"':
			p.at++
			if plain {
				return p.data[start+1 : p.at-1], nil
			}
			var s string
			err := json.Unmarshal([]byte(p.data[start:p.at]), &s) // checks the escapes as well
			return s, err
		case c == '\\':
			plain = false
			p.at++
		case c < ' ':
			return "", errSyntax
		}
	}
	return "", errSyntax
}

func (p *treeParser) literal(word string) (string, error) {
	if !strings.HasPrefix(p.data[p.at:], word) {
		return "", errSyntax
	}
	p.at += len(word)
	return word, nil
}

// number reads -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
func (p *treeParser) number() (string, error) {
	start := p.at
	p.one("-")
	if !p.one("0") && p.digits() == 0 {
		return "", errSyntax
	}
	if p.one(".") && p.digits() == 0 {
		return "", errSyntax
	}
	if p.one("eE") {
		p.one("+-")
		if p.digits() == 0 {
			return "", errSyntax
		}
	}
	return p.data[start:p.at], nil
}

// one passes over one of some characters.
func (p *treeParser) one(of string) bool {
	if p.at < len(p.data) && strings.IndexByte(of, p.data[p.at]) >= 0 {
		p.at++
		return true
	}
	return false
}

func (p *treeParser) digits() int {
	start := p.at
	for p.at < len(p.data) && p.data[p.at] >= '0' && p.data[p.at] <= '9' {
		p.at++
	}
	return p.at - start
}

func (p *treeParser) list(depth int) (*members, error) {
	p.at++
	first := len(p.items)
	for p.peek() != ']' || len(p.items) > first {
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		p.items = append(p.items, v)
		if c := p.peek(); c == ']' {
			break
		} else if c != ',' {
			return nil, errSyntax
		}
		p.at++
	}
	p.at++
	items := keep(&p.kept, p.items[first:])
	p.items = p.items[:first]
	return p.member(members{items: items}), nil
}

func (p *treeParser) object(depth int) (*members, error) {
	p.at++
	first := len(p.fields)
	for p.peek() != '}' || len(p.fields) > first {
		if p.peek() != '"' {
			return nil, errSyntax
		}
		f := field{start: p.at}
		var err error
		if f.name, err = p.text(); err != nil {
			return nil, err
		}
		if p.peek() != ':' {
			return nil, errSyntax
		}
		p.at++
		if f.value, err = p.value(depth + 1); err != nil {
			return nil, err
		}
		p.fields = append(p.fields, f)
		if c := p.peek(); c == '}' {
			break
		} else if c != ',' {
			return nil, errSyntax
		}
		p.at++
	}
	p.at++
	fields := keep(&p.keptFields, p.fields[first:])
	p.fields = p.fields[:first]
	return p.member(members{fields: fields}), nil
}

// member keeps what an object or a list holds, nil for nothing.
func (p *treeParser) member(m members) *members {
	if len(m.items)+len(m.fields) == 0 {
		return nil
	}
	return &keep(&p.keptMembers, []members{m})[0]
}

// keep copies members to the end of a block, or into a new block when they do not
// fit. What was kept before stays where it is.
func keep[T any](block *[]T, members []T) []T {
	const size = 512
	if len(members) == 0 {
		return nil
	}
	if cap(*block)-len(*block) < len(members) {
		*block = make([]T, 0, max(min(size, cap(*block)*2), 4, len(members)))
	}
	at := len(*block)
	*block = append(*block, members...)
	return (*block)[at:len(*block):len(*block)]
}
