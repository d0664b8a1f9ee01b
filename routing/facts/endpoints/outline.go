package endpoints

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxOutline is the depth to which an outline is kept: the servers' variables
	// and a method of a path lie above it, the schemas below.
	maxOutline = 5
	// maxNesting is the depth beyond which text in braces is not read.
	maxNesting = 200
)

// node is a key of a YAML or JSON document with its scalar value or its keys.
// Elements of a list have their index as their key. Line counts from 1.
type node struct {
	key, value string
	line       int
	kids       []*node
	index      map[string]*node // kids by key; made when there are many
}

// get returns the first kid of that key, nil when there is none.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	if n.index == nil && len(n.kids) > 16 {
		n.index = make(map[string]*node, len(n.kids))
		for _, k := range slices.Backward(n.kids) {
			n.index[k.key] = k
		}
	}
	if n.index != nil {
		return n.index[key]
	}
	for _, k := range n.kids {
		if k.key == key {
			return k
		}
	}
	return nil
}

func (n *node) count() int {
	sum := 1
	for _, k := range n.kids {
		sum += k.count()
	}
	return sum
}

// outline reads the upper levels of a YAML or JSON document in one pass over its
// lines. It is no YAML parser: it reads what descriptions of interfaces are written
// in, takes linear time on anything, and returns nil for what begins as neither.
func outline(text []byte, braces bool) *node {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if start := bytes.TrimLeft(text, " \t\r\n"); braces || bytes.HasPrefix(start, []byte("{")) {
		if !bytes.HasPrefix(start, []byte("{")) {
			return nil
		}
		root := &node{line: 1}
		f := flow{text: text, line: 1}
		if f.value(root, 0); f.failed {
			return nil
		}
		return root
	}
	o := &outliner{text: text, root: &node{line: 1}, anchors: map[string]*node{}}
	o.stack = []level{{indent: -1, node: o.root}}
	for o.at < len(text) && !o.done {
		o.next()
	}
	return o.root
}

// level is a key or an element that the following, deeper lines belong to.
type level struct {
	indent int
	item   bool
	node   *node
}

type outliner struct {
	text    []byte
	at      int // where the next line begins
	line    int // its number, from 0
	root    *node
	stack   []level
	anchors map[string]*node
	done    bool // a second document begins
}

// take returns the next line and passes it.
func (o *outliner) take() (line string, start int) {
	start = o.at
	end := bytes.IndexByte(o.text[start:], '\n')
	if end < 0 {
		o.at = len(o.text)
		end = o.at
	} else {
		end += start
		o.at = end + 1
	}
	o.line++
	return strings.TrimRight(string(o.text[start:end]), " \t\r"), start
}

func (o *outliner) next() {
	line, start := o.take()
	rest := strings.TrimLeft(line, " \t")
	indent := len(line) - len(rest)
	switch {
	case rest == "" || rest[0] == '#' || indent == 0 && rest[0] == '%':
		return
	case indent == 0 && (rest == "---" || rest == "..." || strings.HasPrefix(rest, "--- ")):
		o.done = len(o.root.kids) > 0
		return
	}
	for rest == "-" || strings.HasPrefix(rest, "- ") {
		for top := o.top(); top.indent > indent || top.indent == indent && top.item; top = o.top() {
			o.stack = o.stack[:len(o.stack)-1]
		}
		o.push(indent, true, "")
		if len(o.stack) > maxNesting {
			return
		}
		after := strings.TrimLeft(rest[1:], " \t")
		indent += len(rest) - len(after)
		rest = after
	}
	if rest == "" {
		return
	}
	o.entry(rest, indent, start+len(line)-len(rest))
}

func (o *outliner) top() level { return o.stack[len(o.stack)-1] }

