package registry

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// fill copies the fields of an object into repo, and reports those of the wrong
// type. encoding/json would do the copying, but not say where and how to mend.
func (c *checker) fill(repo *routing.Repo, n node, path string) {
	c.object(reflect.ValueOf(repo).Elem(), n, path)
}

func (c *checker) object(into reflect.Value, n node, path string) {
	if n.kind != kindObject {
		c.fail(n.start, path, "want an object, got %s; write {...}", n.kind)
		return
	}
	c.duplicateKeys(n, path)
	known := fieldsOf(into.Type())
	for _, f := range n.fields {
		i, ok := known[f.name]
		if !ok && ours(into.Type()) {
			c.unknown(f, path, known)
			continue
		}
		if !ok {
			c.misspelt(f, path, known)
			continue
		}
		c.value(into.Field(i), f.value, path+"."+f.name)
	}
}

// fieldsOf maps the JSON names of a struct to its fields.
func fieldsOf(t reflect.Type) map[string]int {
	known := map[string]int{}
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "-" && name != "" {
			known[name] = i
		}
	}
	return known
}

// misspelt warns of a field that is a known one but for its case. All other
// unknown fields are somebody else's, and kept.
func (c *checker) misspelt(f field, path string, known map[string]int) {
	for name := range known {
		if strings.EqualFold(name, f.name) {
			c.warn(f.start, path+"."+f.name, "it is not read; write %q", name)
			return
		}
	}
}

func (c *checker) duplicateKeys(n node, path string) {
	seen := map[string]bool{}
	for _, f := range n.fields {
		if seen[f.name] {
			c.warn(f.start, path+"."+f.name, "it is given twice; the last one counts")
		}
		seen[f.name] = true
	}
}

// value copies one value into a field of the same kind.
func (c *checker) value(into reflect.Value, n node, path string) {
	if n.kind == kindNull {
		return
	}
	into.SetZero() // of a field given twice, the last one counts
	switch into.Kind() {
	case reflect.String:
		if n.kind != kindString {
			c.fail(n.start, path, `want a string, got %s; write "..."`, n.kind)
			return
		}
		into.SetString(c.visible(n, path))
	case reflect.Bool:
		if n.kind != kindBool {
			c.fail(n.start, path, "want true or false, got %s", n.kind)
			return
		}
		into.SetBool(n.text == "true")
	case reflect.Struct:
		c.object(into, n, path)
	case reflect.Slice:
		c.list(into, n, path)
	default:
		c.identity(into, n, path)
	}
}

// identity reads a host's own id, a string or a whole number.
func (c *checker) identity(into reflect.Value, n node, path string) {
	switch n.kind {
	case kindString:
		into.Set(reflect.ValueOf(c.visible(n, path)))
	case kindNumber:
		id, err := strconv.ParseInt(n.text, 10, 64)
		if err != nil {
			c.fail(n.start, path, "want a whole number or a string, got %s", n.text)
			return
		}
		into.Set(reflect.ValueOf(id))
	default:
		c.fail(n.start, path, "want a string or a number, got %s", n.kind)
	}
}

func (c *checker) list(into reflect.Value, n node, path string) {
	element := into.Type().Elem()
	if n.kind != kindList {
		if element.Kind() == reflect.String {
			c.fail(n.start, path, `want a list of strings, got %s; write ["..."]`, n.kind)
		} else {
			c.fail(n.start, path, "want a list of objects, got %s; write [{...}]", n.kind)
		}
		return
	}
	out := reflect.MakeSlice(into.Type(), 0, len(n.items))
	for i, item := range n.items {
		at := fmt.Sprintf("%s[%d]", path, i)
		v := reflect.New(element).Elem()
		if element.Kind() == reflect.String {
			if !c.word(v, item, at) {
				continue
			}
		} else {
			c.value(v, item, at)
		}
		out = reflect.Append(out, v)
	}
	if out.Len() > 0 {
		into.Set(out)
	}
}

// word reads an element of a list of strings. A number stands for its digits, as
// in a list of status codes.
func (c *checker) word(into reflect.Value, n node, path string) bool {
	if n.kind != kindString && n.kind != kindNumber {
		c.fail(n.start, path, `want a string, got %s; write "..."`, n.kind)
		return false
	}
	word := strings.TrimSpace(c.visible(n, path))
	if word == "" {
		c.warn(n.start, path, "it is empty and left out")
		return false
	}
	into.SetString(word)
	return true
}
