package registry

import (
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/pointsman/pointsman/routing"
)

// fill copies the fields of an object into repo, and reports those of the wrong
// type. encoding/json would do the copying, but not say where and how to mend.
func (c *checker) fill(repo *routing.Repo, n node, path *where) {
	c.object(reflect.ValueOf(repo).Elem(), n, path)
}

func (c *checker) object(into reflect.Value, n node, path *where) {
	if n.kind != kindObject {
		c.fail(n.start, path, "write {...}", "want an object, got %s", n.kind)
		return
	}
	c.duplicateKeys(n, path)
	t := into.Type()
	known, ok := c.known[t]
	if !ok {
		known = fieldsOf(t)
		c.known[t] = known
	}
	at := &where{parent: path} // of one field after the other
	for _, f := range n.fields() {
		i, ok := known[f.name]
		if !ok && ours(t) {
			c.unknown(f, path, known)
			continue
		}
		if !ok {
			c.misspelt(f, path, known)
			continue
		}
		at.name = f.name
		c.value(into.Field(i), f.value, at)
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
func (c *checker) misspelt(f field, path *where, known map[string]int) {
	for name := range known {
		if strings.EqualFold(name, f.name) {
			c.warn(f.start, path.field(f.name), `write "`+name+`"`, "it is not read")
			return
		}
	}
}

func (c *checker) duplicateKeys(n node, path *where) {
	var seen map[string]bool
	fields := n.fields()
	for i := range fields {
		f, twice := &fields[i], false
		if i < 64 { // an ordinary object: no table needed
			for j := range i {
				if fields[j].name == f.name {
					twice = true
					break
				}
			}
		} else {
			if seen == nil {
				seen = map[string]bool{}
				for j := range i {
					seen[fields[j].name] = true
				}
			}
			twice, seen[f.name] = seen[f.name], true
		}
		if twice {
			c.warn(f.start, path.field(f.name), "leave one out", "it is given twice, and the last one counts")
		}
	}
}

// value copies one value into a field of the same kind.
func (c *checker) value(into reflect.Value, n node, path *where) {
	if n.kind == kindNull {
		return
	}
	into.SetZero() // of a field given twice, the last one counts
	switch into.Kind() {
	case reflect.String:
		if n.kind != kindString {
			c.fail(n.start, path, `write "..."`, "want a string, got %s", n.kind)
			return
		}
		into.SetString(c.visible(n, path))
	case reflect.Bool:
		if n.kind != kindBool {
			c.fail(n.start, path, "write true or false", "want true or false, got %s", n.kind)
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
func (c *checker) identity(into reflect.Value, n node, path *where) {
	const mend = "write the id that the repository's host gives it"
	switch n.kind {
	case kindString:
		id := c.visible(n, path)
		if id == "" || len(id) > maxName || strings.ContainsFunc(id, unicode.IsSpace) {
			c.fail(n.start, path, mend+", or leave it out", "an id is 1 to %d characters without spaces", maxName)
			return
		}
		into.Set(reflect.ValueOf(id))
	case kindNumber:
		id, err := strconv.ParseInt(n.text, 10, 64)
		if err != nil || id < 1 {
			c.fail(n.start, path, mend+`, as a number or in "..."`, "want a whole number above 0 or a string, got %s", clip(n.text))
			return
		}
		into.Set(reflect.ValueOf(id))
	default:
		c.fail(n.start, path, mend, "want a string or a number, got %s", n.kind)
	}
}

func (c *checker) list(into reflect.Value, n node, path *where) {
	words := into.Type().Elem().Kind() == reflect.String
	if n.kind != kindList {
		if words {
			c.fail(n.start, path, `write ["..."]`, "want a list of strings, got %s", n.kind)
		} else {
			c.fail(n.start, path, "write [{...}]", "want a list of objects, got %s", n.kind)
		}
		return
	}
	l := limited{limit: limitOf(path.name), c: c, path: path}
	if words {
		c.words(into, n, path, &l)
	} else {
		c.objects(into, n, path, &l)
	}
	l.done(n)
}

func (c *checker) words(into reflect.Value, n node, path *where, l *limited) {
	l.seen = &c.seen
	l.seen.reset(len(n.items()))
	c.listed = c.listed[:0]
	at := &where{parent: path} // of one word after the other
	for i, item := range n.items() {
		at.index = i
		word, ok := c.word(item, at)
		if ok && l.takes(word, item, at) {
			c.listed = append(c.listed, word)
		}
	}
	c.out = keep(&c.kept, c.listed)
	into.Set(reflect.ValueOf(&c.out).Elem()) // ValueOf(c.out) would allocate
}

func (c *checker) objects(into reflect.Value, n node, path *where, l *limited) {
	out := reflect.MakeSlice(into.Type(), 0, len(n.items()))
	for i, item := range n.items() {
		v := reflect.New(into.Type().Elem()).Elem()
		c.value(v, item, path.item(i))
		if l.more() {
			out = reflect.Append(out, v)
		}
	}
	if out.Len() > 0 {
		into.Set(out)
	}
}

// word reads an element of a list of strings. A number stands for its digits, as
// in a list of status codes.
func (c *checker) word(n node, path *where) (string, bool) {
	if n.kind != kindString && n.kind != kindNumber {
		c.fail(n.start, path, `write "..."`, "want a string, got %s", n.kind)
		return "", false
	}
	word := strings.TrimSpace(c.visible(n, path))
	if word == "" {
		c.warn(n.start, path, "write a word, or remove it", "it is empty and left out")
		return "", false
	}
	return word, true
}

// clip bounds what an error quotes.
func clip(s string) string { return shorten(s, 80) }
