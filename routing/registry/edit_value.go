package registry

import (
	"bytes"
	"encoding/json"
)

// plainNode turns a node into plain values; of a key given twice the last counts.
func plainNode(n node) any {
	switch n.kind {
	case kindNull:
		return nil
	case kindBool:
		return n.text == "true"
	case kindNumber:
		return json.Number(n.text)
	case kindString:
		return n.text
	case kindList:
		list := make([]any, 0, len(n.items()))
		for _, item := range n.items() {
			list = append(list, plainNode(item))
		}
		return list
	case kindObject:
		object := map[string]any{}
		for _, f := range n.fields() {
			object[f.name] = plainNode(f.value)
		}
		return object
	}
	return nil
}

// encode writes plain values as compact JSON with sorted keys: equal values give
// equal text.
func encode(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil { // plain values always encode
		return "null"
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func same(a, b any) bool { return encode(a) == encode(b) }

func anyList(list []string) []any {
	out := make([]any, 0, len(list))
	for _, s := range list {
		out = append(out, s)
	}
	return out
}

// whole is an object in a patch that replaces what was there instead of being
// merged into it: a removal, and then something put in its place.
type whole map[string]any

// mergePatches adds a later merge patch to an earlier one.
func mergePatches(into, patch map[string]any) {
	for k, v := range patch {
		object, isObject := v.(map[string]any)
		before, touched := into[k]
		if !isObject || !touched {
			into[k] = v
			continue
		}
		switch before := before.(type) {
		case map[string]any:
			mergePatches(before, object)
		case whole:
			applyPatch(before, object)
		default:
			fresh := whole{}
			applyPatch(fresh, object)
			into[k] = fresh
		}
	}
}

// applyPatch applies a merge patch to plain values.
func applyPatch(into, patch map[string]any) {
	for k, v := range patch {
		switch v := v.(type) {
		case nil:
			delete(into, k)
		case whole:
			into[k] = withoutNulls(map[string]any(v))
		case map[string]any:
			before, ok := into[k].(map[string]any)
			if !ok {
				before = map[string]any{}
				into[k] = before
			}
			applyPatch(before, v)
		default:
			into[k] = v
		}
	}
}

// withoutNulls is what a merge patch makes of nothing.
func withoutNulls(v any) any {
	patch, ok := v.(map[string]any)
	if w, isWhole := v.(whole); isWhole {
		patch, ok = w, true
	}
	if !ok {
		return v
	}
	out := map[string]any{}
	applyPatch(out, patch)
	return out
}
