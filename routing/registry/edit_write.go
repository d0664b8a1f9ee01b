package registry

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/routing"
)

// splice replaces a part of the text.
type splice struct {
	start, end int
	text       string
}

// span is where a member of a list or an object stands, its key included.
type span struct{ start, end int }

// writer collects the parts of the text that change.
type writer struct {
	text    []byte
	nl      string // the file's line end
	unit    string // one step of indentation
	inline  bool   // the entry at hand is written on one line
	splices []splice
}

func (w *writer) replace(start, end int, text string) {
	w.splices = append(w.splices, splice{start, end, text})
}

// result applies the splices. At one place what is put in comes before what goes.
func (w *writer) result() []byte {
	slices.SortStableFunc(w.splices, func(a, b splice) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	var out []byte
	at := 0
	for _, s := range w.splices {
		out = append(out, w.text[at:s.start]...)
		out = append(out, s.text...)
		at = s.end
	}
	return append(out, w.text[at:]...)
}

// repos writes the list of entries.
func (w *writer) repos(e *Edit) {
	var spans []span
	var gone []bool
	last, isInline := -1, false
	for i, en := range e.entries {
		if en.fresh {
			continue
		}
		spans, gone = append(spans, span{en.node.start, en.node.end}), append(gone, en.removed)
		if en.removed {
			continue
		}
		last, isInline = i, w.oneLine(en.node)
		w.unit, w.inline = w.unitOf(en.node), isInline
		w.object(en.node, en.patch, reflect.TypeFor[routing.Repo]())
	}
	listIndent, sep := w.indent(e.list.start), ","+w.nl
	apart := len(spans) == 0 || w.breaksBefore(e.list.start, spans[0].start)
	w.unit, w.inline = "  ", isInline
	indent := listIndent + w.unit
	if len(spans) > 0 {
		indent = w.indent(spans[0].start)
	}
	if last >= 0 {
		w.unit = w.unitOf(e.entries[last].node)
	}
	if sep += indent; !apart {
		sep = ", "
	}
	var added []string
	for _, en := range e.entries {
		if en.fresh {
			now := e.now(en)
			complete(now)
			added = append(added, w.render(map[string]any(now), reflect.TypeFor[routing.Repo](), indent, nil))
		}
	}
	text := strings.Join(added, sep)
	switch {
	case len(spans) == 0 && len(added) > 0:
		w.replace(e.list.start, e.list.end, "["+w.nl+indent+text+w.nl+listIndent+"]")
	case last < 0 && len(spans) > 0:
		w.replace(spans[0].start, spans[len(spans)-1].end, text)
	case len(spans) > 0:
		w.remove(spans, gone)
		if len(added) > 0 {
			at := e.entries[last].node.end
			w.replace(at, at, sep+text)
		}
	}
}

// object writes what a merge patch changes of an object.
func (w *writer) object(n node, patch map[string]any, t reflect.Type) {
	if len(patch) == 0 {
		return
	}
	o := orderOf(t)
	keys := o.keys(patch)
	spans, gone := make([]span, len(n.fields())), make([]bool, len(n.fields()))
	left := 0
	for i, f := range n.fields() {
		v, given := patch[f.name]
		spans[i], gone[i] = span{f.start, f.value.end}, given && v == nil
		if !gone[i] {
			left++
		}
	}
	if left == 0 {
		w.replace(n.start, n.end, w.render(withoutNulls(patch), t, w.indent(n.start), nil))
		return
	}
	w.remove(spans, gone)
	for _, key := range keys {
		if patch[key] == nil {
			continue
		}
		old, has := n.get(key)
		if exact, ok := patch[key].(whole); ok && has {
			w.value(old, map[string]any(exact), typeOf(t, key), false)
			continue
		}
		if has {
			w.value(old, patch[key], typeOf(t, key), true)
			continue
		}
		w.insert(n, gone, o, key, withoutNulls(patch[key]), typeOf(t, key))
	}
}

// insert puts a new field behind the one that it customarily follows.
func (w *writer) insert(n node, gone []bool, o order, key string, v any, t reflect.Type) {
	first, anchor := -1, -1
	for i, f := range n.fields() {
		if gone[i] {
			continue
		}
		if first < 0 {
			first = i
		}
		r := o.rank(f.name)
		if r <= o.rank(key) && (anchor < 0 || r >= o.rank(n.fields()[anchor].name)) {
			anchor = i
		}
	}
	indent := w.indent(n.fields()[first].start)
	gap := " "
	if !w.inline && w.breaksBefore(n.start, n.fields()[0].start) {
		gap = w.nl + indent
	}
	text := encode(key) + ": " + w.render(v, t, indent, nil)
	if anchor < 0 {
		at := n.fields()[first].start
		w.replace(at, at, text+","+gap)
		return
	}
	at := n.fields()[anchor].value.end
	w.replace(at, at, ","+gap+text)
}

// remove takes members out, each with the comma that parted it from its neighbour.
func (w *writer) remove(spans []span, gone []bool) {
	kept := false
	for i, s := range spans {
		switch {
		case !gone[i]:
			kept = true
		case kept:
			w.replace(spans[i-1].end, s.end, "")
		case i+1 < len(spans):
			w.replace(s.start, spans[i+1].start, "")
		}
	}
}

// value writes what changes of a value. merge keeps the keys of an object that
// are not given.
func (w *writer) value(old node, v any, t reflect.Type, merge bool) {
	next, isObject := v.(map[string]any)
	list, isList := v.([]any)
	switch {
	case isObject && old.kind == kindObject:
		if !merge {
			next = replacing(old, next)
		}
		w.object(old, next, t)
	case same(plainNode(old), v):
	case isList && old.kind == kindList && len(list) == len(old.items()) && len(list) > 0:
		for i, item := range old.items() {
			w.value(item, list[i], elemOf(t), false)
		}
	default:
		w.replace(old.start, old.end, w.render(withoutNulls(v), t, w.indent(old.start), w.written(old)))
	}
}

// replacing is the merge patch that leaves exactly next.
func replacing(old node, next map[string]any) map[string]any {
	patch := map[string]any{}
	for _, f := range old.fields() {
		patch[f.name] = nil
	}
	for k, v := range next {
		patch[k] = v
	}
	return patch
}

// written maps the values of a list to the text that stands for them, so that an
// element that stays keeps its bytes.
func (w *writer) written(n node) map[string]string {
	out := map[string]string{}
	for _, item := range n.items() {
		out[encode(plainNode(item))] = string(w.text[item.start:item.end])
	}
	return out
}

// render writes a value that begins on a line of the given indentation.
func (w *writer) render(v any, t reflect.Type, indent string, written map[string]string) string {
	var members []string
	open, end := "[", "]"
	inner := indent + w.unit
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			text, ok := written[encode(item)]
			if !ok {
				text = w.render(item, elemOf(t), inner, nil)
			}
			members = append(members, text)
		}
	case map[string]any:
		open, end = "{", "}"
		for _, key := range orderOf(t).keys(v) {
			members = append(members, encode(key)+": "+w.render(v[key], typeOf(t, key), inner, nil))
		}
	default:
		return encode(v)
	}
	if len(members) == 0 {
		return open + end
	}
	if w.inline {
		return open + strings.Join(members, ", ") + end
	}
	return open + w.nl + inner + strings.Join(members, ","+w.nl+inner) + w.nl + indent + end
}

// indent is the white space that begins the line of an offset.
func (w *writer) indent(offset int) string {
	start := bytes.LastIndexByte(w.text[:offset], '\n') + 1
	end := start
	for end < offset && (w.text[end] == ' ' || w.text[end] == '\t') {
		end++
	}
	return string(w.text[start:end])
}

func (w *writer) breaksBefore(from, to int) bool {
	return bytes.IndexByte(w.text[from:to], '\n') >= 0
}

func (w *writer) oneLine(n node) bool { return !w.breaksBefore(n.start, n.end) }

// unitOf is one step of indentation as an object's fields show it.
func (w *writer) unitOf(n node) string {
	if len(n.fields()) > 0 && w.breaksBefore(n.start, n.fields()[0].start) {
		if unit, ok := strings.CutPrefix(w.indent(n.fields()[0].start), w.indent(n.start)); ok && unit != "" {
			return unit
		}
	}
	return "  "
}

func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
