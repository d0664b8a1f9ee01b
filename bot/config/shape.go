package config

import (
	"reflect"
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// misfit is a value of the wrong kind. The decoder passes over some, and says of
// others neither where they are nor what is wanted.
type misfit struct {
	line int // from 1
	key  string
	want string
}

// misfits returns the first value in data that cannot be what t says, or nil. What
// the parser does not like is left to the decoder to tell.
func misfits(data []byte, t reflect.Type) *misfit {
	file, err := parser.ParseBytes(data, 0)
	if err != nil || len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil
	}
	return misfitsIn(file.Docs[0].Body, t, "")
}

func misfitsIn(n ast.Node, t reflect.Type, key string) *misfit {
	for wrapped := true; wrapped; {
		switch w := n.(type) {
		case *ast.AnchorNode:
			n = w.Value
		case *ast.TagNode:
			n = w.Value
		default:
			wrapped = false
		}
	}
	if n == nil {
		return nil
	}
	switch n.(type) {
	case *ast.AliasNode, *ast.NullNode:
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return misfitsIn(n, t.Elem(), key)
	case reflect.Struct:
		return misfitsInStruct(n, t, key)
	case reflect.Slice:
		list, ok := n.(*ast.SequenceNode)
		if !ok {
			return newMisfit(n, key, "want a list")
		}
		for i, item := range list.Values {
			if m := misfitsIn(item, t.Elem(), key+"["+strconv.Itoa(i)+"]"); m != nil {
				return m
			}
		}
		return nil
	default:
		return misfitLeaf(n, t, key)
	}
}

func misfitsInStruct(n ast.Node, t reflect.Type, key string) *misfit {
	var pairs []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		pairs = m.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{m}
	default:
		return newMisfit(n, key, "want keys with values")
	}
	for _, p := range pairs {
		name := p.Key.GetToken().Value
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Tag.Get("yaml") != name || name == "-" {
				continue
			}
			path := name
			if key != "" {
				path = key + "." + name
			}
			if m := misfitsIn(p.Value, f.Type, path); m != nil {
				return m
			}
		}
	}
	return nil
}

func misfitLeaf(n ast.Node, t reflect.Type, key string) *misfit {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode:
		return newMisfit(n, key, "want one value, not a list or keys of its own")
	}
	if t == reflect.TypeFor[time.Duration]() {
		text := n.GetToken().Value
		if _, err := time.ParseDuration(text); err != nil {
			return newMisfit(n, key, "is not a duration; write it as 20s or 2m")
		}
		return nil
	}
	if k := t.Kind(); k == reflect.Int || k == reflect.Int64 {
		if _, ok := n.(*ast.IntegerNode); !ok {
			return newMisfit(n, key, "is not a whole number")
		}
	}
	return nil
}

func newMisfit(n ast.Node, key, want string) *misfit {
	m := &misfit{line: lineOf(n.GetToken()), key: key, want: want}
	if m.key == "" {
		m.key = "the file"
	}
	return m
}

func lineOf(tk *token.Token) int {
	if tk == nil || tk.Position == nil {
		return 1
	}
	return tk.Position.Line
}