// push opens a key below the present one. Below the levels that are kept, keys
// are still opened, so that lines find whom they belong to, but hang on nothing.
func (o *outliner) push(indent int, item bool, key string) *node {
	parent := o.top().node
	n := &node{key: key, line: o.line}
	if item {
		n.key = strconv.Itoa(len(parent.kids))
	}
	if len(o.stack) <= maxOutline {
		parent.kids = append(parent.kids, n)
	}
	o.stack = append(o.stack, level{indent, item, n})
	return n
}

// entry reads "key: value" or a bare value that begins at offset.
func (o *outliner) entry(rest string, indent, offset int) {
	key, value, ok := splitKey(rest)
	n := o.top().node
	limit := o.top().indent
	if ok {
		for o.top().indent >= indent {
			o.stack = o.stack[:len(o.stack)-1]
		}
		n = o.push(indent, false, key)
		limit = indent
	} else {
		value = rest
	}
	value = o.mark(n, strings.TrimLeft(value, " \t"))
	if value == "" || value[0] == '#' {
		return
	}
	at := offset + len(rest) - len(value)
	switch value[0] {
	case '{', '[':
		depth := min(len(o.stack)-1, maxOutline)
		f := flow{text: o.text, at: at, line: o.line}
		f.value(n, depth)
		o.resume(f)
	case '"', '\'':
		f := flow{text: o.text, at: at, line: o.line}
		n.value = f.quoted()
		o.resume(f)
	case '|', '>':
		o.skip(limit)
	case '*':
		if other := o.anchors[strings.TrimSpace(value[1:])]; other != nil {
			n.value = other.value // keys are not copied: they could multiply without end
		}
	default:
		n.value, _, _ = strings.Cut(value, " #")
		n.value = strings.TrimSpace(n.value)
		if ok {
			o.skip(limit)
		}
	}
}

// mark takes anchors and tags off a value.
func (o *outliner) mark(n *node, value string) string {
	for value != "" && (value[0] == '&' || value[0] == '!') {
		word, rest, _ := strings.Cut(value, " ")
		if word[0] == '&' && len(o.anchors) < 1_000 {
			o.anchors[word[1:]] = n
		}
		value = strings.TrimLeft(rest, " \t")
	}
	return value
}

// resume goes on after the line on which a value in braces or quotes ended.
func (o *outliner) resume(f flow) {
	o.done = o.done || f.failed
	o.at, o.line = f.at, f.line
	if end := bytes.IndexByte(o.text[o.at:], '\n'); end >= 0 {
		o.at += end + 1
	} else {
		o.at = len(o.text)
	}
}

// skip passes the lines of a text that lie deeper than its key.
func (o *outliner) skip(indent int) {
	for o.at < len(o.text) {
		at, number := o.at, o.line
		line, _ := o.take()
		if rest := strings.TrimLeft(line, " \t"); rest != "" && len(line)-len(rest) <= indent {
			o.at, o.line = at, number
			return
		}
	}
}

// splitKey cuts a line at the colon behind its key, which may be quoted.
func splitKey(s string) (key, value string, ok bool) {
	if s[0] == '"' || s[0] == '\'' {
		f := flow{text: []byte(s)}
		key = f.quoted()
		rest := strings.TrimLeft(s[f.at:], " \t")
		if value, ok = strings.CutPrefix(rest, ":"); !ok || value != "" && value[0] != ' ' && value[0] != '\t' {
			return "", "", false
		}
		return key, value, true
	}
	if strings.IndexByte("{[|>*#", s[0]) >= 0 {
		return "", "", false
	}
	if key, value, ok = strings.Cut(s, ": "); ok {
		if strings.Contains(key, " #") {
			return "", "", false
		}
		return strings.TrimSpace(key), value, true
	}
	if key, ok = strings.CutSuffix(s, ":"); ok {
		return strings.TrimSpace(key), "", true
	}
	if before, _, found := strings.Cut(s, ":\t"); found {
		return before, s[len(before)+2:], true
	}
	if before, after, found := strings.Cut(s, ": #"); found {
		return before, "#" + after, true
	}
	return "", "", false
}
